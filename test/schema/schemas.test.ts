/**
 * Holds the schema files to everything that depends on them: the tables of the payload shapes (as data, below),
 * the verdicts of the fixtures (by a validator that paylint itself does not use), the generated types.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Validator, validate } from '@hyperjump/json-schema/draft-2020-12';
import { describe, expect, test } from 'vitest';
import { OWN_RULES } from '../../src/words/own-rules.ts';

type Json = Parameters<Validator>[0];

/** As much of a schema file as is looked at here. */
interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
}

const root = new URL('../../', import.meta.url);
const schemaUrl = (file: string) => new URL(`schemas/${file}`, root).href;
const readText = (path: string) => readFileSync(new URL(path, root), 'utf8');
const readSchema = (file: string): Schema => JSON.parse(readText(`schemas/${file}`));

const SCHEMA_FILES = {
  content: 'content-item.schema.json',
  contract: 'contract.schema.json',
  emoji: 'emoji.schema.json',
};
const KINDS = ['content', 'contract', 'emoji'] as const;

// ---- the tables of the payload shapes: path, type (null: the table gives none), required?, rules

type Row = readonly [path: string, type: string | null, need: 'required' | 'optional', rules?: object];

const only = (value: string) => ({ const: value, default: value });
const CONTENT_TYPES = ['Article', 'Discussion', 'LiveDiscussion', 'QAndADiscussion', 'Comment'];
const notEmpty = { minLength: 1 };
const date = { minLength: 20, maxLength: 20 };

const TABLES: Record<(typeof KINDS)[number], readonly Row[]> = {
  content: [
    ['@id', 'string', 'required'],
    ['@type', 'string', 'required', { enum: CONTENT_TYPES }],
    ['application', 'object', 'required'],
    ['application/@id', 'string', 'required', notEmpty],
    ['application/@type', 'string', 'optional', only('Application')],
    ['category', 'object', 'optional'],
    ['category/@id', 'string', 'required', notEmpty],
    ['category/@type', null, 'optional', only('Category')],
    ['topic', 'object', 'optional'],
    ['topic/@id', 'string', 'required', notEmpty],
    ['topic/@type', null, 'optional', only('Topic')],
    ['author', 'object', 'required'],
    ['author/@id', 'string', 'required', notEmpty],
    ['author/@type', 'string', 'required', { enum: ['ServiceUser', 'Worker'] }],
    ['title', 'string', 'optional', notEmpty],
    ['content', 'string', 'required', notEmpty],
    ['publishStatus', 'object', 'required'],
    ['publishStatus/@id', 'string', 'required', { enum: ['Unpublished', 'Published'], default: 'Unpublished' }],
    ['publishStatus/@type', null, 'optional', only('PublishStatus')],
    ['moderationStatus', 'object', 'required'],
    [
      'moderationStatus/@id',
      'string',
      'required',
      { enum: ['PendingModeration', 'PassedModeration', 'FailedModeration'], default: 'PendingModeration' },
    ],
    ['moderationStatus/@type', null, 'optional', only('ModerationStatus')],
    ['minAge', 'integer', 'optional', { minimum: 0, maximum: 999 }],
    ['maxAge', 'integer', 'optional', { minimum: 0, maximum: 999 }],
    ['startTime', 'string', 'optional'],
    ['endTime', 'string', 'optional'],
    ['replyTo', 'object', 'optional'],
    ['replyTo/@id', 'string', 'required', notEmpty],
    ['replyTo/@type', 'string', 'required', { enum: CONTENT_TYPES }],
    ['thumbnail', 'object', 'optional'],
    ['thumbnail/@id', 'string', 'required', notEmpty],
    ['thumbnail/@type', null, 'optional', only('Thumbnail')],
  ],
  contract: [
    ['@type', 'string', 'required', only('Contract')],
    ['name', 'string', 'required'],
    ['customer', 'object', 'optional'],
    ['customer/@type', null, 'optional', only('Customer')],
    ['customer/@id', 'string', 'required'],
    ['startDate', 'string', 'required', date],
    ['endDate', 'string', 'required', date],
    ['effectiveDate', 'string', 'required', date],
    ['active', 'boolean', 'required', { default: false }],
    ['coverage', 'object', 'required'],
    ['coverage/@type', 'string', 'required'],
    ['coverage/customer', null, 'required'],
    ['coverage/applicationCoverage', 'object', 'required'],
    ['coverage/applicationCoverage/@type', null, 'optional', only('Application')],
    ['coverage/applicationCoverage/@id', 'string', 'required'],
    ['coverage/monthlyCounsellingHours', 'integer', 'required', { minimum: 0 }],
    ['coverage/monthlyIandPHours', 'integer', 'required', { minimum: 0 }],
    ['coverage/monthlyDynamicModerationHours', 'integer', 'required', { minimum: 0 }],
    ['coverage/minAge', 'number', 'required', { minimum: 1 }],
    ['coverage/maxAge', 'number', 'required', { minimum: 1, maximum: 99 }],
    ['coverage/faceToFace', 'boolean', 'required'],
    ['coverage/subLocation', 'array', 'required'],
    ['coverage/subLocation/*', 'object', 'optional'],
    ['coverage/subLocation/*/@type', 'string', 'optional'],
    ['coverage/subLocation/*/name', 'string', 'optional'],
    ['contactName', 'string', 'required', notEmpty],
  ],
  emoji: [
    ['@context', 'string', 'required'],
    ['@type', 'string', 'required'],
    ['emoji', 'string', 'required'],
    ['reason', 'string', 'optional'],
  ],
};

