/**
 * The scripts that hold paylint to the public test suites see what they are there to see: small suites are made here, in the
 * suites' formats, with wrong verdicts planted. Then, what the real suites once found.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as engine from '../../scripts/suites/engine.ts';
import { runJsonSchemaTestSuite } from '../../scripts/suites/json-schema-test-suite.js';
import { runJsonTestSuite } from '../../scripts/suites/json-test-suite.js';
import { replaceSection } from '../../scripts/suites/report.js';
import { loadSchemas } from '../../src/schema/load.ts';
import { paylint } from '../world.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(path, isText ? content : JSON.stringify(content));
  }
}

// Each file is checked by a process of its own.
describe('JSONTestSuite', () => {
  const GOOD = {
    'y_object.json': '{"a":[1]}',
    'y_object_duplicated_key.json': '{"a":1,"a":2}',
    'n_comma.json': '[1,]',
    'n_structure_double_array.json': '[][]',
    'n_single_space.json': ' ',
    'i_lone_surrogate.json': '["\\ud800"]',
    'i_not_utf8.json': Buffer.from('["\xff"]', 'latin1'),
    'other.json': '[',
  };

  it('passes where every verdict is as it should be', async () => {
    write(GOOD);
    const { files, ways, deviations } = await runJsonTestSuite(folder);
    expect(deviations).toEqual([]);
    expect(files).toBe(7);
    const inFiles = { accepted: 1, refused: 4, either: { accepted: 0, refused: 2 } };
    expect(ways.slice(0, 4).map(({ name: _, ...counts }) => counts)).toEqual([inFiles, inFiles, inFiles, inFiles]);
    expect(ways[4]).toMatchObject({ accepted: 3, refused: 2 });
  });

  it('names each wrong verdict, in each way of reading', async () => {
    write({
      'y_bad.json': '[1,]',
      'y_object_duplicated_key_bad.json': '{"a":1}',
      'n_fine.json': '[]',
      'n_structure_double_array.json': '[1]',
    });
    const { deviations } = await runJsonTestSuite(folder);
    const wrong = [
      'n_fine.json should have a violation, but passes',
      'n_structure_double_array.json should have a violation, but passes',
      'y_bad.json should pass, but has json-syntax',
      'y_object_duplicated_key_bad.json should be one duplicate-member, but has no violation',
    ];
    for (const way of ['files', 'files, `--whole`', 'stdin, `--input json`', 'stdin, `--input json --whole`']) {
      expect(deviations.filter((text) => text.startsWith(`${way}: `))).toEqual(wrong.map((text) => `${way}: ${text}`));
    }
    expect(deviations).toHaveLength(4 * 4 + 3);
  });

  it('does not take an empty folder for a success', async () => {
    const { deviations } = await runJsonTestSuite(folder);
    expect(deviations[0]).toContain('holds no y_, n_ or i_ file');
  });
});

describe('JSON-Schema-Test-Suite', () => {
  const group = (schema: unknown, ...tests: (readonly [data: unknown, valid: boolean])[]) => ({
    description: 'a group',
    schema,
    tests: tests.map(([data, valid]) => ({ description: JSON.stringify(data), data, valid })),
  });
  const formats = [group({ format: 'ipv4' }, ['1.2.3.4', true])];

  function writeSuite(groups: readonly unknown[]): void {
    write({ 'remotes/text.json': { type: 'string' } });
    for (const draft of ['draft4', 'draft6', 'draft7', 'draft2019-09', 'draft2020-12']) {
      write({
        [`tests/${draft}/a.json`]: groups,
        [`tests/${draft}/optional/b.json`]: formats,
        [`tests/${draft}/optional/format/ipv4.json`]: formats,
      });
    }
  }

  it('counts rows, and reads remote schemas from files', async () => {
    writeSuite([
      group({ type: 'integer' }, [1, true], ['1', false]),
      group({ $ref: 'http://localhost:1234/text.json' }, ['a', true], [1, false]),
    ]);
    const { required, optional, formats } = await runJsonSchemaTestSuite(folder, engine);
    expect(required.map(({ rows, agreed, failures }) => [rows, agreed, failures])).toEqual(
      Array.from({ length: 5 }, () => [4, 4, []]),
    );
    for (const results of [optional, formats])
      expect(results.map(({ rows, agreed }) => [rows, agreed])).toEqual(Array.from({ length: 5 }, () => [1, 1]));
  });

  it('reads schemas without $schema as of the draft of their folder', async () => {
    writeSuite([group({ maximum: 1, exclusiveMaximum: true }, [1, false])]);
    const { required } = await runJsonSchemaTestSuite(folder, engine);
    expect(required.map(({ agreed, failures }) => [agreed, failures.length])).toEqual([
      [1, 0],
      ...Array.from({ length: 4 }, () => [0, 1]),
    ]);
    expect(required[1]?.failures[0]?.why).toContain('exclusiveMaximum: expected a number, found true');
  });

  it('fails where paylint is wrong, also if it refuses a schema', async () => {
    writeSuite([
      group({ type: 'integer' }, [1, true], ['1', false], [2, false]),
      group({ $ref: 'http://localhost:1234/none.json' }, [1, true]),
    ]);
    const { required } = await runJsonSchemaTestSuite(folder, engine);
    for (const { failures } of required)
      expect(failures).toMatchObject([
        { test: '2', why: 'expected invalid, paylint: valid' },
        { test: '1', why: expect.stringContaining('cannot follow the $ref') },
      ]);
  });

  it('lists rows of optional tests that differ for a known reason', async () => {
    writeSuite([group({}, [1, true])]);
    const content = { ...group({ contentEncoding: 'base64' }, ['%', false]), description: 'validation of x' };
    write({ 'tests/draft7/optional/content.json': [content] });
    const { optional } = await runJsonSchemaTestSuite(folder, engine);
    expect(optional[2]).toMatchObject({ rows: 2, agreed: 1, failures: [], explained: [{ test: '"%"' }] });
  });

  it('fails where accept is sure of what examine refuses', async () => {
    writeSuite([group({ type: 'integer' }, [1, true], ['1', false])]);
    const createChecker: typeof engine.createChecker = async (...args) => ({
      ...(await engine.createChecker(...args)),
      accept: () => true,
    });
    const { required } = await runJsonSchemaTestSuite(folder, { ...engine, createChecker });
    expect(required[0]?.failures).toMatchObject([{ test: '"1"', why: 'accepted without a look, but invalid' }]);
  });

  it('takes the values from the file as they are written', async () => {
    writeSuite([group({ type: 'integer' }, [1, true])]);
    write({ 'tests/draft7/a.json': '[{"schema":true,"tests":[{"valid":false,"data":[1e999]}]}]' });
    const { required } = await runJsonSchemaTestSuite(folder, engine);
    expect(required[0]).toMatchObject({ rows: 1, agreed: 1 });
  });
});

describe('docs/internals/suites.md', () => {
  const DOCUMENT = 'above\n<!-- a:begin (by x) -->\nold\n<!-- a:end -->\nbelow\n';

  it('has a section replaced, and no more than that', () => {
    const replaced = 'above\n<!-- a:begin (by x) -->\nnew\n<!-- a:end -->\nbelow\n';
    expect(replaceSection(DOCUMENT, 'a', '\nnew\n')).toBe(replaced);
    expect(() => replaceSection(DOCUMENT, 'b', 'new')).toThrow('has no section "b"');
  });
});

describe('what the suites found', () => {
  const check = async (stdin: string, ...flags: string[]) => {
    const { code, stdout, stderr } = await paylint(['validate', '--format', 'ndjson', ...flags, '-'], {
      cwd: folder,
      stdin,
    });
    expect(stderr).toBe('');
    const events: { type: string; rule: string }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { code, rules: events.filter(({ type }) => type === 'violation').map(({ rule }) => rule) };
  };

  it('objects nested in objects, however deep, are no stack overflow', async () => {
    write({ 'any.json': '{"not":false}' });
    const deep = `${'{"":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    expect(await check(deep, '--schema', 'any.json')).toEqual({ code: 1, rules: ['nested-too-deep'] });
    expect(await check(deep, '--schema', 'any.json', '--max-depth', '60000')).toEqual({ code: 0, rules: [] });
  });

  it('a $ref to a file works where the file has an $id of its own', async () => {
    write({
      'a.json': { properties: { b: { $ref: 'folder/b.json#/$defs/text' } } },
      'folder/b.json': { $id: 'https://schemas.example/b', $defs: { text: { type: 'string' } } },
    });
    expect(await check('{"b":"x"}', '--schema', 'a.json')).toEqual({ code: 0, rules: [] });
    expect(await check('{"b":1}', '--schema', 'a.json')).toEqual({ code: 1, rules: ['type'] });
  });

  it('a member called __proto__ is judged by its schema', async () => {
    write({ 'proto.json': '{"properties":{"__proto__":{"type":"number"}},"additionalProperties":false}' });
    expect(await check('{"__proto__":1}', '--schema', 'proto.json')).toEqual({ code: 0, rules: [] });
    expect(await check('{"__proto__":"a"}', '--schema', 'proto.json')).toEqual({ code: 1, rules: ['type'] });
  });

  it.each([
    ['an else that takes the others', '"if": { "required": ["a"] }, "then": { "$ref": "#/$defs/any" }, "else": true'],
    ['no else', '"if": { "required": ["a"] }, "then": { "$ref": "#/$defs/any" }'],
    ['more in a then', '"if": true, "then": { "$ref": "#/$defs/any", "minProperties": 1 }, "else": false'],
  ])('a schema with %s is not an entry schema', (_, keywords) => {
    write({ 'plain.json': `{ ${keywords}, "$defs": { "any": {} } }` });
    const { kinds } = loadSchemas(join(folder, 'plain.json'));
    expect(kinds.map(({ name, test }) => [name, test])).toEqual([['plain', null]]);
  });
});
