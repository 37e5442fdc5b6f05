/**
 * Whether a text has a name twice, or anything else to report, is told without a scan where that is certain.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberCount, surelyPlain, surelyUnique } from '../../src/json/unique-names.ts';
import { rounds } from '../rounds.ts';

describe('without a scan', () => {
  it.each([
    ['{"a":1,"a":2}', false],
    ['{"a" \n:1,"a"\t:2}', false],
    ['{"a\\\\":1,"a\\\\" :2}', false],
    ['{"":1,"":2}', false],
    ['{"a":1,"b":{"a":[{"c":1}]},"__proto__":{}}', true],
    ['[[[[1]]]]', true],
    ['[[[[[1]]]]]', false],
    ['[1e999]', false],
    ['{', false],
  ])('%s is plain: %s', (text, isPlain) => {
    expect(surelyPlain(text, 4)).toBe(isPlain);
  });
});

it.each([
  ['{"a":":8080","b":"\\":"}', true],
  ['{"a":":8080","b":"\\":","a":1}', false],
  ['{"b\\\\":1,"c":2,"c":3}', false],
  ['{"b\\\\":1,"c":"\\":"}', true],
  ['{":":":","\\\\\\":":"\\\\",":" :1}', false],
])('%s has no name twice: %s', (text, isUnique) => {
  expect(surelyUnique(text, memberCount(JSON.parse(text)))).toBe(isUnique);
});

it('names are told from other strings, whatever they hold', () => {
  const string = fc.string({ unit: fc.constantFrom(...'":\\,{} a') });
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      string,
      fc.array(tie('any')),
      fc.array(fc.tuple(string, tie('any')), { maxLength: 5 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.array(fc.tuple(string, value), { maxLength: 6 }), (members) => {
      const text = `{${members.map(([name, inner]) => `${JSON.stringify(name)} :${JSON.stringify(inner)}`).join()}}`;
      const isUnique = new Set(members.map(([name]) => name)).size === members.length;
      expect([text, surelyUnique(text, memberCount(JSON.parse(text)))]).toEqual([text, isUnique]);
    }),
    { numRuns: rounds(2000) },
  );
});
