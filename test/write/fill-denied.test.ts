/**
 * `fill --write` where something denies it: the words say what it is, the file, its folder or a mark on one of them, and what to do.
 * And on Windows, where a file may be in use for a moment.
 */
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InPlaceDestination } from '../../src/run/outlets/in-place-destination.ts';
import type { SourceOutcome } from '../../src/run/outlets/outlet.ts';
import type { Disk } from '../../src/write/disk.ts';
import { AFTER, BEFORE, deny, diskWith, leave, read, sourcesIn, withoutCp } from '../fill-disk.ts';
import { CONTRACT, CONTRACT_FILLED, place } from '../fill-run.ts';
import { sh } from '../spawned.ts';
import { needs, UNPRIVILEGED } from '../tools.ts';

interface Tried {
  readonly left: SourceOutcome;
  readonly folder: string;
}

/** Rewrites `a.json` on a disk; where it is not written, it is as it was, and nothing else is there. */
async function rewrite(disk: Disk): Promise<Tried> {
  const folder = place({ 'a.json': BEFORE });
  const [source] = sourcesIn(folder);
  const target = new InPlaceDestination([source!], read, { disk });
  const left = await leave(target, source!);
  expect(readFileSync(join(folder, 'a.json')).equals(left.done ? AFTER : BEFORE)).toBe(true);
  expect(readdirSync(folder)).toEqual(['a.json']);
  return { left, folder };
}

const isTemporary = (path: unknown): boolean => /\.paylint-[^/]*$/.test(String(path));
type Which = (name: keyof Disk, args: readonly unknown[]) => boolean;
const asks: Which = (name) => name === 'accessSync';
const creates: Which = (name, [path]) => name === 'openSync' && isTemporary(path);
const replaces: Which = (name) => name === 'renameSync';
const removes: Which = (name) => name === 'unlinkSync';

/** Fails where `which` says so, the first `times`. */
function denying(which: Which, code: string, times = Number.POSITIVE_INFINITY, base = withoutCp): Disk {
  let left = times;
  return diskWith((name, call, args) => (which(name, args) && left-- > 0 ? deny(code) : call()), base);
}

const FILE = 'the file is read-only for you: change its permissions (chmod) or its owner';
const IMMUTABLE = 'the file is marked immutable: remove the mark (chattr -i)';
const READ_ONLY = 'its file system is mounted read-only';
const FOLDER = 'its folder is read-only for you, and a new file is written there first: change its permissions';
const FOLDER_LATER =
  'its folder is read-only for you, and the new file is put in its place there: change its permissions';
const MARKED =
  'the file or its folder is marked immutable or append-only: remove the mark (chattr -i, chattr -a); ' +
  'or it belongs to another user, and the folder has the sticky bit, as /tmp has';
const MOUNTED =
  'the file is a mount point, as in a container, and cannot be replaced: mount its folder, or fill to standard output';

describe('the words for what denies a step', () => {
  it.each<[string, Which, string, string]>([
    ['the file', asks, 'EACCES', FILE],
    ['a mark on the file', asks, 'EPERM', IMMUTABLE],
    ['the file system', asks, 'EROFS', READ_ONLY],
    ['the folder', creates, 'EACCES', FOLDER],
    ['a mark on the folder', creates, 'EPERM', 'its folder is marked immutable: remove the mark (chattr -i)'],
    ['the file system', creates, 'EROFS', READ_ONLY],
    ['the room', creates, 'ENOSPC', 'no space left on device (ENOSPC)'],
    [
      'the length of the path',
      creates,
      'ENAMETOOLONG',
      'the path of its folder is so long that no temporary file can be written there',
    ],
    ['the folder', replaces, 'EACCES', FOLDER_LATER],
    ['a mark', replaces, 'EPERM', MARKED],
    ['a mount', replaces, 'EBUSY', MOUNTED],
    ['a mount', replaces, 'EXDEV', MOUNTED],
    ['the file system', replaces, 'EROFS', READ_ONLY],
    ['the drive', replaces, 'EIO', 'input/output error: the device or network drive did not deliver'],
  ])('%s (%s, %s)', async (_, which, code, words) => {
    const { left } = await rewrite(denying(which, code));
    expect(left).toEqual({ done: false, failure: `cannot be written: ${words}` });
  });
});

