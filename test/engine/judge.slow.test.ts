/**
 * The judge by itself: what it costs in visits of schemas to values, and what it refuses. Its verdicts are compared with others in
 * `unevaluated.test.ts`, `notes.all.test.ts`, `ready.test.ts` and by the public suites.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { judgedKinds } from '../../scripts/judged-kinds.ts';
import { Examiner } from '../../src/engine/judge/examine.ts';
import type { JudgedKinds } from '../../src/engine/judge/judged-kinds.ts';
import { TooCostly } from '../../src/errors.ts';
import { loadSchemas } from '../../src/schema/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-judge-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function kindsOf(schema: unknown): Promise<JudgedKinds> {
  writeFileSync(join(folder, 's.json'), typeof schema === 'string' ? schema : JSON.stringify(schema));
  return judgedKinds(loadSchemas(join(folder, 's.json')));
}

/** The rules and pointers of the violations, and the visits that they took. */
async function judged(schema: unknown, value: unknown): Promise<{ violations: string[]; visits: number }> {
  const kinds = await kindsOf(schema);
  const bytes = Buffer.from(JSON.stringify(value));
  const payload = { bytes, span: { start: 0, end: bytes.length }, base: 0, ending: 'text' } as const;
  const { findings } = new Examiner(kinds, { maxDepth: 1000, redact: false }).examine(payload, null);
  const violations = [...findings].map(({ rule, pointer }) => `${rule} ${pointer}`);
  return { violations, visits: kinds.judge.walk.visits };
}

function nested(depth: number, innermost: unknown): unknown {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}

describe('a schema that is applied in two ways', () => {
  const twice = { allOf: [{ $ref: '#/$defs/r' }, { $ref: '#/$defs/r' }] };
  const doubling = { $ref: '#/$defs/r', $defs: { r: { type: 'object', properties: { a: twice }, required: ['b'] } } };

  it('does not double the work with each level', async () => {
    const { visits } = await judged(doubling, nested(60, {}));
    expect(visits).toBeLessThan(5000);
    const alternatives = { anyOf: [{ $ref: '#/$defs/r' }, { $ref: '#/$defs/r' }] };
    const schema = { $ref: '#/$defs/r', $defs: { r: { required: ['b'], properties: { a: alternatives } } } };
    expect((await judged(schema, nested(60, {}))).visits).toBeLessThan(5000);
  });

  it.each([2, 60])('says what is wrong once, at depth %i', async (depth) => {
    const { violations } = await judged(doubling, nested(depth, 1));
    const objects = Array.from({ length: depth }, (_, level) => `required ${'/a'.repeat(level)}`);
    expect(violations).toEqual([...objects, `type ${'/a'.repeat(depth)}`]);
  });

  it('says it once by members, too', async () => {
    const closed = { properties: { a: { $ref: '#/$defs/n' } }, patternProperties: { a: { $ref: '#/$defs/n' } } };
    const schema = { ...closed, $defs: { n: { additionalProperties: false, uniqueItems: true } } };
    expect((await judged(schema, { a: { x: 1 } })).violations).toEqual(['additionalProperties /a/x']);
    expect((await judged(schema, { a: [1, 1] })).violations).toEqual(['uniqueItems /a']);
  });
});

describe('many alternatives', () => {
  const COUNT = 4000;
  const many = (make: (i: number) => object): object[] => Array.from({ length: COUNT }, (_, i) => make(i));
  const CASES: [string, object[], unknown, unknown][] = [
    ['values of a member', many((i) => ({ properties: { k: { const: i } }, required: ['k'] })), { k: 7 }, { k: 'x' }],
    [
      'values of a member that a reference gives',
      many((i) => ({ allOf: [{ $ref: '#/$defs/o' }], properties: { k: { enum: [i] } }, required: ['k'] })),
      { k: 7 },
      { k: -1 },
    ],
    ['required members', many((i) => ({ required: ['x', `m${i}`] })), { x: 1, m7: 1 }, { x: 1 }],
    ['types', many((i) => ({ type: 'array', minItems: i, maxItems: i })), [1], {}],
    ['values', many((i) => ({ const: `v${i}` })), 'v7', 'w'],
  ];

  it.each(CASES)('are told apart by %s', async (_, alternatives, right, wrong) => {
    for (const keyword of ['anyOf', 'oneOf']) {
      const schema = { [keyword]: alternatives, $defs: { o: { type: 'object' } } };
      expect((await judged(schema, right)).violations).toEqual([]);
      const { violations, visits } = await judged(schema, wrong);
      expect(violations).toEqual([`${keyword} `]);
      expect(visits).toBeLessThan(10);
    }
  });

  it('that cannot be told apart are all judged', async () => {
    const schema = { oneOf: [{ minimum: 1 }, { minimum: 2 }, { multipleOf: 2 }, { maximum: 0 }, { const: 1 }] };
    expect((await judged(schema, 1)).violations).toEqual(['oneOf ']);
    expect((await judged(schema, 1.5)).violations).toEqual([]);
    expect((await judged({ anyOf: schema.oneOf.slice(1) }, 1.5)).violations).toEqual(['anyOf ']);
  });
});

describe('a schema without end', () => {
  it('for some payloads is the fault of the schema, with its place', async () => {
    const schema = '{"$defs":{"n":{"if":{"required":["a"]},"then":{"$ref":"#/$defs/n"}}},"$ref":"#/$defs/n"}';
    await expect(judged(schema, { b: 1 })).resolves.toMatchObject({ violations: [] });
    await expect(judged(schema, { a: 1 })).rejects.toThrow('s.json#/$defs/n: refers to itself without end');
    await expect(judged(schema, { a: 1 })).rejects.toMatchObject({ name: 'SchemaError' });
  });

  it('is not one that is applied again further inside', async () => {
    const schema = '{"if":{"required":["a"]},"then":{"properties":{"a":{"$ref":"#"}}}}';
    expect((await judged(schema, nested(100, 1))).violations).toEqual([]);
  });
});

it('a payload that takes too many visits is refused, with the place of the schema', async () => {
  const count = 3000;
  const schemas = Array.from({ length: count }, (_, i) => ({ allOf: [{ not: { const: `v${i}` } }] }));
  const { all, judge } = await kindsOf({ items: { allOf: schemas } });
  const value = Array.from({ length: 400 }, () => 1);
  expect(() => judge.judge(all[0]!.step, value, { size: 0 })).toThrow(TooCostly);
  expect(() => judge.judge(all[0]!.step, value, { size: 0 })).toThrow(/\(at s\.json#\/items/);
  // Each byte allows some more.
  expect(judge.judge(all[0]!.step, value, { size: 4000 })).toBe(true);
});
