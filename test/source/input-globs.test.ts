import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileAnchoredGlob, compileGlob, ignoreTest } from '../../src/source/globs.ts';
import { needs, SCRATCH } from '../tools.ts';

/** Glob, path, whether it matches. */
type Row = readonly [string, string, boolean];

describe('compileGlob reads a glob of the config', () => {
  const rows: readonly Row[] = [
    // Without a slash: any name at any depth, and all below a folder of that name.
    ['a.json', 'a.json', true],
    ['a.json', 'x/y/a.json', true],
    ['a.json', 'ba.json', false],
    ['old', 'x/old/y/a.json', true],
    ['old', 'x/older/a.json', false],
    ['*.min.json', 'x/y/a.min.json', true],
    ['*.json', 'x/.hidden.json', true],
    ['{a,b}.json', 'x/b.json', true],
    ['old', '../x/old/a.json', true],
    ['*', '../a.json', true],
    ['..', '../a.json', false],
    // With one: the path from the working directory.
    ['x/a.json', 'x/a.json', true],
    ['x/a.json', 'y/x/a.json', false],
    ['x/*.json', 'x/y/a.json', false],
    ['x/old', 'x/old/y/a.json', true],
    ['x/**', 'x/.y/a.json', true],
    ['**/tmp/*.json', 'tmp/a.json', true],
    ['**/tmp/*.json', 'x/y/tmp/a.json', true],
    ['**/tmp/*.json', '../x/tmp/a.json', true],
    ['../x/*.json', '../x/a.json', true],
    ['../x', '../x/y/a.json', true],
    ['../x', '../y/a.json', false],
    ['/a.json', 'a.json', true],
    ['/a.json', 'x/a.json', false],
    ['/srv/old', '/srv/old/a.json', true],
    // What does not count, and what is not special.
    ['./x/a.json', 'x/a.json', true],
    ['./a.json', 'x/a.json', true],
    ['old/', 'x/old/a.json', true],
    ['x/old//', 'x/old/a.json', true],
    ['[a].json', 'a.json', true],
    ['[a].json', 'x/[a].json', true],
    ['x/[', 'x/[', true],
    ['!a.json', 'b.json', false],
    ['!a.json', '!a.json', true],
    ['!(a).json', 'b.json', true],
    ['!(a).json', 'a.json', false],
    ['', 'a.json', false],
    ['.', 'a.json', false],
    ['./', 'a.json', false],
    ['/', 'a.json', false],
  ];
  test.each(rows)('%s on %s: %s', (glob, path, matches) => {
    expect(compileGlob(glob)(path)).toBe(matches);
  });
});

describe('compileAnchoredGlob reads a glob as fast-glob does', () => {
  const rows: readonly Row[] = [
    ['a.json', 'a.json', true],
    ['a.json', 'x/a.json', false],
    ['*.json', 'x/a.json', false],
    ['**/a.json', 'a.json', true],
    ['**/a.json', '../x/a.json', true],
    ['x', 'x/y/a.json', true],
    ['x/', 'x/y/a.json', true],
    ['./x/**', 'x/.y/a.json', true],
    ['/srv/*.json', '/srv/a.json', true],
    ['/srv', '/srv/x/a.json', true],
    ['', 'a.json', false],
  ];
  test.each(rows)('%s on %s: %s', (glob, path, matches) => {
    expect(compileAnchoredGlob(glob)(path)).toBe(matches);
  });
});

describe('a backslash', () => {
  const rows: readonly (readonly [string, string, string, boolean])[] = [
    // As a separator of Windows.
    ['\\', 'payloads\\old\\**', 'payloads/old/x/a.json', true],
    ['\\', 'payloads\\old', 'payloads/old/a.json', true],
    ['\\', 'payloads\\old', 'payloads/older/a.json', false],
    ['\\', '**\\tmp\\*.json', 'x/tmp/a.json', true],
    ['\\', '.\\a.json', 'x/a.json', true],
    ['\\', 'old\\', 'x/old/a.json', true],
    ['\\', 'payloads/old/**', 'payloads/old/a.json', true],
    ['\\', 'C:\\data\\old', 'C:/data/old/a.json', true],
    // As an escape, everywhere else.
    ['/', 'a\\*.json', 'a*.json', true],
    ['/', 'a\\*.json', 'ab.json', false],
    ['/', 'payloads\\old', 'payloads/old/a.json', false],
  ];
  test.each(rows)('where %s separates names: %s on %s: %s', (separator, glob, path, matches) => {
    expect(compileGlob(glob, separator)(path)).toBe(matches);
  });

  test('does the same where a glob is read as fast-glob reads it', () => {
    expect(compileAnchoredGlob('x\\**', '\\')('x/a.json')).toBe(true);
    expect(compileAnchoredGlob('x\\**', '/')('x/a.json')).toBe(false);
  });
});

