/** Files of tests are read strictly: no member of them can be misspelt, given twice or forgotten without a word. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { paylint } from '../world.ts';

const TMP = join(import.meta.dirname, '../tmp');
mkdirSync(TMP, { recursive: true });
const top = mkdtempSync(join(TMP, 'test-file-'));
afterAll(() => rmSync(top, { recursive: true }));

const SCHEMA = '{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"n":{"minimum":1}}}';

/** A folder with files, by their paths. */
function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(top, 'x'));
  for (const [name, content] of Object.entries({ 's.schema.json': SCHEMA, ...files })) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

async function test(folder: string, ...args: readonly string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await paylint(['test', '--format', 'line', ...args], { cwd: folder });
  return { code, text: (stdout + stderr).replace(/[\d.]+ m?s$/gm, '<time>') };
}

/** Its tests fail, so that what each member says is in the report. */
const TESTS = {
  target: 's.schema.json',
  tests: [
    { description: 'of data', valid: false, data: { id: 'a' } },
    { description: 'of a file', valid: true, dataPath: 'bad.json' },
    { description: 'of violations', violations: [{ rule: 'minimum', pointer: '/m' }], data: { id: 'a', n: 0 } },
  ],
};

/** All texts with one member renamed, doubled or dropped, but for those of payloads. */
function* mutants(): Generator<readonly [string, string]> {
  const text = JSON.stringify(TESTS);
  const members = [...text.matchAll(/"(?:target|tests|description|valid|violations|data|dataPath|rule|pointer)":/g)];
  for (const [i, { 0: name, index }] of members.entries()) {
    const value = valueAt(text, index + name.length);
    const member = name + value;
    const what = `${name} ${i}`;
    yield [`${what} renamed`, `${text.slice(0, index)}${name.replace('":', 'x":')}${text.slice(index + name.length)}`];
    yield [`${what} doubled`, `${text.slice(0, index)}${member},${text.slice(index)}`];
    const after = text.slice(index + member.length);
    const dropped = text.slice(0, index) + (after.startsWith(',') ? after.slice(1) : after);
    yield [`${what} dropped`, dropped.replace(/,(?=[}\]])/, '')];
  }
}

/** The JSON text that begins at `start`. */
function valueAt(text: string, start: number): string {
  for (let end = start + 1; end <= text.length; end++) {
    try {
      JSON.parse(text.slice(start, end));
      if (/[,}\]]/.test(text[end] ?? '')) return text.slice(start, end);
    } catch {
      // It goes on.
    }
  }
  throw new Error('no value');
}

describe('a file of tests', () => {
  it.each([...mutants()])('with %s is refused, or has another result', async (_, text) => {
    const files = { 'bad.json': '{}' };
    const whole = await test(folderWith({ ...files, 'a.test.json': JSON.stringify(TESTS) }));
    expect(whole.code).toBe(1);
    const mutant = await test(folderWith({ ...files, 'a.test.json': text }));
    expect(mutant).not.toEqual(whole);
    expect(mutant.code).toBeGreaterThan(0);
  });

  it('may have comments of its author', async () => {
    const violation = { rule: 'minimum', pointer: '/n', $comment: 'c', 'x-y': 1 };
    const one = { $comment: 'c', 'x-y': {}, violations: [violation], data: { id: 'a', n: 0 } };
    const text = JSON.stringify({ $schema: 'x', $comment: 'c', 'x-y': [], target: 's.schema.json', tests: [one] });
    expect(await test(folderWith({ 'a.test.json': text }))).toMatchObject({ code: 0 });
  });

  it('may test what is wrong with JSON', async () => {
    const text = `{"target":"s.schema.json","tests":[
      {"violations":[{"rule":"duplicate-member","pointer":"/id"}],"data":{"id":"a","id":"b"}},
      {"violations":[{"rule":"number-out-of-range","pointer":"/n"}],"data":{"id":"a","n":1e400}},
      {"violations":[{"rule":"json-syntax","pointer":""}],"dataPath":"broken.json"}]}`;
    expect(await test(folderWith({ 'a.test.json': text, 'broken.json': '{"id"' }))).toMatchObject({ code: 0 });
  });

  it('runs every test that can be run, whatever payload cannot be read', async () => {
    const tests = [
      { valid: true, dataPath: 'gone.json' },
      { valid: true, dataPath: 'mark.json' },
      { valid: true, dataPath: 'packed.json.gz' },
      { valid: false, data: { id: 'a' } },
    ];
    const result = await test(
      folderWith({
        'a.test.json': JSON.stringify({ target: 's.schema.json', tests }),
        'mark.json': '\uFEFF{"id":"a"}',
        'packed.json.gz': gzipSync('{"id":"a"}'),
      }),
    );
    expect(result.code).toBe(2);
    expect(result.text).toContain('cannot read gone.json');
    expect(result.text).toContain('✗ 2 of 4 tests fail · 1 failure');
  });

  it('names the rule that was probably meant', async () => {
    const text = '{"target":"s.schema.json","tests":[{"violations":[{"rule":"minimun","pointer":"/n"}],"data":{}}]}';
    const result = await test(folderWith({ 'a.test.json': text }));
    expect(result).toMatchObject({ code: 2 });
    expect(result.text).toContain('did you mean "minimum"?');
  });
});

