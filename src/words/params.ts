/**
 * The `params` of a violation, by its rule: a union of typed facts, which reports show as they are. Nothing in them is payload text that
 * `--redact` must hide: then they are absent.
 */
import type { Expected, JsonType, SyntaxCause } from '../json/vocabulary.ts';

export interface Limit {
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
export type Nothing = {};

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

/** What breaks a keyword of a schema: the rule says which facts there are. */
export type SchemaFacts = {
  [R in keyof SchemaRuleFacts]: { readonly rule: R; readonly params: SchemaRuleFacts[R] };
}[keyof SchemaRuleFacts];

/** The facts of the rules of JSON and of paylint. `First`: the place of the first of two equal names. */
export interface BuiltinParams<First> {
  'json-syntax': { readonly cause?: SyntaxCause; readonly expected: Expected };
  'json-encoding': { readonly encoding?: string };
  'duplicate-member': { readonly first: First };
  'number-out-of-range': Nothing;
  'unknown-kind': UnknownKindParams | Nothing;
  'payload-too-large': Limit;
  'nested-too-deep': { readonly limit: number | null };
  /** The rule that the filled payload would break, and its facts. */
  'unsafe-default': { readonly rule: string } | Nothing;
}

export type BuiltinRule = keyof BuiltinParams<unknown>;

interface UnknownKindParams {
  readonly kinds: readonly string[];
  readonly members: readonly string[];
  readonly allowed?: readonly unknown[];
  readonly mistake?: 'wrapped' | 'schema';
  readonly wrapped?: string;
  readonly jq?: string;
}

/** The facts of advice. */
export interface AdviceParams {
  'advice/age-order': { readonly minAge: number; readonly maxAge: number } | Nothing;
  'advice/blank': Nothing;
  'advice/date-time': Nothing;
  'advice/date-order': { readonly start: string; readonly end: string };
  'advice/effective-date': { readonly limit: 'startDate' | 'endDate' };
  'advice/id-conflict': { readonly first: ClaimPlace };
  'advice/misspelt-member': { readonly known: string };
  'advice/reply-to-self': Nothing;
}

/** Where the first payload of an `@id` is. */
export interface ClaimPlace {
  readonly file: string;
  readonly line: number;
}

type AllParams<First> = SchemaRuleFacts & BuiltinParams<First> & AdviceParams;

export type RuleName = keyof AllParams<unknown>;

/** A rule and its facts, with places as `First`. */
export type FactsAt<First> = {
  [R in RuleName]: { readonly rule: R; readonly params: AllParams<First>[R] };
}[RuleName];
