/** Expressions of very many parts: they are read, or refused, in a time that grows with their length. */
import { expect, it } from 'vitest';
import { compileMatcher } from '../../src/regex/matcher.ts';
import { parserFor } from '../../src/regex/parse.ts';
import { parseRe2 } from '../../src/regex/re2.ts';

it.each([
  ['ECMA-262', parserFor('s')],
  ['RE2', parseRe2],
])('200,000 options of a group are too many, in %s', (_, dialect) => {
  const { reason } = compileMatcher(`(?:${'a|'.repeat(200_000)}b)+`, { dialect });
  expect(reason).toBe('it has too many parts');
});

it.each([
  ['ECMA-262', parserFor('i'), ''],
  ['RE2', parseRe2, '(?i)'],
])('a class of 5,000 letters is one set in either case, in %s', (_, dialect, flags) => {
  const letters = Array.from({ length: 5000 }, (_, i) => String.fromCodePoint(0x3000 + 2 * i)).join('');
  const { matches } = compileMatcher(`^${flags}[${letters}Ä]$`, { dialect });
  expect(['ä', 'Ä', '\u3002', '\u3003', 'a'].map((text) => matches?.(text))).toEqual([true, true, true, false, false]);
});
