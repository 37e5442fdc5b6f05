/**
 * paylint as a process on machines that refuse something: descriptors, folders, memory, and what Node itself does not allow.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, type Outcome, outcomeOf, sh } from '../spawned.ts';
import { isRoot, needs } from '../tools.ts';

const VALID = '{"@context":"c","@type":"t","emoji":"x"}';
const INVALID = '{"@context":"c","@type":"t","emoji":1}';

/** Enough work for threads. */
const MANY = 40_000;

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'paylint-refused-'));
  chmodSync(cwd, 0o755);
  writeFileSync(join(cwd, 'valid.json'), VALID);
  writeFileSync(join(cwd, 'invalid.json'), INVALID);
  writeFileSync(join(cwd, 'many.ndjson'), `${INVALID}\n`.repeat(MANY));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function run(args: readonly string[], options: SpawnOptions = {}, flags: readonly string[] = []): Promise<Outcome> {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' };
  return outcomeOf(spawn(process.execPath, [...flags, BIN, ...args], { cwd, env, ...options }));
}

const LINE = ['validate', '--format', 'line', '--quiet'];
const FOUND = 'invalid.json:1:37: type expected a string, found 1\n';

const SHARED = [...LINE, 'many.ndjson', '--threads', '4', '--max-violations', '1'];
const SHARED_OUTCOME: Outcome = {
  code: 1,
  stdout: `many.ndjson:1:37: type expected a string, found 1\n… and 39,999 more: type 39,999\n  in many.ndjson 39,999; --max-violations 0 shows all\n`,
  stderr: '',
};

describe('standard streams', () => {
  async function runOn(args: readonly string[], stream: 0 | 1 | 2, path: string, flags: string): Promise<Outcome> {
    const fd = openSync(join(cwd, path), flags);
    const stdio: (number | 'pipe')[] = ['pipe', 'pipe', 'pipe'];
    stdio[stream] = fd;
    try {
      return await run(args, { stdio });
    } finally {
      closeSync(fd);
    }
  }

  it('standard input that is a folder', async () => {
    expect(await runOn([...LINE, '-'], 0, '.', 'r')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'paylint: <stdin>: is a folder, not a file\n',
    });
  });

  it('standard input that is open only for writing', async () => {
    expect(await runOn([...LINE, '-'], 0, 'written', 'w')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'paylint: <stdin>: it is closed, or not open for this\n',
    });
  });

  it('standard output that is open only for reading', async () => {
    expect(await runOn([...LINE, 'invalid.json'], 1, 'valid.json', 'r')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'paylint: cannot write to standard output: it is closed, or not open for this\n',
    });
  });

  it('standard error that is open only for reading changes nothing', async () => {
    expect(await runOn([...LINE, 'invalid.json', 'none.json'], 2, 'valid.json', 'r')).toEqual({
      code: 2,
      stdout: FOUND,
      stderr: '',
    });
  });
});

describe('a working directory that is gone', () => {
  const gone = 'paylint: the working directory cannot be found: no such file or folder\n';

  it.each([
    ['validate a.json', { code: 2, stdout: '', stderr: gone }],
    ['explain type', { code: 2, stdout: '', stderr: gone }],
    ['--version', { code: 0, stderr: '' }],
  ])('%s', async (line, expected) => {
    const folder = mkdtempSync(join(cwd, 'gone-'));
    const remove = `"$NODE" -e 'require("node:fs").rmdirSync(process.cwd())'`;
    expect(await sh(folder, `${remove} && paylint ${line}`)).toMatchObject(expected);
  });
});

describe('Node without WebAssembly', () => {
  it('is told apart from a bug', async () => {
    const { code, stdout, stderr } = await run([...LINE, 'valid.json'], {}, ['--jitless']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^(?:Warning: .*\n)?paylint: this Node runs without WebAssembly, which paylint needs; .*\n$/,
    );
  });
});