describe('on Windows', () => {
  const onWindows = (base: Disk, pauses: number[] = []): Disk =>
    diskWith((name, call, [ms]) => {
      if (name === 'platform') return 'win32';
      if (name !== 'pause') return call();
      pauses.push(ms as number);
      return Promise.resolve();
    }, base);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

  it.each<[string, Which, string]>([
    ['created', creates, 'EBUSY'],
    ['put in place', replaces, 'EPERM'],
    ['put in place', replaces, 'EACCES'],
    ['put in place', replaces, 'EBUSY'],
  ])('a file that is in use for a moment is %s as soon as it can be (%s, %s)', async (_, which, code) => {
    const pauses: number[] = [];
    const { left } = await rewrite(onWindows(denying(which, code, 4), pauses));
    expect(left).toMatchObject({ done: true, failure: null });
    expect(pauses).toHaveLength(4);
  });

  it('a temporary file is removed as soon as it can be', async () => {
    const disk = denying(removes, 'EBUSY', 5, denying(replaces, 'EXDEV'));
    expect((await rewrite(onWindows(disk))).left.done).toBe(false);
  });

  it('after about a second it is told', async () => {
    const pauses: number[] = [];
    const { left } = await rewrite(onWindows(denying(replaces, 'EPERM'), pauses));
    expect(left.failure).toBe(
      'cannot be written: another program has the file open, or its folder is read-only for you',
    );
    expect(sum(pauses)).toBeGreaterThan(900);
    expect(sum(pauses)).toBeLessThan(1100);
  });

  it('what is wrong for good is told at once', async () => {
    const pauses: number[] = [];
    const { left } = await rewrite(onWindows(denying(replaces, 'ENOSPC'), pauses));
    expect([left.failure, pauses]).toEqual(['cannot be written: no space left on device (ENOSPC)', []]);
  });

  it('many files that cannot be written do not take a second each', async () => {
    const pauses: number[] = [];
    const folder = place(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}.json`, BEFORE])));
    const sources = sourcesIn(folder);
    const disk = onWindows(denying(creates, 'EPERM'), pauses);
    const target = new InPlaceDestination(sources, read, { disk });
    for (const source of sources) expect((await leave(target, source)).done).toBe(false);
    expect(sum(pauses)).toBeGreaterThan(9000);
    expect(sum(pauses)).toBeLessThan(11_000);
  });

  it('folders cannot be synced, and nothing is said of it', async () => {
    const disk = denying((name, [, flags]) => name === 'openSync' && flags === 'r', 'EPERM');
    const folder = place({ 'a.json': BEFORE });
    const [source] = sourcesIn(folder);
    let opened = 0;
    const counting = diskWith((name, call, [path]) => {
      if (name === 'openSync' && path === folder) opened++;
      return name === 'openSync' && path === folder ? disk.openSync(folder, 'r') : call();
    }, withoutCp);
    const target = new InPlaceDestination([source!], read, { disk: onWindows(counting) });
    expect(await leave(target, source!)).toMatchObject({ done: true, failure: null, warning: null });
    expect(opened).toBe(0);
  });

  it('elsewhere nothing is tried twice', async () => {
    const disk = diskWith((name, call) => (name === 'pause' ? deny('EINVAL') : call()), withoutCp);
    const { left } = await rewrite(denying(replaces, 'EPERM', 1, disk));
    expect(left.failure).toBe(`cannot be written: ${MARKED}`);
  });
});

describe('a folder that cannot be synced to the disk', () => {
  const WORDS = 'was written, but may not survive a power cut: its folder could not be synced';
  /** Fails in the sync of the folder, or as it is opened for that. */
  const failing = (call: 'openSync' | 'fsyncSync', code: string): Disk => {
    let renamed = false;
    return diskWith((name, real) => {
      if (name === 'renameSync') renamed = true;
      return renamed && name === call ? deny(code) : real();
    }, withoutCp);
  };

  it.each(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'])(
    'because its file system has no such thing (%s): nothing is said',
    async (code) => {
      const { left } = await rewrite(failing('fsyncSync', code));
      expect(left).toEqual({ done: true, failure: null, warning: null });
    },
  );

  it.each([
    ['EIO', 'input/output error: the device or network drive did not deliver'],
    ['ENOSPC', 'no space left on device (ENOSPC)'],
    ['EPERM', 'permission denied'],
  ])('because that fails (%s): a failure, although the file is in its place', async (code, words) => {
    const { left } = await rewrite(failing('fsyncSync', code));
    expect(left).toEqual({ done: true, failure: `${WORDS}: ${words}`, warning: null });
  });

  it('because the user may write into it, but not read it: a warning', async () => {
    const { left } = await rewrite(failing('openSync', 'EACCES'));
    expect(left).toEqual({ done: true, failure: null, warning: `${WORDS}: permission denied` });
  });
});

describe('as the system really says it', () => {
  /** As root, who can make files of others; the rights are dropped for the run. */
  const drop = needs('the rights of root', 'an unprivileged user');
  const DROP = UNPRIVILEGED.join(' ');
  const mounts = needs('mounts of its own');
  const copied = needs('mounts of its own', 'cp');
  const marks = needs('marks on files');

  it.skipIf(drop.missing)(`a sticky folder${drop.note}`, async () => {
    const folder = place({ 'in/a.json': CONTRACT });
    for (const name of ['..', '.']) chmodSync(join(folder, name), 0o755);
    chmodSync(join(folder, 'in'), 0o1777);
    chmodSync(join(folder, 'in/a.json'), 0o666);
    chownSync(join(folder, 'in/a.json'), 99, 99);
    const { code, stderr } = await sh(folder, `cd in; ${DROP} "$NODE" "$BIN" fill --write --quiet a.json`, drop);
    expect([code, stderr]).toEqual([2, `paylint: a.json: cannot be written: ${MARKED}\n`]);
    expect(readFileSync(join(folder, 'in/a.json'), 'utf8')).toBe(CONTRACT);
    expect(readdirSync(join(folder, 'in'))).toEqual(['a.json']);
  });

  it.skipIf(marks.missing)(`a mark on a file, or on its folder${marks.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT, 'b.json': CONTRACT, 'c/c.json': CONTRACT });
    const line = `chattr +i a.json c; chattr +a b.json; paylint fill --write --quiet .; code=$?
      chattr -i a.json c; chattr -a b.json; exit $code`;
    const { code, stderr } = await sh(folder, line, marks);
    expect([code, stderr.split('\n')]).toEqual([
      2,
      [
        `paylint: a.json: cannot be written: ${IMMUTABLE}`,
        `paylint: b.json: cannot be written: ${MARKED}`,
        'paylint: c/c.json: cannot be written: its folder is marked immutable: remove the mark (chattr -i)',
        '',
      ],
    ]);
    expect(readdirSync(folder)).toEqual(['a.json', 'b.json', 'c']);
    expect(readFileSync(join(folder, 'b.json'), 'utf8')).toBe(CONTRACT);
  });

  it.skipIf(mounts.missing)(`a file that is a mount point${mounts.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT, 'far.json': CONTRACT });
    const line = `unshare -rm /bin/sh -c 'mount --bind far.json a.json && "$NODE" "$BIN" fill --write --quiet a.json'`;
    const { code, stderr } = await sh(folder, line, mounts);
    expect([code, stderr]).toEqual([2, `paylint: a.json: cannot be written: ${MOUNTED}\n`]);
    expect(readdirSync(folder)).toEqual(['a.json', 'far.json']);
    expect(readFileSync(join(folder, 'far.json'), 'utf8')).toBe(CONTRACT);
  });

  it.skipIf(copied.missing)(`a file system that is mounted read-only${copied.note}`, async () => {
    const folder = place({ 'disk/.keep': '', 'a.json': CONTRACT });
    const line = `unshare -rm /bin/sh -c 'mount -t tmpfs none disk && cp a.json disk && mount -o remount,bind,ro disk &&
      "$NODE" "$BIN" fill --write --quiet disk; "$NODE" "$BIN" convert --to ndjson --split-by kind --out-dir disk/x/y a.json'`;
    const { code, stderr } = await sh(folder, line, copied);
    const lines = [`disk/a.json: cannot be written: ${READ_ONLY}`, `cannot make the folder disk/x/y: ${READ_ONLY}`];
    expect([code, stderr]).toEqual([2, lines.map((text) => `paylint: ${text}\n`).join('')]);
  });

  it.skipIf(drop.missing)(
    `a folder that may be written, but not read, is one that cannot be synced${drop.note}`,
    async () => {
      const folder = place({ 'in/a.json': CONTRACT });
      for (const name of ['..', '.']) chmodSync(join(folder, name), 0o755);
      chmodSync(join(folder, 'in'), 0o300);
      for (const name of ['in', 'in/a.json']) chownSync(join(folder, name), 65534, 65534);
      const { code, stderr } = await sh(folder, `cd in; ${DROP} "$NODE" "$BIN" fill --write --quiet a.json`, drop);
      expect([code, stderr]).toEqual([
        0,
        'paylint: a.json: warning: was written, but may not survive a power cut: its folder could not be synced: permission denied\n',
      ]);
      expect(readFileSync(join(folder, 'in/a.json'), 'utf8')).toBe(CONTRACT_FILLED);
    },
  );
});
