/** Members that are not allowed, or deprecated: their names are shown only if they may be, and the name that was probably meant. */
import { describe, expect, it } from 'vitest';
import { DEPRECATED, NAMES, OTHER_MEMBERS, UNEVALUATED_ITEMS } from '../../src/keywords/members.ts';
import type { Found } from '../../src/words/value-text.ts';

const shown: Found = { type: 'string', text: '"nmae"', measured: () => 0 };
const hidden: Found = { ...shown, text: null };
const seen = { type: 'string', name: 'nmae', items: [4, 2] } as const;

describe('the sentence', () => {
  it.each([
    [OTHER_MEMBERS.additionalProperties.sentence({}, shown), 'the member "nmae" is not allowed'],
    [OTHER_MEMBERS.additionalProperties.sentence({}, hidden), 'this member is not allowed'],
    [
      OTHER_MEMBERS.unevaluatedProperties.sentence({}, shown),
      'the member "nmae" is not allowed: no schema that applies here allows it',
    ],
    [
      OTHER_MEMBERS.unevaluatedProperties.sentence({ inactive: true }, hidden),
      'this member is not allowed: the part of the schema that knows it does not apply',
    ],
    [NAMES.propertyNames.sentence({}, shown), 'the name "nmae" is not allowed'],
    [
      NAMES.propertyNames.sentence({ wanted: 'text of at most 3 characters' }, hidden),
      'the name of this member is not allowed; expected text of at most 3 characters',
    ],
    [DEPRECATED.deprecated.sentence({}, shown), 'the member "nmae" is deprecated'],
    [DEPRECATED.deprecated.sentence({}, hidden), 'this member is deprecated'],
    [
      UNEVALUATED_ITEMS.unevaluatedItems.sentence({ limit: 2, index: 4 }, hidden),
      'the item at index 4 is not allowed: no schema that applies here allows it',
    ],
  ])('%s', (sentence, expected) => {
    expect(sentence).toBe(expected);
  });
});

describe('the params', () => {
  it('have the name of the member, and what was known before', () => {
    expect(OTHER_MEMBERS.additionalProperties.ofPayload!({}, seen)).toEqual({ additional: 'nmae' });
    expect(OTHER_MEMBERS.unevaluatedProperties.ofPayload!({ inactive: true }, seen)).toEqual({
      inactive: true,
      additional: 'nmae',
    });
    expect(NAMES.propertyNames.ofPayload!({ wanted: 'w' }, seen)).toEqual({ wanted: 'w', name: 'nmae' });
    expect(DEPRECATED.deprecated.ofPayload!({}, seen)).toEqual({ name: 'nmae' });
  });

  it('of an item are its index, and how many the schema knows', () => {
    const params = UNEVALUATED_ITEMS.unevaluatedItems.ofPayload!({ limit: 0, index: 0 }, seen);
    expect(params).toEqual({ limit: 2, index: 4 });
  });
});

describe('the name that was probably meant', () => {
  const suggest = OTHER_MEMBERS.additionalProperties.suggest!;
  const properties = { name: true, title: true };

  it('is one that the object does not have', () => {
    expect(suggest({ additional: 'nmae' }, { value: () => ({ nmae: 1 }), properties })).toEqual({ suggestion: 'name' });
    expect(suggest({ additional: 'nmae' }, { value: () => ({ nmae: 1, name: 2 }), properties })).toBeNull();
  });

  it('is none without an object, or without a name', () => {
    expect(suggest({ additional: 'nmae' }, { value: () => [], properties })).toBeNull();
    expect(suggest({}, { value: () => ({}), properties })).toBeNull();
  });
});
