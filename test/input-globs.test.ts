import { describe, expect, test } from 'vitest';
import { compileAnchoredGlob, compileGlob } from '../src/input/globs.ts';

/** Glob, path, whether it matches. */
type Row = readonly [string, string, boolean];

describe('compileGlob reads a glob as a line of .gitignore', () => {
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
