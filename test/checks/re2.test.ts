/** `matches` of checks beside another implementation of RE2: random expressions over random texts. */
import { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import { compileMatcher } from '../../src/regex/matcher.ts';
import { parseRe2 } from '../../src/regex/re2.ts';
import { rounds } from '../rounds.ts';
import { oneOf, randomFrom } from './random.ts';

const ATOMS = [
  ...[
    'a',
    'b',
    'K',
    's',
    '.',
    '\\d',
    '\\D',
    '\\s',
    '\\S',
    '\\w',
    '\\W',
    '[[:upper:]]',
    '[[:^alpha:]]',
    '[^a]',
    '[a-k\\d]',
    '[]a]',
    '[^]a]',
  ],
  ...[
    '[a-]',
    '[\\pL-]',
    '\\pL',
    '\\PN',
    '\\p{Greek}',
    '\\p{^Lu}',
    '\\x61',
    '\\x{1F600}',
    '\\101',
    '\\Qa.b\\E',
    '\\.',
    '\\n',
    '\\t',
    '\\v',
  ],
  ...[
    '^',
    '$',
    '\\A',
    '\\z',
    '\\b',
    '\\B',
    '(?i)',
    '(?s)',
    '(?m)',
    '(?-i)',
    '(?i-s)',
    '\\_',
    '-',
    ']',
    '{',
    '}',
    '{,2}',
    'é',
    'ſ',
    '😀',
    '\\pN',
  ],
  ...[
    '[[:word:]_]',
    '[[:punct:]]',
    '[\\W]',
    '[^\\s]',
    '\\C',
    '\\Z',
    '\\h',
    '\\1',
    '[z-a]',
    '[[:foo:]]',
    '(?=a)',
    '\\8',
    '\\e',
    '\\p{Foo}',
  ],
];
const TIMES = ['*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '{2,1}', '{1001}', '**'];
const TEXT = [
  'a',
  'b',
  'A',
  'K',
  '\u212a',
  'k',
  's',
  'ſ',
  'S',
  '1',
  ' ',
  '\n',
  '\r',
  '\t',
  '\v',
  '\u2028',
  '.',
  '_',
  '-',
  'é',
  'É',
  'α',
  'Ω',
  '😀',
  '\u00a0',
  ']',
  '{',
  '٣',
];

function pattern(random: (below: number) => number, depth = 0): string {
  const parts = Array.from({ length: 1 + random(4) }, () => {
    const way = random(10);
    const inner = (): string => pattern(random, depth + 1);
    const atom =
      way < 7 || depth > 2
        ? oneOf(random, ATOMS)
        : way === 7
          ? `(${inner()})`
          : way === 8
            ? `(?:${inner()}|${inner()})`
            : `(?i:${inner()})`;
    return random(4) === 0 ? atom + oneOf(random, TIMES) : atom;
  });
  return parts.join(random(6) === 0 ? '|' : '');
}

function theirs(source: string): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(source);
    return (text) => compiled.matcher(text).find();
  } catch {
    return null;
  }
}

it('matches what RE2 matches, and refuses what RE2 refuses', () => {
  let compared = 0;
  for (let seed = 1; seed <= rounds(2000); seed++) {
    const random = randomFrom(seed);
    const source = pattern(random);
    const other = theirs(source);
    const { matches } = compileMatcher(source, { dialect: parseRe2 });
    expect([seed, source, matches !== null]).toEqual([seed, source, other !== null]);
    if (matches === null || other === null) continue;
    for (let i = 0; i < 12; i++) {
      const text = Array.from({ length: random(6) }, () => oneOf(random, TEXT)).join('');
      expect([seed, source, text, matches(text)]).toEqual([seed, source, text, other(text)]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(rounds(2000));
});
