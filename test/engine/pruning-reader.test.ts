/** Lines that `prune` reads from notes: what goes is what the judge takes out of each payload alone, whatever the schema is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { Generator } from '../../scripts/mutations/schemas.ts';
import { loneNodes, PruningReader } from '../../src/engine/pruning-reader.ts';
import { openPaylint } from '../../src/library/open.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { rounds } from '../rounds.ts';
import { paylint } from '../world.ts';

const cwd = mkdtempSync(join(tmpdir(), 'paylint-pruning-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** How many payloads the reader has pruned. */
let fromNotes = 0;
const { takeRemovals } = PruningReader.prototype;
PruningReader.prototype.takeRemovals = function (take) {
  takeRemovals.call(this, (removals) => {
    fromNotes++;
    take(removals);
  });
};

const CLOSED = { properties: { a: { type: 'integer' }, b: true }, additionalProperties: false };

/** Schemas, and whether payloads are pruned from notes. */
const SCHEMAS: readonly [what: string, schema: object, isNoted: boolean][] = [
  ['one closed object', CLOSED, true],
  ['closed objects in one another', { ...CLOSED, properties: { a: true, b: CLOSED } }, true],
  ['a reference to a closed object', { $defs: { c: CLOSED }, properties: { b: { $ref: '#/$defs/c' } } }, true],
  ['a closed object with what it requires', { ...CLOSED, required: ['a', 'x'] }, false],
  ['a closed object that must have two members', { ...CLOSED, minProperties: 2 }, true],
  ['a member that needs another one', { ...CLOSED, dependentRequired: { a: ['b'] } }, true],
  ['a condition outside', { properties: { b: CLOSED }, if: { required: ['x'] }, else: { required: ['a'] } }, false],
  ['another schema of the same object', { allOf: [CLOSED, { properties: { x: true } }] }, false],
  ['a schema beside a closed one', { ...CLOSED, allOf: [{ properties: { x: true } }] }, false],
  ['names by pattern', { ...CLOSED, patternProperties: { '^x': { type: 'integer' } } }, false],
  [
    'members by pattern',
    { patternProperties: { '^b': CLOSED }, properties: { b: { properties: { x: true } } } },
    false,
  ],
  ['items', { properties: { b: { items: CLOSED } } }, false],
  ['members of any name', { additionalProperties: CLOSED }, false],
  ['alternatives', { properties: { b: { anyOf: [{ type: 'string' }, CLOSED] } } }, false],
  ['an evaluated member', { ...CLOSED, unevaluatedProperties: false }, false],
];

const NAMES = ['a', 'b', 'x', 'y', 'é', 'a"b', '__proto__', '0', ''];

/** Lines of objects and other values, in several layouts. */
function linesOf(seed: number, value: (depth: number) => unknown): readonly string[] {
  const random = seeded(seed);
  const around = (text: string): string => `${['', ' ', '\t'][random(3)]}${text}${['', ' ', '\r'][random(3)]}`;
  return Array.from({ length: 1200 }, (_, i) => {
    if (i % 50 === 49) return ['', ' ', '{"a":1', '[{"a":1}]', '{"a":1,"a":2}', '{"x":1e999}', '"\\ud800"'][random(7)]!;
    const json = JSON.stringify(value(3));
    return around(
      [json, json.replaceAll(',', ' , '), json.replaceAll('":', '" :'), json.replace('"a"', '"\\u0061"')][random(4)]!,
    );
  });
}

function valuesOf(seed: number): (depth: number) => unknown {
  const random = seeded(seed);
  const value = (depth: number): unknown => {
    const sort = depth === 3 ? 9 : random(depth === 0 ? 3 : 10);
    if (sort < 3) return [1, 'x', null][sort];
    if (sort === 3) return Array.from({ length: random(3) }, () => value(depth - 1));
    const names = NAMES.filter(() => random(3) === 0);
    return Object.fromEntries(names.map((name) => [name, name === 'a' ? 1 : value(depth - 1)]));
  };
  return value;
}

