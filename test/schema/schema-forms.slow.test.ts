/**
 * Schemas whose keywords do not have the form that their draft demands are refused when they are loaded: the same ones that the meta-schema
 * of the draft refuses, which our judge applies to them. A wrong form of an annotation is a warning.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutate, seeded } from '../../scripts/mutations/mutate.ts';
import { setOf } from '../../scripts/mutations/schemas.ts';
import { Judge, loadJudgeModules } from '../../src/engine/judge/judge.ts';
import type { Step } from '../../src/engine/judge/walk.ts';
import { linesOf, SchemaError } from '../../src/errors.ts';
import { bundledSchema } from '../../src/package.ts';
import { DRAFTS, type Draft } from '../../src/schema/drafts.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { Schema } from '../../src/schema/node.ts';
import type { SchemaSet } from '../../src/schema/set.ts';
import { suspect } from '../../src/schema/suspect.ts';
import { rounds } from '../rounds.ts';

/** Every keyword of the drafts, with a value that all of them allow. */
const ALL = {
  type: ['object', 'string'],
  enum: [1, 'a', { b: [] }],
  format: 'date',
  ...{ minLength: 0, maxLength: 5, pattern: '^\\d+$', minimum: -1.5, multipleOf: 0.5 },
  ...{ minItems: 1, maxItems: 2, uniqueItems: true },
  properties: { a: { $ref: '#/definitions/a' }, '\\d': {} },
  patternProperties: { '\\"': { type: 'string' } },
  additionalProperties: { required: ['a', 'b'] },
  dependencies: { a: ['b'], c: {} },
  definitions: { a: { not: {} } },
  allOf: [{ anyOf: [{}] }, { oneOf: [{}] }],
  default: {},
  'x-more': [1],
};

/** Values of every form, right and wrong: of each type, empty, doubled, negative, nested, names of every notation. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, -1, 0.5, 1e3, '', 'a', '#', '(', '\\-', 'string'],
  ...['_a', 'a:b', 'a.b-c', '1a', 'a b', '#foo', '#/foo', 'x.json#', 'http://x.y/z#foo'],
  ...[
    [],
    [1],
    [1, 1],
    [1, true],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [[], []],
    [0, -0],
  ],
  ...[['a'], ['a', 'a'], ['a', 1], ['string'], ['string', 'string'], ['string', 'text'], [null, null]],
  ...[[{}], [true], [false, true], [{ type: 1 }], [{}, 1], [[{}]]],
  ...[{}, { a: 1 }, { a: {} }, { a: true }, { a: false }, { a: null }, { a: [] }, { a: [1] }, { a: [true] }],
  ...[{ a: ['a'] }, { a: ['a', 'a'] }, { a: { type: 1 } }, { a: { a: 1 } }, { '(': {} }, { '\\-': {} }],
  ...[{ type: 1 }, { type: 'string' }, { not: true }, { not: { enum: [] } }, { items: [true] }, { required: [] }],
  ...[{ 'http://x.y/z': true }, { 'http://x.y/z': 1 }],
];

/** The keywords of every meta-schema. */
const KEYWORDS = [...new Set(DRAFTS.flatMap((draft) => metaSchemas(draft).flatMap(propertiesOf)))].filter(
  (keyword) => keyword !== '$schema',
);

/** The texts of a draft's meta-schema, and of those of its vocabularies. */
function metaSchemas({ title }: Draft): object[] {
  const files = title.startsWith('draft')
    ? [`meta/${title}.json`]
    : readdirSync(bundledSchema(`meta/${title}`)).map((file) => `meta/${title}/${file}`);
  return files.map((file) => JSON.parse(readFileSync(bundledSchema(file), 'utf8')) as object);
}

function propertiesOf(schema: { readonly properties?: object }): string[] {
  return Object.keys(schema.properties ?? {});
}

/** Our judge, asked by the meta-schema of the draft whether a schema is one. */
async function metaJudge(draft: Draft): Promise<(schema: unknown) => boolean> {
  const { stepOf, judge, kinds } = await judged(setOf({ $ref: draft.uri }));
  return (schema) => judge(stepOf(kinds[0]!.schema), schema);
}

async function judged(set: SchemaSet) {
  const judge = new Judge(await loadJudgeModules(set));
  return {
    kinds: set.kinds,
    stepOf: (schema: Schema) => judge.stepOf(schema),
    judge: (step: Step, value: unknown) => judge.judge(step, value, { size: 1000 }),
  };
}

