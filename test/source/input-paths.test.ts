import { type Dirent, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { framingOfName } from '../../src/source/path-text.ts';
import { resolveSources, type SourceOptions } from '../../src/source/paths.ts';
import { readFolder } from '../../src/source/walk-folders.ts';
import { needs } from '../tools.ts';

const fifos = needs('mkfifo');

const home = realpathSync(mkdtempSync(join(tmpdir(), 'paylint-paths-')));
let count = 0;
let cwd = '';

beforeEach(() => {
  cwd = join(home, String(count++), 'cwd');
  mkdirSync(cwd, { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true }));

/** Creates empty files, with the folders that they lie in. */
function touch(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), '');
  }
}

function link(name: string, target: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  symlinkSync(target, join(cwd, name));
}

function resolve(paths: readonly string[], options: Partial<SourceOptions> = {}) {
  return resolveSources(paths, { cwd, ignore: [], stdinName: null, framing: null, ...options });
}

/** The whole answer, with sources by name only. */
async function names(paths: readonly string[], options: Partial<SourceOptions> = {}) {
  const { sources, failures, unmatched } = await resolve(paths, options);
  return { names: sources.map((source) => source.name), failures, unmatched };
}

/** The names; no failures are expected. */
async function onlyNames(paths: readonly string[], options: Partial<SourceOptions> = {}) {
  const found = await names(paths, options);
  expect(found).toEqual({ names: found.names, failures: [], unmatched: [] });
  return found.names;
}

describe('a source', () => {
  test('has a name, an absolute path, a framing by its name, and no kind', async () => {
    touch('x/a.json', 'b.ndjson', 'c.txt');
    expect((await resolve(['x/a.json', 'b.ndjson', 'c.txt', '-'])).sources).toEqual([
      { name: '<stdin>', path: null, regular: false, framing: null, kind: null },
      { name: 'b.ndjson', path: join(cwd, 'b.ndjson'), regular: false, framing: 'lines', kind: null },
      { name: 'c.txt', path: join(cwd, 'c.txt'), regular: false, framing: null, kind: null },
      { name: 'x/a.json', path: join(cwd, 'x/a.json'), regular: false, framing: 'json', kind: null },
    ]);
  });

  test('has the framing that was asked for, whatever its name', async () => {
    touch('a.json', 'b.ndjson');
    const { sources } = await resolve(['a.json', 'b.ndjson', '-'], { framing: 'stream' });
    expect(sources.map((source) => source.framing)).toEqual(['stream', 'stream', 'stream']);
  });

  test('of standard input has the name given, and sorts by it', async () => {
    touch('a.json', 'c.json');
    expect(await onlyNames(['c.json', '-', 'a.json'], { stdinName: 'b.json' })).toEqual(['a.json', 'b.json', 'c.json']);
    expect((await resolve(['-'], { stdinName: 'b.json' })).sources[0]?.framing).toBe(null);
  });

  test.each([
    ['a.json', 'json'],
    ['A.JSON', 'json'],
    ['a.json.gz', 'json'],
    ['a.Json.GZ', 'json'],
    ['a.ndjson', 'lines'],
    ['a.jsonl', 'lines'],
    ['x.d/a.JSONL.gz', 'lines'],
    ['a.json5', null],
    ['a.txt.gz', null],
    ['a.json.gz.bak', null],
    ['json', null],
    ['a.gz', null],
  ] as const)('%s has framing %s', (name, framing) => {
    expect(framingOfName(name)).toBe(framing);
  });

  test('comes in order of the UTF-8 bytes of its name', async () => {
    // In UTF-16 the emoji, a surrogate pair, sorts before U+FF5E; in UTF-8 after it.
    touch('\u{1f600}.json', '\uff5e.json', 'Z.json', 'a/b.json', 'a.json', 'a-b.json', '../outside.json');
    expect(await onlyNames(['.', '../outside.json'])).toEqual([
      join(cwd, '../outside.json'),
      'Z.json',
      'a-b.json',
      'a.json',
      'a/b.json',
      '\uff5e.json',
      '\u{1f600}.json',
    ]);
  });

  test('is one however often and however its file is named', async () => {
    touch('x/a.json');
    expect(await onlyNames(['x/a.json', './x/../x/a.json', join(cwd, 'x/a.json'), 'x', '*/a.json', 'x/'])).toEqual([
      'x/a.json',
    ]);
  });
});

