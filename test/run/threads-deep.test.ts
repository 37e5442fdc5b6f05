/**
 * Deep payloads: the stacks of threads differ in size, and a verdict must not. Every payload within `--max-depth` is judged by its
 * schema, whichever thread meets it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lazyAccept } from '../../src/engine/accept.ts';
import { deepStackSize } from '../../src/engine/deep.ts';
import { plainEngine } from '../../src/engine/plain.ts';
import { Interrupted } from '../../src/errors.ts';
import { NO_DEFAULTS } from '../../src/repair/wanted-defaults.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { Window } from '../../src/source/window.ts';
import { RUN_OPTIONS } from '../run-options.ts';
import { sh } from '../spawned.ts';
import { paylint } from '../world.ts';

const cwd = mkdtempSync(join(tmpdir(), 'paylint-deep-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const LEVELS = 990;
const LINES = 24;
/** Makes this many lines more than 1 MiB: less is not shared among threads. */
const SPACE = ' '.repeat(50_000);
const objects = (inner: string): string => `${'{"a":'.repeat(LEVELS - 1)}${inner}${'}'.repeat(LEVELS - 1)}`;
const arrays = (inner: string): string => `${'['.repeat(LEVELS - 1)}${inner}${']'.repeat(LEVELS - 1)}`;

/** Enough members for large stack frames of Ajv's functions. */
const MANY = Object.fromEntries(
  Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'object', properties: { x: { minLength: 3 } } }]),
);
const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** Schemas that allow everything but a number at the innermost level. */
const SCHEMAS: readonly (readonly [name: string, schema: object, nest: (inner: string) => string])[] = [
  ['properties', { type: 'object', properties: { a: { $ref: '#' } } }, objects],
  ['items', { type: 'array', items: { $ref: '#' } }, arrays],
  ['anyOf', { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { $ref: '#' }] } } }, objects],
  ['oneOf', { type: 'object', properties: { a: { oneOf: [{ type: 'string' }, { $ref: '#' }] } } }, objects],
  [
    '$dynamicRef',
    { $schema: DRAFT, $dynamicAnchor: 'n', type: 'object', properties: { a: { $dynamicRef: '#n' } } },
    objects,
  ],
  [
    'unevaluatedProperties',
    { $schema: DRAFT, type: 'object', properties: { a: { $ref: '#' } }, unevaluatedProperties: false },
    objects,
  ],
  ['many members', { type: 'object', properties: { ...MANY, a: { $ref: '#' } } }, objects],
];

function write(name: string, content: string): void {
  writeFileSync(join(cwd, name), content);
}

describe.each(SCHEMAS)('%s', (name, schema, nest) => {
  it(`of ${LEVELS} levels is judged alike by any number of threads`, async () => {
    const empty = nest('{}') === objects('{}') ? '{}' : '[]';
    const content = [...Array(LINES).fill(nest(`${empty}${SPACE}`)), nest('1'), ''].join('\n');
    write(`${name}.ndjson`, content);
    write(`${name}.json`, JSON.stringify(schema));
    for (const threads of ['1', '3']) {
      const args = ['validate', `${name}.ndjson`, '--schema', `${name}.json`, '--threads', threads];
      const { code, stdout, stderr } = await paylint([...args, '--format', 'ndjson'], { cwd });
      const events = stdout
        .trim()
        .split('\n')
        .map((line): Record<string, unknown> => JSON.parse(line));
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(events.at(-1)!.summary ?? events.at(-1)).toMatchObject({ payloads: LINES + 1, valid: LINES, invalid: 1 });
      const violations = events.filter(({ type }) => type === 'violation');
      // What fails in an alternative is reported once, at the alternative.
      expect(violations.map(({ rule }) => rule)).not.toContain('nested-too-deep');
      expect(violations.map(({ line }) => line)).toEqual(expect.arrayContaining([LINES + 1]));
    }
  });
});

