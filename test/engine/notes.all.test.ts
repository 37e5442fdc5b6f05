/**
 * Violations noted from the bytes are those of examine, field by field; and most of those that people make are noted,
 * or a function that always says "unsure" would pass.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCHEMA_FAULT_NAMES } from '../../scripts/mutations/faults.ts';
import { mutate, seeded } from '../../scripts/mutations/mutate.ts';
import { compareNotes } from '../../scripts/mutations/notes.ts';
import { fixturePayloads } from '../../scripts/mutations/payloads.ts';
import { Generator, setOf as setOfSchema, trySchemas } from '../../scripts/mutations/schemas.ts';
import { SUPPORTED } from '../../src/engine/compile/keywords.ts';
import { REPLACED } from '../../src/engine/compile/unevaluated.ts';
import { SchemaError } from '../../src/errors.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { SchemaSet } from '../../src/schema/set.ts';
import { rounds } from '../rounds.ts';

const payloads = fixturePayloads(join(import.meta.dirname, '../../fixtures')).map(({ bytes }) => bytes);

/** The set for one schema, whose kind is called "it". */
function setOf(schema: object): SchemaSet {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-notes-'));
  try {
    writeFileSync(join(folder, 'it.json'), JSON.stringify(schema));
    return loadSchemas(join(folder, 'it.json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('notes of the bundled kinds', () => {
  const set = loadSchemas(bundledSchema(ENTRY_SCHEMA));

  it('are what examine finds, for mutations of every fixture', async () => {
    const random = seeded(7);
    const mutations = Array.from({ length: rounds(4000) }, () => mutate(payloads[random(payloads.length)]!, random));
    const { invalid, noted, wrong } = await compareNotes(set, mutations);
    expect(wrong).toEqual([]);
    // Most mutations are malformed.
    expect(noted / invalid).toBeGreaterThan(0.08);
  });

  it('are certain for most of the invalid fixtures', async () => {
    const { invalid, noted, wrong } = await compareNotes(set, payloads);
    expect(wrong).toEqual([]);
    // The others are malformed, of no kind, or have escapes or duplicate names.
    expect(noted / invalid).toBeGreaterThan(0.55);
  });
});

describe('notes of payloads of no kind', () => {
  const set = loadSchemas(bundledSchema(ENTRY_SCHEMA));
  const texts = [
    ...['{"@type":"Artcle"}', '{"a":{"@type":"Article"},"@type":5,"b":1e3}', '{"@type":{"a":["@type"]}, "x":""}'],
    ...['{"@type":"é","ü":1}', '{ "@type" : null }', '{"@type":"Artcle","\\u0040type":"Article"}'],
    ...['{"\\u0040type":"Artcle"}', '{"\\u0061":1,"@type":"Artcle","a":2}', '{"@type":1,"@type":2}'],
    ...['{"@type":1e999}', '{"@type":1,"a":1,"a":1}', '{"x":1}', '[{"@type":1}]', '{"@type":"A","x":01}'],
  ];

  it('are what examine finds', async () => {
    const { noted, wrong } = await compareNotes(
      set,
      texts.map((text) => Buffer.from(text)),
    );
    expect(wrong).toEqual([]);
    expect(noted).toBe(5);
  });
});

const VALUES = [
  ...['null', 'true', '1', '1.5', '-1', '"a"', '"abcdef"', '"é"', '[]', '[1]', '[1,"a",1]', '{}', '{"a":1}'],
  ...[
    '{"a":"x","b":2}',
    '{"b":{"a":null}}',
    '{"c":[{"a":1},{"a":"x"}]}',
    '[[1],{"a":[]}]',
    '{"a":1,"x y":2,"~/":3}',
    '{"line2":1}',
    '["b","ab",1]',
  ],
];

describe.each([
  { type: ['integer', 'null'], minimum: 1, enum: [1, 2, null] },
  { type: 'string', minLength: 2, maxLength: 3, pattern: '^a' },
  { enum: ['a', 1, true], not: { const: 1 } },
  { const: 'a', minLength: 3, pattern: 'b' },
  { type: 'object', required: ['b', 'a'], properties: { a: { type: 'number' } }, additionalProperties: false },
  { properties: { a: false, b: true }, maxProperties: 1, minProperties: 2 },
  { required: ['z', 'a'], minProperties: 2, enum: [{ a: 1 }, 1], dependentRequired: { a: ['c'] } },
  // No required member is a near miss of another one.
  { required: ['line1', 'line2'] },
  { additionalProperties: { type: 'string', minLength: 2 } },
  { items: { type: 'integer', maximum: 0 }, minItems: 1, maxItems: 2, uniqueItems: true },
  { items: { items: { const: 2 }, properties: { a: { type: 'null' } } } },
  { prefixItems: [{ type: 'integer' }, { maxLength: 0 }], items: { type: 'string' }, minItems: 2 },
  { prefixItems: [{ $ref: '#' }, { type: 'null' }], items: false, properties: { b: { type: 'null' } } },
  { anyOf: [{ type: 'string' }, { required: ['a'] }], properties: { b: { type: 'string' } } },
  { properties: { c: { items: { $ref: '#' } }, b: { $ref: '#' }, a: { type: 'string' } }, required: ['a'] },
  { $ref: '#/$defs/x', required: ['b'], $defs: { x: { required: ['a'], multipleOf: 2 } } },
  // `fix` is "fill" for x, and "fill --deep" for y.
  {
    required: ['x', 'y'],
    properties: { x: { default: 1 }, y: { $ref: '#/$defs/made' } },
    $defs: { made: { type: 'object', required: ['a'], properties: { a: { default: 1 } } } },
  },
])('notes for $type%#', (schema) => {
  it(JSON.stringify(schema), async () => {
    const { wrong } = await compareNotes(
      setOf(schema),
      VALUES.map((text) => Buffer.from(text)),
    );
    expect(wrong).toEqual([]);
  });
});

/** Seeds that are tried if the chosen ones are not enough any more: a keyword that is added changes all schemas. */
const OTHERS = Array.from({ length: 100 }, (_, i) => 200 + i);
/** The first ones show all faults with few schemas. */
const TELLING = [71, 89, 26, 11, 45, 94, 12, ...OTHERS];

describe('generated schemas', () => {
  const random = seeded(11);
  const cases = Array.from({ length: rounds(160) }, () => {
    const generator = new Generator(random);
    const schema = generator.schema();
    const texts = Array.from({ length: 30 }, () => {
      let value = generator.instance(schema, schema);
      for (let changes = random(3); changes > 0; changes--) value = generator.changed(value);
      return Buffer.from(generator.text(value));
    });
    return { schema, texts };
  });

  it('give the same notes as examine', async () => {
    let [invalid, noted] = [0, 0];
    for (const { schema, texts } of cases) {
      const outcome = await compareNotes(setOfSchema(schema), texts).catch((error: unknown) => {
        if (error instanceof SchemaError) return null; // it refers to itself without end
        throw error;
      });
      if (outcome === null) continue;
      expect([schema, outcome.wrong]).toEqual([schema, []]);
      invalid += outcome.invalid;
      noted += outcome.noted;
    }
    expect(noted / invalid).toBeGreaterThan(0.15);
  });

  it('are accepted and refused as examine says', async () => {
    const { sure, truth, wrong } = await trySchemas({ schemas: rounds(200), instances: 30 }, seeded(5));
    expect(wrong).toEqual([]);
    // Escapes, exponents and formats are unsure.
    expect(sure.valid / truth.valid).toBeGreaterThan(0.9);
    expect(sure.invalid / truth.invalid).toBeGreaterThan(0.9);
  });

  it('need every keyword that accept knows', async () => {
    const needed = new Set<string>();
    let unused = [...SUPPORTED, ...REPLACED];
    // With the first three, every keyword is among the first schemas.
    for (const seed of [107, 173, 14, ...OTHERS]) {
      if (unused.length === 0) break;
      for (const keyword of (await trySchemas({ schemas: 40, instances: 12 }, seeded(seed))).needed)
        needed.add(keyword);
      unused = unused.filter((keyword) => !needed.has(keyword));
    }
    expect(unused, 'scripts/mutations/schemas.ts makes schemas with each keyword').toEqual([]);
  });

  it.each(SCHEMA_FAULT_NAMES)('show the fault "%s"', async (fault) => {
    let wrong = 0;
    for (const seed of TELLING) {
      if (wrong > 0) break;
      wrong += (await trySchemas({ schemas: 12, instances: 12, fault }, seeded(seed))).wrong.length;
    }
    expect(wrong).toBeGreaterThan(0);
  });
});