describe('a PATH', () => {
  test('that exists as it is written wins over its reading as a glob', async () => {
    touch('[a].json', 'a.json', '!x.json', 'x.json', '{b,c}.json', 'b.json', '*.json');
    expect(await onlyNames(['[a].json'])).toEqual(['[a].json']);
    expect(await onlyNames(['!x.json'])).toEqual(['!x.json']);
    expect(await onlyNames(['{b,c}.json'])).toEqual(['{b,c}.json']);
    expect(await onlyNames(['*.json'])).toEqual(['*.json']);
    expect(await onlyNames(['a.jso[n]'])).toEqual(['a.json']);
  });

  test('that is a folder with a glob for a name is walked', async () => {
    touch('[x]/a.json', 'x/b.json');
    expect(await onlyNames(['[x]'])).toEqual(['[x]/a.json']);
  });

  test('that is not there is a failure, and the rest is read', async () => {
    touch('a.json');
    link('broken.json', 'nowhere');
    link('loop.json', 'loop.json');
    expect(await names(['no.json', 'a.json', 'a.json/b.json', 'broken.json', 'loop.json', 'no.json'])).toEqual({
      names: ['a.json'],
      failures: [
        { file: 'no.json', message: 'no such file or folder' },
        { file: 'a.json/b.json', message: 'no such file or folder: a part of its path is a file' },
        { file: 'broken.json', message: 'broken symbolic link' },
        { file: 'loop.json', message: 'too many symbolic links, or links that lead in a circle' },
      ],
      unmatched: [],
    });
  });

  test.skipIf(fifos.missing)(
    `that is named may be of any kind: a device, a FIFO, a link, a hidden file, one in node_modules${fifos.note}`,
    async () => {
      fifos.run('mkfifo', ['fifo'], { cwd });
      touch('node_modules/a.json', '.git/b.json', 'README');
      link('link', 'README');
      const { sources, failures } = await resolve([
        '/dev/null',
        'fifo',
        'node_modules',
        '.git/b.json',
        'README',
        'link',
      ]);
      expect(failures).toEqual([]);
      expect(sources.map((source) => source.path)).toEqual([
        '/dev/null',
        ...['.git/b.json', 'README', 'fifo', 'link', 'node_modules/a.json'].map((name) => join(cwd, name)),
      ]);
    },
  );

  test('that is - twice, or empty, is a usage error', async () => {
    await expect(resolve(['-', '-'])).rejects.toThrow(new UsageError('- (standard input) can be given only once'));
    await expect(resolve([''])).rejects.toThrow(new UsageError('a PATH is empty'));
    await expect(resolve(['', '-'])).rejects.toBeInstanceOf(UsageError);
  });
});

