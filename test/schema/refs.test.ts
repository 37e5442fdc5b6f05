/**
 * References to schemas that the caller makes known: files are read only if a reference needs them, and threads find what the main thread found.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPaylint, type PaylintOptions, UsageError } from '../../src/index.ts';
import type { KnownRef } from '../../src/schema/known.ts';
import type { LoadedSchemas } from '../../src/schema/load.ts';
import { loadSchemas, reloadSchemas } from '../../src/schema/load.ts';
import { readRef } from '../../src/schema/refs-option.ts';
import { needs } from '../tools.ts';

const fifos = needs('mkfifo');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-refs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(content));
  }
}

async function load(...refs: string[]): Promise<LoadedSchemas> {
  const known = await Promise.all(refs.map((text) => readRef(text, folder, '')));
  return loadSchemas(join(folder, 's.json'), { refs: known.flat() });
}

/** The files that were read, from the folder. */
function read({ paths }: LoadedSchemas): string[] {
  return paths.map((path) => path.slice(folder.length + 1)).sort();
}

const LIBRARY = {
  'lib/a.json': { $id: 'https://example.com/a', type: 'integer' },
  'lib/b.json': { $id: 'https://example.com/b', type: 'string' },
  'lib/c.json': { definitions: {} },
};

describe('files are read', () => {
  it('not at all if no reference needs them', async () => {
    write({ ...LIBRARY, 's.json': { $ref: '#/$defs/a', $defs: { a: { type: 'integer' } } } });
    expect(read(await load('lib', 'https://example.com/=lib'))).toEqual(['s.json']);
  });

  it('only those that a URI leads to', async () => {
    write({ ...LIBRARY, 's.json': { $ref: 'https://example.com/a' } });
    expect(read(await load('https://example.com/=lib'))).toEqual(['lib/a.json', 's.json']);
  });

  it('not all if a schema of the same file has the $id', async () => {
    const known = { $id: 'https://example.com/a', type: 'integer' };
    write({ ...LIBRARY, 's.json': { $ref: 'https://example.com/a', $defs: { known } } });
    expect(read(await load('lib'))).toEqual(['s.json']);
  });

  it('all of a folder in search of an $id, but only those that are referred to are schemas of the set', async () => {
    write({ ...LIBRARY, 's.json': { $ref: 'https://example.com/a' } });
    const set = await load('lib');
    expect(read(set)).toEqual(['lib/a.json', 'lib/b.json', 'lib/c.json', 's.json']);
    expect(set.documents.map(({ name }) => name)).toEqual(['s.json', 'lib/a.json']);
  });

  it('once, by whatever URI they are reached', async () => {
    write({ ...LIBRARY, 's.json': { allOf: [{ $ref: 'https://example.com/c' }, { $ref: 'lib/c.json' }] } });
    const { documents } = await load('https://example.com/=lib');
    expect(documents.map(({ name }) => name)).toEqual(['s.json', 'lib/c.json']);
  });
});

it.skipIf(fifos.missing)(`a pipe is read once${fifos.note}`, async () => {
  write({ 's.json': { $ref: 'https://example.com/a' } });
  const pipe = join(folder, 'pipe');
  fifos.run('mkfifo', [pipe], { cwd: folder });
  const script = `require('node:fs').writeFileSync('pipe', ${JSON.stringify(JSON.stringify(LIBRARY['lib/a.json']))})`;
  const writer = spawn(process.execPath, ['-e', script], { cwd: folder });
  const { documents } = await load('pipe');
  writer.kill();
  expect(documents.map(({ name }) => name)).toEqual(['s.json', 'pipe']);
});

it('links that lead nowhere, and to themselves, are left out', async () => {
  write({ ...LIBRARY, 's.json': { $ref: 'https://example.com/a' } });
  for (const [name, target] of [
    ['none', 'missing'],
    ['loop', 'loop.json'],
    ['up', '..'],
  ] as const)
    symlinkSync(target, join(folder, 'lib', `${name}.json`));
  expect(read(await load('lib'))).toEqual(['lib/a.json', 'lib/b.json', 'lib/c.json', 's.json']);
});

it.each([
  ['by their $id', 'lib'],
  ['by the beginning of a URI', 'https://example.com/=lib'],
])('schemas that are known %s are loaded again without the files', async (_, ref) => {
  write({ ...LIBRARY, 's.json': { properties: { a: { $ref: 'https://example.com/a' } } } });
  const set = await load(ref);
  const source = structuredClone(set.source);
  rmSync(join(folder, 'lib'), { recursive: true });
  rmSync(join(folder, 's.json'));
  expect(JSON.stringify(reloadSchemas(source).nodes)).toBe(JSON.stringify(set.nodes));
});

describe('openPaylint', () => {
  const open = (options: PaylintOptions) => openPaylint({ ...options, schema: join(folder, 's.json') });

  it('takes refs', async () => {
    write({ ...LIBRARY, 's.json': { properties: { a: { $ref: 'https://example.com/a', default: 1 } } } });
    for (const ref of [join(folder, 'lib'), `https://example.com/=${join(folder, 'lib')}`]) {
      const paylint = await open({ refs: [ref] });
      expect(paylint.validate('{"a":1}').valid).toBe(true);
      expect(paylint.validate('{"a":"x"}').violations).toMatchObject([{ rule: 'type', schema: 'lib/a.json#/type' }]);
      expect(paylint.fill('{}').text).toBe('{"a":1}');
    }
    await expect(open({})).rejects.toThrow(
      /#\/properties\/a\/\$ref: .* refs: { "https:\/\/example.com\/a": schema } says what it is/,
    );
  });

  it('takes a draft', async () => {
    write({ 's.json': { maximum: 1, exclusiveMaximum: true } });
    expect((await open({ draft: '4' })).validate('1').valid).toBe(false);
    await expect(open({})).rejects.toThrow(/exclusiveMaximum: expected a number, found true/);
  });

  it.each<[object, RegExp]>([
    [{ draft: '5' }, /there is no draft "5"; there are 4, 6, 7, 2019-09, 2020-12/],
    [{ draft: 7 }, /there is no draft "7"/],
    [{ refs: 'lib' }, /refs: expected a list of paths and schemas/],
    [{ refs: ['none'] }, /refs: cannot read none: no such file or folder/],
  ])('refuses %j', async (options, message) => {
    write({ 's.json': { type: 'integer' } });
    await expect(open(options as PaylintOptions)).rejects.toThrow(UsageError);
    await expect(open(options as PaylintOptions)).rejects.toThrow(message);
  });
});

describe('the texts of refs', () => {
  const only = async (text: string): Promise<KnownRef | undefined> => {
    const refs = await readRef(text, folder, '');
    expect(refs).toHaveLength(1);
    return refs[0];
  };

  it('may have = in the URI and in the path', async () => {
    write({ 'a=b.json': {}, 'x.json': {} });
    const path = join(folder, 'a=b.json');
    expect(await only('https://e.com/?v=1=a=b.json')).toMatchObject({ uri: 'https://e.com/?v=1', path });
    expect(await only('a=b.json')).toMatchObject({ uri: null, path });
    expect(await only('urn:x:y=x.json')).toMatchObject({ uri: 'urn:x:y' });
  });

  it('are URIs as references have them', async () => {
    write({ 'x.json': {} });
    expect(await only('HTTPS://E.com=x.json')).toMatchObject({ uri: 'https://e.com/' });
    expect(await only('https://e.com/ä#=x.json')).toMatchObject({ uri: 'https://e.com/%C3%A4' });
  });
});
