/**
 * Small files that `fill --write` replaces together: each is whole or as it was, whatever fails, and all that is true of one file is true of
 * each of them.
 */
import { appendFileSync, chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { InPlaceDestination } from '../../src/run/outlets/in-place-destination.ts';
import type { SourceOutcome } from '../../src/run/outlets/outlet.ts';
import type { Source } from '../../src/types.ts';
import { REAL_DISK } from '../../src/write/disk.ts';
import type { WriteSettings } from '../../src/write/replace.ts';
import { deny, diskWith, failing, macOs, read, withoutCp } from '../fill-disk.ts';
import { CONTRACT, CONTRACT_FILLED, eventsIn, place, run } from '../fill-run.ts';
import { sh } from '../spawned.ts';
import { needs } from '../tools.ts';

const openFiles = (): number => readdirSync('/proc/self/fd').length;
const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
const textOf = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

function sourceAt(folder: string, name: string): Source {
  return { name, path: join(folder, name), regular: true, framing: 'json', kind: null };
}

/** Two files of one folder, and one of another. */
const NAMES = ['a.json', 'b.json', 'in/c.json'];
const FILES = Object.fromEntries(NAMES.map((name) => [name, `${name} before`]));
const textAfter = (name: string): string => `${name} filled`;

/** Has the files of `folder` replaced together. `meanwhile`: what others do before. */
async function writeAll(
  folder: string,
  settings: WriteSettings,
  meanwhile = () => {},
  names = NAMES,
): Promise<readonly SourceOutcome[]> {
  const sources = names.map((name) => sourceAt(folder, name));
  const target = new InPlaceDestination(sources, read, settings);
  const outcomes: SourceOutcome[] = [];
  for (const source of sources) {
    target.begin(source);
    target.bytes(Buffer.from(textAfter(source.name)), true);
    await target.flush();
    outcomes.push(...(await target.end(true)));
  }
  meanwhile();
  outcomes.push(...(await target.settle()));
  await target.close();
  return outcomes;
}

/** All files below `folder`. */
function filesIn(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name !== 'in').sort();
}

describe.each([
  ['ENOSPC', false],
  ['EMFILE', false],
  ['EIO', true],
])('%s in any call, for good: %s', (code, forGood) => {
  it.each<[string, WriteSettings, vital: string]>([
    ['', { disk: withoutCp }, 'accessSync fstatSync realpathSync renameSync statSync'],
    [' on macOS', { disk: macOs }, 'copyFileSync ftruncateSync'],
  ])('leaves each file whole%s, and the others go on', async (_, settings, vital) => {
    const calls = new Set<string>();
    for (let nth = 1; ; nth++) {
      const folder = place(FILES);
      const files = openFiles();
      const { disk, failed } = failing(settings.disk ?? REAL_DISK, nth, code, forGood);
      const results = await writeAll(folder, { ...settings, disk });
      const call = failed();
      expect([call, openFiles()]).toEqual([call, files]);
      for (const [i, name] of NAMES.entries()) {
        const { done, failure } = results[i]!;
        expect([call, textOf(folder, name)]).toEqual([call, done ? textAfter(name) : FILES[name]]);
        expect([call, done || failure !== null]).toEqual([call, true]);
        if (!done) calls.add(call!);
      }
      // A private folder may stay, if it cannot be removed.
      const left = filesIn(folder).filter((name) => call !== 'rmdirSync' || !name.includes('.paylint-'));
      expect([call, left]).toEqual([call, [...NAMES].sort()]);
      if (call === null) break;
    }
    if (code === 'EIO') for (const call of vital.split(' ')) expect(calls).toContain(call);
  });
});

it('a shortage of room or of descriptors only makes fewer files go together', async () => {
  for (const code of ['ENOSPC', 'EMFILE', 'EDQUOT']) {
    for (const which of ['openSync', 'writeSync'] as const) {
      const folder = place(FILES);
      const open = new Set<unknown>();
      const disk = diskWith((name, call, args) => {
        if (name === which && open.size >= 2) return deny(code);
        const answer = call();
        if (name === 'openSync' && args[1] === 'wx') open.add(answer);
        if (name === 'closeSync') open.delete(args[0]);
        return answer;
      }, withoutCp);
      expect(await writeAll(folder, { disk })).toEqual(NAMES.map(() => ({ done: true, failure: null, warning: null })));
      expect(filesIn(folder)).toEqual(NAMES);
    }
  }
});