describe('a folder', () => {
  test('is walked for JSON and NDJSON files, packed or not, in lower or upper case', async () => {
    touch('x/a.json', 'x/b.ndjson', 'x/y/c.jsonl', 'x/d.json.gz', 'x/e.ndjson.gz', 'x/y/z/f.jsonl.gz', 'x/G.JSON');
    touch('x/a.json5', 'x/json', 'x/b.gz', 'x/c.txt', 'x/d.json.bak', 'other.json');
    expect(await onlyNames(['x'])).toEqual([
      'x/G.JSON',
      'x/a.json',
      'x/b.ndjson',
      'x/d.json.gz',
      'x/e.ndjson.gz',
      'x/y/c.jsonl',
      'x/y/z/f.jsonl.gz',
    ]);
  });

  test('is left out below it if it is node_modules or hidden; hidden files are read', async () => {
    touch('.x/a.json', '.x/.git/b.json', '.x/y/node_modules/c.json', '.x/.d.json', '.x/y/.e.json');
    expect(await onlyNames(['.x'])).toEqual(['.x/.d.json', '.x/a.json', '.x/y/.e.json']);
  });

  test('with characters of globs, a backslash and a line end in names is walked', async () => {
    touch('x*[y]{z}/a(b)!.json', 'x*[y]{z}/b\\c.json', 'x*[y]{z}/d\n.json');
    expect(await onlyNames(['x*[y]{z}'])).toEqual(['x*[y]{z}/a(b)!.json', 'x*[y]{z}/b\\c.json', 'x*[y]{z}/d\n.json']);
  });

  test('has links to files read, and links to folders not followed unless named', async () => {
    touch('real/a.json', 'data.txt');
    link('x/to-file.json', '../data.txt');
    link('x/to-folder', '../real');
    link('x/to-folder.json', '../real');
    link('x/circle', '.');
    expect(await onlyNames(['x'])).toEqual(['x/to-file.json']);
    expect(await onlyNames(['x/to-folder'])).toEqual(['x/to-folder/a.json']);
  });

  test('has broken links reported if they are called like what is looked for', async () => {
    touch('x/a.json');
    link('x/broken.json', 'nowhere');
    link('x/broken.txt', 'nowhere');
    link('x/loop.json', 'loop.json');
    link('x/.#a.json', 'me@machine.123:456');
    const found = await names(['x']);
    expect(found.names).toEqual(['x/a.json']);
    expect(found.failures).toHaveLength(2);
    expect(found.failures).toEqual(
      expect.arrayContaining([
        { file: 'x/broken.json', message: 'broken symbolic link' },
        { file: 'x/loop.json', message: 'too many symbolic links, or links that lead in a circle' },
      ]),
    );
    expect(await onlyNames(['x'], { ignore: ['broken*', 'loop*'] })).toEqual(['x/a.json']);
  });

  test.skipIf(fifos.missing)(`has FIFOs, sockets and links to devices skipped and counted${fifos.note}`, async () => {
    touch('x/a.json');
    fifos.run('mkfifo', ['x/fifo.json'], { cwd });
    link('x/null.json', '/dev/null');
    const server = createServer().listen(join(cwd, 'x/socket.json'));
    await new Promise((listening) => server.once('listening', listening));
    fifos.run('mkfifo', ['x/fifo'], { cwd });
    touch('y/b.json');
    link('x/y.json', '../y');
    const { passedOver } = await resolve(['x']);
    expect(await onlyNames(['x'])).toEqual(['x/a.json']);
    expect(Object.fromEntries(passedOver)).toEqual({ 'special file': 3, 'linked folder': 1 });
    await new Promise((closed) => server.close(closed));
  });

  test('that cannot be listed is one failure, and the walk goes on', async () => {
    touch('x/a.json', 'x/shut/b.json', 'x/y/c.json');
    const failing = async (folder: string): Promise<readonly Dirent[]> => {
      if (!folder.endsWith('shut')) return readFolder(folder);
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', errno: -13 });
    };
    const failures = [{ file: 'x/shut', message: 'cannot list this folder: permission denied' }];
    const shut = { readFolder: failing };
    expect(await names(['x', 'x/**/*.json'], shut)).toEqual({
      names: ['x/a.json', 'x/y/c.json'],
      failures,
      unmatched: [],
    });
    expect(await names(['x/shut'], shut)).toEqual({ names: [], failures, unmatched: [] });
    expect(await names(['x/shut/*.json'], shut)).toEqual({ names: [], failures, unmatched: [] });
    expect(await onlyNames(['x'], { ...shut, ignore: ['shut'] })).toEqual(['x/a.json', 'x/y/c.json']);
  });

  test('that is gone when its turn comes is empty', async () => {
    touch('x/a.json', 'x/gone/b.json');
    const racing = async (folder: string): Promise<readonly Dirent[]> => {
      if (folder.endsWith('gone')) rmSync(folder, { recursive: true });
      return readFolder(folder);
    };
    expect(await onlyNames(['x'], { readFolder: racing })).toEqual(['x/a.json']);
  });

  test('in which nothing is found is unmatched', async () => {
    mkdirSync(join(cwd, 'empty'));
    touch('other/a.txt', 'other/node_modules/a.json');
    const message = 'no *.json, *.ndjson or *.jsonl file in this folder';
    expect(await names(['empty', 'other', '../cwd/empty'])).toEqual({
      names: [],
      failures: [],
      unmatched: [
        { file: 'empty', message },
        { file: 'other', message },
      ],
    });
    rmSync(join(cwd, 'other'), { recursive: true });
    expect((await names(['.'])).unmatched).toEqual([{ file: '.', message }]);
  });

  test('of 600 files in 60 folders is walked with at most four folders open', async () => {
    const all = Array.from({ length: 600 }, (_, i) => `x/${i % 60}/${i}.json`);
    touch(...all);
    let open = 0;
    let most = 0;
    const counting = async (folder: string): Promise<readonly Dirent[]> => {
      most = Math.max(most, ++open);
      const entries = await readFolder(folder);
      open--;
      return entries;
    };
    expect(await onlyNames(['x'], { readFolder: counting })).toEqual(all.sort());
    expect(most).toBeLessThanOrEqual(4);
  });

  test('may have more files than a call takes arguments', async () => {
    touch('x/a.json');
    const [entry] = (await readFolder(join(cwd, 'x'))) as [Dirent];
    const all = Array.from({ length: 150_000 }, (_, i) => Object.assign(Object.create(entry), { name: `${i}.json` }));
    const many = { readFolder: async (): Promise<readonly Dirent[]> => all };
    for (const path of ['x', 'x/*.json']) expect((await names([path], many)).names).toHaveLength(150_000);
  });
});

