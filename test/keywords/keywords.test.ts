/**
 * The index of keywords has every keyword of every file, and what it says of them holds together.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, KEYWORDS, nameIn, sentence, stated, withoutText } from '../../src/keywords/index.ts';
import type { SchemaFacts } from '../../src/keywords/params.ts';
import { RULES } from '../../src/keywords/rules.ts';
import { redacted } from '../../src/report/merge.ts';
import { madeSchema, type SchemaNode } from '../../src/schema/node.ts';
import { eventOf, violation } from '../report-sample.ts';

const FOLDER = join(import.meta.dirname, '../../src/keywords');
const ROWS = Object.entries(KEYWORDS);
const SECRET = 'payload text';
const SEEN = { type: 'string', name: SECRET, items: [0, 1] } as const;

/** The objects in the files of `src/keywords/` whose members are keywords. */
async function families(): Promise<[file: string, family: Readonly<Record<string, unknown>>][]> {
  const found: [string, Readonly<Record<string, unknown>>][] = [];
  for (const file of readdirSync(FOLDER)) {
    if (file === 'index.ts') continue;
    const exported: Readonly<Record<string, unknown>> = await import(join(FOLDER, file));
    for (const value of Object.values(exported)) if (isFamily(value)) found.push([file, value]);
  }
  return found;
}

function isFamily(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((row) => typeof row === 'object' && row !== null && 'sentence' in row);
}

describe('the index of keywords', () => {
  it('has every keyword of every file', async () => {
    const all = await families();
    const names = all.flatMap(([, family]) => Object.keys(family));
    expect(names.length).toBeGreaterThan(30);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(KEYWORDS).sort(), 'src/keywords/index.ts lists each file').toEqual(names.sort());
  });

  it('has the types of the params of every file', () => {
    const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
    const files = readdirSync(FOLDER).filter((file) => file !== 'params.ts');
    const declared = files.flatMap((file) => read(file).match(/(?<=^export interface )\w+Params\b/gm) ?? []);
    const joined = /interface SchemaParams\s+extends ([^{]*)/.exec(read('params.ts'))![1]!.match(/\w+/g)!;
    expect(declared.length).toBeGreaterThan(15);
    expect(joined.sort(), 'SchemaParams of src/keywords/params.ts lists each file').toEqual(declared.sort());
  });

  it('leads to every keyword that has a text for explain, in its order', () => {
    const texts = ROWS.filter(([, { text }]) => text !== null).map(([name]) => name);
    expect([...RULES].filter(([, { group }]) => group === 'schema').map(([name]) => name)).toEqual(texts);
    expect(ROWS.filter(([, { text }]) => text === null).map(([name]) => name)).toEqual(['if']);
  });
});

describe('a keyword', () => {
  it.each(ROWS)('%s has a link to its section, and an example that names it', (name, { text }) => {
    if (text === null) return;
    const { link } = RULES.get(name)!;
    expect(text.schema).toContain(name);
    if (name === 'false') expect(link).toBeNull();
    else expect(link).toMatch(/^https:\/\/json-schema\.org\/draft\/2020-12\/json-schema-\w+#name-[a-z-]+$|draft-07/);
  });

  it.each(ROWS)('%s shows the name of a member if and only if it hides its params', (name, keyword) => {
    const facts = completed({ rule: name, params: {} } as SchemaFacts, SEEN);
    const shows = JSON.stringify(facts.params).includes(SECRET);
    expect([nameIn(facts), keyword.anchor === 'name']).toEqual(shows ? [SECRET, true] : [null, false]);
    expect(JSON.stringify(withoutText(facts))).not.toContain(SECRET);
    const event = eventOf(violation({ rule: name, params: facts.params, message: SECRET }));
    expect(JSON.stringify(redacted(event))).not.toContain(SECRET);
  });
});

/** A schema with one keyword. */
function nodeWith(keyword: string, value: unknown): SchemaNode {
  return madeSchema({ [keyword]: value });
}

describe('the facts that a schema states', () => {
  it.each([
    ['minLength', 2, null, 'expected at least 2 characters, found 1', { limit: 2 }],
    ['maxProperties', 1, null, 'expected at most 1 member, found 1', { limit: 1 }],
    ['exclusiveMaximum', 0.5, null, 'expected less than 0.5, found a string', { limit: 0.5 }],
    ['multipleOf', 3, null, 'expected a multiple of 3, found a string', { divisor: 3 }],
    ['enum', ['a', 1], null, 'expected one of "a", 1, found a string', { allowed: ['a', 1] }],
    ['const', null, null, 'expected null, found a string', { allowed: [null] }],
    ['pattern', '^a$', null, 'expected text that matches "^a$", found a string', { pattern: '^a$' }],
    ['format', 'date', null, 'expected the format "date", found a string', { format: 'date' }],
    ['required', ['a', 'b'], 'b', 'the member "b" is missing', { missing: 'b' }],
    [
      'type',
      ['array', 'null'],
      null,
      'expected an array or null, found a string',
      { expected: ['array', 'null'], found: 'string' },
    ],
    ['additionalProperties', false, null, 'this member is not allowed', { additional: SECRET }],
  ])('%s: %j', (keyword, value, missing, message, params) => {
    const facts = completed(
      stated(keyword, nodeWith(keyword, value), missing === null ? null : { missing, because: null }),
      SEEN,
    );
    expect(sentence(facts, { type: 'string', text: null, measured: () => 1 })).toBe(message);
    expect(facts).toEqual({ rule: keyword, params });
  });
});
