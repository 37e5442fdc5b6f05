/** What a schema asks for, in words: as a value, as a condition, and why a value meets it; null where too many words are needed. */
import { describe, expect, it } from 'vitest';
import { condition, excluded, metBecause, wanted } from '../../src/keywords/wanted.ts';
import { madeSchema, type Schema, type SchemaNode } from '../../src/schema/node.ts';

const node = (keywords: Parameters<typeof madeSchema>[0]): SchemaNode => madeSchema(keywords);
const string = node({ type: 'string' });
const a = node({ const: 'a' });
const kindIsA = node({ properties: { kind: a } });
/** A schema that needs too many words. */
const hard = node({ uniqueItems: true });

describe('a value', () => {
  it.each<[string | null, Schema | undefined]>([
    ['a string', string],
    ['an array or null', node({ type: ['array', 'null'] })],
    ['"a"', a],
    ['one of "a", 1', node({ enum: ['a', 1] })],
    ['"a"', node({ const: 'a', type: 'string' })],
    ['a string or "a"', node({ anyOf: [string, a] })],
    ['a string', node({ $ref: [string] })],
    ['text of 1 to 5 characters', node({ minLength: 1, maxLength: 5 })],
    ['text of at least 1 character', node({ type: 'string', minLength: 1 })],
    ['text of at most 5 characters', node({ maxLength: 5 })],
    ['text that matches "^a$"', node({ pattern: '^a$' })],
    ['text of the format "date"', node({ type: 'string', format: 'date' })],
    ['an integer of at least 1 and of at most 5', node({ type: 'integer', minimum: 1, maximum: 5 })],
    ['a number greater than 0 and less than 1', node({ exclusiveMinimum: 0, exclusiveMaximum: 1 })],
    ['an object with the member "a"', node({ required: ['a'] })],
    ['an object with the members "a" and "b"', node({ type: 'object', required: ['a', 'b'] })],
    ['an object in which "kind" is "a"', kindIsA],
    [
      'an object in which "kind" is "a" and there is the member "b"',
      node({ properties: { kind: a }, required: ['kind', 'b'] }),
    ],
    ['a string', Object.assign(node({ type: 'string' }), { default: 'x', title: 'T' })],
  ])('%s', (words, schema) => {
    expect(wanted(schema)).toBe(words);
  });

  it.each<[string, Schema | undefined]>([
    ['no schema', undefined],
    ['any value', true],
    ['a keyword without words', hard],
    ['two sorts of keywords', node({ pattern: 'a', minLength: 1 })],
    ['five alternatives', node({ anyOf: [a, a, a, a, a] })],
    ['an alternative without words', node({ anyOf: [a, hard] })],
    ['five members', node({ required: ['a', 'b', 'c', 'd', 'e'] })],
    ['a member without words', node({ properties: { a: hard } })],
    ['members of a value that is no object', node({ type: 'array', required: ['a'] })],
    ['more words than are read', node({ anyOf: Array(4).fill(node({ pattern: 'x'.repeat(80) })) })],
  ])('needs too many words: %s', (_, schema) => {
    expect(wanted(schema)).toBeNull();
  });

  it('is found behind four references, and not behind more', () => {
    const behind = (count: number): SchemaNode => (count === 0 ? string : node({ $ref: [behind(count - 1)] }));
    expect(wanted(behind(3))).toBe('a string');
    expect(wanted(behind(4))).toBeNull();
  });
});

describe('what must not be', () => {
  it('is any value, where nothing restricts it', () => {
    expect(excluded(true)).toBe('any value');
    expect(excluded(Object.assign(node({}), { title: 'T' }))).toBe('any value');
    expect(excluded(string)).toBe('a string');
    expect(excluded(hard)).toBeNull();
  });
});

describe('a condition', () => {
  it.each<[string | null, Schema]>([
    ['it is a string', string],
    ['"kind" is "a"', kindIsA],
    ['"kind" is "a"', node({ $ref: [kindIsA] })],
    ['there is the member "a"', node({ required: ['a'] })],
    ['there are the members "a" and "b"', node({ properties: { a: true }, required: ['a', 'b'] })],
    [null, hard],
    [null, true],
  ])('%s', (words, schema) => {
    expect(condition(schema)).toBe(words);
  });
});

describe('why a value meets a condition', () => {
  it.each<[string | null, Schema | undefined, unknown]>([
    ['if "kind" is "a"', kindIsA, { kind: 'a' }],
    ['because "kind" is missing', kindIsA, {}],
    ['because it is not an object', kindIsA, 5],
    ['because it is not a string', node({ minLength: 3 }), 5],
    ['because it is not a number', node({ minimum: 3 }), 'x'],
    ['if it is text of at least 3 characters', node({ minLength: 3 }), 'xyz'],
    [
      'because "x" and "y" are missing and "kind" is "a"',
      node({ properties: { kind: a, x: string, y: string } }),
      { kind: 'a' },
    ],
    [
      'because "kind" is missing and there is the member "b"',
      node({ properties: { kind: a }, required: ['b'] }),
      { b: 1 },
    ],
    ['because "x" in "in" is missing', node({ properties: { in: node({ properties: { x: string } }) } }), { in: {} }],
    ['because "kind" is missing', node({ allOf: [kindIsA] }), {}],
    ['if it is a string or "a"', node({ anyOf: [string, a] }), 'x'],
    [null, hard, [1]],
    [null, undefined, 1],
  ])('%s', (words, schema, value) => {
    expect(metBecause(schema, value)).toBe(words);
  });
});
