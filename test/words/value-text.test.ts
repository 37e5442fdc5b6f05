/** Values in sentences: what a payload has, what a schema wants, lists and counts. */
import { describe, expect, it } from 'vitest';
import {
  count,
  foundText,
  inWords,
  jsonType,
  numberText,
  schemaText,
  withArticle,
} from '../../src/words/value-text.ts';

it.each([
  ['null', 'null'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['string', 'a string'],
  ['boolean', 'a boolean'],
])('the type %s is called %s', (type, words) => {
  expect(withArticle(type)).toBe(words);
});

it('a value is shown as it was found, or by its type', () => {
  expect(foundText({ type: 'string', text: '"abc"' })).toBe('"abc"');
  expect(foundText({ type: 'array', text: null })).toBe('an array');
});

describe('a value of a schema', () => {
  it.each([
    ['say "hi"', '"say \\"hi\\""'],
    ['a\nb', '"a\\u000ab"'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
    [[10], '[10]'],
    [false, 'false'],
  ])('%j is shown', (value, text) => {
    expect(schemaText(value)).toBe(text);
  });

  it('is cut: a text after 80 code points, others after 80 characters of JSON', () => {
    expect(schemaText('x'.repeat(81))).toBe(`"${'x'.repeat(80)}"…`);
    expect(schemaText(['x'.repeat(81)])).toBe(`["${'x'.repeat(78)}…`);
    expect(schemaText(['x'.repeat(76)])).toBe(`["${'x'.repeat(76)}"]`);
  });

  it('that is a number is shown as the schema writes it', () => {
    expect(numberText(1e21, '1000000000000000000000')).toBe('1000000000000000000000');
    expect(numberText(0.5, undefined)).toBe('0.5');
    expect(numberText(0, '0'.repeat(81))).toBe(`${'0'.repeat(80)}…`);
  });
});

it.each([
  [null, 'null'],
  [[], 'array'],
  [{}, 'object'],
  [1.5, 'number'],
  ['', 'string'],
  [true, 'boolean'],
])('%j is of the type %s', (value, type) => {
  expect(jsonType(value)).toBe(type);
});

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j in words is %s', (texts, words) => {
  expect(inWords(texts)).toBe(words);
});

it('one is counted without an s', () => {
  expect([0, 1, 2].map((many) => count(many, 'item'))).toEqual(['0 items', '1 item', '2 items']);
});
