/** What openPaylint takes for a schema: what a file could hold, and nothing by which everything would be valid. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/index.ts';
import type { GivenSchema } from '../../src/library/api.ts';

const SCHEMA = { type: 'object', required: ['a'] };
class Holder {
  readonly type = 'object';
}
/** As yup and joi have it. */
const withMethod = (name: string): object => ({ type: 'object', [name]: () => true });
const standard = (vendor: string): object => ({ '~standard': { version: 1, vendor, validate: () => ({}) } });
const other = /is a schema of another library/;

describe('a schema that is refused', () => {
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['a promise', Promise.resolve(SCHEMA), /a Promise: await it/],
    ['a Map', new Map([['type', 'object']]), /a Map/],
    ['a Set', new Set(['type']), /a Set/],
    ['an expression', /a/, /a RegExp/],
    ['an error', new Error('no'), /an Error/],
    ['a date', new Date(0), /a Date/],
    ['an instance', new Holder(), /a Holder/],
    ['an array', [SCHEMA], /as an object, true or false/],
    ['null', null, /as an object, true or false/],
    ['a number', 5, /as an object, true or false/],
    ['a function', () => SCHEMA, /as an object, true or false/],
    ['nothing in it', {}, /no JSON Schema keyword/],
    ['a title alone', { title: 'x' }, /no JSON Schema keyword/],
    ['definitions alone', { $defs: { a: SCHEMA } }, /asserts nothing/],
    ['a payload', { name: 'x' }, /keyword/],
    [
      'a module',
      Object.assign(Object.create(null), { default: SCHEMA, [Symbol.toStringTag]: 'Module' }),
      /member default/,
    ],
    ['a Standard Schema of zod', standard('zod'), /z\.toJSONSchema\(schema\)/],
    ['one of valibot', standard('valibot'), /@valibot\/to-json-schema/],
    ['one of arktype', standard('arktype'), /toJsonSchema\(\)/],
    ['one of another library', standard('x'), other],
    ['an object with parse', withMethod('parse'), other],
    ['an object with validate', withMethod('validate'), other],
    ['a promise inside', { properties: { a: Promise.resolve({}) } }, /a Promise: await it at \/properties\/a/],
    ['a function inside', { properties: { a: () => true } }, /a function at \/properties\/a/],
    ['NaN inside', { minimum: Number.NaN }, /NaN at \/minimum/],
    ['undefined in a list', { enum: [undefined] }, /undefined at \/enum\/0/],
    ['a bigint', { minimum: 1n }, /a bigint at \/minimum/],
    ['a date inside', { const: new Date(0) }, /a Date at \/const/],
  ];

  it.each(refused)('%s', async (_, schema, message) => {
    await expect(openPaylint({ schema: schema as GivenSchema })).rejects.toThrow(message);
    await expect(openPaylint({ schemas: { one: schema as GivenSchema }, kind: 'one' })).rejects.toThrow();
  });

  it('holds itself', async () => {
    const circle: Record<string, unknown> = { type: 'object' };
    circle.properties = { circle };
    await expect(openPaylint({ schema: circle })).rejects.toThrow(/JSON cannot write this schema/);
  });

  it('has sentences without flags of the command line', async () => {
    for (const [, schema] of refused) {
      const error: unknown = await openPaylint({ schema: schema as GivenSchema }).catch((one: unknown) => one);
      expect((error as Error).message).not.toMatch(/ --[a-z]/);
    }
  });
});

describe('a schema that is taken', () => {
  it.each([
    ['a literal', SCHEMA, false],
    ['one of another realm', runInNewContext('({ type: "object", required: ["a"] })') as object, false],
    ['one without a prototype', Object.assign(Object.create(null) as object, SCHEMA), false],
    ['one that is frozen', Object.freeze({ ...SCHEMA }), false],
    ['one with symbols, as TypeBox has', { ...SCHEMA, [Symbol.for('kind')]: 'Object' }, false],
    ['one with members that are undefined', { ...SCHEMA, title: undefined }, false],
    [
      'one with a hidden ~standard, as zod makes',
      Object.defineProperty({ ...SCHEMA }, '~standard', { value: {} }),
      false,
    ],
    ['true', true, true],
  ])('%s', async (_, schema, valid) => {
    const paylint = await openPaylint({ schema });
    expect(paylint.isValid('{}')).toBe(valid);
  });
});

it('a function of a keyword gets a frozen copy, and cannot change what others judge', async () => {
  const seen: unknown[] = [];
  const schema = { properties: { list: { emptied: { by: 1 }, minItems: 1 } }, emptied: { by: 2 }, required: ['list'] };
  const paylint = await openPaylint({
    schema,
    keywords: {
      emptied: {
        validate(value, schemaValue) {
          seen.push(Object.isFrozen(value), Object.isFrozen(schemaValue));
          try {
            if (Array.isArray(value)) value.length = 0;
            else delete (value as { list?: unknown }).list;
          } catch (error) {
            seen.push((error as Error).name);
          }
          return true;
        },
      },
    },
  });
  const value = { list: [1, 2] };
  expect(paylint.validateValue(value).valid).toBe(true);
  expect(paylint.validate('{"list":[1,2]}').valid).toBe(true);
  expect(value).toEqual({ list: [1, 2] });
  expect(seen).toEqual(expect.arrayContaining([true, 'TypeError']));
  expect(seen).not.toContain(false);
});
