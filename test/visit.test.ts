/**
 * Expressions that are walked through step by step match what RegExp matches, random ones and those of all reports of faults; and no text takes long.
 */
import { describe, expect, it } from 'vitest';
import { randomTrials } from '../scripts/patterns/try.ts';
import { visitor } from '../src/automaton/visit.ts';
import { toRegExp } from '../src/schema/regexp.ts';
import { rounds } from './rounds.ts';

const HARMLESS = [
  '^[^: ]+:([^: ]+)(:([^: ]*)(:([^: ]+))?)?$',
  '^([A-Za-z]{1}[A-Za-z\\d_]*\\.)+[A-Za-z][A-Za-z\\d_]*$',
  '^\\d+(?:\\.\\d+)+$',
  '^(?!bundle::)(?!with$).*',
  '^(?:\\w*:)?\\w+$',
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?$',
  '^(?<major>0|[1-9]\\d*)\\.\\d{1,2}$',
  '(^([0-9]+)\\.([0-9]+)$)|(^\\{[A-F0-9]{8}(-[A-F0-9]{4}){3}\\}$)|^$|[\\\\/]',
  '.*index\\.html(\\?.*)?$',
  '(a*)*b',
  '\\bx{0,3}\\B',
];
const TEXTS = [
  '',
  'a',
  '1.2',
  '1.2.3',
  'a:b',
  'a.b.c',
  'a:b:c',
  '10.20-x+y',
  'index.html?',
  'bundle::x',
  'xxx',
  'aab',
  'é\u{1f600}',
  '\n',
];

describe('walking through an expression', () => {
  it('gives what RegExp gives, for random expressions and texts', () => {
    let [compared, matched] = [0, 0];
    for (const [source, texts] of randomTrials(rounds(3000), 3)) {
      const regExp = toRegExp(source);
      const matches = visitor(regExp);
      for (const text of matches === null ? [] : texts) {
        // V8 looks between the surrogates of a character, which ECMA-262 does not.
        if (/\\[bB]|^\(\?|\|/.test(source) && /[\u{10000}-\u{10ffff}]/u.test(text)) continue;
        const found = matches!(text);
        if (found === null) continue;
        compared++;
        matched += found ? 1 : 0;
        expect([source, text, found]).toEqual([source, text, regExp.test(text)]);
      }
    }
    expect(compared).toBeGreaterThan(rounds(3000));
    expect(matched).toBeGreaterThan(compared / 10);
  });

  it.each(HARMLESS)('%s', (source) => {
    const regExp = new RegExp(source, 'u');
    const matches = visitor(regExp)!;
    for (const text of TEXTS) expect([text, matches(text)]).toEqual([text, regExp.test(text)]);
  });

  it('leaves to others what it does not know', () => {
    for (const source of ['(a)\\1', '(?<=a)b', '\\ud83d', '(?<!a)b', 'a{3000}'])
      expect([source, visitor(new RegExp(source, 'u'))]).toEqual([source, null]);
  });

  it('takes a step for each place at most, however ambiguous the expression is', () => {
    const matches = visitor(/^(?:(?:a|a)*)*(?:a?){60}c$/u)!;
    expect(matches('a'.repeat(80))).toBe(false);
    expect(visitor(/^(?:(?=.*b).)*$/u)!('a'.repeat(100))).toBe(false);
    expect(visitor(/^(?:(?!(?:(?!.*d).)*f).)*$/u)!('a'.repeat(100))).toBe(null);
  });
});
