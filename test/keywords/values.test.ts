/** `type`, `enum` and `const`: which values are equal, what is listed, and what to do about a text that would be right as a value. */
import { describe, expect, it } from 'vitest';
import type { Keyword } from '../../src/keywords/keyword.ts';
import { isIn, isOfType, listed, nearValue, typeNames, unquoted, VALUES } from '../../src/keywords/values.ts';
import { type Keywords, madeSchema } from '../../src/schema/node.ts';

function holds<P>(keyword: Keyword<P>, schema: Keywords, value: unknown): boolean {
  return keyword.judge!({ node: madeSchema(schema), pattern: () => () => true, format: () => null })!(value);
}

describe('the values that are allowed', () => {
  it.each([
    [
      ['a', 1, null, { x: [1, 2] }],
      ['a', 1, null, { x: [1, 2] }],
      ['b', '1', 2, false, { x: [2, 1] }, { x: [1, 2], y: 1 }, []],
    ],
    [[0], [0, -0], ['0', false, null]],
    [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }], [{ a: 1 }]],
  ])('enum %j', (allowed, right, wrong) => {
    expect(right.filter((value) => !holds(VALUES.enum, { enum: allowed }, value))).toEqual([]);
    expect(wrong.filter((value) => holds(VALUES.enum, { enum: allowed }, value))).toEqual([]);
  });

  it.each([
    ['a', 'a', 'b'],
    [[1, { a: 1 }], [1, { a: 1 }], [1]],
    [null, null, false],
  ])('const %j', (wanted, right, wrong) => {
    expect(holds(VALUES.const, { const: wanted }, right)).toBe(true);
    expect(holds(VALUES.const, { const: wanted }, wrong)).toBe(false);
  });

  it('are listed, eight at most, with numbers as the schema writes them', () => {
    expect(listed({ allowed: [] })).toBe('no value at all');
    expect(listed({ allowed: ['a'] })).toBe('"a"');
    expect(listed({ allowed: ['a', 1], written: { 1: '1.0' } })).toBe('one of "a", 1.0');
    expect(listed({ allowed: [1, 2, 3, 4, 5, 6, 7, 8] })).toBe('one of 1, 2, 3, 4, 5, 6, 7, 8');
    expect(listed({ allowed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] })).toBe('one of 1, 2, 3, 4, 5, 6, 7, 8 or 2 more');
  });
});

describe('a text that would be right as a value', () => {
  const hint = '; write it without quotes';
  const isAny = (): boolean => true;

  it.each(['"5"', '"-0.5e3"', '"true"', '"null"'])('%s', (text) => {
    expect(unquoted({ type: 'string', text, measured: () => 0 }, isAny)).toBe(hint);
  });

  it.each([
    ['no literal', 'string', '"05"'],
    ['a literal and more', 'string', '"5 "'],
    ['no text', 'number', '5'],
    ['not shown', 'string', null],
  ] as const)('%s: no hint', (_, type, text) => {
    expect(unquoted({ type, text, measured: () => 0 }, isAny)).toBe('');
  });

  it('is not one that is wrong as a value, too', () => {
    const found = { type: 'string', text: '"5"', measured: () => 0 } as const;
    expect(unquoted(found, (value) => value === 6)).toBe('');
    expect(VALUES.enum.sentence({ allowed: [5, 6] }, found)).toBe(`expected one of 5, 6, found "5"${hint}`);
    expect(VALUES.enum.sentence({ allowed: ['a', 6] }, found)).toBe('expected one of "a", 6, found "5"');
  });

  it('is not a number that a double may not hold', () => {
    expect(isIn(5, { allowed: [5] })).toBe(true);
    expect(isIn(2 ** 53, { allowed: [2 ** 53] })).toBe(false);
    expect(isIn(5, {})).toBe(false);
  });
});

describe('the type', () => {
  it.each([
    [5, 'integer', true],
    [5, ['string', 'number'], true],
    [5.5, 'integer', false],
    [null, 'null', true],
    ['5', ['integer', 'null'], false],
  ])('of %j is %j: %j', (value, expected, isIt) => {
    expect(isOfType(value, expected)).toBe(isIt);
  });

  it('has an article', () => {
    expect(typeNames(['object', 'null', 'string'])).toBe('an object or null or a string');
    expect(typeNames('integer')).toBe('an integer');
  });
});

it('the near miss of a text is a text that is allowed', () => {
  const about = { properties: {} };
  expect(nearValue({ allowed: [1, 'Published'] }, { ...about, value: () => 'published' })).toEqual({
    suggestion: 'Published',
  });
  expect(nearValue({ allowed: [1] }, { ...about, value: () => '1' })).toBeNull();
  expect(nearValue({}, { ...about, value: () => 'a' })).toBeNull();
  expect(nearValue({ allowed: ['5'] }, { ...about, value: () => 5 })).toBeNull();
});
