/**
 * Whether a text has a name twice, or anything else to report, is told without a scan where that is certain.
 */
import { describe, expect, it } from 'vitest';
import { memberCount, surelyPlain, surelyUnique } from '../src/json/unique-names.ts';

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
  ['{"a":":","b":"\\":"}', false],
  ['{"b\\\\":1,"c":2,"c":3}', false],
  ['{"b\\\\":1,"c":"\\":"}', true],
])('whether %s has a name twice is not certain without a scan, or certain: %s', (text, isUnique) => {
  expect(surelyUnique(text, memberCount(JSON.parse(text)))).toBe(isUnique);
});