describe('a glob', () => {
  test('is matched in the working directory, above it, and from the root', async () => {
    touch('x/a.json', 'x/y/b.json', '../out/c.json', 'd.txt');
    expect(await onlyNames(['x/*.json'])).toEqual(['x/a.json']);
    expect(await onlyNames(['./**/*.json'])).toEqual(['x/a.json', 'x/y/b.json']);
    expect(await onlyNames(['../out/*.json'])).toEqual([join(cwd, '../out/c.json')]);
    expect(await onlyNames([`${cwd}/x/**/b.*`])).toEqual(['x/y/b.json']);
    expect(await onlyNames(['{x/a.json,d.txt}', 'x/y/+(b).json'])).toEqual(['d.txt', 'x/a.json', 'x/y/b.json']);
  });

  test('matches dot files, and enters node_modules and hidden folders only if it says so', async () => {
    touch('a.json', 'node_modules/b.json', '.hidden/c.json', '.d.json', 'x/node_modules/e.json');
    expect(await onlyNames(['**/*.json'])).toEqual(['.d.json', 'a.json']);
    expect(await onlyNames(['node_modules/*.json'])).toEqual(['node_modules/b.json']);
    expect(await onlyNames(['*/node_modules/*.json'])).toEqual(['x/node_modules/e.json']);
    expect(await onlyNames(['.*/*.json', '.*.json'])).toEqual(['.d.json', '.hidden/c.json']);
  });

  test('reads links to files, follows none to folders but one that it names, reports broken ones', async () => {
    touch('real/a.json', 'b.txt');
    link('x/b.json', '../b.txt');
    link('x/folder', '../real');
    link('x/broken.json', 'nowhere');
    const failures = [{ file: 'x/broken.json', message: 'broken symbolic link' }];
    expect(await names(['x/**/*.json'])).toEqual({ names: ['x/b.json'], failures, unmatched: [] });
    // fast-glob reads braces as two plain paths, which it looks at one by one.
    expect(await names(['x/{b,broken}.json'])).toEqual({ names: ['x/b.json'], failures, unmatched: [] });
    expect(await onlyNames(['x/folder/*.json', 'x/{folder,no}/a.json'])).toEqual(['x/folder/a.json']);
  });

  test('that matches nothing is unmatched', async () => {
    touch('x/a.json');
    const message = 'no file matches this pattern';
    expect(await names(['x/*.jsn', 'no/*.json', 'x/a.json/*', 'x/*', 'x/*.jsn', '!'])).toEqual({
      names: ['x/a.json'],
      failures: [],
      unmatched: ['x/*.jsn', 'no/*.json', 'x/a.json/*', '!'].map((file) => ({ file, message })),
    });
  });
});

