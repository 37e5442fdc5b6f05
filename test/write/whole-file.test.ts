/**
 * Files that `filter --rejects` and `convert --output` write, where the file system fails: the old file or the complete new one is there, no
 * temporary file stays, and no descriptor. Here each call fails in its turn.
 */
import { existsSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WriteError } from '../../src/errors.ts';
import { REAL_DISK } from '../../src/write/disk.ts';
import { WholeFile } from '../../src/write/whole-file.ts';
import { deny, diskWith, failing, withoutCp } from '../fill-disk.ts';
import { place } from '../fill-run.ts';

const NEW = ['[1,', '2]\n'];
const openFiles = (): number => readdirSync('/proc/self/fd').length;

describe.skipIf(!existsSync('/proc/self/fd')).each([
  ['ENOSPC', false],
  ['EIO', true],
])('%s in any call, for good: %s', (code, forGood) => {
  it.each([
    ['a new file', null],
    ['a file that is there', 'old'],
  ])('leaves %s whole', async (_, old) => {
    const failed = new Set<string>();
    for (let nth = 1; ; nth++) {
      const folder = place(old === null ? {} : { out: old });
      const files = openFiles();
      const { disk, failed: which } = failing(withoutCp, nth, code, forGood);
      const end = await write(folder, disk);
      const name = which();
      if (name === null) {
        expect(end).toBe('written');
        break;
      }
      failed.add(name);
      expect(openFiles()).toBe(files);
      const [left, ...others] = readdirSync(folder);
      expect(others).toEqual([]);
      const content = left === undefined ? null : readFileSync(join(folder, 'out'), 'utf8');
      expect([old, NEW.join('')]).toContain(content);
      if (content === old) expect(end).toMatch(/^cannot write to out: /);
    }
    expect([...failed]).toEqual(expect.arrayContaining(['openSync', 'writeSync', 'fsyncSync', 'renameSync']));
  });
});

it('is there as far as it was written only if that is wanted, when the run is broken off', async () => {
  for (const keepsPart of [false, true]) {
    const folder = place({ out: 'old' });
    const file = await WholeFile.begin('out', { cwd: folder, disk: REAL_DISK, keepsPart });
    await file.write(Buffer.from(NEW[0]!));
    const note = await file.finish('part');
    expect([readFileSync(join(folder, 'out'), 'utf8'), readdirSync(folder)]).toEqual([
      keepsPart ? NEW[0] : 'old',
      ['out'],
    ]);
    expect(note).toBe(keepsPart ? null : 'was not written: not all of the input was read');
  }
});

it('says what was lost of the old file and that the folder could not be synced', async () => {
  const folder = place({ out: 'old' });
  const disk = diskWith((name, call, args) => {
    if (name === 'fchownSync' || (name === 'openSync' && args[0] === folder)) return deny();
    const result = call();
    return name === 'fstatSync' ? Object.assign(result as Stats, { uid: 12_345 }) : result;
  }, withoutCp);
  expect(await write(folder, disk)).toMatch(/^written, .*owner.*; was written, but may not survive a power cut: /);
});

/** How it ended: `written`, perhaps with a note, or the error. */
async function write(cwd: string, disk: typeof REAL_DISK): Promise<string> {
  try {
    const file = await WholeFile.begin('out', { cwd, disk, keepsPart: false });
    try {
      for (const text of NEW) await file.write(Buffer.from(text));
      const note = await file.finish('whole');
      return note === null ? 'written' : `written, ${note}`;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    return error.message;
  }
}
