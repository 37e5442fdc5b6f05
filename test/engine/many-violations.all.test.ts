/**
 * A payload with very many violations: they are reported in slices, each at its place, so that no text grows with the payload; and a
 * part of a thread's work with so many is left to the main thread.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lazyAccept } from '../../src/engine/accept.ts';
import { plainEngine } from '../../src/engine/plain.ts';
import type * as limit from '../../src/engine/time-limit.ts';
import { AT, fillAt } from '../../src/json/edits.ts';
import { fillEdits } from '../../src/repair/fill-edits.ts';
import { createMemberTexts } from '../../src/repair/insertion.ts';
import { NO_DEFAULTS } from '../../src/repair/wanted-defaults.ts';
import { checkSource } from '../../src/run/check/check.ts';
import { Blocks, freePieces, Gatherer, MustRunSerially } from '../../src/run/workers/gather.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { Window } from '../../src/source/window.ts';
import type { Violation } from '../../src/types.ts';
import { RUN_OPTIONS } from '../run-options.ts';
import { sinkOf } from '../sinks.ts';
import { paylint } from '../world.ts';

// How the work is divided must not depend on how busy the machine is.
vi.mock('../../src/engine/time-limit.ts', async (original) => {
  const actual = await original<typeof limit>();
  return { ...actual, withinTime: actual.unlimited };
});

const COUNT = 10_000;
let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'paylint-many-'));
  writeFileSync(join(cwd, 's.json'), '{"items":{"type":["string","object"]}}');
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** Violations of the payload `text`, or of its elements, as many as came between two flushes together. */
async function slicesOf(text: string, whole = true): Promise<Violation[][]> {
  const load = async () => loadSchemas(join(cwd, 's.json'));
  const window = new Window();
  const accept = lazyAccept(load, NO_DEFAULTS, null);
  const schemas = { load, accept, precompiled: null, defaults: NO_DEFAULTS };
  const engine = plainEngine(schemas, RUN_OPTIONS, window.memory);
  const slices: Violation[][] = [[]];
  const sink = sinkOf(
    (statement, place) => slices.at(-1)!.push({ ...place, ...statement }),
    { payload: () => {} },
    async () => void slices.push([]),
  );
  writeFileSync(join(cwd, 'p.json'), text);
  expect(window.readSmall(join(cwd, 'p.json'))).toBe(true);
  const source = { name: 'p.json', path: null, regular: false, framing: 'json', kind: null } as const;
  const options = { ...RUN_OPTIONS, whole };
  await checkSource(source, { window, engine, options, sink, outlet: null });
  return slices.filter((slice) => slice.length > 0);
}

it('violations of very many payloads in one window are reported in slices', async () => {
  const slices = await slicesOf(`[${'[1],'.repeat(2999)}[1]]`, false);
  expect(slices.map(({ length }) => length)).toEqual([1000, 1000, 1000]);
});

describe('a payload with very many violations', () => {
  it('is reported in slices', async () => {
    const slices = await slicesOf(`[${'1,\n'.repeat(COUNT - 1)}1]`);
    expect(slices.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 1000));
    for (const [i, { line, column, pointer }] of slices.flat().entries()) {
      if (line !== i + 1 || column !== (i === 0 ? 2 : 1) || pointer !== `/${i}`) expect.fail(`${i}: ${line}`);
    }
  });

  it('has the first of a duplicate name before the slice', async () => {
    const slices = await slicesOf(`[{"a":1,\n"c":0${',\n"c":0'.repeat(3000)},"a":2}]`);
    const all = slices.flat();
    expect([slices.length, all.length]).toEqual([4, 3001]);
    for (const { params } of all.slice(0, -1)) expect(params).toEqual({ first: { line: 2, column: 1, offset: 9 } });
    expect(all.at(-1)).toMatchObject({ line: 3002, column: 7, params: { first: { line: 1, column: 3 } } });
  });

  it('has ends of values after the slice', async () => {
    const slices = await slicesOf(`[[${'[],'.repeat(COUNT)}\n1],\n1,${'1,'.repeat(COUNT)}1]`);
    const all = slices.flat();
    expect(all[0]).toMatchObject({ pointer: '/0', line: 1, column: 2, endLine: 2, endColumn: 3 });
    expect(all.slice(1, 3)).toMatchObject([
      { pointer: '/1', line: 3, column: 1 },
      { pointer: '/2', line: 3, column: 3 },
    ]);
    expect(all.at(-1)).toMatchObject({ line: 3, column: 2 * COUNT + 3 });
  });
});

