/**
 * The built library inside a bundle of a user's: one file, alone in a folder, in Node and where there is nothing of Node. A
 * bundler finds no other file and no other package for `import 'paylint'`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { type OutputChunk, rolldown } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';
import { createUserFolder, ROOT } from '../user-folder.ts';

const temporary = mkdtempSync(join(tmpdir(), 'paylint-bundling-'));
const user = createUserFolder();

afterAll(() => {
  for (const folder of [temporary, user]) rmSync(folder, { recursive: true });
});

const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const EMOJI = '{ "@context": "c", "@type": "Emoji", "emoji": "👍" }';
const CONSUMER = `
  import { isContentItem, isContract, isEmoji, isPayload, kindOf } from 'paylint';
  const values = [${EMOJI}, { '@type': 'Contract' }, { '@type': 'Article', content: '' }, { emoji: 1 }, null];
  const guards = [isContentItem, isContract, isEmoji, isPayload];
  export const said = values.map((value) => [kindOf(value), ...guards.map((guard) => guard(value))].join());
`;
const SAID = [
  'emoji,false,false,true,true',
  'contract,false,false,false,false',
  'content,false,false,false,false',
  'emoji,false,false,false,false',
  ',false,false,false,false',
];

interface Wanted {
  readonly platform: 'node' | 'browser';
  readonly format: 'esm' | 'cjs' | 'iife';
  readonly minify: boolean;
  /** As bundlers do that know `main` and no `exports`. */
  readonly old?: boolean;
  /** Without more files for what is imported on demand; the place of the file is not known to CommonJS, as esbuild does it. */
  readonly whole?: boolean;
}

const NOWHERE = Object.fromEntries(['url', 'dirname', 'filename'].map((name) => [`import.meta.${name}`, 'undefined']));

/** A user's module bundled with all it imports. */
async function bundle(
  text: string,
  { platform, format, minify, old = false, whole = false }: Wanted,
): Promise<OutputChunk[]> {
  const input = join(user, 'consumer.js');
  writeFileSync(input, text);
  const bundler = await rolldown({
    input,
    cwd: user,
    platform,
    ...(old ? { resolve: { exportsFields: [], mainFields: ['browser', 'module', 'main'] } } : {}),
    ...(whole && format === 'cjs' ? { transform: { define: NOWHERE } } : {}),
    onLog: (_, { message }) => warnings.push(message),
  });
  const { output } = await bundler.generate({
    format,
    name: 'consumer',
    minify,
    ...(whole ? { codeSplitting: false } : {}),
  });
  await bundler.close();
  return output.map((file) => {
    if (file.type !== 'chunk') throw new Error(`the bundle has a file beside it: ${file.fileName}`);
    return file;
  });
}

/** What the bundler had to say. */
const warnings: string[] = [];

describe('a bundle with the library in it', () => {
  it.each(['esm', 'cjs'] as const)('runs in Node with no file beside it: %s', async (format) => {
    const [chunk, ...others] = await bundle(`${CONSUMER}console.log(said.join('\\n'));`, {
      platform: 'node',
      format,
      minify: true,
    });
    expect([others, warnings, chunk!.imports]).toEqual([[], [], []]);
    const alone = mkdtempSync(join(temporary, 'alone-'));
    writeFileSync(join(alone, format === 'esm' ? 'app.mjs' : 'app.cjs'), chunk!.code);
    const { stdout, stderr } = spawnSync(process.execPath, readdirSync(alone), { cwd: alone, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: `${SAID.join('\n')}\n`, stderr: '' });
  });

  it('runs where there is nothing of Node, and where no code may be made of text', async () => {
    const [chunk, ...others] = await bundle(CONSUMER, { platform: 'browser', format: 'iife', minify: false });
    expect([others, warnings, chunk!.imports]).toEqual([[], [], []]);
    const page = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
    expect(() => runInContext('new Function("return 1")', page)).toThrow('Code generation');
    runInContext(chunk!.code, page);
    expect(runInContext('consumer.said.join("\\n")', page)).toBe(SAID.join('\n'));
  });

  it('says where the library for browsers is, to a program that takes that for Node', async () => {
    const text = `
      import { openPaylint, PayloadError, SchemaError, SourceError, UsageError } from 'paylint';
      export const errors = [PayloadError, SchemaError, SourceError].map(({ name }) => name).join();
      export const said = openPaylint({ schema: true }).catch((error) => [error instanceof UsageError, error.message].join());
    `;
    for (const old of [false, true]) {
      const [chunk] = await bundle(text, { platform: 'browser', format: 'iife', minify: false, old });
      expect([warnings, chunk!.imports]).toEqual([[], []]);
      const page = createContext(Object.create(null));
      runInContext(chunk!.code, page);
      expect(await runInContext('consumer.said', page)).toContain("true,openPaylint of 'paylint' needs Node");
      expect(await runInContext('consumer.said', page)).toContain("'paylint/browser'");
      expect(runInContext('consumer.errors', page)).toBe('PayloadError,SchemaError,SourceError');
    }
  });

  it('is found by bundlers that know no exports', async () => {
    const [chunk] = await bundle(CONSUMER, { platform: 'browser', format: 'iife', minify: false, old: true });
    expect([warnings, chunk!.imports]).toEqual([[], []]);
    expect(chunk!.moduleIds).toContain(join(ROOT, 'dist/guards.js'));
  });

  it('leaves the library out if nothing of it is used', async () => {
    const [chunk] = await bundle(`import 'paylint'; export const one = 1;`, {
      platform: 'node',
      format: 'esm',
      minify: false,
    });
    expect(chunk!.moduleIds.filter((id) => id.includes('dist'))).toEqual([]);
    expect(chunk!.code.length).toBeLessThan(300);
  });
});