describe('beyond the levels that the large stack is made for', () => {
  const nest = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${SPACE}${'}'.repeat(levels - 1)}`;

  it.each([
    ['a schema that follows them finds them too deep', { type: 'object', properties: { a: { $ref: '#' } } }, [2]],
    ['items are not compared', { properties: { a: { uniqueItems: true } } }, [2]],
    ['any other schema is applied', { properties: { a: { type: 'object' } } }, []],
  ])('%s, in any number of threads', async (_, schema, wanted) => {
    write('levels.json', JSON.stringify(schema));
    const content = [nest(2048), nest(2049), ...Array(LINES).fill(nest(2048)), ''].join('\n');
    write('levels.ndjson', content);
    for (const threads of ['1', '3']) {
      const args = ['validate', 'levels.ndjson', '--schema', 'levels.json', '--max-depth', '5000'];
      const { stdout, stderr } = await paylint([...args, '--threads', threads, '--format', 'line'], { cwd });
      const lines = [...stdout.matchAll(/^levels\.ndjson:(\d+):1: nested-too-deep/gm)].map(([, line]) => Number(line));
      expect({ lines, stderr }).toEqual({ lines: wanted, stderr: '' });
    }
  });
});

describe('fill', () => {
  it('fills in every level, and threads fill alike', async () => {
    write('fill.json', '{"properties":{"a":{"$ref":"#"},"x":{"default":1}}}');
    // More than 1 MiB, or there is nothing to share.
    const flat = '{"x":1}\n'.repeat(200_000);
    const deep = `${'{"a":'.repeat(LEVELS - 1)}{"x":1}${',"x":1}'.repeat(LEVELS - 1)}\n`;
    write('fill.ndjson', `${objects('{}')}\n${flat}${objects('{}')}\n`);
    const wanted = `${deep}${flat}${deep}`;
    for (const threads of ['1', '2']) {
      const args = ['fill', 'fill.ndjson', '--schema', 'fill.json', '--threads', threads];
      const { code, stdout } = await paylint(args, { cwd });
      expect({ code, same: stdout === wanted }).toEqual({ code: 0, same: true });
    }
  });
});

describe('the thread for deep payloads', () => {
  it('has a stack whose size depends on --max-depth alone', () => {
    expect([1, 128, 1000, 2048, 1_000_000].map(deepStackSize)).toEqual([16, 16, 125, 256, 256]);
  });

  it('is asked by the test of a kind, too', async () => {
    const test = { $id: 'x:test', type: 'object', properties: { ...MANY, a: { $ref: '#' } } };
    write('entry.json', `{"if":${JSON.stringify(test)},"then":{"type":"object"},"else":false}`);
    write('entry.ndjson', `${objects('{}')}\n`);
    const { code, stderr } = await paylint(['validate', 'entry.ndjson', '--schema', 'entry.json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('hands over very many findings in slices', async () => {
    write('slices.schema.json', JSON.stringify({ ...SCHEMAS.at(-1)![1], additionalProperties: { type: 'null' } }));
    const many = Array.from({ length: 2_500 }, (_, i) => `"n${i}":${i}`).join(',\n');
    write('slices.json', objects(`{${many}}`));
    const args = ['validate', 'slices.json', '--schema', 'slices.schema.json', '--format', 'ndjson'];
    const { code, stdout } = await paylint(args, { cwd });
    const events = stdout
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    const lines = events.flatMap(({ type, line }) => (type === 'violation' ? [line] : []));
    expect(code).toBe(1);
    expect(lines).toEqual(Array.from({ length: 2_500 }, (_, i) => i + 1));
  });

  it('lets the process end', async () => {
    write('one.json', objects('{}'));
    write('one.schema.json', JSON.stringify(SCHEMAS.at(-1)![1]));
    const { code, stdout } = await sh(cwd, 'paylint validate one.json --schema one.schema.json');
    expect(stdout).toMatch(/^✓ 1 payload valid/);
    expect(code).toBe(0);
  });

  it('that may not be started is a failure of the payload, with what helps', async () => {
    write('deep.json', `${'{"a":'.repeat(2000)}{}${'}'.repeat(2000)}`);
    write('one.schema.json', JSON.stringify(SCHEMAS.at(-1)![1]));
    const permission = Number.parseInt(process.versions.node, 10) < 24 ? '--experimental-permission' : '--permission';
    const { code, stdout, stderr } = await sh(
      cwd,
      `"$NODE" ${permission} --allow-fs-read='*' "$BIN" validate deep.json --schema one.schema.json --max-depth 2048`,
    );
    expect(stderr).toMatch(/paylint: .*permission denied by Node.*--allow-worker allows it\n$/);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^✗ 0 of 1 payload valid · 1 failure · /);
  });
});

it('a payload of some megabytes is examined in a thread of its own, so that a signal is answered', async () => {
  write('large.json', '{"items":{"type":"string"}}');
  const load = async () => loadSchemas(join(cwd, 'large.json'));
  const schemas = { load, accept: lazyAccept(load, NO_DEFAULTS, null), precompiled: null, defaults: NO_DEFAULTS };
  const stop = new AbortController();
  const engine = plainEngine(schemas, RUN_OPTIONS, new Window().memory, { interrupt: stop.signal });
  const bytes = Buffer.from(`[${'1,'.repeat(1_500_000)}1]`);
  const examined = engine.explain(
    { bytes, span: { start: 0, end: bytes.length }, base: 0, ending: 'text' },
    null,
    false,
  );
  setImmediate(() => stop.abort('SIGTERM'));
  await expect(examined).rejects.toThrow(Interrupted);
  await engine.close();
});
