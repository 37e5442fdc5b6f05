/**
 * `enum` and `const`: the values that are allowed.
 */
import { type Found, foundText, numberText } from '../words/found.ts';
import { nearMiss } from '../words/near.ts';
import { type About, type Family, type Suggested, specification, suggested } from './keyword.ts';

interface Allowed {
  readonly allowed: readonly unknown[];
  /** By index: the numbers that the schema writes otherwise than a double prints. */
  readonly written?: Readonly<Record<number, string>>;
}

export interface ValueParams {
  enum: Allowed;
  const: Allowed;
}

/** How many values a sentence lists before it says how many more there are. */
const LISTED = 8;

/** What both have in common. */
const COMMON = { sentence, anchor: 'value', yieldsToType: true, suggest, hidesText: false } as const;

/** @internal */
export const VALUES: Family<ValueParams> = {
  enum: {
    ...COMMON,
    ofSchema: (value) => ({ allowed: value as unknown[] }), // checked when the schema was loaded
    text: {
      meaning: 'The value is not one of those that are allowed.',
      fix: 'Use one of these: params.allowed.',
      schema: '{"enum": ["Published", "Unpublished"]}',
      wrong: '"published"',
      right: '"Published"',
    },
    link: specification('validation', 'enum'),
  },
  const: {
    ...COMMON,
    ofSchema: (value) => ({ allowed: [value] }),
    text: {
      meaning: 'Only one value is allowed, and this is another one.',
      fix: 'Use this value: params.allowed.',
      schema: '{"const": "Contract"}',
      wrong: '"contract"',
      right: '"Contract"',
    },
    link: specification('validation', 'const'),
  },
};

function sentence(params: Allowed, found: Found): string {
  return `expected ${oneOf(params)}, found ${foundText(found)}`;
}

function oneOf({ allowed, written = {} }: Allowed): string {
  const texts = allowed.slice(0, LISTED).map((value, i) => numberText(value, written[i]));
  if (allowed.length === 1) return texts[0]!;
  const listed = texts.join(', ');
  const more = allowed.length - LISTED;
  return more > 0 ? `one of ${listed} or ${more} more` : `one of ${listed}`;
}

function suggest({ allowed }: Allowed, { value }: About): Suggested | null {
  if (typeof value !== 'string') return null;
  const words = allowed.filter((word) => typeof word === 'string');
  return suggested(nearMiss(value, words));
}
