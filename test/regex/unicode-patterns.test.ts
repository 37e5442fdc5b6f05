/**
 * Patterns are read with the flag `u`. What is valid only without it (Annex B of ECMA-262) matches the same ASCII texts as
 * without it, for every escape of an ASCII character; what has no form with `u` is refused, with what to write instead.
 */
import { RegExpParser } from '@eslint-community/regexpp';
import { describe, expect, it } from 'vitest';
import { matches } from '../../src/regex/automaton.ts';
import { compileAutomaton, compileMatcher } from '../../src/regex/matcher.ts';
import { regExpFault, toRegExp } from '../../src/schema/regexp.ts';

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Where an escape can stand: alone, repeated, beside others, in a class, at both ends of a range, beside a set. */
const PLACES: readonly ((one: string) => string)[] = [
  (one) => `^${one}$`,
  (one) => `^(?:a${one}+|b)$`,
  (one) => `^x${one}{2}y?$`,
  (one) => `^[${one}]$`,
  (one) => `^[^a${one}z]$`,
  (one) => `^[${one}-\\x7e]+$`,
  (one) => `^[ -${one}]$`,
  (one) => `^[\\d-${one}]$`,
  (one) => `^[${one}-\\w]$`,
  (one) => `^[\\w-a${one}-]$`,
  (one) => `^(a)${one}1$`,
];

/** Texts that an expression with the escape of a character can match, and others. */
function textsFor(one: string): string[] {
  const alone = ['', ...ASCII, 'aa1', '\\c', 'a\\c', '12'];
  return [...alone, `a${one}`, `a${one}${one}`, `x${one}${one}`, `x\\${one}${one}y`, `a${one}1`, `${one}~`];
}

/** The expression without the flag; null: it is none. */
function without(source: string): RegExp | null {
  try {
    return new RegExp(source);
  } catch {
    return null;
  }
}

function withU(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    return false;
  }
}