it('violations beyond those that are shown are counted, by rule, whether they are fixable or not', async () => {
  writeFileSync(
    join(cwd, 'c.json'),
    JSON.stringify({ items: { type: 'object', properties: { a: { default: 1 } }, required: ['a', 'b'] } }),
  );
  const items = Array.from({ length: COUNT }, (_, i) => (i % 5 === 0 ? '1' : i % 2 === 0 ? '{}' : '{"b":1,"b":2}'));
  writeFileSync(join(cwd, 'c.ndjson'), `[${items.join()}]\n`);
  const { code, stdout } = await paylint(['validate', '--schema', 'c.json', 'c.ndjson', '--max-violations', '2'], {
    cwd,
  });
  const shown = stdout.slice(stdout.indexOf('…'));
  expect(code).toBe(1);
  expect(shown).toContain('… and 17,998 more: required 11,999, duplicate-member 4,000, type 1,999');
  expect(shown).toContain('✗ 18,000 violations in 1 payload');
});

it('of a payload with more than 100,000 violations, the others are counted', async () => {
  const schema = { type: 'array', items: { type: 'string', enum: ['a'] } };
  writeFileSync(join(cwd, 'l.json'), JSON.stringify(schema));
  writeFileSync(join(cwd, 'listed.json'), `[${'1,'.repeat(100_999)}"b"]`);
  const args = ['validate', '--schema', 'l.json', 'listed.json', '--max-violations', '0', '--format'];
  const { stdout, stderr } = await paylint([...args, 'ndjson', '--format', 'line=listed.txt'], { cwd });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('{"type":"violation"'))).toHaveLength(100_000);
  expect(JSON.parse(lines.at(-2)!)).toMatchObject({ violations: 101_000, unlisted: 1000 });
  const rules = { type: 100_999, enum: 1 };
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ violations: 101_000, unlisted: 1000, rules });
  const note = 'payload 0: 1,000 more are only counted: at most 100,000 violations of a payload are listed';
  expect(stderr).toContain(`listed.json: note: ${note}`);
  const text = readFileSync(join(cwd, 'listed.txt'), 'utf8');
  expect(text).toContain('… and 1,000 more: type 999, enum 1');
  expect(text).toContain('in listed.json 1,000; at most 100,000 violations of a payload are listed');
  const some = await paylint([...args, 'line', '--max-violations', '9'], { cwd });
  expect(some.stdout).toContain('100,991; --max-violations 0 shows all but 1,000: at most 100,000 violations');
});

it('violations that say much are written before there are too many of them', async () => {
  const words = Array.from({ length: 2000 }, (_, i) => `word number ${i}`);
  writeFileSync(join(cwd, 'e.json'), JSON.stringify({ properties: { a: { enum: words } } }));
  const same = Array.from({ length: 500 }, () => '{"a":"nothing"}');
  const other = Array.from({ length: 500 }, (_, i) => `{"a":"nothing ${i}"}`);
  writeFileSync(join(cwd, 'e.ndjson'), `${[...same, ...other].join('\n')}\n`);
  const args = ['validate', '--schema', 'e.json', 'e.ndjson', '--format'];
  const pieces: number[] = [];
  const noted = await paylint([...args, 'ndjson'], { cwd, pieces });
  const objects = await paylint([...args, 'ndjson', '--format', 'pretty=frames.txt'], { cwd });
  const violations = (text: string): string => text.slice(0, text.lastIndexOf('{"type":"source"'));
  expect(noted.stdout.length).toBeGreaterThan(32 << 20);
  expect(violations(noted.stdout) === violations(objects.stdout)).toBe(true);
  expect(Math.max(...pieces)).toBeLessThan(9 << 20);
});