/** What loading says of a schema: why it is refused, or its warnings. */
function said(text: Buffer, draft: Draft): { readonly refused: string | null; readonly warnings: readonly string[] } {
  try {
    const set = loadSchemas('/it.json', { draft: draft.name, files: new Map([['/it.json', text]]) });
    return { refused: null, warnings: linesOf(suspect(set)) };
  } catch (error) {
    if (error instanceof SchemaError) return { refused: error.message, warnings: [] };
    throw error;
  }
}

/** A reference must lead to something, too; the meta-schemas do not ask for that, and that of draft-04 for nothing. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/**
 * Where paylint asks for more than the meta-schema, for what the text of the specification says: names in
 * `patternProperties` are regular expressions, no two schemas have the same URI, and `writeOnly` is a boolean. And for less:
 * an `$id` may have characters that URIs encode.
 */
function isOtherwise(keyword: string, value: unknown, { name }: Draft): boolean {
  if (REFERENCES.includes(keyword)) return value !== '#' && (typeof value === 'string' || name === '4');
  if (keyword === 'patternProperties') return name === '4' || name === '6' ? '(' in Object(value) : false;
  if (/^\$?id$/.test(keyword)) return ['', 'a b', '\\-'].includes(value as string);
  return keyword === 'writeOnly' && name === '7' && typeof value !== 'boolean';
}

describe.each(DRAFTS.map((draft) => [draft.title, draft] as const))('of %s', (_, draft) => {
  const withDraft = (schema: object): Buffer => Buffer.from(JSON.stringify({ $schema: draft.uri, ...schema }));

  it('a schema with all keywords is loaded', async () => {
    expect((await metaJudge(draft))(ALL)).toBe(true);
    expect(said(withDraft(ALL), draft).refused).toBe(null);
  });

  it('every keyword has the forms of the meta-schema, wherever it is', async () => {
    const isSchema = await metaJudge(draft);
    const places: readonly ((schema: object) => object)[] = [
      (a) => ({ properties: { a } }),
      (a) => ({ additionalProperties: { allOf: [{ not: a }] } }),
      (a) => ({ type: 'array', definitions: { a: { additionalProperties: a } } }),
    ];
    let [wrong, right] = [0, 0];
    const differences: string[] = [];
    for (const [k, keyword] of KEYWORDS.entries()) {
      for (const [v, value] of VALUES.entries()) {
        if (isOtherwise(keyword, value, draft)) continue;
        const one = { [keyword]: value };
        const expected = isSchema(one);
        if (expected) right++;
        else wrong++;
        // Every keyword with every value, and every keyword in every place.
        const schema = places[(k + v) % places.length]!(one);
        const { refused, warnings } = said(withDraft(schema), draft);
        // A wrong annotation, or one of a keyword that the draft has no more, changes no verdict.
        const found = refused !== null || warnings.some((warning) => warning.includes(`/${keyword}: `));
        const isRefused = refused !== null || warnings.some((warning) => warning.includes('says nothing'));
        if (expected ? isRefused : !found) differences.push(JSON.stringify([schema, expected, refused, ...warnings]));
      }
    }
    expect(differences).toEqual([]);
    expect(Math.min(wrong, right)).toBeGreaterThan(400);
  });

  it('the bounds of draft-04 need each other', async () => {
    const isSchema = await metaJudge(draft);
    for (const exclusive of [true, false, 1])
      for (const minimum of [1, undefined])
        for (const name of ['inimum', 'aximum']) {
          const schema = { [`m${name}`]: minimum, [`exclusiveM${name}`]: exclusive };
          const { refused } = said(withDraft({ not: schema }), draft);
          expect([schema, refused === null]).toEqual([schema, isSchema(JSON.parse(JSON.stringify(schema)))]);
        }
  });

  it('no mutation of a schema is loaded that the meta-schema refuses', async () => {
    const matches = await metaJudge(draft);
    const random = seeded(15);
    const whole = withDraft(ALL);
    let loaded = 0;
    for (let i = 0; i < rounds(800); i++) {
      const text = mutate(whole, random);
      const { refused, warnings } = said(text, draft);
      if (refused !== null || !warnings.every((one) => one.includes('can do nothing'))) continue;
      const schema: unknown = JSON.parse(text.toString());
      if ((schema as { $schema?: unknown }).$schema !== draft.uri) continue;
      // JSON.parse reads 0 where the text has more.
      if (/[1-9][\d.]*[eE]-\d{3}/.test(String(text))) continue;
      loaded++;
      expect(matches(schema), String(text)).toBe(true);
    }
    expect(loaded).toBeGreaterThan(rounds(50));
  });
});

