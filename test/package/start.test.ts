/**
 * What a start loads: for one small valid file, the bundle's entry, the compiled schemas, and next to none of Node's own modules that
 * `node -e 0` does without. Each of them takes as long as the check itself.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NODES, nodePath } from '../../scripts/nodes.js';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'paylint-start-'));
const payload = join(folder, 'one.json');
const seen = join(folder, 'seen.json');
const observer = join(folder, 'observer.cjs');

writeFileSync(payload, '{"@context":"c","@type":"Emoji","emoji":"👍"}\n');
// Reads are seen by the functions of node:fs that paylint itself calls; scripts by the cache of modules.
writeFileSync(
  observer,
  `const fs = require('node:fs');
const read = [];
const { readFileSync } = fs;
fs.readFileSync = (path, ...options) => { read.push(String(path)); return readFileSync(path, ...options); };
process.on('exit', () => {
  const scripts = Object.keys(require('node:module')._cache);
  const modules = process.moduleLoadList.map((name) => name.replace(/^(?:NativeModule|Internal Binding) /, ''));
  fs.writeFileSync(process.env.SEEN, JSON.stringify({ scripts, modules, read }));
});
`,
);

afterAll(() => rmSync(folder, { recursive: true }));

interface Seen {
  readonly scripts: readonly string[];
  readonly modules: readonly string[];
  readonly read: readonly string[];
}

/** `node`: its path; `stdout`: a path; null: a pipe. `input`: the path of what is read from standard input. */
function observe(node: string, args: readonly string[], stdout: string | null, input = '/dev/null'): Seen {
  const env = { PATH: process.env.PATH, HOME: folder, SEEN: seen, NODE_DISABLE_COMPILE_CACHE: '1' };
  const fd = stdout === null ? null : openSync(stdout, 'w');
  const stdin = openSync(input, 'r');
  const stdio = [stdin, fd ?? 'pipe', 'pipe'] as const;
  const run = spawnSync(node, ['-r', observer, ...args], { env, stdio: [...stdio], encoding: 'utf8' });
  for (const one of [stdin, fd]) if (one !== null) closeSync(one);
  expect([run.status, run.stderr.replace(/^✓ .*\n$/, '')]).toEqual([0, '']); // filter sums up there
  return JSON.parse(readFileSync(seen, 'utf8')) as Seen; // as the observer writes it
}

const START = [join(ROOT, 'bin/paylint.js'), 'validate', '--no-config', payload];

/** What signals take. */
const NEEDED = ['internal/abort_controller', 'signal_wrap'];
/** What some versions of Node load with a script in a file, and not with one on the command line. */
const OF_SCRIPTS = ['fs_dir', 'internal/fs/dir'];

describe.each(NODES)('a start of one small valid file on Node %s', (version) => {
  const note = existsSync(nodePath(version)) ? '' : ' (needs npm run nodes)';

  it.skipIf(note !== '')(
    `loads the entry of the bundle, the compiled schemas and the modules of Node that it needs, and no other${note}`,
    () => {
      const none = observe(nodePath(version), ['-e', '0'], null);
      for (const stdout of [null, '/dev/null']) {
        const { scripts, read, modules } = observe(nodePath(version), START, stdout);
        const more = modules.filter((name) => !none.modules.includes(name) && !OF_SCRIPTS.includes(name));
        expect([stdout, more.sort()]).toEqual([stdout, NEEDED]);
        const loaded = [join(ROOT, 'bin/paylint.js'), join(ROOT, 'dist/main.cjs')];
        expect(scripts.filter((path) => path !== observer)).toEqual(loaded);
        // Some versions of Node read scripts by the same function.
        expect(read.filter((path) => !loaded.includes(path))).toEqual([join(ROOT, 'dist/payload.wasm')]);
      }
    },
  );
});

/** The names of the files of the bundle that a start loads with a schema. */
function loadedFor(schema: string, file: string, text: string): string[] {
  const [path, own] = [join(folder, file), join(folder, 'schema.json')];
  writeFileSync(path, text);
  writeFileSync(own, schema);
  const args = [...START.slice(0, -1), '--exit-zero', '--quiet', '--schema', own];
  const { scripts } =
    file === '-'
      ? observe(process.execPath, [...args, '-'], null, path)
      : observe(process.execPath, [...args, path], null);
  return scripts.map((script) => basename(script)).filter((name) => name.startsWith('main.'));
}

