/**
 * Files that a run writes to are not read as payloads: told by their number on the drive, or by their paths where a drive, as some
 * of Windows, gives every file the number 0.
 */
import type { BigIntStats } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refuseFilling, refuseSharedFiles, withoutOwnOutput } from '../../src/cli/own-output.ts';
import type { Io } from '../../src/source/io.ts';
import type { Source } from '../../src/types.ts';

/** Numbers by path; standard output is a file with the number that is given for it. */
const drive = vi.hoisted(() => ({ numbers: new Map<string, bigint>() }));
vi.mock('node:fs', async (load) => {
  const stats = (name: string): BigIntStats | undefined => {
    const ino = drive.numbers.get(name);
    return ino === undefined ? undefined : ({ dev: 1n, ino, isFile: () => true } as BigIntStats);
  };
  const own = {
    existsSync: (name: string) => drive.numbers.has(name),
    statSync: stats,
    fstatSync: (fd: number) => stats(fd === 0 ? '<stdin>' : '<stdout>'),
  };
  return { ...(await load<typeof import('node:fs')>()), ...own };
});
beforeEach(() => drive.numbers.clear());

const io = { cwd: '/w', stdin: { fd: 0 }, stdout: { fd: 1 } } as Io; // all that is looked at
const source = (name: string): Source => ({ name, path: `/w/${name}`, regular: true, framing: null, kind: null });
const SOURCES = ['a.json', 'b.json', 'report.json'].map(source);

function left(reports: readonly string[], paths: readonly string[] = ['.']): string[] {
  return withoutOwnOutput(SOURCES, paths, reports, io).map(({ name }) => name);
}

function put(numbers: Readonly<Record<string, bigint>>): void {
  for (const [name, number] of Object.entries(numbers)) drive.numbers.set(name, number);
}

describe('what is written is not read', () => {
  it('by its number', () => {
    put({ '/w/a.json': 1n, '/w/b.json': 2n, '/w/report.json': 3n, '<stdout>': 2n, '/x/link': 3n });
    expect(left([])).toEqual(['a.json', 'report.json']);
    expect(left(['/x/link'])).toEqual(['a.json']);
  });

  it('and standard input that is written is refused', () => {
    const stdin = { ...source('<stdin>'), path: null };
    put({ '<stdin>': 1n, '<stdout>': 2n });
    expect(withoutOwnOutput([stdin], [], [], io)).toEqual([stdin]);
    put({ '<stdout>': 1n });
    expect(() => withoutOwnOutput([stdin], [], [], io)).toThrow('<stdin> is both read and written');
  });

  it('by its path alone, where all numbers are 0', () => {
    put({ '/w/a.json': 0n, '/w/b.json': 0n, '/w/report.json': 0n, '<stdout>': 0n });
    expect(left([])).toEqual(['a.json', 'b.json', 'report.json']);
    expect(left(['/w/report.json'])).toEqual(['a.json', 'b.json']);
    expect(() => left(['/w/report.json'], ['report.json'])).toThrow('report.json is both read and written');
  });
});

describe('one file is not written twice, nor read for something else', () => {
  const refuse =
    (written: readonly string[], read: readonly (string | null)[] = []) =>
    () =>
      refuseSharedFiles(written, read, io);

  it('by its number, or by its path while it is not there', () => {
    put({ '/w/a': 1n, '/w/link': 1n, '/w/b': 2n });
    expect(refuse(['/w/a', '/w/b', '/w/new', '/w/newer'], ['/w/none'])).not.toThrow();
    expect(refuse(['/w/a', '/w/link'])).toThrow('two outputs go to link');
    expect(refuse(['/w/new', '/w/new'])).toThrow('two outputs go to new');
    expect(refuse(['/w/a'], ['/w/link'])).toThrow('link is both read and written: write to another file');
    expect(refuse(['/w/new'], ['/w/new'])).toThrow('new is both read and written: write to another file');
  });

  it('by standard output, and while it is standard input', () => {
    put({ '/w/a': 1n, '<stdout>': 2n, '<stdin>': 3n, '/w/in': 3n });
    expect(refuse([], ['/w/a', null])).not.toThrow();
    expect(refuse(['/w/in'], [null])).toThrow('standard input is both read and written');
    put({ '<stdout>': 1n });
    expect(refuse([], ['/w/a'])).toThrow('a is both read and written');
    put({ '<stdout>': 3n });
    expect(refuse([], [null])).toThrow('standard input is both read and written');
  });

  it('by fill --write', () => {
    put({ '/w/a': 1n, '/w/schema': 1n });
    const fill = (read: string) => () => refuseFilling(['/w/a', '/w/none'], [read], io);
    expect(fill('/w/b')).not.toThrow();
    expect(fill('/w/schema')).toThrow('schema is both read and written: leave it out, for example with --ignore');
  });
});
