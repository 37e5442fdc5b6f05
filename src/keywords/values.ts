/** `type`, `enum` and `const`: the JSON type of a value, and the values that are allowed. */
import { Decimal } from '../json/decimal.ts';
import { isAmong, isContainer, jsonEqual } from '../json/value.ts';
import type { JsonType } from '../json/vocabulary.ts';
import { exactValue } from '../schema/exact.ts';
import { nearMiss } from '../words/near.ts';
import { type Found, foundText, jsonType, numberText, withArticle } from '../words/value-text.ts';
import { type About, type Family, type Suggested, suggested } from './keyword.ts';

export interface Allowed {
  readonly allowed: readonly unknown[];
  /** By index: the numbers that a double prints in another way than the schema writes them. */
  readonly written?: Readonly<Record<number, string>>;
}

export interface ValueParams {
  enum: Allowed;
  const: Allowed;
}

/** How many values a sentence lists before it says how many more there are. */
const LISTED_VALUES = 8;

const COMMON = { sentence, yieldsToType: true, suggest: nearValue } as const;

/** @internal */
export const VALUES: Family<ValueParams> = {
  enum: {
    ...COMMON,
    ofSchema: (node) => ({ allowed: node.enum!, ...writtenIn(exactValue(node, 'enum') as unknown[]) }),
    judge({ node }) {
      const allowed = exactValue(node, 'enum') as readonly unknown[]; // a list in the file
      // A set regards -0 as 0, as JSON Schema does.
      const scalars = new Set(allowed.filter((value) => !isContainer(value)));
      const others = allowed.filter(isContainer);
      return (value) => (isContainer(value) ? isAmong(value, others) : scalars.has(value));
    },
    text: {
      meaning: 'The value is not one of those that are allowed.',
      fix: 'Use one of these: params.allowed.',
      schema: '{"enum": ["Published", "Unpublished"]}',
      wrong: '"published"',
      right: '"Published"',
    },
  },
  const: {
    ...COMMON,
    ofSchema: (node) => ({ allowed: [node.const], ...writtenIn([exactValue(node, 'const')]) }),
    judge({ node }) {
      const wanted = exactValue(node, 'const');
      return isContainer(wanted) ? (value) => jsonEqual(value, wanted) : (value) => value === wanted;
    },
    text: {
      meaning: 'Only one value is allowed, and this is another one.',
      fix: 'Use this value: params.allowed.',
      schema: '{"const": "Contract"}',
      wrong: '"contract"',
      right: '"Contract"',
    },
  },
};

/** The texts of the numbers that a double cannot hold, by index. @internal */
export function writtenIn(values: readonly unknown[]): Pick<Allowed, 'written'> {
  const texts = [...values.entries()].flatMap(([i, value]) =>
    value instanceof Decimal ? [[i, value.text] as const] : [],
  );
  return texts.length === 0 ? {} : { written: Object.fromEntries(texts) };
}

function sentence(params: Allowed, found: Found): string {
  return `expected ${listed(params)}, found ${foundText(found)}${unquoted(found, (value) => isIn(value, params))}`;
}

/** A number, `true`, `false` or `null`. */
const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** What to do if the text of a string would be right as a value. @internal */
export function unquoted({ type, text }: Found, isRight: (value: unknown) => boolean): string {
  const literal = type === 'string' && text !== null ? text.slice(1, -1) : '';
  return LITERAL.test(literal) && isRight(JSON.parse(literal)) ? '; write it without quotes' : '';
}

/** Whether a literal is surely one of the values: a double holds it as it is written. @internal */
export function isIn(value: unknown, { allowed = [] }: Partial<Allowed>): boolean {
  return allowed.includes(value) && !(Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER);
}

/** @internal */
export function isOfType(value: unknown, expected: string | readonly string[]): boolean {
  const type = jsonType(value);
  return [expected].flat().some((name) => name === type || (name === 'integer' && Number.isInteger(value)));
}

/** `one of 1, 2 or 3 more` @internal */
export function listed({ allowed, written = {} }: Allowed): string {
  const texts = allowed.slice(0, LISTED_VALUES).map((value, i) => numberText(value, written[i]));
  if (allowed.length < 2) return texts[0] ?? 'no value at all';
  const some = texts.join(', ');
  const more = allowed.length - LISTED_VALUES;
  return more > 0 ? `one of ${some} or ${more} more` : `one of ${some}`;
}

/** The value that was probably meant. @internal */
export function nearValue({ allowed = [] }: Partial<Allowed>, { value: read }: About): Suggested | null {
  const value = read();
  if (typeof value !== 'string') return null;
  const words = allowed.filter((word) => typeof word === 'string');
  return words.length === 0 ? null : suggested(nearMiss(value, words)); // most alternatives list no values
}

export interface TypeParams {
  type: { readonly expected: string | readonly string[]; readonly found: JsonType };
}

/** @internal */
export const TYPE: Family<TypeParams> = {
  type: {
    sentence: ({ expected }, found) =>
      `expected ${typeNames(expected)}, found ${foundText(found)}${unquoted(found, (value) => isOfType(value, expected))}`,
    ofSchema: ({ type }) => ({ expected: type! }),
    ofPayload: ({ expected }, { type }) => ({ expected, found: type }),
    text: {
      meaning: 'The value has another JSON type than the schema requires. An integer may be written 5.0.',
      fix: 'Write a value of the type that was expected; its other rules are checked once the type is right.',
      schema: '{"type": "string"}',
      wrong: '1',
      right: '"1"',
    },
  },
};

/** `a string or null` @internal */
export function typeNames(expected: string | readonly string[]): string {
  const names = typeof expected === 'string' ? [expected] : expected;
  return names.map(withArticle).join(' or ');
}
