/**
 * Schemas whose keywords do not have the form that their draft demands are refused when they are loaded: the same ones that the meta-schema
 * of the draft refuses, which Ajv is asked about. Annotations are left out: a wrong form of one is a warning.
 */
import { readFileSync } from 'node:fs';
import type { Ajv as AjvClass, Options } from 'ajv';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { mutate, seeded } from '../scripts/mutations/mutate.ts';
import { setOf } from '../scripts/mutations/schemas.ts';
import { SchemaError } from '../src/errors.ts';
import { bundledSchema } from '../src/package.ts';
import { DRAFTS, type Draft } from '../src/schema/drafts/index.ts';
import { Resources } from '../src/schema/resources.ts';
import { rounds } from './rounds.ts';

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

/** Keywords that only some drafts have. */
const LATER =
  'const contains propertyNames if then else $comment $defs dependentRequired dependentSchemas minContains maxContains unevaluatedItems unevaluatedProperties prefixItems items additionalItems exclusiveMinimum not $anchor'.split(
    ' ',
  );

/** Values of every form. */
const VALUES = [
  ...[0, true, false, 1, -1, 0.5, 'a', '#a', '(', '', null, [], {}, [{}], [true], ['a'], ['a', 'a'], [{}, 1]],
  ...[
    { a: 1 },
    { a: {} },
    { a: true },
    { a: [] },
    { a: ['a'] },
    { a: ['a', 'a'] },
    { '(': {} },
    ['type'],
    'string',
  ],
];

const CLASSES: Readonly<Record<string, new (options: Options) => AjvClass>> = {
  '2019-09': Ajv2019,
  '2020-12': Ajv2020,
};

/** What says whether a schema matches the meta-schema of the draft. */
function witness(draft: Draft): (schema: unknown) => boolean {
  const options: Options = { strict: false, logger: false, validateFormats: false, ownProperties: true };
  const ajv = new (CLASSES[draft.name] ?? Ajv)(options);
  if (CLASSES[draft.name] !== undefined || draft.name === '7')
    return (schema) => ajv.validateSchema(schema as object) === true;
  const text = readFileSync(bundledSchema(`meta/${draft.title}.json`), 'utf8');
  const { $schema: _, id: __, ...meta } = JSON.parse(text) as Record<string, unknown>;
  // Ajv 8 has no draft-04: what it means there is written as in draft-06.
  const later = JSON.parse(
    JSON.stringify(meta).replace('"minimum":0,"exclusiveMinimum":true', '"exclusiveMinimum":0'),
  );
  const validate = ajv.compile(later);
  return (schema) => validate(schema) === true;
}

/** The forms that `src/schema` checks, and no references. */
function isRefused(text: Buffer): boolean {
  try {
    new Resources('/', { files: new Map([['/it.json', text]]) }).file('/it.json');
    return false;
  } catch (error) {
    if (error instanceof SchemaError) return true;
    throw error;
  }
}

/** Patterns, anchors and identifiers are checked further than by the meta-schemas; `enum` with equal values is let through. */
function isBeyond(text: string): boolean {
  return /"(?:pattern|patternProperties|\$anchor|\$id|id|\$schema|enum)"/.test(text);
}

/** Draft-04 has no `true` and `false` as schemas, and no empty dependencies; they are taken for what they mean in later drafts. */
function isLater(value: unknown): boolean {
  return value === false || /true|:\[\]/.test(JSON.stringify(value));
}

describe.each(DRAFTS.map((draft) => [draft.title, draft] as const))('of %s', (_, draft) => {
  const matches = witness(draft);
  const withDraft = (schema: object): Buffer =>
    Buffer.from(JSON.stringify({ $schema: draft.uri, ...schema }));

  it('a schema with all keywords is loaded', () => {
    expect(matches(ALL)).toBe(true);
    expect(isRefused(withDraft(ALL))).toBe(false);
  });

  it('every keyword has the forms of the meta-schema', () => {
    let [refused, loaded] = [0, 0];
    for (const keyword of [...Object.keys(ALL), ...LATER]) {
      for (const value of VALUES) {
        const schema = { [keyword]: value };
        if (isBeyond(JSON.stringify(schema)) || (draft.name === '4' && isLater(value))) continue;
        const expected = matches(schema);
        if (expected) loaded++;
        else refused++;
        expect([keyword, value, !isRefused(withDraft(schema))]).toEqual([keyword, value, expected]);
      }
    }
    expect(Math.min(refused, loaded)).toBeGreaterThan(100);
  });

  it('no mutation of a schema is loaded that the meta-schema refuses', () => {
    const random = seeded(15);
    const whole = withDraft(ALL);
    let loaded = 0;
    for (let i = 0; i < rounds(800); i++) {
      const text = mutate(whole, random);
      if (isRefused(text)) continue;
      const schema: unknown = JSON.parse(text.toString());
      if ((schema as { $schema?: unknown }).$schema !== draft.uri) continue;
      // Ajv sees 0 where the text has less.
      if (/[1-9][\d.]*[eE]-\d{3}/.test(String(text))) continue;
      loaded++;
      expect(matches(schema), String(text)).toBe(true);
    }
    expect(loaded).toBeGreaterThan(rounds(50));
  });
});

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
  [
    { $anchor: '1' },
    'it.json#/$anchor: expected a letter or "_", then letters, digits, "-", "_" and ".", found "1"',
  ],
  [{ $ref: '#/a' }, 'it.json#/$ref: the $ref "#/a" leads to nothing: there is no "a" in the root'],
  [{ $ref: '#a' }, 'it.json#/$ref: the $ref "#a" leads to nothing: no schema there has "$anchor": "a"'],
  [
    { $ref: 'file://host/a.json' },
    'it.json#/$ref: cannot follow the $ref "file://host/a.json": only local files are read, nothing is fetched from a network; after "file://" stands the name of a machine, so did you mean "host/a.json" or "file:///host/a.json"?; --ref file://host/a.json=FILE names a local file for it',
  ],
  [{ $ref: 'http://[' }, 'it.json#/$ref: the $ref "http://[" is not a URI reference'],
  [{ allOf: [{ $ref: '#' }] }, 'it.json#: refers to itself without end'],
])('%j is refused with its place', (schema, message) => {
  expect(() => setOf(schema)).toThrow(new SchemaError(message));
});
