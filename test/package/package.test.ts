/**
 * The package as users get it: built and packed from a copy of the sources, installed into an empty folder without a
 * network, then used from there as a command, as a library and as types.
 */
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODES, nodePath } from '../../scripts/nodes.js';
import { times } from '../rounds.ts';
import { needs } from '../tools.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What packing needs; the rest of the repository might as well not be there. */
const SOURCES = [
  '.npmrc',
  '.pre-commit-hooks.yaml',
  'CHANGELOG.md',
  'LICENSE',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'bin',
  'docs',
  'package-lock.json',
  'package.json',
  'schemas',
  'scripts',
  'src',
  'tsconfig.json',
  'tsconfig.types.json',
];
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
/** What a cache keeps for the second run of each Node is for CI to look at. */
const RUNS = times(2, 1) === 2 ? ['first', 'second'] : ['first'];
const EMOJI = '{"@context":"c","@type":"Emoji","emoji":"👍"}\n';

const temporary = mkdtempSync(join(tmpdir(), 'paylint-package-'));
/** On the same disk as node_modules, whose files it shares. */
const copy = join(mkdtempSync(join(ROOT, 'test/tmp/package-')), 'a copy, elsewhere');
const user = join(temporary, 'user');
const installed = join(user, 'node_modules/paylint');

beforeAll(() => {
  copySources();
  npm(['pack', '--pack-destination', temporary], copy); // which builds, by `prepack`
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }');
  npm(['install', '--offline', join(temporary, `paylint-${VERSION}.tgz`)], user);
}, 120_000);

afterAll(() => {
  for (const folder of [temporary, dirname(copy)]) rmSync(folder, { recursive: true });
});

