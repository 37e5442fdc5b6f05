/**
 * Machines that refuse something, and Nodes that were started in unusual ways: plain words and exit code 2, or the rest is done;
 * never "this is a bug in paylint".
 */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EnvironmentError } from '../../src/errors.ts';
import { threadsWithin } from '../../src/run/workers/thread-count.ts';
import { environmentFault, wordsFor } from '../../src/source/system-errors.ts';
import { reserveMemory } from '../../src/source/window.ts';
import { paylint } from '../world.ts';

const VALID = '{"@context":"c","@type":"t","emoji":"x"}';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'paylint-environment-'));
  writeFileSync(join(cwd, 'valid.json'), VALID);
});
afterAll(() => rmSync(cwd, { recursive: true }));

const withFacts = (message: string, facts: object, name = 'Error'): Error =>
  Object.assign(new Error(message), { name }, facts);

describe('a fault', () => {
  it.each([
    [
      withFacts('open', { code: 'EMFILE', errno: -24, syscall: 'open', path: '/a' }),
      '/a: too many open files in this process (open)',
    ],
    [
      withFacts('x', { code: 'EIO', errno: -5, syscall: 'read' }),
      'input/output error: the device or network drive did not deliver (read)',
    ],
    [
      withFacts('x', { code: 'ENOENT', errno: -2, syscall: 'uv_cwd' }),
      'the working directory cannot be found: no such file or folder',
    ],
    [
      withFacts('x', { code: 'ERR_ACCESS_DENIED', permission: 'FileSystemRead', resource: '/a' }),
      '/a: permission denied by Node, which runs with --permission; --allow-fs-read allows it',
    ],
    [
      withFacts('Requires env access, run again with the --allow-env flag', { name: 'NotCapable' }),
      'permission denied: Requires env access, run again with the --allow-env flag',
    ],
    [withFacts('x', { code: 'ERR_ACCESS_DENIED' }), 'permission denied by Node, which runs with --permission'],
    [
      withFacts('the limit is reached', { code: 'ERR_WORKER_OUT_OF_MEMORY' }),
      'there is not enough memory (the limit is reached)',
    ],
    [new RangeError('Array buffer allocation failed'), 'there is not enough memory (Array buffer allocation failed)'],
    [new RangeError('Invalid string length'), 'there is not enough memory (Invalid string length)'],
    [
      withFacts('WebAssembly.Instance(): Out of memory: x', {}, 'RuntimeError'),
      'there is not enough memory (WebAssembly.Instance(): Out of memory: x)',
    ],
    [withFacts('EAGAIN', { code: 'ERR_WORKER_INIT_FAILED' }), 'a thread could not be started: EAGAIN'],
    [
      withFacts('Compiling function #0 failed: Wasm SIMD unsupported @+5', {}, 'CompileError'),
      'this processor has no SIMD for WebAssembly, which paylint needs',
    ],
    // From a thread, where the class gets lost.
    [withFacts('no room', {}, 'EnvironmentError'), 'no room'],
  ])('of the environment has plain words: %s', (error, words) => expect(environmentFault(error)).toBe(words));

  it.each([
    new TypeError('x is not a function'),
    new RangeError('Invalid array length'),
    withFacts('Compiling function #0 failed: type error', {}, 'CompileError'),
    withFacts('x', { code: 'ERR_INVALID_ARG_TYPE' }),
    'out of memory',
  ])('of ours has none: %s', (error) => expect(environmentFault(error)).toBe(null));
});