describe('folders of payloads', () => {
  it.each([
    ['a malformed payload', 'a.json', '{"id"'],
    ['an empty file', 'a.json', ''],
    ['a list without payloads', 'a.json', '[]'],
    ['a malformed line', 'a.ndjson', '{}\n{"id"\n'],
    ['no line', 'a.ndjson', '\n'],
    ['another encoding', 'a.json', Buffer.from('{}', 'utf16le')],
    ['a byte that is not UTF-8', 'a.json', Buffer.from('{"id":"\xff"}', 'latin1')],
  ])('invalid/ with %s fails', async (_, name, content) => {
    const result = await test(folderWith({ [`invalid/${name}`]: content }));
    expect(result).toMatchObject({ code: 1 });
    expect(result.text).toContain('test/not-json');
  });

  it('has files with the names of packages', async () => {
    const files = { 'valid/package.json': '{}', 'invalid/tsconfig.json': '{"id":"a"}', 'package.json': '{}' };
    const result = await test(folderWith(files));
    expect(result.text).toContain('valid/package.json:1:1: test/expected-valid');
    expect(result.text).toContain('invalid/tsconfig.json:1:1: test/expected-invalid');
    expect(result.text).toContain('✗ 2 of 2 tests fail');
  });

  it.each(['valid', 'invalid', 'x.valid'])('does not count above the working directory: %s/', async (name) => {
    const tests = '{"target":"s.schema.json","tests":[{"valid":true,"data":{"id":"a"}}]}';
    const folder = folderWith({ [`${name}/project/s.schema.json`]: SCHEMA, [`${name}/project/t.json`]: tests });
    expect(await test(join(folder, name, 'project'), 't.json')).toMatchObject({ code: 0 });
    expect(await test(join(folder, name, 'project'), join(folder, name, 'project', 't.json'))).toMatchObject({
      code: 0,
    });
  });

  it('NAME.valid and NAME.invalid are for NAME.schema.json, and are found beside others', async () => {
    const folder = folderWith({
      'other.schema.json': '{"type":"array"}',
      's.valid/a.json': '{"id":"a"}',
      's.invalid/a.json': '{"id":1}',
      'other.invalid/a.json': '{"id":"a"}',
      'gone.valid/a.json': '{}',
    });
    const result = await test(folder);
    expect(result).toMatchObject({ code: 2 });
    expect(result.text).toMatch(/gone\.valid\/a\.json: .*gone\.schema\.json/);
    expect(result.text).toContain('3 tests pass');
    expect(await test(folder, 's.valid', 's.invalid', 'other.invalid')).toMatchObject({ code: 0 });
  });
});
