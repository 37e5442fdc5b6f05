/**
 * How long a string is, and how many items or members a value has: `minLength`, `maxLength`, `minItems`, `maxItems`,
 * `minProperties` and `maxProperties`.
 */
import { lengthOf } from '../json/code-points.ts';
import { DIALECT, type KeywordsOfForm } from '../schema/dialect.ts';
import type { Limit, RuleText } from '../words/rule.ts';
import { count, type Found } from '../words/value-text.ts';
import type { Family, Keyword, Measure } from './keyword.ts';

export interface StringLengthParams {
  minLength: Limit;
  maxLength: Limit;
}

export interface ArrayLengthParams {
  minItems: Limit;
  maxItems: Limit;
}

export interface ObjectLengthParams {
  minProperties: Limit;
  maxProperties: Limit;
}

interface Size {
  /** What is counted. */
  readonly noun: string;
  readonly measure: Measure;
}

/** Code points (JSON Schema 2020-12 validation, section 6.3.1). */
const CHARACTERS: Size = { noun: 'character', measure: characters };
const ITEMS: Size = { noun: 'item', measure: (value) => (value as readonly unknown[]).length }; // asked of arrays
const MEMBERS: Size = { noun: 'member', measure: (value) => Object.keys(value as object).length }; // asked of objects

/** @internal */
export const STRING_LENGTHS: Family<StringLengthParams> = {
  minLength: length('minLength', CHARACTERS, {
    meaning: 'The string is too short. Lengths count Unicode code points.',
    fix: 'Write a longer string; params.limit is the least length.',
    schema: '{"minLength": 2}',
    wrong: '"a"',
    right: '"ab"',
  }),
  maxLength: length('maxLength', CHARACTERS, {
    meaning: 'The string is too long. Lengths count Unicode code points.',
    fix: 'Write a shorter string; params.limit is the greatest length.',
    schema: '{"maxLength": 2}',
    wrong: '"abc"',
    right: '"ab"',
  }),
};

/** @internal */
export const ARRAY_LENGTHS: Family<ArrayLengthParams> = {
  minItems: length('minItems', ITEMS, {
    meaning: 'The array has too few items.',
    fix: 'Add items; params.limit is the least number.',
    schema: '{"minItems": 1}',
    wrong: '[]',
    right: '["x"]',
  }),
  maxItems: length('maxItems', ITEMS, {
    meaning: 'The array has too many items.',
    fix: 'Remove items; params.limit is the greatest number.',
    schema: '{"maxItems": 1}',
    wrong: '["x", "y"]',
    right: '["x"]',
  }),
};

/** @internal */
export const OBJECT_LENGTHS: Family<ObjectLengthParams> = {
  minProperties: length('minProperties', MEMBERS, {
    meaning: 'The object has too few members.',
    fix: 'Add members; params.limit is the least number.',
    schema: '{"minProperties": 1}',
    wrong: '{}',
    right: '{"a": 1}',
  }),
  maxProperties: length('maxProperties', MEMBERS, {
    meaning: 'The object has too many members.',
    fix: 'Remove members; params.limit is the greatest number.',
    schema: '{"maxProperties": 1}',
    wrong: '{"a": 1, "b": 2}',
    right: '{"a": 1}',
  }),
};

function length(name: KeywordsOfForm<'count'>, size: Size, text: RuleText): Keyword<Limit> {
  const isLeast = DIALECT[name].limit === 'least';
  return {
    sentence: limitSentence(isLeast ? 'at least' : 'at most', size),
    yieldsToType: true,
    ofSchema: (node) => ({ limit: node[name]! }),
    judge({ node }) {
      const limit = node[name]!;
      if (isLeast) return (value) => size.measure(value, limit, Infinity) >= limit;
      return (value) => size.measure(value, 0, limit) <= limit;
    },
    measure: size.measure,
    text,
  };
}

function limitSentence(than: string, { noun, measure }: Size): (params: Limit, found: Found) => string {
  const exact = (value: unknown): number => measure(value, Infinity, 0);
  return ({ limit }, found) => `expected ${than} ${count(limit, noun)}, found ${found.measured(exact)}`;
}

/** Of keywords that allow no more items than those before. @internal */
export const atMostItems = limitSentence('at most', ITEMS);

/**
 * Each has one or two code units, so most texts need no count: one with no more units than the most, and twice as many as
 * the least, is surely between them.
 */
function characters(value: unknown, least: number, most: number): number {
  const text = value as string; // asked of strings
  const { length } = text;
  return length <= most && length >= 2 * least ? least : lengthOf(text);
}