/** Without the flag these are octal escapes and letters; who writes them means a group, or a property. */
const MEANT_OTHERWISE = /^[^[]*\\[1-9]|\\[pP]\{/;

describe('an escape of an ASCII character', () => {
  it.each(PLACES.map((place) => [place('\\?'), place] as const))('in %s', (_, place) => {
    for (const one of ASCII) {
      const source = place(`\\${one}`);
      const old = without(source);
      if (old === null || (MEANT_OTHERWISE.test(source) && !withU(source))) {
        expect([source, typeof regExpFault(source)]).toEqual([source, 'string']);
        continue;
      }
      if (withU(source)) {
        expect([source, toRegExp(source).source]).toEqual([source, new RegExp(source, 'u').source]);
        continue;
      }
      const read = toRegExp(source);
      expect([source, read.flags]).toEqual([source, 'u']);
      new RegExpParser().parsePattern(read.source, 0, read.source.length, true);
      const { automaton } = compileAutomaton(read.source);
      const { matches: simulated } = compileMatcher(read.source, { tables: [] });
      for (const text of textsFor(one)) {
        const expected = old.test(text);
        const inTable = automaton === null ? expected : matches(automaton, text);
        const found = [read.test(text), inTable, simulated?.(text) ?? expected];
        expect([source, text, found]).toEqual([source, text, [expected, expected, expected]]);
      }
    }
  });
});

/** Pattern, its form with the flag `u`. */
const FORMS: readonly (readonly [string, string])[] = [
  ['^\\p{L}+\\-\\p{L}+$', '^\\p{L}+-\\p{L}+$'],
  ["^[\\p{L}\\' .-]+$", "^[\\p{L}' .\\-]+$"],
  ['\\_\\@\\!\\"\\#', '_@!"#'],
  ['[\\w-.]', '[\\w\\-.]'],
  ['[.-\\w]', '[.\\-\\w]'],
  ['[\\w-a-z]', '[\\w\\-a\\-z]'],
  ['[\\p{L}-z-\\-]', '[\\p{L}\\-z\\-\\-]'],
  ['a{,2}{', 'a\\{,2\\}\\{'],
  ['a{2}{x}', 'a{2}\\{x\\}'],
  [']}', '\\]\\}'],
  ['\\07\\012\\0', '\\x07\\x0a\\x00'],
  ['[\\1\\18\\377\\400\\8]', '[\\x01\\x018\\xff\\x2008]'],
  ['\\x1\\u12', 'x1u12'],
  ['\\c1[\\c1\\c*]', '\\\\c1[\\x11\\\\c*]'],
  ['(?=a)*b(?!c(d)){2}', '(?:(?=a))*b(?:(?!c(d))){2}'],
  ['(a)\\1\\-', '(a)\\1-'],
  ['(?<n>a)\\k<n>\\-', '(?<n>a)\\k<n>-'],
  ['\\k\\p', 'kp'],
  ['[(?=)]*\\-', '[(?=)]*-'],
  ['\\😀\\-', '😀-'],
];

describe('the form with the flag u', () => {
  it.each(FORMS)('of %s', (source, form) => expect(toRegExp(source).source).toBe(new RegExp(form, 'u').source));

  it('keeps characters whole, and properties', () => {
    expect(toRegExp('^\\p{L}+\\-\\p{L}+$').test('Zoë-Ann')).toBe(true);
    expect(toRegExp('^.\\-$').test('😀-')).toBe(true);
    expect(toRegExp('^[\\w-😀]$').test('😀')).toBe(true);
  });
});

/** What has no form with `u`, and the end of the message. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['^\\p{IsAlphabetic}$', 'there is no property \\p{IsAlphabetic}; did you mean \\p{Alphabetic}?'],
  ['\\p{InGreek}', 'there is no property \\p{InGreek}; did you mean \\p{Script=Greek}?'],
  ['[\\P{Latin}]', 'there is no property \\P{Latin}; did you mean \\P{Script=Latin}?'],
  ['\\p{letter}', 'there is no property \\p{letter}; did you mean \\p{Letter}?'],
  ['\\p{lu}', 'there is no property \\p{lu}; did you mean \\p{Lu}?'],
  ['\\p{Uppercase Letter}', 'there is no property \\p{Uppercase Letter}; did you mean \\p{Uppercase_Letter}?'],
  ['\\p{^Lu}', 'there is no property \\p{^Lu}; did you mean \\P{Lu}?'],
  ['\\p{Punct}', 'there is no property \\p{Punct}; did you mean \\p{P}?'],
  ['\\p{Nothing}', 'there is no property \\p{Nothing}'],
  ['\\pL', 'there is no property \\pL; did you mean \\p{L}?'],
  ['\\p{L', 'there is no property \\p{L; did you mean \\p{L}?'],
  ['(a)\\2', '\\2 refers to a group that does not exist'],
  ['\\1\\-', '\\1 refers to a group that does not exist'],
  ['(?<n>a)\\k', 'Invalid regular expression: /(?<n>a)\\k/u: Invalid named reference'],
  ['(?<n>a)\\k<m>', '\\k<m> refers to a group that does not exist'],
  ['\\k<m>', '\\k<m> refers to a group that does not exist'],
  ['\\u{110000}', 'Invalid regular expression: /\\u{110000}/u: Invalid Unicode escape'],
  ['a**', 'Invalid regular expression: /a**/u: Nothing to repeat'],
  ['\\-**', 'Invalid regular expression: /\\-**/u: Nothing to repeat'],
  ['[z-a]', 'Invalid regular expression: /[z-a]/u: Range out of order in character class'],
  ['(', 'Invalid regular expression: /(/u: Unterminated group'],
  [
    '(?i)a',
    'Invalid regular expression: /(?i)a/u: Invalid group; flags within an expression are not portable: write both cases, [Aa], and [^] for any character',
  ],
  [
    '(?P<x>a)',
    'Invalid regular expression: /(?P<x>a)/u: Invalid group; write (?<name>…) for a named group, and \\k<name> for what it matched',
  ],
  [
    '[+]a++',
    'Invalid regular expression: /[+]a++/u: Nothing to repeat; there are no atomic groups and no possessive quantifiers: write (?:…) and + alone',
  ],
  [
    'a(?#b)',
    'Invalid regular expression: /a(?#b)/u: Invalid group; there are no comments within an expression: write "$comment" beside it',
  ],
  ['\\', 'Invalid regular expression: /\\/u: \\ at end of pattern'],
];

it.each(REFUSED)('%s is refused', (source, fault) => expect(regExpFault(source)).toBe(fault));
