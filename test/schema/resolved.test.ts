/**
 * The bundled schemas as the build has resolved them are the same as those that are loaded from their files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolvedData } from '../../scripts/stored.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { type ResolvedData, resolvedSet } from '../../src/schema/resolved.ts';
import type { SchemaSet } from '../../src/schema/set.ts';

const DIST = join(import.meta.dirname, '../../dist');

function roundTrip(set: SchemaSet): SchemaSet {
  const data = JSON.parse(JSON.stringify(resolvedData(set))) as ResolvedData;
  return resolvedSet(data, set.source.path, (file) => join(import.meta.dirname, file));
}

/** What judging needs of a set. */
function judging({ kinds, nodes }: SchemaSet): unknown {
  return { kinds: kinds.map(({ name, document, schema, test }) => [name, document.name, schema, test]), nodes };
}

describe('a resolved set as data', () => {
  it('is the same set afterwards, with its circles', () => {
    const set = loadSchemas(bundledSchema(ENTRY_SCHEMA));
    const again = roundTrip(set);
    expect(judging(again)).toEqual(judging(set));
    expect(again.kinds[0]!.schema).toBe(again.nodes[(set.kinds[0]!.schema as { id: number }).id]);
  });

  it('keeps all forms of keywords, names like __proto__ and circles', () => {
    const path = join(import.meta.dirname, '../s.json');
    const schema = {
      $defs: { tree: { properties: { children: { items: { $ref: '#/$defs/tree' } } }, default: { a: [1] } } },
      properties: JSON.parse('{"__proto__": {"minimum": 2}, "b": true, "c": false}'),
      patternProperties: { '^x': { $ref: '#/$defs/tree' } },
      prefixItems: [{ const: null }, false],
      anyOf: [{ required: ['a'] }, { dependentRequired: { a: ['b'] } }],
      if: { type: ['object', 'null'] },
      else: false,
    };
    const files = new Map([[path, Buffer.from(JSON.stringify(schema))]]);
    const set = loadSchemas(path, { files });
    expect(judging(roundTrip(set))).toEqual(judging(set));
    expect(Object.keys((roundTrip(set).nodes[0] as { properties: object }).properties)).toContain('__proto__');
  });

  it('is what the build has written', () => {
    const written: unknown = JSON.parse(readFileSync(join(DIST, 'payload.schemas.json'), 'utf8'));
    const set = loadSchemas(bundledSchema(ENTRY_SCHEMA));
    expect(written).toEqual(JSON.parse(JSON.stringify(resolvedData(set))));
  });
});