describe("Node's permission model", () => {
  const name = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const own = `--allow-fs-read=${dirname(dirname(BIN))}/*`;
  const refused = (flag: string): string =>
    `permission denied by Node, which runs with --permission; ${flag} allows it`;

  it.each([
    ['a file', [own], ['valid.json'], `valid.json: ${refused('--allow-fs-read')}`],
    ['a folder', [own], ['.'], `.: ${refused('--allow-fs-read')}`],
    ['the folder of a glob', [own], ['*.json'], `.: cannot list this folder: ${refused('--allow-fs-read')}`],
    ['a config', [own], ['valid.json', '--config', 'c'], `cannot read the config c: ${refused('--allow-fs-read')}`],
    ['a schema', [own], ['valid.json', '--schema', 's'], `cannot read the schema s: ${refused('--allow-fs-read')}`],
    [
      'a report',
      ['--allow-fs-read=*'],
      ['valid.json', '--format', 'json=report.json'],
      `cannot write to report.json: ${refused('--allow-fs-write')}`,
    ],
  ])('refuses %s', async (_, flags, args, words) => {
    expect(await run([...LINE, ...args], {}, [name, ...flags])).toEqual({
      code: 2,
      stdout: '',
      stderr: `paylint: ${words}\n`,
    });
  });

  it('refuses threads, which are done without', async () => {
    expect(await run(SHARED, {}, [name, '--allow-fs-read=*'])).toEqual(SHARED_OUTCOME);
  });
});

describe('limits of memory', () => {
  /** In KiB. Under the first, Node 20 cannot reserve a WebAssembly memory; under the others, one and two. */
  it.each([4_000_000, 12_500_000, 24_000_000])('ulimit -v %d', async (limit) => {
    const outcome = await sh(cwd, `ulimit -v ${limit}; paylint ${SHARED.join(' ')}`);
    const none =
      'paylint: there is not enough address space for WebAssembly, which reserves 10 GB and uses little of it; ' +
      'raise the limit (ulimit -v), or set NODE_OPTIONS=--disable-wasm-trap-handler\n';
    // Later versions of Node do with less.
    const isRefused = limit === 4_000_000 && outcome.code === 2;
    expect(outcome).toEqual(isRefused ? { code: 2, stdout: '', stderr: none } : SHARED_OUTCOME);
  });
});

describe('a user without rights', () => {
  const options = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const user = needs('an unprivileged user');

  it.skipIf(user.missing)(`a report in a folder that cannot be entered${user.note}`, async () => {
    mkdirSync(join(cwd, 'locked'));
    chmodSync(join(cwd, 'locked'), 0);
    expect(await run([...LINE, 'valid.json', '--format', 'ndjson=locked/report'], options)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'paylint: cannot write to locked/report: permission denied\n',
    });
  });

  it.skipIf(user.missing)(`payloads in a folder that can be listed and not entered${user.note}`, async () => {
    mkdirSync(join(cwd, 'listed'));
    writeFileSync(join(cwd, 'listed', 'a.json'), VALID);
    chmodSync(join(cwd, 'listed'), isRoot ? 0o744 : 0o444);
    const report = openSync(join(cwd, 'report'), 'w');
    // With the report in a file, every source is compared with it.
    const { code, stderr } = await run([...LINE, 'listed', 'invalid.json'], {
      ...options,
      stdio: ['ignore', report, 'pipe'],
    });
    closeSync(report);
    chmodSync(join(cwd, 'listed'), 0o755);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'paylint: listed/a.json: permission denied\n' });
  });

  it.skipIf(user.missing)(`a config and a schema that cannot be read${user.note}`, async () => {
    for (const name of ['secret.config.json', 'secret.schema.json']) {
      writeFileSync(join(cwd, name), '{}');
      chmodSync(join(cwd, name), 0);
    }
    const config = await run([...LINE, 'valid.json', '--config', 'secret.config.json'], options);
    expect(config.stderr).toBe('paylint: cannot read the config secret.config.json: permission denied\n');
    const schema = await run([...LINE, 'valid.json', '--schema', 'locked/schema.json'], options);
    expect(schema.stderr).toBe('paylint: cannot read the schema locked/schema.json: permission denied\n');
    expect([config.code, schema.code]).toEqual([2, 2]);
  });
});

describe('a heap that is too small for a payload', () => {
  it('makes it a failure, and the others are checked', async () => {
    const schema = { type: 'array', items: { type: 'object', properties: { a: { default: 1 } } } };
    writeFileSync(join(cwd, 'filled.schema.json'), JSON.stringify(schema));
    const large = `[${Array(600_000).fill('{}').join(',')}]`;
    writeFileSync(join(cwd, 'heap.ndjson'), `[{}]\n${large}\n[{}]\n`);
    const args = ['fill', '--schema', 'filled.schema.json', 'heap.ndjson'];
    const { code, stdout, stderr } = await run(args, {}, ['--max-old-space-size=60']);
    expect(stderr).toContain('payload 1 (line 2) could not be checked: there is not enough memory');
    expect(stdout.split('\n').map((line) => line.slice(0, 9))).toEqual(['[{"a":1}]', '[{},{},{}', '[{"a":1}]', '']);
    expect(code).toBe(2);
  });
});