it('a folder is synced once, after the files are in their places; each file before', async () => {
  const folder = place(FILES);
  const calls: string[] = [];
  const disk = diskWith((name, call, args) => {
    const isNew = name === 'openSync' && args[1] === 'wx';
    if (['fsync', 'fsyncSync', 'renameSync', 'runTool'].includes(name) || isNew) calls.push(name);
    return call();
  }, withoutCp);
  await writeAll(folder, { disk });
  const tools = ['runTool', 'runTool', 'runTool'];
  const many = (name: string): string[] => NAMES.map(() => name);
  expect(calls).toEqual([
    ...many('openSync'),
    ...tools,
    ...many('fsync'),
    ...many('renameSync'),
    'fsyncSync',
    'fsyncSync',
  ]);
});

it('a file that was changed before its turn is left alone, and so are its links', async () => {
  const folder = place(FILES);
  const results = await writeAll(folder, { disk: withoutCp }, () => appendFileSync(join(folder, 'b.json'), '!'));
  expect(results.map(({ failure }) => failure)).toEqual([
    null,
    'was changed while it was read, and is left as it is',
    null,
  ]);
  expect(NAMES.map((name) => textOf(folder, name))).toEqual([
    textAfter('a.json'),
    'b.json before!',
    textAfter('in/c.json'),
  ]);
  expect(filesIn(folder)).toEqual(NAMES);
});

it('no other user can open a new file before it is in its place', async () => {
  const folder = place(FILES);
  chmodSync(folder, 0o777);
  const seen: unknown[] = [];
  const disk = diskWith((name, call, args) => {
    if (name === 'renameSync') seen.push(modeOf(dirname(dirname(String(args[0])))));
    return call();
  }, withoutCp);
  await writeAll(folder, { disk });
  expect(seen).toEqual(['700', '700', '700']);
});

