/** The search for the config: how far up it goes, whose files it takes; and that a config names only files inside of its folder. */
import { chmodSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nearestConfig, readNamed, requireInside } from '../../src/config/config-search.ts';
import { folderWith, ioIn } from './config-world.ts';

const NAME = 'paylint.config.json';

describe('the nearest config', () => {
  const folder = folderWith({
    [NAME]: {},
    'a/b/x': '',
    'c/paylint.config.json': {},
    'repository/.git/x': '',
    'repository/in/x': '',
  });

  it.each([
    ['a/b', NAME],
    ['c', `c/${NAME}`],
    ['repository/in', null],
  ])('of %s is %s', (cwd, expected) => {
    expect(nearestConfig(ioIn(join(folder, cwd)))).toBe(expected && join(folder, expected));
  });

  it('is not above the home folder, by whatever name', () => {
    const home = folderWith({ [NAME]: {}, 'user/project/x': '' });
    expect(nearestConfig(ioIn(join(home, 'user/project'), { env: { HOME: join(home, 'user') } }))).toBeNull();
    symlinkSync(join(home, 'user'), join(home, 'link'));
    expect(nearestConfig(ioIn(join(home, 'user/project'), { env: { HOME: join(home, 'link') } }))).toBeNull();
    // That of the home folder itself counts.
    expect(nearestConfig(ioIn(join(home, 'user/project'), { env: { HOME: home } }))).toBe(join(home, NAME));
  });

  it('may be a broken link, of which reading says what is wrong', () => {
    const broken = folderWith();
    symlinkSync('none', join(broken, NAME));
    expect(nearestConfig(ioIn(broken))).toBe(join(broken, NAME));
  });

  it('of another user is passed over, with a note; with sudo, that of who has called it is taken', () => {
    const { uid } = lstatSync(join(folder, NAME));
    const notes: string[] = [];
    const other = uid + 1;
    // A file of root is trusted by all.
    expect(nearestConfig(ioIn(join(folder, 'a'), { uid: other, notes }))).toBe(uid === 0 ? join(folder, NAME) : null);
    const words = `paylint: note: ../${NAME} belongs to another user, so it is passed over; --config ../${NAME} takes it\n`;
    expect(notes).toEqual(uid === 0 ? [] : [words]);
    expect(nearestConfig(ioIn(folder, { uid, notes }))).toBe(join(folder, NAME));
    if (uid !== 0)
      expect(nearestConfig(ioIn(folder, { uid: 0, env: { SUDO_UID: `${uid}` } }))).toBe(join(folder, NAME));
  });
});

describe('a path in a config', () => {
  const folder = folderWith({ 'in/a.json': {}, 'out.json': {} });
  const top = join(folder, 'in');
  symlinkSync('../out.json', join(top, 'leads-out'));
  symlinkSync('a.json', join(top, 'leads-in'));
  mkdirSync(join(top, 'deep'));

  it.each(['a.json', './a.json', 'deep/none.json', 'leads-in', 'none/at/all'])('%s is inside', (path) => {
    expect(() => requireInside(path, top, 'at: ')).not.toThrow();
  });

  it.each(['../out.json', 'deep/../a.json', '/etc/passwd', 'C:\\a', 'c:a', '\\\\host\\a', 'leads-out', 'a\\..\\b'])(
    '%s may be outside',
    (path) => {
      expect(() => requireInside(path, top, 'at: ', '; hint')).toThrow(
        `at: expected a path inside the folder of the config, without "..", found ${path}; hint`,
      );
    },
  );
});

describe('a file that a config names', () => {
  it('is read up to a limit, and otherwise refused in words', () => {
    const folder = folderWith({ a: 'four' });
    expect(readNamed(join(folder, 'a'), 4, 'cannot read a').toString()).toBe('four');
    expect(() => readNamed(join(folder, 'a'), 3, 'cannot read a')).toThrow(/^cannot read a: is larger than/);
    expect(() => readNamed(join(folder, 'b'), 3, 'cannot read b')).toThrow('cannot read b: no such file or folder');
    expect(() => readNamed(folder, 3, 'cannot read it')).toThrow(/^cannot read it: is a folder/);
    chmodSync(join(folder, 'a'), 0o600);
  });
});
