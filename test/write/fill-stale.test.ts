/**
 * Temporary files of a run that was killed: a later run on the same machine removes them, and nothing else.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, uptime } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disk, REAL_DISK } from '../../src/write/disk.ts';
import { InPlaceDestination } from '../../src/write/outlets/in-place-destination.ts';
import { TemporaryNames } from '../../src/write/temporary.ts';
import { BEFORE, deny, diskWith, read, sourcesIn, withoutCp, write } from '../fill-disk.ts';
import { CONTRACT, place } from '../fill-run.ts';
import { start } from '../spawned.ts';

/** The number of a process that has ended. */
const GONE = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));

/** What a process with this number calls a temporary file. */
const nameOf = (pid: number): string => basename(new TemporaryNames(pid, REAL_DISK).next('.'));

/** Replaces the character at `index` by another hexadecimal digit. */
const otherAt = (name: string, index: number): string =>
  name.slice(0, index) + (name[index] === '0' ? '1' : '0') + name.slice(index + 1);
const HOST_AT = '.paylint-'.length;
const START_AT = HOST_AT + 9;

/** Has a run write `a.json` and `b.json` in the folder. */
async function rewrite(folder: string, disk: Disk = withoutCp): Promise<void> {
  const sources = sourcesIn(folder).filter(({ name }) => ['a.json', 'b.json'].includes(name));
  const target = new InPlaceDestination(sources, read, { disk, pid: process.pid });
  for (const source of sources) expect(await write(target, source)).toBe(null);
}

it('a name says which machine, start and process it is of, and no two are the same', () => {
  const names = Array.from({ length: 100 }, () => nameOf(1234));
  expect(new Set(names).size).toBe(100);
  for (const name of names) expect(name).toMatch(/^\.paylint-[0-9a-f]{8}-[0-9a-f]{8}-1234-[0-9a-f]{8}\.tmp$/);
  expect(new Set(names.map((name) => name.slice(0, START_AT + 8))).size).toBe(1);
  for (const part of [hostname(), existsSync('/proc/self/ns/pid') ? readlinkSync('/proc/self/ns/pid') : '\0'])
    expect(names[0]).not.toContain(part);
});

describe('a run that writes into a folder', () => {
  it('removes what a process that is gone has left there, be it a file or a private folder', async () => {
    const [file, folderOf, emptyFolder] = [nameOf(GONE), nameOf(GONE), nameOf(GONE)];
    const folder = place({ 'a.json': BEFORE, [file]: 'half', [`${folderOf}/file`]: 'half' });
    mkdirSync(join(folder, emptyFolder));
    await rewrite(folder);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('leaves what a live process writes, and what may be that of others', async () => {
    const gone = nameOf(GONE);
    const left = [
      nameOf(process.pid),
      nameOf(1),
      otherAt(gone, HOST_AT),
      nameOf(0),
      '.paylint-notes.tmp',
      `x${gone}`,
      `${gone}~`,
      gone.replace('.tmp', '.json'),
      gone.toUpperCase().replace('.PAYLINT', '.paylint').replace('.TMP', '.tmp').replace(/[0-9]/, 'G'),
    ];
    const link = nameOf(GONE);
    const full = nameOf(GONE);
    const folder = place({
      'a.json': BEFORE,
      ...Object.fromEntries(left.map((name) => [name, 'x'])),
      [`${full}/mine.json`]: 'x',
    });
    symlinkSync('a.json', join(folder, link));
    await rewrite(folder);
    expect(readdirSync(folder).sort()).toEqual(['a.json', ...left, link, full].sort());
    expect(readFileSync(join(folder, full, 'mine.json'), 'utf8')).toBe('x');
  });

  it('knows that a process of an earlier start of the machine is gone, whatever its number is now', async () => {
    const [before, since] = [nameOf(process.pid), nameOf(GONE)].map((name) => otherAt(name, START_AT));
    const folder = place({ 'a.json': BEFORE, [before!]: 'half', [since!]: 'half' });
    const boot = Date.now() / 1000 - uptime();
    utimesSync(join(folder, before!), boot - 60, boot - 60);
    utimesSync(join(folder, since!), boot + 60, boot + 60);
    await rewrite(folder);
    // Written after this machine was started: it is another machine that looks like this one.
    expect(readdirSync(folder)).toEqual([since, 'a.json']);
  });

  it('looks once, and only where it writes', async () => {
    const folder = place({ 'a.json': BEFORE, 'b.json': BEFORE, [`other/${nameOf(GONE)}`]: 'half' });
    const listed: unknown[] = [];
    const disk = diskWith((name, call, [path]) => {
      if (name === 'readdirSync') listed.push(path);
      return call();
    }, withoutCp);
    await rewrite(folder, disk);
    expect(listed).toEqual([folder]);
    expect(readdirSync(join(folder, 'other')).length).toBe(1);
  });

  it.each(['readdirSync', 'lstatSync', 'unlinkSync'])('writes if it cannot remove them: %s', async (denied) => {
    const folder = place({ 'a.json': BEFORE, [nameOf(GONE)]: 'half' });
    await rewrite(
      folder,
      diskWith((name, call) => (name === denied ? deny('EACCES') : call()), withoutCp),
    );
    expect(readdirSync(folder).length).toBe(2);
  });
});

it('a process tells that one is alive that it may not signal', () => {
  expect([REAL_DISK.isAlive(1), REAL_DISK.isAlive(process.pid), REAL_DISK.isAlive(GONE)]).toEqual([true, true, false]);
});

it('what kill -9 leaves is removed by the next run', async () => {
  const line = `${JSON.stringify(JSON.parse(CONTRACT))}\n`;
  const folder = place({ 'a.ndjson': line.repeat(20_000), 'b.json': CONTRACT });
  const temporary = (): string[] => readdirSync(folder).filter((name) => name.startsWith('.paylint-'));
  const child = start(folder, 'fill', '--write', '--quiet', 'a.ndjson');
  const ended = new Promise((done) => child.once('close', done));
  while (temporary().length === 0 && child.exitCode === null) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await ended;
  expect(temporary()).toHaveLength(1);
  expect(temporary()[0]).toContain(`-${child.pid}-`);
  writeFileSync(join(folder, 'c.json'), CONTRACT);
  const next = start(folder, 'fill', '--write', '--quiet', 'c.json');
  await new Promise((done) => next.once('close', done));
  expect(temporary()).toEqual([]);
});
