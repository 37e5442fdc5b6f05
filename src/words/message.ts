/**
 * Facts to words: one sentence for each rule, in one place. Payload text comes in already quoted and escaped, or
 * not at all; what the schema says is escaped here.
 */
import type { Params, Rule } from '../types.ts';
import { jsonText, quote, visible } from './escape.ts';

/** What stands where something else was expected. */
export interface Found {
  readonly type: JsonType;
  /** The value as text, quoted, escaped and cut; null for containers, and under `--redact`. */
  readonly text: string | null;
  /** Code points of a string, elements of an array, members of an object. */
  readonly size: number;
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** How many schema values a sentence lists before it says how many more there are. */
const LISTED = 8;

/** The sentence for a violation of `rule`; `params` as the report gives them. */
export function sentence(rule: Rule, params: Params, found: Found): string {
  switch (rule) {
    case 'type':
      return `expected ${typeNames(params.expected)}, found ${foundText(found)}`;
    case 'enum':
    case 'const':
      return `expected ${oneOf(params.allowed as unknown[])}, found ${foundText(found)}`;
    case 'required':
      return `the member ${schemaText(params.missing)} is missing`;
    case 'dependentRequired':
    case 'dependencies':
      return `the member ${schemaText(params.missing)} is missing; ${schemaText(params.because)} asks for it`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${found.text === null ? 'this member' : `the member ${found.text}`} is not allowed`;
    case 'propertyNames':
      return `the name ${found.text ?? 'of this member'} is not allowed`;
    case 'minLength':
      return `expected at least ${count(params.limit, 'character')}, found ${found.size}`;
    case 'maxLength':
      return `expected at most ${count(params.limit, 'character')}, found ${found.size}`;
    case 'minItems':
      return `expected at least ${count(params.limit, 'item')}, found ${found.size}`;
    case 'maxItems':
    case 'items':
    case 'additionalItems':
    case 'unevaluatedItems':
      return `expected at most ${count(params.limit, 'item')}, found ${found.size}`;
    case 'minProperties':
      return `expected at least ${count(params.limit, 'member')}, found ${found.size}`;
    case 'maxProperties':
      return `expected at most ${count(params.limit, 'member')}, found ${found.size}`;
    case 'minimum':
      return `expected at least ${schemaText(params.limit)}, found ${foundText(found)}`;
    case 'maximum':
      return `expected at most ${schemaText(params.limit)}, found ${foundText(found)}`;
    case 'exclusiveMinimum':
      return `expected more than ${schemaText(params.limit)}, found ${foundText(found)}`;
    case 'exclusiveMaximum':
      return `expected less than ${schemaText(params.limit)}, found ${foundText(found)}`;
    case 'multipleOf':
      return `expected a multiple of ${schemaText(params.divisor)}, found ${foundText(found)}`;
    case 'pattern':
      return `expected text that matches ${schemaText(params.pattern)}, found ${foundText(found)}`;
    case 'format':
      return `expected the format ${schemaText(params.format)}, found ${foundText(found)}`;
    case 'uniqueItems':
      return `items ${String(params.first)} and ${String(params.second)} are the same`;
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return containsText(params);
    case 'anyOf':
      return `${foundText(found)} fits none of the alternatives`;
    case 'oneOf':
      return params.passing === null
        ? `${foundText(found)} fits none of the alternatives`
        : `${foundText(found)} fits more than one of the alternatives`;
    case 'not':
      return `${foundText(found)} is what the schema rules out`;
    case 'false':
      return 'nothing is allowed here';
    default:
      return `the schema's "${visible(rule)}" does not hold`;
  }
}

/** `"abc"`, `an object`; under `--redact` only the type. */
export function foundText(found: Found): string {
  return found.text ?? withArticle(found.type);
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function typeNames(expected: unknown): string {
  const names = Array.isArray(expected) ? expected.map(String) : [String(expected)];
  return names.map(withArticle).join(' or ');
}

function oneOf(allowed: readonly unknown[]): string {
  if (allowed.length === 1) return schemaText(allowed[0]);
  const listed = allowed.slice(0, LISTED).map(schemaText).join(', ');
  const more = allowed.length - LISTED;
  return more > 0 ? `one of ${listed} or ${more} more` : `one of ${listed}`;
}

function count(limit: unknown, noun: string): string {
  return limit === 1 ? `1 ${noun}` : `${String(limit)} ${noun}s`;
}

function containsText(params: Params): string {
  const { minContains, maxContains } = params;
  if (maxContains === undefined)
    return `expected at least ${count(minContains, 'item')} of the kind that "contains" describes`;
  return `expected ${String(minContains)} to ${count(maxContains, 'item')} of the kind that "contains" describes`;
}

/** A value of the schema as it would stand in JSON, not too long. */
export function schemaText(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  const text = jsonText(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