describe('attributes', () => {
  const cp = needs('GNU cp');
  const lists = needs(
    'access control lists',
    'extended attributes',
    'getfacl',
    'setfacl',
    'getfattr',
    'setfattr',
    'GNU cp',
  );
  const owners = needs('the rights of root', 'GNU cp');

  it.skipIf(cp.missing)(`are copied by one process for each folder${cp.note}`, async () => {
    const folder = place(FILES);
    chmodSync(join(folder, 'a.json'), 0o640);
    chmodSync(join(folder, 'b.json'), 0o6751);
    const programs: string[] = [];
    const disk = diskWith((name, call, args) => {
      if (name === 'runTool') programs.push((args[1] as string[]).at(-1)!);
      return call();
    });
    await writeAll(folder, { disk, searchPath: process.env.PATH });
    expect(programs).toHaveLength(3);
    expect(programs.slice(0, 2)).toEqual(['--version', join(folder, 'b.json')]);
    expect(NAMES.map((name) => modeOf(join(folder, name)))).toEqual(['640', '6751', '644']);
  });

  it.skipIf(lists.missing)(`stay with their files: lists and extended attributes${lists.note}`, async () => {
    const names = ['a.json', 'b.json', 'c.json', '-d.json'];
    const folder = place(Object.fromEntries(names.map((name) => [name, CONTRACT])));
    lists.run('setfacl', ['-d', '-m', 'u:4321:rwx', '.'], { cwd: folder });
    lists.run('setfacl', ['-m', 'u:1234:rw', 'a.json'], { cwd: folder });
    lists.run('setfacl', ['-m', 'u:1234:---', 'b.json'], { cwd: folder });
    lists.run('setfattr', ['-n', 'user.note', '-v', 'kept', 'c.json'], { cwd: folder });
    const state = (): string[] =>
      names.map(
        (name) =>
          lists.run('getfacl', ['-cp', `./${name}`], { cwd: folder }) +
          lists.run('getfattr', ['-d', `./${name}`], { cwd: folder }),
      );
    const before = state();
    expect(await run(['fill', '--write', '--quiet', '.'], folder)).toMatchObject({ code: 0, stderr: '' });
    for (const name of names) expect(textOf(folder, name)).toBe(CONTRACT_FILLED);
    expect(state()).toEqual(before);
    expect(new Set(before.map((text) => text.replaceAll(/^#.*$/gm, ''))).size).toBe(4);
  });

  it.skipIf(owners.missing)(`stay with their files: owners and modes${owners.note}`, async () => {
    const folder = place(FILES);
    chownSync(join(folder, 'a.json'), 1234, 2345);
    chownSync(join(folder, 'b.json'), 99, 0);
    chmodSync(join(folder, 'b.json'), 0o4770);
    await writeAll(folder, { searchPath: process.env.PATH });
    const ids = (name: string): number[] => [statSync(join(folder, name)).uid, statSync(join(folder, name)).gid];
    expect(['a.json', 'b.json'].map(ids)).toEqual([
      [1234, 2345],
      [99, 0],
    ]);
    expect(modeOf(join(folder, 'b.json'))).toBe('4770');
  });

  it.skipIf(cp.missing)(
    `that cannot be kept for one file keep only that one from being written${cp.note}`,
    async () => {
      const folder = place(FILES);
      const disk = diskWith((name, call, args) => {
        const isForB = name === 'runTool' && (args[1] as string[]).includes(join(folder, 'b.json'));
        return isForB ? { status: 1, stdout: '', stderr: 'cp: setting attributes: Not supported\n' } : call();
      });
      const results = await writeAll(folder, { disk, searchPath: process.env.PATH });
      expect(results.map(({ failure }) => failure)).toEqual([
        null,
        'cannot be written: its access control list or attributes cannot be kept: cp: setting attributes: Not supported',
        null,
      ]);
      expect(NAMES.map((name) => textOf(folder, name))).toEqual([
        textAfter('a.json'),
        'b.json before',
        textAfter('in/c.json'),
      ]);
      expect(filesIn(folder)).toEqual(NAMES);
    },
  );

  it('without GNU cp: only files whose mode can hide no list are written, and the note is said once', async () => {
    const folder = place({
      'a.json': CONTRACT,
      'b.json': CONTRACT,
      'c.json': CONTRACT,
      'bin/cp': '#!/bin/sh\necho "cp (uutils coreutils) 0.2.2"\n',
    });
    chmodSync(join(folder, 'bin/cp'), 0o755);
    chmodSync(join(folder, 'b.json'), 0o640);
    const line = 'PATH="$PWD/bin" paylint fill --write --format line';
    const { code, stderr } = await sh(folder, `${line} .`);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(
        /^paylint: b\.json: cannot be written: its group may do what others may not, .*; install coreutils$/,
      ),
      'paylint: note: cp is not that of GNU coreutils, so files that were written have lost their extended attributes and access control lists, if they had any',
      '',
    ]);
    expect([code, ...['a.json', 'b.json', 'c.json'].map((name) => textOf(folder, name))]).toEqual([
      2,
      CONTRACT_FILLED,
      CONTRACT,
      CONTRACT_FILLED,
    ]);
    writeFileSync(join(folder, 'a.json'), CONTRACT);
    expect((await sh(folder, `${line} --quiet a.json`)).stderr).toBe('');
  });
});

describe('the report', () => {
  it('tells of the files in their order, with what is said of them', async () => {
    const wrong = CONTRACT.replace('"@type": "Contract"', '"@type": "Contract", "name": 1, "name": 2');
    const folder = place({
      'a.json': CONTRACT,
      'b.json': '{"@type": ',
      'c.json': CONTRACT_FILLED,
      'd.json.gz': gzipSync(CONTRACT),
      'e.json': wrong,
      'f.ndjson': CONTRACT,
      'g.json.gz': gzipSync(CONTRACT).subarray(0, -9),
      'h.json': CONTRACT,
    });
    const { code, stdout, stderr } = await run(['fill', '--write', '--format', 'ndjson', '.'], folder);
    const events = eventsIn(stdout.toString()) as unknown as {
      type: string;
      file?: string;
      source?: { file: string };
    }[];
    const files = events.flatMap(({ file }) => file ?? []);
    expect([...new Set(files)]).toEqual(readdirSync(folder));
    expect(files).toEqual([...files].sort());
    expect(stderr).toMatch(/^paylint: f\.ndjson: note: .*\npaylint: g\.json\.gz: its gzip data is cut off\n$/);
    expect(code).toBe(2);
  });

  it('shows as many violations as it may, and counts all', async () => {
    const wrong = JSON.stringify({ ...JSON.parse(CONTRACT), name: 1 });
    const names = Array.from({ length: 200 }, (_, i) => `${1000 + i}.json`);
    const folder = place(Object.fromEntries(names.map((name) => [name, wrong])));
    const { stdout } = await run(['fill', '--write', '--max-violations', '3', '.'], folder);
    expect(stdout.toString().match(/^ {2}type {2}/gm)).toHaveLength(3);
    expect(stdout.toString()).toMatch(/… and 197 more: type 197/);
    expect(stdout.toString()).toMatch(/✗ 200 violations in 200 of 200 payloads .* · filled 600 members in 200 files/);
  });

  it('is told of what was written before --bail', async () => {
    const folder = place({ 'a.json': CONTRACT, 'b.json': '{"@type": "Contract"}', 'c.json': CONTRACT });
    const { code, stdout } = await run(['fill', '--write', '--bail', '--format', 'ndjson', '.'], folder);
    const sources = eventsIn(stdout.toString()).filter(({ type }) => type === 'source');
    expect(sources).toMatchObject([
      { file: 'a.json', filled: 3 },
      { file: 'b.json', filled: 0 },
    ]);
    expect([code, textOf(folder, 'a.json'), textOf(folder, 'c.json')]).toEqual([1, CONTRACT_FILLED, CONTRACT]);
  });
});