it('violations with frames on many lines are reported in slices, so that signals are handled between them', async () => {
  writeFileSync(join(cwd, 'lines.ndjson'), '{"@type":"Contract","name":1}\n'.repeat(3000));
  const pieces: number[] = [];
  const args = ['validate', 'lines.ndjson', '--no-config', '--max-violations', '0'];
  const { stdout } = await paylint(args, { cwd, pieces });
  expect(stdout.match(/ type {2}expected a string/g)).toHaveLength(3000);
  expect(Math.max(...pieces)).toBeLessThan(stdout.length / 5);
});

describe('a part with many results', () => {
  it('is left to be done in its turn, and the next one begins from zero', async () => {
    const [[violation]] = (await slicesOf('[1]')) as [[Violation]]; // there is one
    const { file, payload, line, column, endLine, endColumn, offset, ...statement } = violation;
    const place = { file, payload, line, column, endLine, endColumn, offset };
    const gatherer = new Gatherer(RUN_OPTIONS, new Blocks());
    const much = (): void => {
      for (let i = 0; i < 200_000; i++) gatherer.violation(statement, place, null);
    };
    expect(much).toThrow(MustRunSerially);
    gatherer.take();
    gatherer.violation(statement, place, null);
    const { events, violations } = gatherer.take();
    expect(events).toEqual([]);
    expect(violations).toMatchObject({ statements: [statement] });
    expect(Array.from(violations!.rows)).toEqual([0, payload, line, column, endLine, endColumn, offset]);
  });
});

it('a part whose pieces would fill the memory is left to be done in its turn', () => {
  const options = { ...RUN_OPTIONS, outlet: { type: 'convert', as: 'pretty array', only: null, split: null } as const };
  const gatherer = new Gatherer(options, new Blocks());
  const piece = Buffer.alloc(40 << 20);
  gatherer.bytes(piece, true);
  expect(() => gatherer.bytes(piece, true)).toThrow(MustRunSerially);
  freePieces(gatherer.take());
  gatherer.bytes(piece, true);
  freePieces(gatherer.take());
});

describe('a payload with many members to fill in', () => {
  it('is told of in slices', async () => {
    writeFileSync(join(cwd, 'f.json'), '{"items":{"properties":{"a":{"default":1}}}}');
    writeFileSync(join(cwd, 'many.ndjson'), `[${Array.from({ length: COUNT }, () => '{"b":1}').join()}]\n`);
    const args = ['fill', '--schema', 'f.json', 'many.ndjson', '--format', 'ndjson'];
    const pieces: number[] = [];
    const { stderr } = await paylint(args, { cwd, pieces });
    expect(stderr.match(/^{"type":"fill"/gm)).toHaveLength(COUNT);
    expect(Math.max(...pieces)).toBeLessThan(stderr.length / 5);
  });

  it('has 16 bytes for each insertion, and each text once', () => {
    const count = 100_000;
    const bytes = Buffer.from(`[${Array.from({ length: count }, () => '{}').join()}]`);
    const before = Array.from({ length: count }, () => ({}));
    const after = Array.from({ length: count }, () => ({ a: 1 }));
    const texts = createMemberTexts([{ name: 'a', value: 1, text: () => '1.0' }], new Set(['a']));
    const table = fillEdits(bytes, { start: 0, end: bytes.length }, [before, after], texts);
    expect(table).toMatchObject({ length: count, texts: ['"a":1.0'] });
    expect(table.shapes).toEqual([{ pattern: '/*', members: [{ name: 'a', text: '1.0' }] }]);
    // The rows have grown by doubling.
    expect(table.rows.byteLength).toBeLessThan(2 * 16 * count + 1024);
    expect([fillAt(table, 0, AT), fillAt(table, count - 1, AT)]).toEqual([2, bytes.length - 2]);
  });
});