function copySources(): void {
  for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  linkAll(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
}

/** A folder with the files of another. A link to the whole would lead out of the copy, and the build would see other paths. */
function linkAll(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkAll(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}

/**
 * An environment without the user's settings: those of npm, from files or, where npm itself runs the
 * tests, from variables; those of Node and of colours.
 */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: temporary,
  npm_config_cache: join(temporary, 'cache'),
  npm_config_update_notifier: 'false',
};

function npm(args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env: ENVIRONMENT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed (${status})\n${stdout}${stderr}`);
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], input = ''): Ran {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: user, env: ENVIRONMENT, input, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

const paylint = (args: readonly string[], input?: string): Ran =>
  run(join(user, 'node_modules/.bin/paylint'), args, input);

/** Runs a module of the user's. */
const script = (text: string): Ran => run(process.execPath, ['--input-type=module', '-e', text]);

describe('what is in the package', () => {
  const files = (): string[] =>
    readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
      .sort();

  it('is the bundle, its types, the schemas and the papers, and nothing else', () => {
    const others = files().filter((file) => !/^(?:docs\/.*|dist\/([\w.-]+\.c?js|types\/[\w/-]+\.d\.ts))$/.test(file));
    expect(others).toEqual([
      '.pre-commit-hooks.yaml',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin/package.json',
      'bin/paylint.js',
      'bin/standard-output.js',
      'bin/thread.js',
      'dist/LICENSES.txt',
      'dist/json-array.wasm',
      'dist/json-lines.wasm',
      'dist/json-pretty-array.wasm',
      'dist/paylint.1',
      'dist/payload.notes.wasm',
      'dist/payload.schemas.json',
      'dist/payload.wasm',
      'dist/playground.html',
      'dist/report.html',
      'dist/sbom.cdx.json',
      'package.json',
      'schemas/checks.schema.json',
      'schemas/config.schema.json',
      'schemas/content-item.schema.json',
      'schemas/contract.schema.json',
      'schemas/coverage.schema.json',
      'schemas/emoji.schema.json',
      'schemas/meta/2019-09/applicator.json',
      'schemas/meta/2019-09/content.json',
      'schemas/meta/2019-09/core.json',
      'schemas/meta/2019-09/format.json',
      'schemas/meta/2019-09/meta-data.json',
      'schemas/meta/2019-09/schema.json',
      'schemas/meta/2019-09/validation.json',
      'schemas/meta/2020-12/applicator.json',
      'schemas/meta/2020-12/content.json',
      'schemas/meta/2020-12/core.json',
      'schemas/meta/2020-12/format-annotation.json',
      'schemas/meta/2020-12/meta-data.json',
      'schemas/meta/2020-12/schema.json',
      'schemas/meta/2020-12/unevaluated.json',
      'schemas/meta/2020-12/validation.json',
      'schemas/meta/draft-04.json',
      'schemas/meta/draft-06.json',
      'schemas/meta/draft-07.json',
      'schemas/payload.checks.json',
      'schemas/payload.schema.json',
      'schemas/report.open.schema.json',
      'schemas/report.schema.json',
      'schemas/tests.schema.json',
    ]);
    expect(files()).toEqual(
      expect.arrayContaining([
        'dist/main.cjs',
        'dist/index.js',
        'dist/open.js',
        'dist/errors.js',
        'dist/guards.js',
        'dist/types/index.d.ts',
        'dist/types/library/payloads.d.ts',
      ]),
    );
  });

  it('has no scripts, and leaves those of the checkout as they were', () => {
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('scripts');
    expect(readFileSync(join(copy, 'package.json'))).toEqual(readFileSync(join(ROOT, 'package.json')));
    expect(existsSync(join(copy, 'package.json.kept'))).toBe(false);
  });

  it('is the same for every build, wherever it is made, and names no folder of the machine', () => {
    const built = (folder: string) =>
      Object.fromEntries(
        readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
          .map((path) => [path.slice(folder.length), readFileSync(path, 'latin1')]),
      );
    // What `npm run build` has made here, before these tests.
    const [first, second] = [built(installed), built(ROOT)];
    expect(Object.keys(second)).toEqual(Object.keys(first));
    expect(Object.keys(first).length).toBeGreaterThan(20);
    for (const [name, text] of Object.entries(first)) {
      expect([name, second[name] === text]).toEqual([name, true]);
      expect([name, [temporary, copy, ROOT].filter((folder) => text.includes(folder))]).toEqual([name, []]);
    }
  });

  it('brings no other package along', () => {
    expect(readdirSync(join(user, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['paylint']);
    const imported = files()
      .filter((file) => /^dist\/.*\.c?js$/.test(file))
      .flatMap((file) => modulesIn(readFileSync(join(installed, file), 'utf8')));
    const foreign = imported.filter((name) => !/^(\.|node:)/.test(name) && !builtinModules.includes(name));
    expect(imported.length).toBeGreaterThan(20);
    expect(foreign).toEqual([]);
  });

  it('names the licence of every package in the bundle', () => {
    const licenses = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
    const entries = licenses.split(`${'-'.repeat(80)}\n`).slice(1);
    const names = entries.map((entry) => /^\n(\S+) [\d.]+ \(\S+\)\n\n[\s\S]*(copyright|permission)/i.exec(entry)?.[1]);
    expect(names).not.toContain(undefined);
    expect(names).toEqual(expect.arrayContaining(['chalk', 'commander', 'fast-glob', 'picomatch']));
  });

  it('has nothing of Ajv that makes code, but for the second judge, which is a file of its own', () => {
    const scripts = files().filter((file) => /^dist\/.*\.c?js$/.test(file));
    expect(scripts.length).toBeGreaterThan(10);
    const making = scripts.filter((file) =>
      /\bCodeGen ?= ?class\b|\bnew Function\b/.test(readFileSync(join(installed, file), 'utf8')),
    );
    expect(making).toEqual(['dist/ajv.cjs']);
  });
});

/** What a bundled module imports, by any of the ways it has. */
function modulesIn(text: string): string[] {
  const ways = [
    /^(?:import|export)\b[^;]*?\bfrom\s*["']([^"']+)["']/gm,
    // Not what Ajv would write into code of its own: that is in quotes.
    /(?<!["'`])\b(?:import|require|__require)\(["'`]([^"'`]+)["'`]\)/g,
  ];
  const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
  return ways.flatMap((way) => [...text.replace(comments, '').matchAll(way)].map(([, name]) => name!));
}

/** 8 MB with 2000 violations: several pieces of work. */
function writeLarge(name: string): void {
  if (existsSync(join(user, name))) return;
  const payload = JSON.stringify({ '@type': 'Emoji', emoji: '👍', reason: 'x'.repeat(4000) });
  writeFileSync(join(user, name), `${payload}\n`.repeat(2000));
}

describe('the command', () => {
  it('validates, with the schemas that came along', () => {
    expect(paylint(['validate'], EMOJI)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^✓ 1 payload valid · /),
      stderr: '',
    });
    const { code, stdout } = paylint(['validate', '--format', 'line'], '{"@type":"Contrct"}\n');
    expect([code, stdout]).toEqual([1, expect.stringContaining('did you mean "Contract"?')]);
  });

  it('shares work among threads', () => {
    writeLarge('large.ndjson');
    const args = ['validate', '--format', 'line', '--max-violations', '3', 'large.ndjson'];
    const [alone, shared] = ['1', '3'].map((threads) => paylint([...args, '--threads', threads]));
    expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining('… and 1,997 more'), stderr: '' });
    const withoutTime = (text: string): string => text.replace(/· .*\n$/, '');
    expect({ ...shared, stdout: withoutTime(shared!.stdout) }).toEqual({
      ...alone,
      stdout: withoutTime(alone!.stdout),
    });
  });

  it('lists the kinds', () => {
    const { code, stdout } = paylint(['kinds']);
    expect(code).toBe(0);
    expect(stdout).toContain('node_modules/paylint/schemas/contract.schema.json');
  });

  it('explains', () => {
    expect(paylint(['explain', 'emoji/reason']).stdout).toContain('emoji.schema.json#/properties/reason');
  });

  it('names in SARIF the repository that package.json has', () => {
    const path = join(installed, 'package.json');
    const text = readFileSync(path, 'utf8');
    const driver = () => JSON.parse(paylint(['validate', '--format', 'sarif'], EMOJI).stdout).runs[0].tool.driver;
    const repository = { type: 'git', url: 'git+https://example.com/a/paylint.git' };
    writeFileSync(path, JSON.stringify({ ...JSON.parse(text), repository }));
    expect(driver()).toMatchObject({ name: 'paylint', informationUri: 'https://example.com/a/paylint' });
    const { repository: _, ...others } = JSON.parse(text);
    writeFileSync(path, JSON.stringify(others));
    expect(driver()).not.toHaveProperty('informationUri');
    writeFileSync(path, text);
  });

  it('says its version', () => {
    expect(paylint(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });
});

describe.each(NODES)('on Node %s', (version) => {
  const node = nodePath(version);
  const note = existsSync(node) ? '' : ' (needs npm run nodes)';
  const on = (args: readonly string[], input = ''): Ran =>
    run(node, [join(installed, 'bin/paylint.js'), ...args], input);

  // Twice, for the second run has what the first one may have left in a cache.
  it.skipIf(note !== '').each(RUNS)(`works: the %s run${note}`, () => {
    expect(on(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(on(['validate'], EMOJI)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✓ 1 payload valid · /),
      stderr: '',
    });
    expect(on(['validate', '--format', 'line'], '{"@type":"Contrct"}\n')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('did you mean "Contract"?'),
    });
    expect(on(['validate'], '{"@context":"c","@type":"t","emoji":1}')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('^'),
      stderr: '',
    });
    writeLarge('large.ndjson');
    const shared = on(['validate', '--format', 'line', '--max-violations', '1', '--threads', '3', 'large.ndjson']);
    expect(shared).toMatchObject({ code: 1, stdout: expect.stringContaining('… and 1,999 more'), stderr: '' });
    const filled = on(['fill'], '{"@type":"Contract","name":"n"}\n');
    expect(filled).toMatchObject({ code: 1, stdout: '{"@type":"Contract","name":"n","active":false}\n' });
    expect(on(['kinds'])).toMatchObject({ code: 0, stderr: '' });
    const own = ['--schema', join(installed, 'schemas/emoji.schema.json')];
    expect(on(['validate', ...own], EMOJI)).toMatchObject({ code: 0, stderr: '' });
    const library = `import { kindOf } from 'paylint'; console.log(kindOf(${EMOJI.trim()}))`;
    expect(run(node, ['--input-type=module', '-e', library])).toMatchObject({ code: 0, stdout: 'emoji\n' });
  });
});

describe('the cache of compiled code', () => {
  const newest = NODES.map(nodePath).findLast((path) => existsSync(path));
  const note = newest === undefined ? ' (needs npm run nodes)' : '';
  const node = newest ?? process.execPath;
  const withEnvironment = (variables: Readonly<Record<string, string>>): Ran => {
    const env = { ...ENVIRONMENT, ...variables };
    const args = [join(installed, 'bin/paylint.js'), 'validate'];
    const { status, stdout, stderr } = spawnSync(node, args, { cwd: user, env, input: EMOJI, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  };

  it.skipIf(note !== '')(`is in a folder of the user, unless it is turned off${note}`, () => {
    const home = join(temporary, 'home');
    expect(withEnvironment({ HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' }).code).toBe(0);
    expect(existsSync(home)).toBe(false);
    mkdirSync(home);
    expect(withEnvironment({ HOME: home }).code).toBe(0);
    expect(readdirSync(join(home, '.cache/paylint'))).toHaveLength(1);
    const elsewhere = join(temporary, 'elsewhere');
    expect(withEnvironment({ HOME: home, XDG_CACHE_HOME: elsewhere }).code).toBe(0);
    expect(readdirSync(elsewhere)).toEqual(['paylint']);
  });

  it.each([
    ['cannot be made', { HOME: '/dev/null/none' }],
    ['is below one in which none can be made', { HOME: '/proc/none' }],
    ['is not said', { HOME: '' }],
    ['is a file', { XDG_CACHE_HOME: join(ROOT, 'package.json') }],
    ['is full of something else', { NODE_COMPILE_CACHE: join(ROOT, 'package.json') }],
  ])('is done without if its folder %s', (_, variables) => {
    expect(withEnvironment(variables)).toMatchObject({ code: 0, stderr: '' });
  });

  const root = needs('the rights of root');
  it.skipIf(note !== '' || root.missing)(`is done without in the folder of another user${note}${root.note}`, () => {
    const folder = join(temporary, 'foreign');
    mkdirSync(folder);
    chownSync(folder, 65_534, 65_534);
    expect(withEnvironment({ XDG_CACHE_HOME: folder })).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(note !== '')(`is not in a folder that XDG_CACHE_HOME names by a relative path${note}`, () => {
    expect(withEnvironment({ XDG_CACHE_HOME: 'relative' }).code).toBe(0);
    expect(existsSync(join(user, 'relative'))).toBe(false);
  });

  it.skipIf(note !== '')(`is made again if it is damaged${note}`, () => {
    const folder = join(temporary, 'damaged');
    expect(withEnvironment({ XDG_CACHE_HOME: folder }).code).toBe(0);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files) {
      const bytes = readFileSync(join(parentPath, name));
      bytes[bytes.length >> 1]! ^= 0x10;
      writeFileSync(join(parentPath, name), bytes);
    }
    expect(withEnvironment({ XDG_CACHE_HOME: folder })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the library', () => {
  it('is there for import and for require', () => {
    const use = `console.log(kindOf(${EMOJI}), isEmoji(${EMOJI}), isPayload({ emoji: 1 }))`;
    const expected = { code: 0, stdout: 'emoji true false\n', stderr: '' };
    expect(script(`import { isEmoji, isPayload, kindOf } from 'paylint'; ${use}`)).toEqual(expected);
    const required = `const { isEmoji, isPayload, kindOf } = require('paylint'); ${use}`;
    expect(run(process.execPath, ['--input-type=commonjs', '-e', required])).toMatchObject({
      code: 0,
      stdout: expected.stdout,
    });
  });

  it('gives the schemas by name', () => {
    const read = `import entry from 'paylint/schemas/payload.schema.json' with { type: 'json' }; console.log(entry.title)`;
    expect(script(read)).toMatchObject({ code: 0, stdout: 'Payload\n' });
  });

  it('has types: the example of the documents compiles, runs, and prints what it says', () => {
    const text = readFileSync(join(ROOT, 'docs/reference/library.md'), 'utf8');
    const example = /^```ts\n([\s\S]*?)^```$/m.exec(text)![1]!;
    expect(compile(example)).toBe('');
    const printed = [...example.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, text]) => text);
    expect(run(process.execPath, ['consumer.js'])).toEqual({ code: 0, stdout: `${printed[0]}\n`, stderr: '' });
  });

  it('has types that know the payloads', () => {
    const wrong = `
      import { type Emoji, isContentItem } from 'paylint';
      export const emoji: Emoji = { '@context': 'c', '@type': 'Emoji', emoji: 1 };
      export const type = (value: unknown) => (isContentItem(value) ? value['@type'] satisfies 'Article' : null);
    `;
    expect(compile(wrong).match(/error TS\d+/g)).toEqual(['error TS2322', 'error TS1360']);
  });
});

/** What the TypeScript compiler says about a user's module; empty where it is content. */
function compile(text: string): string {
  writeFileSync(join(user, 'consumer.ts'), text);
  const options = { strict: true, module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], types: [] };
  writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }));
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  return run(process.execPath, [tsc, '--pretty', 'false']).stdout;
}

describe('the repository', () => {
  const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

  it('has a lock file without download addresses, with a hash for every package', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { resolved?: string; integrity?: string }>; // npm's format, version 3
    };
    const names = Object.keys(packages).filter((name) => name !== '');
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => packages[name]!.resolved !== undefined)).toEqual([]);
    expect(names.filter((name) => packages[name]!.integrity === undefined)).toEqual([]);
  });

  it('has a lock file with every package of every platform, without which npm ci refuses it', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>; // npm's format, version 3
    };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !placesOf(path, name).some((place) => place in packages)),
    );
    expect(missing).toEqual([]);
  });

  it('has one version, of which the changelog and the README speak', () => {
    expect(read('CHANGELOG.md')).toContain(VERSION);
    expect(read('README.md')).toContain(`paylint-${VERSION}.tgz`);
  });
});

/** Where Node would look for `name` from the package at `path`, nearest first. */
function placesOf(path: string, name: string): string[] {
  const places: string[] = [];
  for (let folder = path; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    places.push(`${folder}/node_modules/${name}`);
  }
  return [...places, `node_modules/${name}`];
}
