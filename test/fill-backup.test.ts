/**
 * `fill --write --backup`: the old file is kept beside the new one, whole or not at all, and is not filled in the same run.
 */
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InPlaceDestination } from '../src/outlet/in-place-destination.ts';
import type { Disk } from '../src/output/disk.ts';
import { AFTER, BEFORE, deny, diskWith, noLinks, read, sourcesIn, withoutCp, write } from './fill-disk.ts';
import { CONTRACT, CONTRACT_FILLED, place, run } from './fill-run.ts';
import { needs } from './tools.ts';

const text = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
const rewrite = (folder: string, disk: Disk): Promise<string | null> => {
  const [source] = sourcesIn(folder).filter(({ name }) => name === 'a.json');
  return write(new InPlaceDestination([source!], read, { disk, backup: '~' }), source!);
};

describe('the old file is kept', () => {
  it.each([
    ['--backup', 'a.json~'],
    ['--backup=.old', 'a.json.old'],
  ])('%s: as %s, itself', async (flag, name) => {
    const folder = place({ 'a.json': CONTRACT, 'b.json': CONTRACT_FILLED });
    chmodSync(join(folder, 'a.json'), 0o604);
    const before = statSync(join(folder, 'a.json'));
    const { code } = await run(['fill', '--write', flag, '--quiet', 'a.json', 'b.json'], folder);
    // What is not written has no backup.
    expect([code, readdirSync(folder)]).toEqual([0, ['a.json', name, 'b.json']]);
    expect([text(folder, 'a.json'), text(folder, name)]).toEqual([CONTRACT_FILLED, CONTRACT]);
    const { ino, mode, mtimeMs } = statSync(join(folder, name));
    expect([ino, mode, mtimeMs]).toEqual([before.ino, before.mode, before.mtimeMs]);
  });

  it('beside the file that a link leads to', async () => {
    const folder = place({ 'far/a.json': CONTRACT });
    symlinkSync('far/a.json', join(folder, 'link.json'));
    await run(['fill', '--write', '--backup', '--quiet', 'link.json'], folder);
    expect([readdirSync(folder), readdirSync(join(folder, 'far'))]).toEqual([
      ['far', 'link.json'],
      ['a.json', 'a.json~'],
    ]);
    expect(text(folder, 'far/a.json~')).toBe(CONTRACT);
  });

  it('in the place of an older backup, be it another name of the file or a link', async () => {
    const folder = place({
      'a.json': CONTRACT,
      'b.json': CONTRACT,
      'c.json': CONTRACT,
      'c.json~': 'older',
      d: 'd',
    });
    linkSync(join(folder, 'a.json'), join(folder, 'a.json~'));
    symlinkSync('d', join(folder, 'b.json~'));
    const names = ['a.json', 'b.json', 'c.json'];
    const { code } = await run(['fill', '--write', '--backup', '--quiet', ...names], folder);
    expect([code, readdirSync(folder)]).toEqual([0, [...names.flatMap((name) => [name, `${name}~`]), 'd']]);
    for (const name of names)
      expect([text(folder, name), text(folder, `${name}~`)]).toEqual([CONTRACT_FILLED, CONTRACT]);
    expect([lstatSync(join(folder, 'b.json~')).isFile(), text(folder, 'd')]).toEqual([true, 'd']);
  });

  it('under all of its names, if two of them are filled', async () => {
    const folder = place({ 'a.json': CONTRACT });
    linkSync(join(folder, 'a.json'), join(folder, 'b.json'));
    const { code } = await run(['fill', '--write', '--backup', '--quiet', 'a.json', 'b.json'], folder);
    expect(code).toBe(0);
    for (const name of ['a.json', 'b.json'])
      expect([text(folder, name), text(folder, `${name}~`)]).toEqual([CONTRACT_FILLED, CONTRACT]);
  });

  const cp = needs('GNU cp');

  it.skipIf(cp.missing)(
    `as a copy with its mode and time, if there are no hard links${cp.note}`,
    async () => {
      const folder = place({ 'a.json': BEFORE });
      chmodSync(join(folder, 'a.json'), 0o640);
      const before = statSync(join(folder, 'a.json'));
      const disk = diskWith((name, call) => (name === 'linkSync' ? deny() : call()));
      expect(await rewrite(folder, disk)).toBe(null);
      const copy = statSync(join(folder, 'a.json~'));
      expect([copy.mode, copy.mtimeMs, copy.ino === before.ino]).toEqual([
        before.mode,
        before.mtimeMs,
        false,
      ]);
      expect(readFileSync(join(folder, 'a.json~')).equals(BEFORE)).toBe(true);
      expect(readFileSync(join(folder, 'a.json')).equals(AFTER)).toBe(true);
      expect(readdirSync(folder)).toEqual(['a.json', 'a.json~']);
    },
  );
});

