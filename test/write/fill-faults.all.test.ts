/**
 * `fill --write` where the file system fails, or somebody else writes: whatever happens, the original or the complete new file is
 * there, no temporary file stays, the failure is told, and the other files go on. Here each call fails in its turn.
 */
import {
  appendFileSync,
  type BigIntStats,
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Interrupted } from '../../src/errors.ts';
import { InPlaceDestination } from '../../src/run/outlets/in-place-destination.ts';
import { reread } from '../../src/source/open-bytes.ts';
import { REAL_DISK } from '../../src/write/disk.ts';
import type { WriteSettings } from '../../src/write/replace.ts';
import {
  AFTER,
  BEFORE,
  contentOf,
  deny,
  diskWith,
  failing,
  macOs,
  read,
  sourcesIn,
  withoutCp,
  write,
} from '../fill-disk.ts';
import { CONTRACT, CONTRACT_FILLED, eventsIn, place, run } from '../fill-run.ts';
import { isRoot, needs } from '../tools.ts';

const openFiles = (): number => readdirSync('/proc/self/fd').length;

/** As cp does, not knowing that the group is another one. */
function widen(args: readonly string[]): void {
  if (args.length > 1) chmodSync(args.at(-1)!, 0o640);
}

/** The file belongs to others than we can give it to. */
const foreign = diskWith((name, call, [program, options]) => {
  if (name === 'fchownSync') return deny();
  if (name === 'runTool' && program === 'cp') widen(options as string[]);
  const answer = call();
  if (name !== 'statSync' || options !== undefined) return answer;
  const stats = answer as Stats;
  return Object.assign(stats, { uid: stats.uid + 1, gid: stats.gid + 1, mode: 0o100_640 });
}, withoutCp);

/** What is asked of the disk, without which the file is left as it is, and what is forgiven. */
interface Way {
  readonly settings: WriteSettings;
  readonly vital: string;
  readonly forgiven: string;
}

const PLAIN = 'accessSync closeSync fsyncSync openSync realpathSync renameSync statSync writeSync';
const WAYS: readonly (readonly [way: string, Way])[] = [
  ['', { settings: { disk: withoutCp }, vital: `${PLAIN} fstatSync`, forgiven: '' }],
  [
    ' on macOS',
    { settings: { disk: macOs }, vital: `${PLAIN} copyFileSync ftruncateSync mkdirSync`, forgiven: 'rmdirSync' },
  ],
  [
    ' whose owner cannot be kept',
    {
      settings: { disk: foreign },
      vital: `${PLAIN} fchmodSync fstatSync mkdirSync runTool`,
      forgiven: 'fchownSync rmdirSync',
    },
  ],
];

describe.each([
  ['ENOSPC', false],
  ['EIO', true],
])('%s in any call, for good: %s', (code, forGood) => {
  describe.each(WAYS)('of a rewrite%s', (_, { settings, vital, forgiven }) => {
    it.each(['a.json', 'a.json.gz'])('leaves %s whole, and the other file goes on', async (name) => {
      const calls = new Set<string>();
      for (let nth = 1; ; nth++) {
        const folder = place({ [name]: name.endsWith('.gz') ? gzipSync(BEFORE) : BEFORE, 'b.json': BEFORE });
        const files = openFiles();
        const { disk, failed } = failing(settings.disk ?? REAL_DISK, nth, code, forGood);
        const sources = sourcesIn(folder);
        const target = new InPlaceDestination(sources, read, { ...settings, disk });
        const failures = [await write(target, sources[0]!), await write(target, sources[1]!)];
        await target.close();
        const call = failed();
        expect(openFiles()).toBe(files);
        for (const [i, failure] of failures.entries())
          expect([call, stateOf(sources[i]!.path!)]).toEqual([call, expectedState(failure)]);
        // A private folder may stay, if it cannot be removed.
        const left = readdirSync(folder).filter((entry) => call !== 'rmdirSync' || !entry.startsWith('.paylint-'));
        expect([call, left]).toEqual([call, [name, 'b.json'].sort()]);
        if (call === null) break;
        if (!forGood && failures[0] !== null) expect([call, failures[1]]).toEqual([call, null]);
        calls.add(`${call} ${failures[0] === null}`);
      }
      // All that is asked of the disk has failed once.
      for (const call of vital.split(' ')) expect(calls).toContain(`${call} false`);
      for (const call of forgiven.split(' ').filter(Boolean)) expect(calls).toContain(`${call} true`);
    });
  });
});

function stateOf(path: string): string {
  const content = contentOf(path);
  return content.equals(AFTER) ? 'after' : content.equals(BEFORE) ? 'before' : 'neither';
}

function expectedState(failure: string | null): string {
  if (failure === null || /^was written, but may not survive a power cut: /.test(failure)) return 'after';
  expect(failure).toMatch(/^cannot be written: |^was changed while it was read/);
  return 'before';
}