describe('a bundle with all of the library in it', () => {
  const LOOKBEHIND = { properties: { a: { type: 'string', pattern: '(?<=b)c' } } };
  const DEEP = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`;
  const code = `
    import { openPaylint } from 'paylint';
    async function run() {
      const paylint = await openPaylint();
      const said = [paylint.validate('{"emoji":1}').violations.length, paylint.fill('{"@type":"Comment"}').valid];
      const onEvent = ({ version }) => version && said.push(version);
      said.push((await paylint.validateFiles(['many.ndjson'], { threads: 2, onEvent })).invalid);
      const own = await openPaylint({ schema: 'own.json', maxDepth: 50000 });
      for await (const { valid } of own.payloads('own.ndjson')) said.push(valid);
      const recursive = await openPaylint({ schema: 'recursive.json', maxDepth: 50000 });
      for await (const { valid } of recursive.payloads('deep.json')) said.push(valid);
      console.log(JSON.stringify(said));
    }
    run();`;

  it.each(['esm', 'cjs'] as const)('needs no file of the package, and takes none for one: %s', async (format) => {
    const chunks = await bundle(code, { platform: 'node', format, minify: false, whole: true });
    expect([chunks.length, warnings]).toEqual([1, []]);
    const home = mkdtempSync(join(temporary, 'app-'));
    for (const name of ['dist', 'bin']) mkdirSync(join(home, name));
    const placed = format === 'esm' ? 'app.mjs' : 'app.cjs';
    writeFileSync(join(home, 'dist', placed), chunks[0]!.code);
    const trap = 'throw new Error("this file is not of the package")';
    for (const folder of ['', 'dist']) {
      for (const name of ['payload.wasm', 'payload.notes.wasm']) writeFileSync(join(home, folder, name), trap);
    }
    writeFileSync(join(home, 'bin/thread.js'), trap);
    writeFileSync(join(home, 'package.json'), '{ "name": "app", "version": "9.9.9" }');
    writeFileSync(join(home, 'many.ndjson'), '{"emoji":1}\n'.repeat(10_000));
    writeFileSync(join(home, 'own.json'), JSON.stringify(LOOKBEHIND));
    writeFileSync(join(home, 'own.ndjson'), '{"a":"bc"}\n{"a":"c"}\n');
    writeFileSync(join(home, 'recursive.json'), '{"properties":{"a":{"$ref":"#"}}}');
    writeFileSync(join(home, 'deep.json'), DEEP);
    const { stdout, stderr } = spawnSync(process.execPath, [join('dist', placed)], { cwd: home, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: `[3,false,"${VERSION}",10000,true,false,false]\n`, stderr: '' });
  });
});

describe('the guards as they are built', () => {
  const code = readFileSync(join(ROOT, 'dist/guards.js'), 'utf8');

  it('reads no file, imports nothing and makes no code of text', () => {
    // Not in quotes: Ajv's runtime has the text of a `require` for generated code.
    const words = /(?<!["'`])\b(?:import|require|new Function|eval|process)\b/g;
    expect(code.match(words)).toBe(null);
  });

  it('does not say on which machine it was built', () => {
    expect([code.includes('file:'), code.includes(ROOT)]).toEqual([false, false]);
  });
});

it('has no call of createRequire of which webpack warns: it foresees only the place of the file', () => {
  const calls = ['index', 'open', 'guards', 'errors'].flatMap((name) => [
    ...readFileSync(join(ROOT, `dist/${name}.js`), 'utf8').matchAll(/\bcreateRequire\(([^)]*)/g),
  ]);
  expect(calls.map(([, argument]) => argument)).toEqual(['import.meta.url??"/"']);
});
