/**
 * How the chain of an entry schema may end: with `false`, or with a schema that surely rejects what comes so far. Anything else makes it a plain
 * schema of one kind.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSchemas } from '../../src/schema/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-no-kind-'));
afterAll(() => rmSync(folder, { recursive: true }));

const asks = (values: object, more: object = {}): object => ({
  type: 'object',
  required: ['t'],
  properties: { t: values },
  ...more,
});

/** The names of the kinds, of an entry schema with two tests and this end. */
function kindsWith(end: unknown, first: object = asks({ enum: ['A', 'B'] })): string[] {
  const chain = {
    if: first,
    // biome-ignore lint/suspicious/noThenProperty: a keyword
    then: { title: 'ab', $ref: '#/$defs/any' },
    else: {
      if: asks({ const: 'C' }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword
      then: { title: 'c', $ref: '#/$defs/any' },
      else: end,
    },
    $defs: { any: { type: 'object' } },
  };
  const path = join(folder, 'entry.json');
  // Numbers that no double is are texts with a # here.
  writeFileSync(path, JSON.stringify(chain).replaceAll(/"#([\d.]+)"/g, '$1'));
  return loadSchemas(path).kinds.map(({ name }) => name);
}

describe('an end that rejects the rest', () => {
  it.each([
    [false],
    [asks({ enum: ['A', 'B', 'C'] })],
    [asks({ enum: ['A'] }, { title: 'x', description: 'y' })],
    [asks({ const: 'C', description: 'x' })],
    [asks({ enum: [] })],
  ])('%j', (end) => expect(kindsWith(end)).toEqual(['ab', 'c']));

  it('by numbers as they are written', () => {
    const first = asks({ enum: ['#9007199254740993', '#0.1'] });
    expect(kindsWith(asks({ enum: ['#9007199254740993.0', '#0.10'] }), first)).toEqual(['ab', 'c']);
    expect(kindsWith(asks({ const: '#9007199254740992' }), first)).toEqual(['entry']);
    expect(kindsWith(asks({ enum: ['#0.1', '#0.10000000000000000001'] }), first)).toEqual(['entry']);
  });
});

describe('an end that may take something', () => {
  it.each([
    [true],
    [{}],
    [asks({ enum: ['A', 'D'] })],
    [asks({ type: 'string' })],
    [{ required: ['t'], properties: { t: { enum: ['A'] } } }],
    [{ type: 'object', properties: { t: { enum: ['A'] } } }],
    [asks({ enum: ['A'] }, { required: [] })],
    [asks({ enum: ['A'] }, { anyOf: [true] })],
  ])('%j', (end) => expect(kindsWith(end)).toEqual(['entry']));

  it('because an earlier test asks for more', () => {
    const first = { type: 'object', required: ['t', 'u'], properties: { t: { enum: ['A', 'B'] }, u: { const: 1 } } };
    expect(kindsWith(asks({ enum: ['A'] }), first)).toEqual(['entry']);
    expect(kindsWith(asks({ enum: ['C'] }), first)).toEqual(['ab', 'c']);
  });
});