it('a disk that takes one byte at a time gets them all', async () => {
  const folder = place({ 'a.json': BEFORE });
  const disk = diskWith((name, call, [fd, bytes, at]) =>
    name === 'writeSync' ? REAL_DISK.writeSync(fd as number, bytes as Uint8Array, at as number, 1) : call(),
  );
  const sources = sourcesIn(folder);
  expect(await write(new InPlaceDestination(sources, read, { disk }), sources[0]!)).toBe(null);
  expect(contentOf(sources[0]!.path!).equals(AFTER)).toBe(true);
});

it('no other user can read the temporary file, and it is on disk before the rename', async () => {
  const folder = place({ 'a.json': BEFORE });
  const calls: string[] = [];
  const disk = diskWith((name, call, args) => {
    const [flags, mode] = name === 'openSync' ? args.slice(1) : [];
    calls.push([name, flags, typeof mode === 'number' ? mode.toString(8) : undefined].join(' ').trim());
    return call();
  });
  const [source] = sourcesIn(folder);
  expect(await write(new InPlaceDestination([source!], read, { disk }), source!)).toBe(null);
  const since = calls.slice(calls.indexOf('openSync wx 600'));
  expect(since.filter((call, i) => call !== 'writeSync' || call !== since[i - 1])).toEqual([
    'openSync wx 600',
    'writeSync',
    'statSync',
    // Writing takes set-id bits away, so they come afterwards, and those of the owner come after the owner.
    'fstatSync',
    'fstatSync',
    'platform',
    'platform',
    'platform',
    'runTool',
    'runTool',
    'fstatSync',
    'fsync',
    'closeSync',
    'statSync',
    'renameSync',
    'platform',
    'openSync r',
    'fsyncSync',
    'closeSync',
  ]);
});

describe('a file that was changed meanwhile is left alone', () => {
  it.each(['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const)('seen by its %s alone', async (field) => {
    const folder = place({ 'a.json': BEFORE });
    const [source] = sourcesIn(folder);
    let changed = false;
    const disk = diskWith((name, call) => {
      const answer = call();
      if (name === 'fsync') changed = true;
      if (name !== 'statSync' || !changed) return answer;
      return Object.assign(answer as BigIntStats, { [field]: (answer as BigIntStats)[field] + 1n });
    });
    const failure = await write(new InPlaceDestination([source!], read, { disk }), source!);
    expect(failure).toBe('was changed while it was read, and is left as it is');
    expect(readdirSync(folder)).toEqual(['a.json']);
    expect(contentOf(source!.path!).equals(BEFORE)).toBe(true);
  });

  it('in the time of the files before it, for others may have read it by then', async () => {
    const folder = place({ 'a.json': BEFORE, 'b.json': BEFORE });
    const [a, b] = sourcesIn(folder);
    const target = new InPlaceDestination([a!, b!], read);
    expect(await write(target, a!, () => utimesSync(b!.path!, new Date(), new Date()))).toBe(null);
    expect(await write(target, b!)).toBe('was changed while it was read, and is left as it is');
    expect(contentOf(b!.path!).equals(BEFORE)).toBe(true);
  });

  it.each<[string, (path: string) => void]>([
    ['appended to', (path) => appendFileSync(path, 'x')],
    ['cut', (path) => writeFileSync(path, '')],
    [
      'written over in its length',
      (path) => writeFileSync(path, BEFORE.toString('latin1').replace('old', 'new'), 'latin1'),
    ],
    ['touched', (path) => utimesSync(path, new Date(), new Date())],
    [
      'written over in its length, with its time set back',
      (path) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, BEFORE.toString('latin1').replace('old', 'new'), 'latin1');
        utimesSync(path, atime, mtime);
      },
    ],
    ['given another mode', (path) => chmodSync(path, 0o600)],
    [
      'replaced',
      (path) => {
        writeFileSync(`${path}.new`, BEFORE);
        utimesSync(`${path}.new`, statSync(path).atime, statSync(path).mtime);
        renameSync(`${path}.new`, path);
      },
    ],
    ['taken away', (path) => rmSync(path)],
    [
      'made a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])('%s', async (_, change) => {
    const folder = place({ 'a.json': BEFORE, 'b.json': BEFORE });
    const [a, b] = sourcesIn(folder);
    const target = new InPlaceDestination([a!, b!], read);
    const entries = (): unknown =>
      readdirSync(folder).map((name) => [
        name,
        statSync(join(folder, name)).isFile() && readFileSync(join(folder, name), 'latin1'),
      ]);
    let changed: unknown;
    const failure = await write(target, a!, () => {
      // The temporary file is there already, and is none of the others.
      const [temporary] = readdirSync(folder).filter((name) => name.startsWith('.paylint-'));
      renameSync(join(folder, temporary!), join(folder, '../aside'));
      change(a!.path!);
      changed = entries();
      renameSync(join(folder, '../aside'), join(folder, temporary!));
    });
    expect(failure).toBe('was changed while it was read, and is left as it is');
    expect(entries()).toEqual(changed);
    expect(await write(target, b!)).toBe(null);
  });
});