describe('memory for WebAssembly', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is there', () => expect(reserveMemory(2).buffer.byteLength).toBe(2 << 16));

  it('that cannot be reserved', () => {
    const Memory = class {
      constructor() {
        throw new RangeError('WebAssembly.Memory(): could not allocate memory');
      }
    };
    vi.stubGlobal('WebAssembly', { ...WebAssembly, Memory });
    expect(() => reserveMemory(2)).toThrow(EnvironmentError);
    expect(() => reserveMemory(2)).toThrow(/^there is not enough address space for WebAssembly.*ulimit -v/);
  });

  it('in a Node without it: exit code 2 with one message', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(await paylint(['validate', 'valid.json'], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'paylint: this Node runs without WebAssembly, which paylint needs; leave out --jitless and --no-expose-wasm\n',
    });
  });

  it('that cannot grow for a large payload: a failure of its file, and the others are checked', async () => {
    writeFileSync(join(cwd, 'large.json'), VALID.replace('x', 'x'.repeat(3 << 20)));
    const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
      throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
    });
    const { code, stdout, stderr } = await paylint(['validate', 'large.json', 'valid.json'], { cwd });
    expect(grow).toHaveBeenCalled();
    grow.mockRestore();
    expect(stderr).toMatch(
      /^paylint: large\.json: there is no memory for the rest of a payload of more than \d MiB; --max-payload-bytes sets a limit\n$/,
    );
    expect(stdout).toMatch(/^✗ 1 payload valid in 2 files · 1 failure · /);
    expect(code).toBe(2);
  });
});