describe('the entry of the bundle', () => {
  it('has what every start needs, and not what some need: a static import can bring that in', () => {
    expect(statSync(join(ROOT, 'dist/main.cjs')).size).toBeLessThan(130_000);
  });
});

describe("a start with a schema of one's own", () => {
  it.each([
    ['few short texts and a pattern', '{"pattern":"^(?:a|bc)+d?$"}', '"abcd"'],
    ['a format', '{"format":"date-time"}', '"2026-01-01T00:00:00Z"'],
    ['a list of values', '{"enum":["a","b"]}', '"b"'],
  ])('loads what reads and judges: %s', (_, schema, text) => {
    const more = loadedFor(schema, 'own.json', text).filter(
      (name) => !/^main\.(?:basics|judge|schema|automata|visit|(?:load-)?formats|judges|format|)\.?cjs$/.test(name),
    );
    expect(more).toEqual([]);
  });

  it.each([
    ['lines', 'own.ndjson', '{"a":1}\n'.repeat(500)],
    ['lines of which the last ones are long', 'own.ndjson', `{"a":1}\n{"b":"${'x'.repeat(7000)}"}\n{}\n`],
    ['an array', 'own.json', '[{"a":1},\n {"a":2}]'],
    ['a payload of 100 kB', 'own.json', `{"a":1,"b":"${'x'.repeat(100_000)}"}`],
    ['an invalid payload', 'own.json', '{"a":"x"}'],
    ['invalid lines', 'own.ndjson', '{"a":"x"}\n'.repeat(50)],
    ['standard input', '-', '{\n "a":1}'],
    ['lines on standard input', '-', '{"a":1}\n'.repeat(100)],
  ])('compiles nothing for few payloads: %s', (_, file, text) => {
    const loaded = loadedFor('{"type":"object","properties":{"a":{"type":"integer"}}}', file, text);
    expect(loaded).toContain('main.judge.cjs');
    expect(loaded).not.toContain('main.accept.cjs');
  });

  it('searches for no value that was meant if the alternatives list none', () => {
    const loaded = loadedFor('{"oneOf":[{"minLength":9},{"type":"number"}]}', 'own.json', '"abc"');
    expect(loaded).toContain('main.explained.cjs');
    expect(loaded).not.toContain('main.near.cjs');
  });

  it.each([
    ['e\u0301', '', true],
    ['e\u0301', 'x'.repeat(150), false],
    ['é', '', false],
  ])('measures %o by graphemes, followed by %s: %s', (before, between, isMeasured) => {
    const text = JSON.stringify({ a: before + between, b: 1 });
    const loaded = loadedFor('{"properties":{"b":{"type":"string"}}}', 'own.json', text);
    expect(loaded).toContain('main.report.cjs');
    expect(loaded.includes('main.string-width.cjs')).toBe(isMeasured);
  });

  it('compiles for many payloads', () => {
    const lines = `{"a":1,"b":"${'x'.repeat(80)}"}\n`.repeat(1000);
    expect(loadedFor('{"properties":{"a":{"type":"integer"}}}', 'own.ndjson', lines)).toContain('main.accept.cjs');
  });
});

describe('a start', () => {
  const invalid = join(folder, 'invalid.json');
  const own = join(folder, 'choice.json');
  writeFileSync(invalid, '{"@context":"c","@type":"Emoji","emoji":1}\n');
  writeFileSync(own, '{"oneOf":[{"type":"string"},{"minimum":1,"type":"number"}]}');
  /** Each takes as long as the check itself. */
  const seldom = ['stream', 'worker_threads', 'zlib', 'net', 'tty', 'child_process'];

  it.each([
    ['of an invalid payload', ['validate', invalid]],
    ["of an invalid payload with a schema of one's own", ['validate', '--schema', own, invalid]],
    ['of an invalid payload as lines', ['validate', '--format', 'line', invalid]],
    ['of several files', ['validate', payload, invalid]],
    ['of fill', ['fill', '--quiet', payload]],
    ['of filter', ['filter', payload, payload]],
    ['of convert', ['convert', '--quiet', payload]],
  ])('%s loads no modules of Node for streams, threads, compression and sockets', (_, [verb, ...args]) => {
    const { modules } = observe(
      process.execPath,
      [START[0]!, verb!, '--no-config', '--exit-zero', ...args],
      '/dev/null',
    );
    expect(modules).toContain('fs'); // as Node names them
    expect(modules.filter((name) => seldom.includes(name))).toEqual([]);
  });
});
