/**
 * `unevaluatedProperties` and `unevaluatedItems`: the verdicts of both engines against a slow reading of the standard, and
 * schemas with which Ajv's own code fails.
 */
import { describe, expect, it } from 'vitest';
import { judgedKinds } from '../../scripts/judged-kinds.ts';
import { Generator, setOf } from '../../scripts/mutations/schemas.ts';
import { Examiner } from '../../src/engine/judge/examine.ts';
import { SchemaError } from '../../src/errors.ts';
import type { RawObject, RawSchema } from '../../src/schema/document.ts';
import { evaluate } from '../annotations.ts';
import { times } from '../rounds.ts';
import { trySchema } from '../trial.ts';

const LIMITS = { maxDepth: 1000, maxBytes: 1 << 30, redact: false };

async function examinerOf(schema: RawSchema): Promise<(value: unknown) => string[]> {
  const set = setOf(schema as never);
  const examiner = new Examiner(await judgedKinds(set), LIMITS);
  return (value) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const payload = { bytes, span: { start: 0, end: bytes.length }, base: 0, ending: 'text' } as const;
    const { findings } = examiner.examine(payload, null);
    return Array.from(findings, ({ rule, pointer }) => `${pointer} ${rule}`);
  };
}

/** As text, since an object with a member `then` looks like a promise. */
const THEN: RawSchema = JSON.parse('{"if":{"required":["a"]},"then":{"properties":{"b":true}}}');

it.each<[string, RawSchema, unknown, string[]]>([
  [
    'a reference beside alternatives',
    {
      type: 'object',
      $ref: '#/$defs/parent',
      oneOf: [
        { type: 'object', required: ['one'], properties: { one: true } },
        { type: 'object', required: ['two'], properties: { two: true } },
      ],
      unevaluatedProperties: false,
      $defs: { parent: { type: 'object', properties: { parent: true } } },
    },
    { parent: 1, two: 2 },
    [],
  ],
  [
    'a condition that fails',
    { allOf: [THEN], patternProperties: { c: true }, unevaluatedProperties: { type: 'string' } },
    { b: 1, c: 2, d: 'd' },
    ['/b type'],
  ],
  [
    'items in "contains"',
    { contains: { type: 'string' }, unevaluatedItems: false },
    [1, 'a', 2],
    ['/0 unevaluatedItems', '/2 unevaluatedItems'],
  ],
  [
    'items between those in "contains"',
    { contains: { type: 'string' }, unevaluatedItems: { type: 'null' } },
    [1, 'a', null, 2],
    ['/0 type', '/3 type'],
  ],
  [
    'the name "__proto__"',
    { unevaluatedProperties: false },
    JSON.parse('{"__proto__":1}'),
    ['/__proto__ unevaluatedProperties'],
  ],
])('%s', async (_, schema, value, expected) => {
  const examine = await examinerOf(schema);
  expect(examine(value)).toEqual(expected);
});

it('the time does not double with each level', async () => {
  const node: RawSchema = {
    $ref: '#/$defs/node',
    $defs: { node: { anyOf: [{ properties: { a: { $ref: '#/$defs/node' } } }], unevaluatedProperties: false } },
  };
  const examine = await examinerOf(node);
  let value: unknown = 1;
  for (let level = 0; level < 100; level++) value = { a: value };
  expect(examine(value)).toEqual([]);
});

/** A member "a", "b" or both, or only others. */
const A_OR_B = { properties: { a: { type: 'number' } }, required: ['a'] };
const B = { properties: { b: true }, patternProperties: { '^x': true }, required: ['b'] };
/** As text, since an object with a member `then` looks like a promise. */
const IF_A = { ...JSON.parse('{"then":{"properties":{"b":true}}}'), if: A_OR_B, else: { properties: { c: true } } };
const PAIR = { prefixItems: [true, { type: 'number' }] };

