/**
 * `standard` marks what other libraries of schemas mark: the paths of its issues beside zod and valibot, whose schemas
 * become JSON Schema, over seeded values; and the field of a form that its resolver marks.
 */
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { StandardSchema } from '../../src/library/api.ts';
import { openPaylint } from '../../src/library/open.ts';

const CARD = z.object({ kind: z.literal('card'), number: z.string(), holder: z.object({ name: z.string() }) });
const TOKEN = z.object({ kind: z.literal('token'), token: z.string().min(3) });
const ZOD = z.object({
  id: z.number(),
  note: z.string().optional(),
  lines: z.array(z.object({ sku: z.string(), count: z.int() })),
  payment: z.discriminatedUnion('kind', [CARD, TOKEN]),
  codes: z.array(z.union([z.string(), z.number()])),
});

const VALIBOT = v.object({
  id: v.number(),
  note: v.optional(v.string()),
  lines: v.array(v.object({ sku: v.string(), count: v.pipe(v.number(), v.integer()) })),
  payment: v.variant('kind', [
    v.object({ kind: v.literal('card'), number: v.string(), holder: v.object({ name: v.string() }) }),
    v.object({ kind: v.literal('token'), token: v.pipe(v.string(), v.minLength(3)) }),
  ]),
  codes: v.array(v.union([v.string(), v.number()])),
});

type Random = (below: number) => number;

/** The same numbers on each run. */
function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Now and then without a member, or with one of another type. `tag`: the member that always stays as it is. */
function spoilt(random: Random, members: Record<string, unknown>, tag?: string): Record<string, unknown> {
  const entries = Object.entries(members).flatMap(([name, value]) => {
    const what = name === tag ? 9 : random(10);
    return what === 0 ? [] : [[name, what === 1 ? true : value] as const];
  });
  return Object.fromEntries(entries);
}

function order(random: Random): Record<string, unknown> {
  const many = <T>(make: () => T): T[] => Array.from({ length: random(4) }, make);
  return spoilt(random, {
    id: 1,
    note: 'n',
    lines: many(() => spoilt(random, { sku: 's', count: [1, 2, 1.5][random(3)] })),
    payment:
      random(2) === 0
        ? spoilt(random, { kind: 'card', number: '1', holder: spoilt(random, { name: 'x' }) }, 'kind')
        : spoilt(random, { kind: 'token', token: ['abc', 'ab'][random(2)] }, 'kind'),
    codes: many(() => ['x', 1, null][random(3)]),
  });
}

/** The places of the issues, without those of which a deeper one says more: each library says these its own way. */
function deepestPaths(standard: StandardSchemaV1, value: unknown): string[] {
  const result = standard['~standard'].validate(value);
  if (result instanceof Promise) throw new TypeError('it is not asynchronous');
  const paths = (result.issues ?? []).map(({ path = [] }) =>
    path.map((key) => `/${String(typeof key === 'object' ? key.key : key)}`).join(''),
  );
  return [...new Set(paths)].filter((path) => !paths.some((other) => other.startsWith(`${path}/`))).sort();
}

async function standardOf(schema: unknown): Promise<StandardSchema> {
  return (await openPaylint({ schema: schema as object })).standard();
}

describe('200 values have the same places', () => {
  const random = seeded(7);
  const values = Array.from({ length: 200 }, () => order(random));

  it('as with zod', async () => {
    const standard = await standardOf(z.toJSONSchema(ZOD, { io: 'input' }));
    for (const value of values)
      expect(deepestPaths(standard, value), JSON.stringify(value)).toEqual(deepestPaths(ZOD, value));
  });

  it('as with valibot', async () => {
    const standard = await standardOf(toJsonSchema(VALIBOT));
    for (const value of values)
      expect(deepestPaths(standard, value), JSON.stringify(value)).toEqual(deepestPaths(VALIBOT, value));
  });

  it('most of which are wrong in several places', () => {
    expect(values.filter((value) => deepestPaths(ZOD, value).length > 1).length).toBeGreaterThan(100);
  });
});

describe('an issue', () => {
  it.each([
    [{ required: ['a'] }, {}, [['a']]],
    [
      { items: { required: ['a', 'b/c'] } },
      [{}],
      [
        [0, 'a'],
        [0, 'b/c'],
      ],
    ],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, [['b']]],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b'] } }, { a: 1 }, [['b']]],
    [{ additionalProperties: false, properties: {} }, { x: 1 }, [['x']]],
    [{ properties: { 0: { required: ['1'] } } }, { 0: {} }, [['0', '1']]],
  ])('of %j names the member', async (schema, value, paths) => {
    const { issues } = (await standardOf(schema))['~standard'].validate(value);
    expect(issues?.map(({ path }) => path)).toEqual(paths);
  });

  it('of alternatives is followed by those inside the closest one', async () => {
    const variant = (name: string, inner: object) => ({
      properties: { kind: { const: name }, ...inner },
      required: ['kind', ...Object.keys(inner)],
    });
    const deep = { anyOf: [variant('x', { code: { type: 'integer' } }), variant('y', { name: {} })] };
    const oneOf = [variant('card', { number: {} }), variant('token', { token: { minLength: 3 }, deep })];
    const standard = await standardOf({ properties: { payment: { oneOf } } });
    const { issues } = standard['~standard'].validate({ payment: { kind: 'token', token: 'x', deep: { kind: 'x' } } });
    expect(issues?.map(({ path }) => path.join('.'))).toEqual([
      'payment',
      'payment.token',
      'payment.deep',
      'payment.deep.code',
    ]);
  });

  it('has the message of the author alone', async () => {
    const standard = await standardOf({ properties: { a: { minimum: 1, errorMessage: 'At least one' } } });
    expect(standard['~standard'].validate({ a: 0 }).issues).toEqual([{ message: 'At least one', path: ['a'] }]);
  });
});

describe('a form', () => {
  const field = { ref: { name: 'email' }, name: 'email', value: '' } as const;
  const options = { fields: { email: field }, shouldUseNativeValidation: false } as never; // what the form gives

  it('is not submitted while a member is missing, and its field is marked', async () => {
    const standard = await standardOf({
      properties: { email: { type: 'string' }, payment: { oneOf: [{ required: ['token'] }] } },
      required: ['email'],
    });
    const resolve = standardSchemaResolver(standard as StandardSchemaV1<Record<string, unknown>, unknown>);
    const { values, errors } = await resolve({ payment: {} } as never, undefined, options);
    expect(values).toEqual({});
    expect(errors).toMatchObject({
      email: { message: 'the member "email" is missing' },
      payment: { token: { message: 'the member "token" is missing' } },
    });
  });
});
