/**
 * Programs of the system in tests: none can be used that was not asked for, and one that is missing is named, or is an error in CI.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pathOf } from '../scripts/programs.js';
import { skippedLines } from './skipped.ts';
import { FIRST_LINE, piped, sh } from './spawned.ts';
import { needs, UNPRIVILEGED } from './tools.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a line of shell', () => {
  it('finds Node and paylint', async () => {
    const { code, stdout } = await sh('/', 'paylint --version && node --version');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\d.]+\nv[\d.]+\n$/)]);
  });

  it.each(['cat', 'head', 'git', 'bash'])('does not find %s, wherever it may be', async (program) => {
    const { code, stderr } = await sh('/', `${program} --version`);
    expect([code, stderr]).toEqual([127, expect.stringContaining('not found')]);
  });

  const cat = needs('cat');
  it.skipIf(cat.missing)(`finds what it needs${cat.note}`, async () => {
    expect(await sh('/', 'echo it | cat', cat)).toEqual({ code: 0, stdout: 'it\n', stderr: '' });
  });

  const user = needs('an unprivileged user', 'cat');
  it.skipIf(user.missing)(`finds it as an unprivileged user, too${user.note}`, async () => {
    const line = `echo it | ${UNPRIVILEGED.join(' ')} /bin/sh -c cat`;
    expect(await sh('/', line, user)).toEqual({ code: 0, stdout: 'it\n', stderr: '' });
  });

  it('in a pipe ends with the code of its writer, and shows what its reader prints', async () => {
    expect(await piped('/', 'echo one; echo two; exit 3', FIRST_LINE)).toMatchObject({ stdout: 'one\n', stderr: '' });
    const { code } = await piped('/', '(exit 3)', 'read -r _');
    expect(code).toBe(3);
  });
});

describe('a program that is missing', () => {
  it('is named in titles', () => {
    vi.stubEnv('CI', '');
    expect(needs('no-such-program', 'sh')).toMatchObject({ missing: true, note: ' (needs no-such-program)' });
    expect(needs('sh')).toMatchObject({ missing: false, note: '' });
  });

  it('is an error in CI', () => {
    vi.stubEnv('CI', 'true');
    expect(() => needs('no-such-program', 'sh')).toThrow('no-such-program is missing: in CI no test is skipped');
    expect(needs('sh').missing).toBe(false);
  });

  it('is an error in CI if it is one of a power, which may be refused', async () => {
    vi.stubEnv('CI', 'true');
    vi.stubEnv('PATH', '/no-such-folder');
    vi.resetModules();
    const fresh = await import('./tools.ts');
    expect(() => fresh.needs('access control lists')).toThrow('getfacl, setfacl is missing: in CI');
  });

  it('is looked for in every folder of the PATH, and a folder of its name is none', () => {
    expect(pathOf('sh', `/no-such-folder:relative:${process.env.PATH}`)).toBe(pathOf('sh'));
    expect(pathOf('tmp', '/')).toBe(null);
  });

  it('has one line at the end, with the tests that it was needed for', () => {
    const module = (relativeModuleId: string, ...names: string[]) => ({
      relativeModuleId,
      children: { allTests: () => names.map((fullName) => ({ fullName })) },
    });
    const modules = [
      module('a.test.ts', 'x > y (needs git, patch)', 'z (needs git, patch)', 'left out for another reason'),
      module('b.test.ts', 'x (needs git, patch) > y', 'z (needs mkfifo)'),
    ];
    expect(skippedLines(modules)).toEqual([
      'not tested without git, patch: a.test.ts (2 tests), b.test.ts (1 test)',
      'not tested without mkfifo: b.test.ts (1 test)',
    ]);
    expect(skippedLines([])).toEqual([]);
  });
});