const git = needs('git');

describe.skipIf(git.missing)(`ignoreTest does what git does${git.note}, with the lines`, () => {
  const folder = mkdtempSync(join(SCRATCH, 'paylint-ignore-'));
  const files = [
    'a.json',
    'b.JSON',
    '!a.json',
    '#a.json',
    '[a].json',
    '{a,b}.json',
    'a b.json',
    '.dot/a.json',
    '.a.json',
    'drafts/a.json',
    'drafts/keep/a.json',
    'drafts/keep/old/b.json',
    'old',
    'v/file.json',
    'v/b/file.json',
    'v/b/c/a.json',
    'v/old/a.json',
    'x/drafts/keep/a.json',
    'x/v/b/a.json',
  ];
  beforeAll(() => {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    git.run('git', ['init', '-q'], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [['drafts/*', '!drafts/keep']],
    [['drafts', '!drafts/keep']],
    [['drafts/**', '!drafts/keep/', '!drafts/keep/a.json']],
    [['drafts/*', '!drafts/keep', 'old']],
    [['!drafts/keep', 'drafts/*']],
    [['v/*/']],
    [['v/*']],
    [['v/**']],
    [['v/**/a.json']],
    [['**/keep']],
    [['**/b/**']],
    [['*/b']],
    [['v/b']],
    [['b/c']],
    [['/b']],
    [['/v/b/']],
    [['old/']],
    [['old']],
    [['*.json']],
    [['/*.json']],
    [['*', '!*/', '!a.json']],
    [['*', '!a.json']],
    [['/*', '!/v', '/v/*', '!/v/b']],
    [['?.json']],
    [['[ab].json']],
    [['[!a].json']],
    [['[a-c]*']],
    [['\\[a].json']],
    [['{a,b}.json']],
    [['!(a).json']],
    [['\\!a.json']],
    [['#a.json']],
    [['\\#a.json']],
    [['a b.json']],
    [['a.json ']],
    [['.*']],
    [['.dot']],
    [['**']],
    [['v//b']],
    [['/']],
    [['.']],
    [['A.JSON']],
    [['*.json', '!v/**']],
    [['v/', '!v/b/']],
    [['dra*/ke?p']],
    [['x/**/keep/*.json']],
  ])('%j', (lines) => {
    writeFileSync(join(folder, '.gitignore'), `${lines.join('\n')}\n`);
    const listed = git.run('git', ['ls-files', '-z', '--others', '--exclude-standard'], { cwd: folder });
    const ignores = ignoreTest(lines, folder);
    const left = files.filter((file) => !ignores(join(folder, file), 'file'));
    expect(left).toEqual(files.filter((file) => listed.split('\0').includes(file)));
    // A folder is entered if something in it is not ignored.
    for (const file of left) expect(ignores(join(folder, dirname(file)), 'folder')).toBe(false);
  });
});

describe('ignoreTest, where git says nothing:', () => {
  test.each([
    ['old', '/srv/old/a.json', true],
    ['work', '/work/a.json', true],
    ['*', '/srv/a.json', true],
    ['..', '/srv/a.json', false],
    ['x/a.json', '/srv/x/a.json', false],
    ['/a.json', '/srv/a.json', false],
    ['../x/*.json', '/srv/x/a.json', true],
    ['../x', '/srv/x/y/a.json', true],
    ['../x', '/srv/y/a.json', false],
    ['../*.json', '/srv/a.json', true],
    ['../*.json', '/srv/[w] k/a.json', false],
    ['/srv/old', '/srv/old/a.json', true],
    ['/srv/old', '/srv/[w] k/srv/old/a.json', true],
    ['/srv/[w] k/x', '/srv/[w] k/x/a.json', true],
    ['!/srv/[w] k/x', '/srv/[w] k/x/a.json', false],
    ['./x/a.json', '/srv/[w] k/x/a.json', true],
    ['**/tmp/*.json', '/srv/x/tmp/a.json', true],
    ['', '/srv/[w] k/a.json', false],
  ])('%s on %s: %s', (line, path, isIgnored) => {
    expect(ignoreTest([line], '/srv/[w] k')(path, 'file')).toBe(isIgnored);
  });

  test('a backslash of Windows separates', () => {
    expect(ignoreTest(['v\\old'], '/srv', '\\')('/srv/v/old/a.json', 'file')).toBe(true);
    expect(ignoreTest(['v\\old'], '/srv', '/')('/srv/v/old/a.json', 'file')).toBe(false);
  });
});
