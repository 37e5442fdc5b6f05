/** Missing members: which are required and why, and the member that has the name in another spelling. */
import { describe, expect, it } from 'vitest';
import { DEPENDENTS, REQUIRED } from '../../src/keywords/required.ts';
import type { Found } from '../../src/words/value-text.ts';

const found: Found = { type: 'object', text: null, measured: () => 0 };
const { required } = REQUIRED;

it('the sentence names the member, and the one that requires it', () => {
  expect(required.sentence({ missing: 'a"b' }, found)).toBe('the member "a\\"b" is missing');
  expect(DEPENDENTS.dependentRequired.sentence({ missing: 'to', because: 'from' }, found)).toBe(
    'the member "to" is missing; "from" requires it',
  );
});

it('the members that a schema requires, always or because of others', () => {
  expect(required.requires!({ required: ['a', 'b'] })).toEqual([{ names: ['a', 'b'], because: null }]);
  expect(DEPENDENTS.dependentRequired.requires!({ dependentRequired: { from: ['to'], x: [] } })).toEqual([
    { names: ['to'], because: 'from' },
    { names: [], because: 'x' },
  ]);
});

describe('the name that the payload has instead', () => {
  const suggest = (value: unknown, properties: object = {}) =>
    required.suggest!({ missing: 'headline' }, { value: () => value, properties });

  it('is one that the schema does not know', () => {
    expect(suggest({ headlin: 1, other: 2 })).toEqual({ suggestion: 'headline', found: 'headlin' });
    expect(suggest({ headlin: 1 }, { headlin: {} })).toBeNull();
    // A name of every object is no member of the schema.
    expect(required.suggest!({ missing: 'constructo' }, { value: () => ({ constructor: 1 }), properties: {} })).toEqual(
      { suggestion: 'constructo', found: 'constructor' },
    );
  });

  it('is not searched among very many, nor in what is no object', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [i === 0 ? 'headlin' : `x${i}`, 1]));
    expect(suggest(many(1000))).not.toBeNull();
    expect(suggest(many(1001))).toBeNull();
    expect(suggest(null)).toBeNull();
  });
});
