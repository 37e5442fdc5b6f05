/**
 * What the author of a schema says about violations: which of the messages on the way to a keyword comes with it, what
 * templates show, and what is a warning because it is never shown.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/library/open.ts';
import { paylint } from '../world.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-author-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The template for a value. */
const at = (pointer: string): string => `$${`{${pointer}}`}`;

const SCHEMA = {
  type: 'object',
  required: ['name', 'sku', 'other'],
  properties: {
    name: { type: 'string', minLength: 3, errorMessage: 'Give a name' },
    sku: { type: 'string', pattern: '^[A-Z]{3}$', patternErrorMessage: `Three capitals; you wrote ${at('0')}` },
    plain: { type: 'integer' },
    address: { $ref: '#/$defs/address', errorMessage: { _: 'An address is odd' } },
    tags: { items: { type: 'integer' }, errorMessage: { items: ['first tag', `second tag of ${at('/name')}`] } },
    no: false,
    either: { anyOf: [{ type: 'object', properties: { a: { const: 1, errorMessage: 'a is 1' } } }] },
  },
  additionalProperties: false,
  errorMessage: {
    required: { name: 'Every order has a name' },
    properties: { no: 'Never no', plain: `A number of ${at('1/name')}` },
    additionalProperties: 'What is this?',
  },
  $defs: {
    address: {
      type: 'object',
      required: ['city'],
      properties: { zip: { type: 'integer' }, street: { type: 'string', errorMessage: { type: 'A name' } } },
    },
  },
};

async function opened(schema: object, options: object = {}) {
  const path = join(folder, 's.json');
  writeFileSync(path, JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }));
  return openPaylint({ schema: path, config: false, ...options });
}

const BAD = {
  name: 'ab',
  sku: 'abc',
  plain: 1.5,
  address: { zip: 'x', street: 1 },
  tags: [1, 'b'],
  no: 1,
  odd: 2,
  either: { a: 2 },
};
const SAID = [
  ['/name', 'minLength', 'Give a name'],
  ['/sku', 'pattern', 'Three capitals; you wrote "abc"'],
  ['/plain', 'type', 'A number of "ab"'],
  ['/address', 'required', 'An address is odd'],
  ['/address/zip', 'type', 'An address is odd'],
  ['/address/street', 'type', 'A name'],
  ['/tags/1', 'type', 'second tag of "ab"'],
  ['/no', 'false', 'Never no'],
  ['/odd', 'additionalProperties', 'What is this?'],
];

