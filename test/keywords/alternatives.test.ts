/** Sentences of `anyOf`, `oneOf` and `not`: what the alternatives want, which was probably meant, and what is not listed. */
import { describe, expect, it } from 'vitest';
import { ALTERNATIVES, ANY_VALUE, alternativeText } from '../../src/keywords/alternatives.ts';
import type { Found } from '../../src/words/value-text.ts';

const five: Found = { type: 'string', text: '"5"', measured: () => 1 };
const number: Found = { type: 'number', text: '5', measured: () => 5 };
const { anyOf, oneOf, not } = ALTERNATIVES;
const about = { properties: {} };

describe('no alternative matches', () => {
  it.each([
    [{ alternatives: 2 }, '"5" matches none of the 2 alternatives'],
    [{ alternatives: 1 }, '"5" does not match the only alternative'],
    [{ alternatives: 2, wanted: 'a number or null' }, 'expected a number or null, found "5"'],
    [
      { alternatives: 2, closest: 's.json#/anyOf/0' },
      '"5" matches none of the 2 alternatives; the closest is s.json#/anyOf/0',
    ],
    // There is no choice to tell of.
    [
      { alternatives: 1, closest: 's.json#/anyOf/0', more: 2 },
      '"5" does not match the only alternative (2 of its violations are not listed)',
    ],
    [{ alternatives: 3, more: 1 }, '"5" matches none of the 3 alternatives (1 of its violations is not listed)'],
    [{ alternatives: 2, allowed: ['a', 'b'] }, 'expected one of "a", "b", found "5"'],
    [{ alternatives: 2, allowed: ['a'], expected: ['null'] }, 'expected "a" or null, found "5"'],
    [
      { alternatives: 2, expected: ['number', 'null'] },
      'expected a number or null, found "5"; write it without quotes',
    ],
    [{ alternatives: 2, allowed: [5], expected: ['null'] }, 'expected 5 or null, found "5"; write it without quotes'],
  ])('%j', (params, sentence) => {
    expect(anyOf.sentence(params, five)).toBe(sentence);
    expect(oneOf.sentence({ ...params, passing: null }, five)).toBe(sentence);
  });

  it('the value that was probably meant is one that the alternatives allow', () => {
    const params = { alternatives: 2, allowed: ['Published', 1] };
    expect(anyOf.suggest!(params, { ...about, value: () => 'Publised' })).toEqual({ suggestion: 'Published' });
    expect(anyOf.suggest!(params, { ...about, value: () => 2 })).toBeNull();
  });
});

it('more than one alternative matches', () => {
  const params = { alternatives: 3, passing: [0, 2], matching: ['s.json#/oneOf/0', 's.json#/oneOf/2'] };
  expect(oneOf.sentence(params, number)).toBe(
    '5 matches more than one of the alternatives: s.json#/oneOf/0 and s.json#/oneOf/2',
  );
});

it('an alternative is named by its title, the member that chose it, and its place', () => {
  expect(alternativeText({ schema: 's.json#/oneOf/0' })).toBe('s.json#/oneOf/0');
  const tag = { name: 'method', value: 'card' };
  expect(alternativeText({ schema: 's.json#/oneOf/0', title: 'Card', tag })).toBe(
    '"Card", that for "method": "card", s.json#/oneOf/0',
  );
});

describe('not', () => {
  it.each([
    [{}, '5 matches the schema under "not"'],
    [{ excluded: 'a number' }, 'expected anything but a number, found 5'],
    [{ excluded: ANY_VALUE }, 'no value is allowed here'],
    [{ members: ['a'] }, 'the member "a" must not be there'],
    [{ members: ['a', 'b'], excluded: 'x' }, 'the members "a" and "b" must not be there together'],
  ])('%j', (params, sentence) => {
    expect(not.sentence(params, number)).toBe(sentence);
  });
});