describe('nothing is lost', () => {
  it('if the backup has no place: then the file is left as it is', async () => {
    const folder = place({ 'a.json': CONTRACT });
    mkdirSync(join(folder, 'a.json~'));
    const { code, stderr } = await run(['fill', '--write', '--backup', '--quiet', 'a.json'], folder);
    expect([code, stderr]).toEqual([
      2,
      'paylint: a.json: cannot be written: its backup cannot be written: is a folder, not a file\n',
    ]);
    expect([text(folder, 'a.json'), readdirSync(folder)]).toEqual([CONTRACT, ['a.json', 'a.json~']]);
  });

  it('if the file cannot be replaced: the backup is whole', async () => {
    const folder = place({ 'a.json': BEFORE });
    const disk = diskWith(
      (name, call, [, to]) =>
        name === 'renameSync' && String(to).endsWith('a.json') ? deny('EBUSY') : call(),
      withoutCp,
    );
    expect(await rewrite(folder, disk)).toMatch(/^cannot be written: the file is a mount point/);
    for (const name of ['a.json', 'a.json~'])
      expect(readFileSync(join(folder, name)).equals(BEFORE)).toBe(true);
  });

  it('if the file changes while its backup is copied: the older backup stays', async () => {
    const folder = place({ 'a.json': BEFORE, 'a.json~': 'older' });
    const disk = diskWith((name, call) => {
      if (name === 'futimesSync') writeFileSync(join(folder, 'a.json'), 'edited');
      return call();
    }, noLinks);
    expect(await rewrite(folder, disk)).toBe('was changed while it was read, and is left as it is');
    expect([text(folder, 'a.json'), text(folder, 'a.json~')]).toEqual(['edited', 'older']);
    expect(readdirSync(folder)).toEqual(['a.json', 'a.json~']);
  });

  it('if a file was changed meanwhile: it has no backup either', async () => {
    const folder = place({ 'a.json': BEFORE });
    const [source] = sourcesIn(folder);
    const target = new InPlaceDestination([source!], read, { backup: '~' });
    const failure = await write(target, source!, () => writeFileSync(join(folder, 'a.json'), 'edited'));
    expect(failure).toBe('was changed while it was read, and is left as it is');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});

describe('a backup is not filled', () => {
  it('if a folder or a glob finds it beside its file', async () => {
    const folder = place({ 'a.json': CONTRACT, 'a.bak.json': CONTRACT });
    const args = ['fill', '--write', '--backup=.bak.json', '--quiet'];
    writeFileSync(join(folder, 'a.json.bak.json'), 'older');
    for (const path of ['.', '*.json']) {
      writeFileSync(join(folder, 'a.json'), CONTRACT);
      const { code, stderr } = await run([...args, path], folder);
      expect([code, stderr]).toEqual([0, '']);
      expect([text(folder, 'a.json'), text(folder, 'a.json.bak.json')]).toEqual([CONTRACT_FILLED, CONTRACT]);
    }
    // What has no file beside it is no backup.
    expect(text(folder, 'a.bak.json')).toBe(CONTRACT_FILLED);
    const list = await run([...args, '--list-files', '.'], folder);
    expect(list.stdout.toString()).toBe('a.bak.json\na.json\n');
  });

  it('and cannot be named together with its file', async () => {
    const folder = place({ 'a.json': CONTRACT, 'a.json~': CONTRACT });
    const { code, stderr } = await run(['fill', '--write', '--backup', 'a.json', 'a.json~'], folder);
    expect([code, stderr]).toEqual([
      2,
      'paylint: a.json~ is where the backup of another file goes: leave one of them out, or take another --backup=SUFFIX\n',
    ]);
    expect([text(folder, 'a.json'), text(folder, 'a.json~')]).toEqual([CONTRACT, CONTRACT]);
    expect((await run(['fill', '--write', '--quiet', '--backup', 'a.json~'], folder)).code).toBe(0);
  });
});

describe('the flag', () => {
  const SLASH = (suffix: string): string =>
    `--backup=${suffix}: the backup is in the folder of its file, so its suffix has no slash`;

  it.each([
    ['--backup=', '--backup= needs a suffix, such as --backup=.old'],
    ['--backup=/old', SLASH('/old')],
    ['--backup=../x', SLASH('../x')],
    ['--backup=a\\b', SLASH('a\\b')],
  ])('%s is refused', async (flag, message) => {
    const folder = place({ 'a.json': CONTRACT });
    const { code, stderr } = await run(['fill', '--write', flag, 'a.json'], folder);
    expect([code, stderr]).toEqual([2, `paylint: ${message}\n`]);
    expect([text(folder, 'a.json'), readdirSync(folder)]).toEqual([CONTRACT, ['a.json']]);
  });

  it('is refused without --write', async () => {
    const folder = place({ 'a.json': CONTRACT });
    const { code, stderr } = await run(['fill', '--backup', 'a.json'], folder);
    expect([code, stderr]).toEqual([2, 'paylint: --backup goes with --write\n']);
  });

  it('does not take the path after it for its suffix', async () => {
    const folder = place({ 'a.json': CONTRACT, '--backup': CONTRACT });
    const { code } = await run(['fill', '--write', '--quiet', '--backup', 'a.json'], folder);
    expect([code, readdirSync(folder)]).toEqual([0, ['--backup', 'a.json', 'a.json~']]);
    // After `--` it is a file.
    expect((await run(['fill', '--write', '--quiet', '--', '--backup'], folder)).code).toBe(0);
    expect([text(folder, '--backup'), readdirSync(folder).length]).toEqual([CONTRACT_FILLED, 3]);
  });
});