describe('a file that is not read to its end is left as it is, and no other file stays', () => {
  const line = `${JSON.stringify(JSON.parse(CONTRACT))}\n`;

  it('because its gzip data is cut off', async () => {
    const cut = gzipSync(line.repeat(3000)).subarray(0, -20);
    const folder = place({ 'a.ndjson.gz': cut, 'b.json': CONTRACT });
    const { code, stderr } = await run(['fill', '--write', '--quiet', '.'], folder);
    expect([code, stderr]).toEqual([2, 'paylint: a.ndjson.gz: its gzip data is cut off\n']);
    expect(readFileSync(join(folder, 'a.ndjson.gz')).equals(cut)).toBe(true);
    expect(readFileSync(join(folder, 'b.json'), 'utf8')).toBe(CONTRACT_FILLED);
    expect(readdirSync(folder)).toEqual(['a.ndjson.gz', 'b.json']);
  });

  it('because an interrupt comes while its beginning is copied', async () => {
    const folder = place({ 'a.json': BEFORE });
    const [source] = sourcesIn(folder);
    const signal = AbortSignal.abort('SIGTERM');
    const target = new InPlaceDestination([source!], (one) => reread(one, signal));
    await expect(write(target, source!)).rejects.toThrow(Interrupted);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});

describe('what a file is, beside its bytes, stays', () => {
  const args = ['fill', '--write', '--format', 'line'];

  const cp = needs('GNU cp');
  const keepsMode = async (mode: number): Promise<void> => {
    const folder = place({ 'a.json': CONTRACT });
    chmodSync(join(folder, 'a.json'), mode);
    const { code } = await run([...args, 'a.json'], folder);
    expect(statSync(join(folder, 'a.json')).mode & 0o7777).toBe(mode);
    // Only root may write a read-only file.
    expect([code, readFileSync(join(folder, 'a.json'), 'utf8')]).toEqual(
      mode === 0o444 && !isRoot ? [2, CONTRACT] : [0, CONTRACT_FILLED],
    );
  };

  it.each([0o600, 0o644, 0o755, 0o6755, 0o444])('its mode: %o', keepsMode);
  // Which may be that of an access control list.
  it.skipIf(cp.missing).each([0o640])(`its mode: %o${cp.note}`, keepsMode);

  const root = needs('the rights of root');

  it.skipIf(root.missing)(`its owner${root.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT });
    chownSync(join(folder, 'a.json'), 1234, 2345);
    await run([...args, 'a.json'], folder);
    const { uid, gid } = statSync(join(folder, 'a.json'));
    expect([uid, gid, readFileSync(join(folder, 'a.json'), 'utf8')]).toEqual([1234, 2345, CONTRACT_FILLED]);
  });

  it('where it lies, if a link leads there', async () => {
    const folder = place({ 'far/a.json': CONTRACT });
    symlinkSync('far/a.json', join(folder, 'link.json'));
    symlinkSync(join(folder, 'link.json'), join(folder, 'chain.json'));
    await run([...args, 'chain.json'], folder);
    expect(readFileSync(join(folder, 'far/a.json'), 'utf8')).toBe(CONTRACT_FILLED);
    expect(readlinkSync(join(folder, 'link.json'))).toBe('far/a.json');
    expect(lstatSync(join(folder, 'chain.json')).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['chain.json', 'far', 'link.json']);
    expect(readdirSync(join(folder, 'far'))).toEqual(['a.json']);
  });

  it('written once, if it is named as well as the links that lead there', async () => {
    const folder = place({ 'far/b.json': CONTRACT });
    symlinkSync('far/b.json', join(folder, 'a.json'));
    symlinkSync('far', join(folder, 'near'));
    const names = ['far/b.json', 'a.json', 'near/b.json'];
    const { code, stdout } = await run(['fill', '--write', '--format', 'ndjson', ...names], folder);
    const events = eventsIn(stdout.toString());
    expect(events.filter(({ type }) => type === 'source')).toMatchObject([{ file: 'a.json', filled: 3 }]);
    expect(events.at(-1)).toMatchObject({ type: 'summary', sources: 1, payloads: 1, failures: 0 });
    expect([code, readFileSync(join(folder, 'far/b.json'), 'utf8')]).toEqual([0, CONTRACT_FILLED]);
  });

  it('its name, however long', async () => {
    const names = [`${'é'.repeat(125)}.json`, `${'a'.repeat(250)}.json`];
    const folder = place(Object.fromEntries(names.map((name) => [name, CONTRACT])));
    expect((await run([...args, '.'], folder)).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(names.sort());
    for (const name of names) expect(readFileSync(join(folder, name), 'utf8')).toBe(CONTRACT_FILLED);
  });
});