/** What `prune` does with the lines is what the library does with each of them. Returns how many were pruned from notes. */
async function expectSame(schema: object, lines: readonly string[]): Promise<number> {
  const alone = await openPaylint({ schema });
  const results = lines.map((line) => (line.trim() === '' ? null : alone.prune(line.trim())));
  const expected = lines.map((line, i) => line.replace(line.trim(), () => results[i]?.text ?? ''));
  const removed = results.flatMap((one, i) => one?.removed.map(({ pointer }) => `${i} ${pointer}`) ?? []);
  writeFileSync(join(cwd, 's.json'), JSON.stringify(schema));
  writeFileSync(join(cwd, 'p.ndjson'), lines.join('\n'));
  fromNotes = 0;
  const ran = await paylint(['prune', '--schema', 's.json', 'p.ndjson', '--format', 'line'], { cwd });
  const noted = fromNotes;
  expect(ran.stdout.split('\n')).toEqual(expected);
  const { stderr } = await paylint(['prune', '--schema', 's.json', 'p.ndjson', '--format', 'ndjson'], { cwd });
  const events = stderr.split('\n').filter((line) => line.startsWith('{'));
  const all = events.map((line): Record<string, Record<string, unknown>> => JSON.parse(line));
  const pruned = all.filter(({ type }) => String(type) === 'prune');
  expect(pruned.map(({ line, pointer }) => `${Number(line) - 1} ${pointer}`)).toEqual(removed);
  // A report of each member that goes makes the run read payload by payload.
  const found = all.filter(({ type }) => String(type) === 'violation');
  const reported = [...ran.stderr.matchAll(/^p\.ndjson:(\d+):/gm)].map(([, line]) => Number(line));
  expect([...new Set(reported)]).toEqual([...new Set(found.map(({ line }) => Number(line)))]);
  return noted;
}

describe('lines are pruned as each of them alone', () => {
  it.each(SCHEMAS)('by %s', async (what, schema, isNoted) => {
    const noted = await expectSame(schema, linesOf(what.length, valuesOf(what.length)));
    expect([what, noted > 0]).toEqual([what, isNoted]);
  });

  it('by random schemas', async () => {
    const generator = new Generator(seeded(7));
    let noted = 0;
    for (let i = 0; i < rounds(12); i++) {
      const random = generator.schema() as object;
      const schema =
        i % 2 === 0 ? { ...CLOSED, properties: { ...CLOSED.properties, b: random } } : { ...random, ...CLOSED };
      if ((await openPaylint({ schema }).catch(() => null)) === null) continue;
      const values = i % 4 < 2 ? valuesOf(i) : () => generator.value(3);
      noted += await expectSame(schema, linesOf(i, values));
    }
    expect(noted).toBeGreaterThan(0);
  });
});

it('limits are those of the payload as it was', async () => {
  const { a } = CLOSED.properties;
  writeFileSync(join(cwd, 's.json'), JSON.stringify({ ...CLOSED, properties: { a } }));
  const few = '{"a":1,"x":2}\n'.repeat(100);
  const [long, deep] = [`{"a":1,"x":"${'y'.repeat(300)}"}`, `{"a":1,"x":${'['.repeat(60)}${']'.repeat(60)}}`];
  writeFileSync(join(cwd, 'p.ndjson'), `${few}${long}\n${deep}\n`);
  fromNotes = 0;
  const limits = ['--max-payload-bytes', '200', '--max-depth', '50', '--format', 'line'];
  const { stdout, stderr } = await paylint(['prune', '--schema', 's.json', 'p.ndjson', ...limits], { cwd });
  expect(fromNotes).toBeGreaterThan(50);
  expect(stdout).toBe(`${'{"a":1}\n'.repeat(100)}${long}\n${deep}\n`);
  expect(stderr).toMatch(/^p\.ndjson:101:1: payload-too-large .*\np\.ndjson:102:61: nested-too-deep /);
});

it('members that go are counted by their names', async () => {
  writeFileSync(join(cwd, 's.json'), JSON.stringify({ properties: { a: CLOSED }, additionalProperties: false }));
  writeFileSync(join(cwd, 'p.ndjson'), '{"x/é":1,"a":{"a":1,"y":{"z":1}},"x":2}\n'.repeat(1000));
  fromNotes = 0;
  const { stderr } = await paylint(['prune', '--schema', 's.json', 'p.ndjson'], { cwd });
  expect(fromNotes).toBeGreaterThan(500);
  const counts = stderr.match(/(?<=^ +- ).*$/gm) ?? [];
  expect([...counts].sort()).toEqual(['1,000  /a/y', '1,000  /x', '1,000  /x~1é']);
});

it('a schema is alone if no other one can be about the same object', () => {
  const lone = { properties: { b: { $ref: '#/$defs/c' } }, $defs: { c: { title: 'lone', properties: { a: true } } } };
  const shared = { properties: { b: { title: 'shared' } }, anyOf: [{ title: 'inner', properties: { b: true } }] };
  const byName = { properties: { b: { title: 'by name' } }, patternProperties: { b: { title: 'by pattern' } } };
  const schema = { properties: { lone, shared, byName, same: { allOf: [lone.$defs.c] } } };
  writeFileSync(join(cwd, 'lone.json'), JSON.stringify({ ...schema, $defs: lone.$defs }));
  const { kinds } = loadSchemas(join(cwd, 'lone.json'));
  const titles = [...loneNodes(kinds.map((kind) => kind.schema))].map(({ title }) => title ?? '');
  expect(titles.filter((title) => title !== '').sort()).toEqual(['lone']);
});