describe('a glob with !', () => {
  test('takes away from files, folders and globs alike', async () => {
    touch('a.json', 'b.json', 'x/a.json', 'x/b.json', 'x/old/c.json', 'x/old/.d.json');
    expect(await onlyNames(['a.json', 'b.json', '!a.json'])).toEqual(['b.json']);
    expect(await onlyNames(['!x/old/**', 'x'])).toEqual(['x/a.json', 'x/b.json']);
    expect(await onlyNames(['**/*.json', '!x/old', '!./b.json'])).toEqual(['a.json', 'x/a.json', 'x/b.json']);
    expect(await onlyNames(['.', '!**/a.json', `!${cwd}/x/old/*`])).toEqual(['b.json', 'x/b.json']);
    expect(await onlyNames(['!(b|x).json'])).toEqual(['a.json']);
  });

  test('never takes away standard input', async () => {
    expect(await onlyNames(['-', '!**'], { stdinName: 'a.json', ignore: ['*'] })).toEqual(['a.json']);
  });

  test('alone is a usage error', async () => {
    touch('a.json');
    await expect(resolve(['!a.jso', '!b'])).rejects.toBeInstanceOf(UsageError);
  });
});

describe('--ignore', () => {
  test('leaves out names at any depth, paths, and all below a folder, even if they were named', async () => {
    touch('a.json', 'x/a.json', 'x/old/b.json', 'x/c.json', '../out/d.json');
    const all = ['.', 'x/a.json', 'x/old', '**/b.json', '../out/*.json'];
    expect(await onlyNames(all, { ignore: ['a.json'] })).toEqual([
      join(cwd, '../out/d.json'),
      'x/c.json',
      'x/old/b.json',
    ]);
    expect(await onlyNames(all, { ignore: ['./x/a.json', '/a.json'] })).toEqual([
      join(cwd, '../out/d.json'),
      'x/c.json',
      'x/old/b.json',
    ]);
    expect(await onlyNames(all, { ignore: ['x/', '../out'] })).toEqual(['a.json']);
    expect(await onlyNames(all, { ignore: [`${cwd}/x/**`, 'out'] })).toEqual(['a.json']);
  });

  test('makes no PATH unmatched by leaving out all that it holds, and hides none that is', async () => {
    touch('x/old/a.json', 'x/b.txt');
    expect(await onlyNames(['x', 'x/**/*.json', 'x/old', 'x/old/a.json'], { ignore: ['old'] })).toEqual([]);
    expect((await names(['x/**/*.jsn'], { ignore: ['old'] })).unmatched).toHaveLength(1);
  });

  test('does not enter what it leaves out while something is found', async () => {
    touch('x/a.json', 'x/old/b.json');
    const entered: string[] = [];
    const listing = (folder: string): Promise<readonly Dirent[]> => {
      entered.push(folder.slice(cwd.length + 1));
      return readFolder(folder);
    };
    expect(await onlyNames(['x', 'x/**/*.json'], { ignore: ['old'], readFolder: listing })).toEqual(['x/a.json']);
    expect(entered).toEqual(['x', 'x']);
    expect(await onlyNames(['x/old'], { ignore: ['old'], readFolder: listing })).toEqual([]);
    expect(entered).toEqual(['x', 'x']);
  });
});