const OBJECTS: readonly object[] = [
  ...[{}, { a: 1 }, { a: 'a' }, { b: 1 }, { c: 1 }, { x: 1 }, { a: 1, b: 2 }, { a: 1, c: 3 }, { b: 2, x: 4 }],
  ...[{ a: 1, b: 2, x: 3 }, { a: 1, x: 3 }, { b: 2, c: 'c' }, { x: 1, y: 1 }, { z: { a: 1 } }, { z: { b: 1 } }],
  { a: 1, b: 2, c: 3, x: 4, y: 5 },
];
const ARRAYS = [[], [1], ['a'], [1, 2], [1, 'a'], ['a', 2, 3], [1, 2, 'a'], [1, 2, 'a', 'b'], ['a', 'b', 3], [null, 1]];

/** `others`: what is said of unevaluated members or items. */
const ACCEPTED: ((others: RawSchema) => RawObject)[] = [
  (others) => ({ unevaluatedProperties: others }),
  (others) => ({ ...A_OR_B, allOf: [B], unevaluatedProperties: others }),
  (others) => ({ $ref: '#/$defs/b', $defs: { b: B }, properties: { c: true }, unevaluatedProperties: others }),
  (others) => ({ anyOf: [A_OR_B, B], unevaluatedProperties: others }),
  (others) => ({ oneOf: [A_OR_B, { anyOf: [B, { properties: { c: true } }] }], unevaluatedProperties: others }),
  (others) => ({ ...IF_A, unevaluatedProperties: others }),
  (others) => ({ not: { not: B }, properties: { c: true }, unevaluatedProperties: others }),
  (others) => ({ dependentSchemas: { a: B, x: { additionalProperties: true } }, unevaluatedProperties: others }),
  (others) => ({ anyOf: [{ unevaluatedProperties: others }, { ...A_OR_B }], unevaluatedProperties: false }),
  (others) => ({ properties: { z: { $ref: '#' } }, anyOf: [A_OR_B, {}], unevaluatedProperties: others }),
  (others) => ({ allOf: [PAIR], prefixItems: [{ type: 'string' }], unevaluatedItems: others }),
  (others) => ({ anyOf: [PAIR, { prefixItems: [{ type: 'string' }] }, true], unevaluatedItems: others }),
  (others) => ({ contains: { type: 'string' }, minContains: 0, prefixItems: [true], unevaluatedItems: others }),
  (others) => ({ oneOf: [{ contains: { const: 'a' } }, { contains: { const: 2 } }], unevaluatedItems: others }),
  (others) => ({ if: PAIR, else: { items: { type: 'string' } }, unevaluatedItems: others }),
];

describe('accept is sure, and right, with', () => {
  it.each(ACCEPTED.map((make) => [JSON.stringify(make(false)), make] as const))('%s', async (_, make) => {
    for (const others of [false, true, { type: 'string' }]) {
      const schema = make(others);
      const { accept, examine, reasons } = await trySchema(schema);
      expect([...reasons]).toEqual([]);
      for (const value of [...OBJECTS, ...ARRAYS, 1, 'a']) {
        const text = JSON.stringify(value);
        const isValid = evaluate(schema, value, schema) !== null;
        const said = [accept(text) !== null, examine(text) !== null];
        expect([others, text, ...said]).toEqual([others, text, isValid, isValid]);
      }
    }
  });
});

it('generated schemas', async () => {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const seen = { valid: 0, invalid: 0, schemas: 0 };
  for (let i = 0; i < times(2000, 600); i++) {
    const generator = new Generator(random, 'unevaluated');
    const schema = JSON.parse(JSON.stringify(generator.schema()).replaceAll('"format":', '"about":')) as RawObject;
    if (!JSON.stringify(schema).includes('unevaluated')) continue;
    try {
      const examine = await examinerOf(schema);
      seen.schemas++;
      for (let j = 0; j < 10; j++) {
        let value = generator.instance(schema, schema);
        for (let changes = random(3); changes > 0; changes--) value = generator.changed(value);
        const truth = evaluate(schema, value, schema) !== null;
        seen[truth ? 'valid' : 'invalid']++;
        const text = `${JSON.stringify(schema)} ${JSON.stringify(value)}`;
        expect(examine(value).length === 0, text).toBe(truth);
      }
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
    }
  }
  expect(seen.schemas).toBeGreaterThan(100);
  expect(seen.valid).toBeGreaterThan(500);
  expect(seen.invalid).toBeGreaterThan(500);
});
