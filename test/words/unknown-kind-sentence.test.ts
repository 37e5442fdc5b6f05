/** The sentence for a payload of an unknown kind: what would decide its kind, and what helps with a known mistake. */
import { describe, expect, it } from 'vitest';
import { type UnknownKindFacts, unknownKindSentence } from '../../src/words/unknown-kind-sentence.ts';

const EXPECTED: UnknownKindFacts['expected'] = [
  { name: '@type', allowed: ['Article', 'Contract'] },
  { name: 'emoji', allowed: [] },
];

function sentence(found: Partial<UnknownKindFacts['found']>, more: Partial<UnknownKindFacts> = {}): string {
  const all = { type: 'object', member: null, text: null, near: null, ...found } as const;
  return unknownKindSentence({ expected: EXPECTED, found: all, mistake: null, ...more });
}

const wrapped = (pointer: string | null, isMany: boolean, jq: string | null) =>
  ({ mistake: { is: 'wrapped', pointer, isMany, jq } }) as const;

describe('what is expected', () => {
  it('is a value of the member that is there, or another member', () => {
    expect(sentence({ type: 'string', member: '@type', text: 'Artcle' })).toBe(
      '"@type" is "Artcle": expected one of "Article", "Contract", or a member "emoji"',
    );
    expect(sentence({ type: 'array', member: '@type' })).toBe(
      '"@type" is an array: expected one of "Article", "Contract", or a member "emoji"',
    );
  });

  it('is named where no member is there, with a name that is near', () => {
    const wanted = 'expected "@type" to be one of "Article", "Contract", or a member "emoji"';
    expect(sentence({})).toBe(`the kind is unknown: ${wanted}`);
    expect(sentence({ near: 'emojy' })).toBe(`the kind is unknown: ${wanted}; there is "emojy"`);
  });

  it('is an object, if it is none', () => {
    expect(sentence({ type: 'array' })).toBe('expected an object, found an array');
  });

  it('are numbers as the schema writes them', () => {
    const expected = [{ name: 'v', allowed: [1], written: { 0: '1.0' } }];
    expect(sentence({}, { expected })).toBe('the kind is unknown: expected "v" to be 1.0');
  });

  it('is no member, if the tests ask for something else', () => {
    expect(sentence({}, { expected: [] })).toBe(
      'the kind is unknown: expected what a test of the entry schema asks for',
    );
  });

  it('has the type of a value that must not be shown', () => {
    expect(sentence({ type: 'string', member: '@type' })).toBe(
      '"@type" is a string: expected one of "Article", "Contract", or a member "emoji"',
    );
  });
});

describe('a known mistake', () => {
  it.each([
    ['schema', 'this is a JSON Schema, not a payload: --schema takes it'],
    ['report', 'this is a report of paylint, not a payload: --ignore leaves it out'],
    ['baseline', 'this is a baseline of paylint, not a payload: --baseline takes it'],
  ] as const)('%s has an option that takes it', (is, expected) => {
    expect(sentence({}, { mistake: { is } })).toBe(expected);
  });

  it.each([
    ['/data/*', true, '.data[]', `the member "data" holds payloads: jq -c '.data[]' unwraps them`],
    ['/data', false, '.data', `the member "data" holds a payload: jq -c '.data' unwraps it`],
    ['/a/b~1c/*/*', true, null, '/a/b~1c holds payloads: unwrap them first'],
    ['/*', true, '.[]', `this array holds payloads: jq -c '.[]' unwraps them`],
  ])('payloads at %s are unwrapped', (pointer, isMany, jq, expected) => {
    expect(sentence({}, wrapped(pointer, isMany, jq))).toBe(expected);
  });

  it('names no member that must not be shown', () => {
    expect(sentence({ type: 'object' }, wrapped(null, true, '.secret'))).toBe(
      'an object that holds payloads: unwrap them first',
    );
  });
});
