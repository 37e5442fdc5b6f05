/**
 * What is known about a violation, by its rule: a union of typed facts. The sentences (`message.ts`) and the `params` of reports are made
 * from them.
 */
import type { Finding, Span, Violation } from '../types.ts';
import type { JsonType } from './found.ts';
import type { SyntaxFacts } from './syntax.ts';
import type { UnknownKindFacts } from './unknown-kind.ts';

interface Limit {
  readonly limit: number;
}

interface FormatLimit {
  readonly limit: string;
}

interface Missing {
  readonly missing: string;
}

interface Dependent extends Missing {
  /** The member that asks for the missing one. */
  readonly because: string;
}

interface Allowed {
  readonly allowed: readonly unknown[];
}

interface Additional {
  /** The name of the member, which is payload text; absent: it must not be shown. */
  readonly additional?: string;
}

interface Contains {
  readonly minContains: number;
  readonly maxContains?: number;
}

// biome-ignore lint/complexity/noBannedTypes: the rule says everything
type Nothing = {};

/** The facts of a keyword of schemas: the `params` of a violation, and what its sentence is made from. */
export interface SchemaRuleFacts {
  type: { readonly expected: string | readonly string[]; readonly found: JsonType };
  enum: Allowed;
  const: Allowed;
  required: Missing;
  dependentRequired: Dependent;
  dependencies: Dependent;
  additionalProperties: Additional;
  unevaluatedProperties: Additional;
  /** The name is payload text; absent: it must not be shown. */
  propertyNames: { readonly name?: string };
  minLength: Limit;
  maxLength: Limit;
  minItems: Limit;
  maxItems: Limit;
  items: Limit;
  additionalItems: Limit;
  unevaluatedItems: Limit;
  minProperties: Limit;
  maxProperties: Limit;
  minimum: Limit;
  maximum: Limit;
  exclusiveMinimum: Limit;
  exclusiveMaximum: Limit;
  multipleOf: { readonly divisor: number };
  pattern: { readonly pattern: string };
  format: { readonly format: string };
  /** Indexes of two equal items. */
  uniqueItems: { readonly first: number; readonly second: number };
  contains: Contains;
  minContains: Contains;
  maxContains: Contains;
  anyOf: Nothing;
  /** Indexes of the alternatives that match; null: none. */
  oneOf: { readonly passing: readonly number[] | null };
  not: Nothing;
  if: Nothing;
  formatMinimum: FormatLimit;
  formatMaximum: FormatLimit;
  formatExclusiveMinimum: FormatLimit;
  formatExclusiveMaximum: FormatLimit;
  false: Nothing;
}

/** By rule; the rules of JSON and of paylint first, then those of schemas. */
export interface RuleFacts extends SchemaRuleFacts {
  'json-syntax': SyntaxFacts;
  'json-encoding':
    | { readonly encoding: string }
    /** `offset`: in bytes, in the source; `cutOff`: the last line ends within the character. */
    | { readonly offset: number; readonly cutOff: boolean };
  'duplicate-member': Nothing;
  'number-out-of-range': Nothing;
  'unknown-kind': UnknownKindFacts;
  'payload-too-large': Limit;
  /** Null: the stack has no room for the payload. */
  'nested-too-deep': { readonly limit: number | null };
  'unsafe-default': /** The rule that the filled payload would break, and the message for that. */
    | { readonly broken: string; readonly message: string }
    /** The kind that the payload has, and the one that it would have; null: none. */
    | { readonly kind: string; readonly other: string | null };
}

/** A rule whose facts paylint knows. */
export type KnownRule = keyof RuleFacts;

/** What breaks a keyword of a schema: the rule says which facts there are. */
export type SchemaFacts = {
  [R in keyof SchemaRuleFacts]: { readonly rule: R; readonly params: SchemaRuleFacts[R] };
}[keyof SchemaRuleFacts];

/** Where the first of two equal names is, in the bytes examined; null for a finding of another rule. */
export function spanOfFirst({ rule, params }: Pick<Finding, 'rule' | 'params'>): Span | null {
  return rule === 'duplicate-member' ? (params.first as Span) : null; // as examine makes it
}

/** Where the first of two equal names is, in the source; null for a violation of another rule. */
export function placeOfFirst({ rule, params }: Pick<Violation, 'rule' | 'params'>): FirstPlace | null {
  return rule === 'duplicate-member' ? (params.first as FirstPlace) : null; // as `check/violations.ts` makes it
}

/** True if the whole source is in another encoding than UTF-8. */
export function isOtherEncoding({ rule, params }: Pick<Finding, 'rule' | 'params'>): boolean {
  return rule === 'json-encoding' && params.encoding !== undefined;
}

/** `line` and `column` as in a violation; `offset` in bytes from the start of the source. */
export interface FirstPlace {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}