describe('the message of an author', () => {
  it('is the innermost on the way to the keyword, and comes with the sentence of the rule', async () => {
    const { violations } = (await opened(SCHEMA)).validate(JSON.stringify(BAD));
    const said = violations.filter(({ rule }) => rule !== 'anyOf');
    expect(
      said.flatMap(({ pointer, rule, authorMessage }) =>
        authorMessage === undefined ? [] : [[pointer, rule, authorMessage]],
      ),
    ).toEqual(SAID);
    expect(said.find(({ pointer }) => pointer === '')).toMatchObject({ rule: 'required' });
    expect(said.find(({ pointer }) => pointer === '')).not.toHaveProperty('authorMessage');
    expect(said[0]).toMatchObject({ message: 'the member "other" is missing' });
    expect(violations.find(({ rule }) => rule === 'anyOf')?.children).toMatchObject([{ authorMessage: 'a is 1' }]);
  });

  it('is the same when violations are noted from the bytes', async () => {
    const instance = await opened({ ...SCHEMA, properties: { ...SCHEMA.properties, either: true } });
    const { either: _, ...bad } = BAD;
    const text = JSON.stringify(bad);
    const first = instance.validate(text).violations;
    for (let i = 0; i < 100; i++) instance.validate(text);
    expect(instance.validate(text).violations).toEqual(first);
    const other = instance.validate(text.replace('"ab"', '"xy"')).violations;
    expect(other.map(({ authorMessage }) => authorMessage)).toContain('second tag of "xy"');
  });

  it('changes nothing else: the same violations without it', async () => {
    const bare = JSON.parse(
      JSON.stringify(SCHEMA, (key, value) => (/ErrorMessage$|^errorMessage$/.test(key) ? undefined : value)),
    ) as object;
    const without = (one: object): unknown =>
      JSON.parse(JSON.stringify(one, (key, value) => (key === 'authorMessage' ? undefined : value)));
    const [said, plain] = [await opened(SCHEMA), await opened(bare)].map((one) => one.validate(JSON.stringify(BAD)));
    expect(without(said!)).toEqual(plain);
  });

  it('shows no text of the payload with redact', async () => {
    const { violations } = (await opened(SCHEMA, { redact: true })).validate(JSON.stringify(BAD));
    const texts = violations.map(({ authorMessage }) => authorMessage);
    expect(texts).toContain('Three capitals; you wrote ');
    expect(JSON.stringify(violations)).not.toMatch(/"ab\b|abc/);
  });

  it('comes first in the formats for people, and is escaped', async () => {
    writeFileSync(
      join(folder, 'e.json'),
      '{"properties":{"a":{"type":"string","errorMessage":"No\\u001b[31m]]>::<b>"}}}',
    );
    writeFileSync(join(folder, 'p.json'), '{"a":1}');
    for (const format of ['pretty', 'line', 'github', 'junit']) {
      const args = ['validate', '--no-config', '--schema', 'e.json', '--format', format, 'p.json'];
      const { code, stdout } = await paylint(args, { cwd: folder });
      expect([code, stdout]).toEqual([1, expect.stringMatching(/No.*\(expected a string, found 1\)/)]);
      expect(stdout).not.toContain('\u001b');
    }
  });
});

it('of "if" is shown for what is wrong by "then" or "else", as in ajv-errors', async () => {
  const branches =
    '{"if":{"required":["a"]},"then":{"required":["b"],"properties":{"a":{"minimum":1}}},"else":{"required":["c"]}}';
  const schema = { type: 'object', ...JSON.parse(branches), errorMessage: { if: 'b with a, or c' } };
  const instance = await opened(schema);
  expect(instance.warnings).toEqual([]);
  for (const text of ['{"a":1}', '{"x":1}', '{"a":0,"b":1}'])
    expect(instance.validate(text).violations.map(({ authorMessage }) => authorMessage)).toEqual(['b with a, or c']);
});

it('that is empty is none', async () => {
  const schema = {
    properties: { a: { minimum: 1, errorMessage: { minimum: '' } }, b: { minimum: 1, errorMessage: '' } },
  };
  const { violations } = (await opened({ ...schema, errorMessage: 'of all' })).validate('{"a":0,"b":0}');
  expect(violations.map(({ authorMessage }) => authorMessage)).toEqual(['of all', 'of all']);
  expect((await opened(schema)).validate('{"a":0}').violations[0]).not.toHaveProperty('authorMessage');
});

describe('a message that is never shown is a warning', () => {
  it.each([
    [{ patternErrorMessage: 'x' }, 'there is no "pattern" beside "patternErrorMessage"'],
    [{ errorMessage: { minLength: 'x' } }, 'there is no "minLength" beside "errorMessage/minLength"'],
    [{ required: ['a'], errorMessage: { required: { b: 'x' } } }, '"required" does not name "b"'],
    [{ properties: { a: true }, errorMessage: { properties: { b: 'x' } } }, '"properties" does not name "b"'],
    [{ errorMessage: 1 }, 'expected "errorMessage" to be a string or an object'],
    [{ errorMessage: { type: 1 } }, 'expected "errorMessage/type" to be a string'],
    [{ type: 'string', pattern: 'a', patternErrorMessage: 1 }, 'so it says nothing'],
    ...[
      JSON.parse('{"if":true,"then":{"required":["a"]},"errorMessage":{"then":"x"}}') as { errorMessage: object },
      { if: true, else: { required: ['a'] }, errorMessage: { else: 'x' } },
      { allOf: [{ required: ['a'] }], errorMessage: { allOf: 'x' } },
      { $ref: '#/$defs/a', $defs: { a: { required: ['a'] } }, errorMessage: { $ref: 'x' } },
      { type: 'array', items: { minimum: 1 }, errorMessage: { items: 'x' } },
      { properties: { a: {} }, errorMessage: { properties: 'x' } },
      { additionalProperties: { minimum: 1 }, errorMessage: { additionalProperties: 'x' } },
    ].map((part): [object, string] => {
      const [keyword] = Object.keys(part.errorMessage);
      return [part, `so "errorMessage/${keyword}" is never shown; write it into the schema there`];
    }),
  ])('%j', async (part, warning) => {
    const instance = await opened({ type: 'object', ...part });
    expect(instance.warnings).toEqual([expect.stringContaining(warning)]);
  });

  it('and none of the others', async () => {
    expect((await opened(SCHEMA)).warnings).toEqual([]);
  });
});