const DRAFT_04 = { $schema: 'http://json-schema.org/draft-04/schema#' };
const DRAFT_07 = { $schema: 'http://json-schema.org/draft-07/schema#' };

it.each([
  [{ $id: 'http://[' }, 'it.json#/$id: "http://[" is not a URI reference'],
  [{ $defs: { a: { $id: 'http://[' } } }, 'it.json#/$defs/a/$id: "http://[" is not a URI reference'],
  [{ pattern: '(' }, 'it.json#/pattern: Invalid regular expression: /(/u: Unterminated group'],
  [
    { patternProperties: { '*': {} } },
    'it.json#/patternProperties/*: Invalid regular expression: /*/u: Nothing to repeat',
  ],
  [
    { items: [true] },
    'it.json#/items: expected an object or a boolean, found an array; since 2020-12 a list of schemas is "prefixItems": write that, or name an earlier draft with "$schema" or --draft 7',
  ],
  [{ $anchor: '1' }, 'it.json#/$anchor: expected a letter or "_", then letters, digits, "-", "_" and ".", found "1"'],
  [
    { $schema: 'https://json-schema.org/draft/2019-09/schema', $anchor: '_a' },
    'it.json#/$anchor: expected a letter, then letters, digits, "-", "_", ":" and ".", found "_a"',
  ],
  [
    { properties: { a: { $id: '#foo' } } },
    'it.json#/properties/a/$id: expected a URI reference without a fragment, found "#foo"; did you mean "$anchor": "foo"?',
  ],
  [{ $id: 'http://x.y/z#foo' }, 'it.json#/$id: expected a URI reference without a fragment, found "http://x.y/z#foo"'],
  [{ ...DRAFT_07, enum: [] }, 'it.json#/enum: expected at least 1 item, found 0'],
  [{ ...DRAFT_07, enum: ['a', { b: 1 }, { b: 1.0 }] }, 'it.json#/enum: items 1 and 2 are equal'],
  [
    { ...DRAFT_04, minimum: 1, exclusiveMaximum: false },
    'it.json#/exclusiveMaximum: expected "maximum" beside it, which it is about',
  ],
  [
    { ...DRAFT_04, properties: { a: true } },
    'it.json#/properties/a: expected an object, found true; draft-04 has no true as a schema: write {}',
  ],
  [
    { ...DRAFT_04, not: false },
    'it.json#/not: expected an object, found false; draft-04 has no false as a schema: write {"not": {}}',
  ],
  [{ ...DRAFT_04, dependencies: { a: [] } }, 'it.json#/dependencies/a: expected at least 1 item, found 0'],
  [{ $ref: '#/a' }, 'it.json#/$ref: the $ref "#/a" leads to nothing: there is no "a" in the root'],
  [{ $ref: '#a' }, 'it.json#/$ref: the $ref "#a" leads to nothing: no schema there has "$anchor": "a"'],
  [
    { $ref: 'file://host/a.json' },
    'it.json#/$ref: cannot follow the $ref "file://host/a.json": only local files are read, nothing is fetched from a network; after "file://" stands the name of a machine, so did you mean "host/a.json" or "file:///host/a.json"?; --ref file://host/a.json=FILE names a local file for it',
  ],
  [{ $ref: 'http://[' }, 'it.json#/$ref: the $ref "http://[" is not a URI reference'],
  [{ allOf: [{ $ref: '#' }] }, 'it.json#: refers to itself without end'],
])('%j is refused with its place', (schema, message) => {
  let error: unknown;
  try {
    setOf(schema);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(SchemaError);
  const { faults } = error as SchemaError; // just tested
  expect(faults.map(({ place, message }) => `${place}: ${message}`)).toEqual([message]);
});

it('enum may have numbers that differ only beyond the digits of a double', () => {
  const text = Buffer.from(
    '{"$schema": "http://json-schema.org/draft-07/schema#", "enum": [12345678901234567890, 12345678901234567891, 0.1, 1e-1]}',
  );
  const { refused } = said(text, DRAFTS.at(2)!);
  expect(refused).toBe('it.json:1:64: it.json#/enum: items 2 and 3 are equal');
});

it('draft-04 has no true as a whole file', () => {
  expect(said(Buffer.from('true'), DRAFTS[0]!).refused).toMatch(
    /^it\.json:1:1: it\.json#: expected an object, found true/,
  );
  expect(said(Buffer.from('true'), DRAFTS[1]!).refused).toBe(null);
});