describe('names that no file can have, or that cannot be looked at', () => {
  const LONG = 'a'.repeat(300);

  it('a report with a name that is too long', async () => {
    const { code, stderr } = await paylint(['validate', 'valid.json', '--format', `ndjson=${LONG}`], { cwd });
    expect(stderr).toBe(`paylint: cannot write to ${LONG}: its name is too long for this file system\n`);
    expect(code).toBe(2);
  });

  it('a report whose name has a NUL character', async () => {
    writeFileSync(join(cwd, 'nul.config.json'), JSON.stringify({ format: 'ndjson=a\0b' }));
    const args = ['validate', 'valid.json', '--config', 'nul.config.json'];
    expect(await paylint(args, { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'paylint: cannot write to a\\u0000b: a path cannot contain a NUL character\n',
    });
  });

  it('a schema whose name has a NUL character, or is too long', async () => {
    for (const [schema, words] of [
      ['a\0b', 'a\\u0000b: a path cannot contain a NUL character'],
      [LONG, `${LONG}: its name is too long for this file system`],
    ] as const) {
      writeFileSync(join(cwd, 'nul.config.json'), JSON.stringify({ schema }));
      const args = ['validate', 'valid.json', '--config', 'nul.config.json'];
      expect(await paylint(args, { cwd })).toEqual({
        code: 2,
        stdout: '',
        stderr: `paylint: nul.config.json#/schema: cannot read the schema ${words}\n`,
      });
    }
  });

  it('a path with a NUL character is a failure, and the others are checked', async () => {
    const { code, stderr } = await paylint(['validate', 'a\0b.json', 'valid.json', '--quiet'], { cwd });
    expect(stderr).toBe('paylint: a\\u0000b.json: a path cannot contain a NUL character\n');
    expect(code).toBe(2);
  });
});

describe.skipIf(sep === '\\')('a config that is a link', () => {
  it.each([
    ['to nothing', '../shared/paylint.config.json', 'broken symbolic link'],
    ['to itself', 'paylint.config.json', 'too many symbolic links, or links that lead in a circle'],
  ])('%s is not taken for none', async (_, target, words) => {
    const folder = mkdtempSync(join(cwd, 'linked-'));
    mkdirSync(join(folder, 'in'));
    symlinkSync(target, join(folder, 'paylint.config.json'));
    writeFileSync(join(folder, 'in/valid.json'), VALID);
    const stderr = `paylint: cannot read the config ../paylint.config.json: ${words}\n`;
    const args = ['validate', 'valid.json'];
    expect(await paylint(args, { cwd: join(folder, 'in') })).toEqual({ code: 2, stdout: '', stderr });
    const { code } = await paylint([...args, '--no-config'], { cwd: join(folder, 'in') });
    expect(code).toBe(0);
  });
});

describe.skipIf(sep === '\\')('a backslash in a name', () => {
  it('separates nothing, for the globs of a config and of the command line', async () => {
    const folder = join(cwd, 'backslash');
    mkdirSync(join(folder, 'old'), { recursive: true });
    for (const name of ['old\\a.json', 'old/a.json', 'b.json']) writeFileSync(join(folder, name), VALID);
    writeFileSync(join(folder, 'paylint.config.json'), JSON.stringify({ ignore: ['old/a.json'] }));
    const listed = async (...args: string[]): Promise<string> =>
      (await paylint(['validate', '.', '--list-files', ...args], { cwd: folder })).stdout;
    expect(await listed()).toBe('b.json\nold\\a.json\n');
    // It is an escape, as in a .gitignore.
    expect(await listed('--ignore', 'old\\\\a.json', '--no-config')).toBe('b.json\nold/a.json\n');
    expect(await listed('--ignore', 'old\\a.json', '--no-config')).toBe('b.json\nold/a.json\nold\\a.json\n');
  });
});

/** Names as bytes: Linux takes any, and others refuse those that are not UTF-8. */
const notUtf8 = (folder: string, before: string, after: string): Buffer =>
  Buffer.concat([Buffer.from(join(folder, before)), Buffer.from([0xff]), Buffer.from(after)]);

function makesSuchNames(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-names-'));
  try {
    writeFileSync(notUtf8(folder, 'a', ''), '');
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const note = makesSuchNames() ? '' : ' (needs names that are not UTF-8)';

describe.skipIf(note !== '')(`names that are not UTF-8${note}`, () => {
  const WORDS = 'no such file or folder; if its name is not valid UTF-8, rename it';
  let folder: string;
  beforeAll(() => {
    folder = join(cwd, 'names');
    mkdirSync(folder);
    writeFileSync(notUtf8(folder, 'file', '.json'), VALID);
    mkdirSync(notUtf8(folder, 'folder', ''));
    writeFileSync(notUtf8(folder, 'folder', '/inside.json'), VALID);
    symlinkSync('../valid.json', notUtf8(folder, 'link', '.json'));
    writeFileSync(join(folder, 'fine\ufffd.json'), VALID);
  });

  it('are failures that say so, and the others are checked', async () => {
    const { code, stdout, stderr } = await paylint(['validate', '.'], { cwd: folder });
    expect(stderr.split('\n').sort()).toEqual([
      '',
      `paylint: file\ufffd.json: ${WORDS}`,
      `paylint: folder\ufffd: cannot list this folder: ${WORDS}`,
      `paylint: link\ufffd.json: ${WORDS}`,
    ]);
    expect(stdout).toMatch(/^✗ 1 payload valid · 3 failures/);
    expect(code).toBe(2);
  });

  it('are failures if a glob finds them, or if they are typed', async () => {
    for (const path of ['file*', '[f]ile*.json', 'file\ufffd.json']) {
      const { stderr } = await paylint(['validate', path, '--quiet'], { cwd: folder });
      expect(stderr).toBe(`paylint: file\ufffd.json: ${WORDS}\n`);
    }
  });

  it('other missing files are only missing', () => {
    expect(wordsFor(withFacts('x', { code: 'ENOENT', path: '/a/é' }))).toBe('no such file or folder');
  });
});

describe('room for threads', () => {
  const limits = (files: string, addresses: string): string =>
    `Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max open files            ${files.padEnd(20)} 1048576              files     
Max address space         ${addresses.padEnd(20)} unlimited            bytes     
`;
  const GIB = 2 ** 30;
  const status = `Name:\tnode\nVmPeak:\t99999999 kB\nVmSize:\t${GIB / 1024} kB\nVmLck:\t0 kB\n`;

  it.each([
    ['unlimited', 'unlimited', 20, Number.POSITIVE_INFINITY],
    ['64', 'unlimited', 20, 2],
    ['64', 'unlimited', 60, 0],
    ['unlimited', `${13 * GIB}`, 20, 1],
    ['unlimited', `${13 * GIB - 1}`, 20, 0],
    ['unlimited', `${60 * GIB}`, 20, 4],
    ['64', `${60 * GIB}`, 20, 2],
  ])('of %s files and %s addresses, %d files open: %d', (files, addresses, open, room) => {
    expect(threadsWithin(limits(files, addresses), open, status)).toBe(room);
  });
});