interface Member {
  readonly path: string;
  /** JSON pointer into the schema file. */
  readonly pointer: string;
  readonly need: 'required' | 'optional';
  readonly schema: Schema;
}

/** Every member that a schema defines, depth first, in the order of the file; `*` is any item of an array. */
function membersOf(schema: Schema, path = '', pointer = ''): Member[] {
  const below = path === '' ? '' : `${path}/`;
  const here = Object.entries(schema.properties ?? {}).map(
    ([name, member]): Member => ({
      path: below + name,
      pointer: `${pointer}/properties/${name}`,
      need: schema.required?.includes(name) ? 'required' : 'optional',
      schema: member,
    }),
  );
  if (schema.items !== undefined) {
    here.push({ path: `${below}*`, pointer: `${pointer}/items`, need: 'optional', schema: schema.items });
  }
  return here.flatMap((member) => [member, ...membersOf(member.schema, member.path, member.pointer)]);
}

/** What a member's schema says about its own value: all that is neither for people nor about members below. */
function rulesOf(schema: Schema): object {
  const { type: _, title, description, $comment, examples, properties, items, required, ...rules } = schema;
  return rules;
}

describe.each(KINDS)('the schema of %s', (kind) => {
  const schema = readSchema(SCHEMA_FILES[kind]);
  const members = membersOf(schema);

  test('has the rows of the tables, in their order, and no others', () => {
    const rows = members.map(({ path, schema, need }) => [path, schema.type ?? null, need, rulesOf(schema)]);
    expect(rows).toEqual(TABLES[kind].map(([path, type, need, rules]) => [path, type, need, rules ?? {}]));
  });

  test('requires only members that it defines, in their order', () => {
    for (const { properties, required } of [schema, ...members.map((member) => member.schema)]) {
      const names = Object.keys(properties ?? {});
      expect(required ?? []).toEqual(names.filter((name) => required?.includes(name)));
    }
  });

  test('is an object that allows other members, unless it is an emoji', () => {
    const { $schema, $id, ...rest } = rulesOf(schema) as Schema;
    expect(schema.type).toBe('object');
    expect($schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect($id).toBe(SCHEMA_FILES[kind]);
    expect(rest).toEqual(kind === 'emoji' ? { additionalProperties: false } : {});
  });

  test('tells people what each member is', () => {
    for (const { path, schema: member } of members) {
      expect(member.title, path).toMatch(/\S/);
      expect(member.description, path).toMatch(/^[A-Z].*\.$/);
      const isLeaf = member.properties === undefined && member.items === undefined;
      expect(Array.isArray(member.examples), path).toBe(isLeaf);
    }
  });

  test.each(members.filter(({ schema }) => 'default' in schema || 'examples' in schema))(
    'accepts its own default and examples at $path',
    async ({ pointer, schema: member }) => {
      const isValid = await validate(`${schemaUrl(SCHEMA_FILES[kind])}#${pointer}`);
      const values = [...('default' in member ? [member.default] : []), ...((member.examples ?? []) as Json[])];
      for (const value of values as Json[]) expect(isValid(value).valid, JSON.stringify(value)).toBe(true);
    },
  );
});

test('every decision that the payload shapes leave open is a comment', () => {
  const texts = KINDS.map((kind) => readText(`schemas/${SCHEMA_FILES[kind]}`)).join('\n');
  const numbers = [...texts.matchAll(/"\$comment": "Decision (\d):/g)].map((match) => match[1]);
  expect([...new Set(numbers)].sort()).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('the entry schema has the kinds in the order in which they are tried', () => {
  const branches: unknown[] = [];
  let link: Schema | false = readSchema('payload.schema.json');
  while (link && link.then !== undefined) {
    branches.push(link.then);
    link = link.else as Schema | false;
  }
  expect(branches).toEqual(KINDS.map((kind) => ({ title: kind, $ref: SCHEMA_FILES[kind] })));
  // Editors offer the values; no payload that comes so far has one of them.
  expect(link).toMatchObject({ type: 'object', required: ['@type'] });
});

test('src/library/payloads.ts is what the schemas generate', async () => {
  const script = new URL('scripts/generate-types.js', root).href; // a variable, for want of types for the script
  const { generate } = (await import(script)) as { generate(): Promise<string> };
  expect(readText('src/library/payloads.ts')).toBe(await generate());
});

// ---- the fixtures, judged by another validator

interface Expected {
  readonly payload: number;
  readonly rule: string;
}
interface Judged {
  readonly index: number;
  readonly payload: Json;
  readonly valid: boolean;
}

/**
 * The payloads of a fixture with the verdict that the fixture gives each. Left out: what is not JSON, and what
 * only breaks rules that no schema states.
 */
function payloadsOf(url: URL): Judged[] {
  const bytes = readFileSync(url);
  const text = (url.pathname.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\ufeff/, '');
  const expectations = new URL(`${url.href}.expected`);
  const expected: Expected[] = existsSync(expectations) ? JSON.parse(readFileSync(expectations, 'utf8')) : [];
  const judged: Judged[] = [];
  for (const [index, payload] of parse(text, /\.json(\.gz)?$/.test(url.pathname)).entries()) {
    const rules = expected.filter((violation) => violation.payload === index).map((violation) => violation.rule);
    const ofSchema = rules.filter((rule) => rule === 'unknown-kind' || !isBuiltin(rule));
    if (payload === undefined || (rules.length > 0 && ofSchema.length === 0)) continue;
    judged.push({ index, payload, valid: rules.length === 0 });
  }
  return judged;
}

function parse(text: string, isOneText: boolean): (Json | undefined)[] {
  if (!isOneText)
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parseOne);
  const value = parseOne(text);
  return Array.isArray(value) ? value : [value];
}

function parseOne(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isBuiltin = (rule: string) => Object.hasOwn(OWN_RULES, rule);

describe.each([...KINDS, 'detection'] as const)('the fixtures of %s', (kind) => {
  const folders = [
    { folder: 'valid', schema: 'payload.schema.json' },
    { folder: 'invalid', schema: 'payload.schema.json' },
    ...(kind === 'detection'
      ? []
      : [
          { folder: 'forced/valid', schema: SCHEMA_FILES[kind] },
          { folder: 'forced/invalid', schema: SCHEMA_FILES[kind] },
        ]),
  ];
  const files = folders.flatMap(({ folder, schema }) => {
    const url = new URL(`fixtures/${kind}/${folder}/`, root);
    const names = existsSync(url) ? readdirSync(url).filter((name) => !name.endsWith('.expected')) : [];
    return names.map((name) => ({ folder, schema, name, judged: payloadsOf(new URL(name, url)) }));
  });

  test.each(files)('$folder/$name has the verdicts of $schema', async ({ schema, judged }) => {
    const isValid = await validate(schemaUrl(schema));
    const verdicts = judged.map(({ index, payload }) => ({ index, valid: isValid(payload).valid }));
    expect(verdicts).toEqual(judged.map(({ index, valid }) => ({ index, valid })));
  });

  test('each invalid file has expectations, and no valid one', () => {
    for (const { folder, name } of files) {
      const expectations = new URL(`fixtures/${kind}/${folder}/${name}.expected`, root);
      expect(existsSync(expectations), `${folder}/${name}`).toBe(folder.endsWith('invalid'));
    }
  });

  test('hold both valid and invalid payloads', () => {
    const all = files.flatMap(({ judged }) => judged);
    expect(all.filter(({ valid }) => valid).length).toBeGreaterThan(0);
    expect(all.filter(({ valid }) => !valid).length).toBeGreaterThan(0);
  });
});
