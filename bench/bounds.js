// @ts-check
// Measures what must stay within a bound. Most rows are a command of paylint, another command that does it in the plainest way, and a bound on the
// ratio of their times: both run in turns on data made anew, and the least of all pairs counts, so that what else the machine does matters
// little. The others measure something else than times. Prints a table; exit code 1 if a bound is not kept.
//
//     npm run bench:bounds -- [--only NAME,…] [--pairs N]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GROWTH_ROWS } from './bounds-growth.js';
import { LARGE_ROWS } from './bounds-large.js';
import { MEMORY_ROWS } from './bounds-memory.js';
import { SIGNAL_ROWS } from './bounds-signals.js';
import { TURN_ROWS } from './bounds-turns.js';
import { measure } from './measure.js';
import { PAYLINT } from './paylint.js';

/**
 * @typedef {object} Row
 * @property {string} name for `--only`
 * @property {string} title
 * @property {number} most the bound of the ratio
 * @property {(folder: string) => Pair} [commands] that work in `folder`, which is empty
 * @property {(folder: string, rounds: number) => Promise<Figures>} [figures] if not commands are compared; `folder` is not there yet
 */
/** @typedef {{ ours: string, theirs: string, ratio: number }} Figures what is measured, and what it is compared with */
/** @typedef {{ ours: import('./measure.js').Command, theirs: import('./measure.js').Command }} Pair */

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Payloads of a row. */
const COUNT = 2000;
/** Payloads that take much longer than to start. */
const MANY = 500_000;
const MISSING = here('../fixtures/contract/fill/active-and-nested-types-pretty.before.json');

/** A check that compares all items of a list with one another, which takes too many steps for a long list, and one that looks at each once. */
const ALL_PAIRS = 'self.l.all(x, self.l.exists(y, y == x))';
const EACH_ITEM = 'self.l.all(x, x >= 0)';

/** @type {readonly Row[]} */
const ROWS = [
  ...SIGNAL_ROWS,
  ...LARGE_ROWS,
  ...MEMORY_ROWS,
  ...GROWTH_ROWS,
  ...TURN_ROWS,
  checks({
    name: 'checks-expression',
    title: 'a check that compares all items of a list, by one that looks at each once',
    ours: { assert: ALL_PAIRS, lists: 20 },
    theirs: { assert: EACH_ITEM, lists: 20 },
  }),
  checks({
    name: 'checks-payload',
    title: 'that check on lists of 20,000 items, by the same on lists of 10',
    ours: { assert: ALL_PAIRS, lists: 20 },
    theirs: { assert: ALL_PAIRS, lists: 40_000 },
  }),
  {
    name: 'write-files',
    title: '`fill --write` of 1,500 small files, by reading, writing, syncing and renaming each',
    most: 2.5,
    commands(folder) {
      const before = () => makeFiles(folder, 1500);
      return {
        ours: { label: 'paylint', argv: [...PAYLINT, 'fill', '--write', '--no-config', '.'], cwd: folder, before },
        theirs: { label: 'script', argv: [process.execPath, here('peers/rewrite.js')], cwd: folder, before },
      };
    },
  },
  invalid({
    name: 'doubling',
    title: 'a schema that refers to itself twice for each of 30 levels',
    schema: {
      $ref: '#/$defs/it',
      $defs: {
        it: { properties: { a: { allOf: [{ $ref: '#/$defs/it' }, { $ref: '#/$defs/it' }] }, v: { type: 'string' } } },
      },
    },
    valid: (i) => nested(30, { v: `${i}` }),
    invalid: (i) => nested(30, { v: i }),
  }),
  ...['anyOf', 'oneOf'].map((keyword) =>
    invalid({
      name: keyword,
      title: `\`${keyword}\` of 4,000 objects with a constant`,
      schema: {
        [keyword]: Array.from({ length: 4000 }, (_, i) => ({
          required: ['kind'],
          properties: { kind: { const: `k${i}` } },
        })),
      },
      valid: (i) => ({ kind: `k${i}` }),
      invalid: (i) => ({ kind: `x${i}` }),
    }),
  ),
  invalid({
    name: 'required',
    title: '`anyOf` of 4,000 objects with a required member',
    schema: {
      anyOf: Array.from({ length: 4000 }, (_, i) => ({
        required: [`m${i}`],
        properties: { [`m${i}`]: { type: 'integer' } },
      })),
    },
    valid: (i) => ({ [`m${i}`]: i }),
    invalid: (i) => ({ [`m${i}`]: `${i}` }),
  }),
  invalid({
    name: 'missing',
    title: '1,000 members that are missing',
    schema: { required: Array.from({ length: 1000 }, (_, i) => `m${i}`) },
    valid: () => Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`m${i}`, 0])),
    invalid: () => ({ m1000: 'x'.repeat(7000) }),
  }),
  invalid({
    name: 'pattern',
    title: 'a pattern that repeats repetitions a thousand times',
    schema: { pattern: '^(a{1,1000}){1,1000}$' },
    valid: () => 'a'.repeat(41),
    invalid: () => `${'a'.repeat(40)}b`,
  }),
  invalid({
    name: 'many-members',
    title: 'a schema of 5,000 objects, of which payloads have one',
    schema: {
      properties: Object.fromEntries(
        Array.from({ length: 5000 }, (_, i) => [`m${i}`, { type: 'object', properties: { v: { type: 'string' } } }]),
      ),
    },
    valid: (i) => ({ [`m${i % 10}`]: { v: '' } }),
    invalid: (i) => ({ [`m${i % 10}`]: { v: 1 } }),
  }),
  {
    name: 'nested-items',
    title: '`uniqueItems` at each of 600 levels of 100 kB, by the same payloads without it',
    most: 5,
    commands(folder) {
      mkdirSync(folder, { recursive: true });
      let payload = '1';
      for (let i = 0; i < 600; i++) payload = `[${payload},"${'x'.repeat(160)}"]`;
      writeFileSync(join(folder, 'p.ndjson'), `${payload}\n`.repeat(20));
      const command = (/** @type {string} */ label, /** @type {object} */ keywords) => {
        const schema = { ...keywords, type: ['array', 'integer', 'string'], items: { $ref: '#' } };
        writeFileSync(join(folder, `${label}.json`), JSON.stringify(schema));
        const argv = [...PAYLINT, 'validate', '--no-config', '--whole', '--schema', `${label}.json`, 'p.ndjson'];
        return { label, argv, cwd: folder };
      };
      return { ours: command('unique', { uniqueItems: true }), theirs: command('plain', {}) };
    },
  },
  {
    name: 'alternatives',
    title: `${MANY} payloads that match none of 20 alternatives, by a script with Ajv that asks for a verdict only`,
    // Each is judged, although most are only counted: notes are not taken of alternatives.
    most: 10,
    commands(folder) {
      mkdirSync(folder, { recursive: true });
      const anyOf = Array.from({ length: 20 }, (_, i) => ({
        type: 'object',
        properties: { kind: { const: `k${i}` }, [`v${i}`]: { type: 'number', minimum: 0 } },
        required: ['kind', `v${i}`],
      }));
      const line = (/** @type {number} */ i) => ({ kind: `k${i % 20}`, [`v${i % 20}`]: -i, text: 'x'.repeat(100) });
      const lines = Array.from({ length: MANY }, (_, i) => `${JSON.stringify(line(i + 1))}\n`);
      writeFileSync(join(folder, 's.json'), JSON.stringify({ anyOf }));
      writeFileSync(join(folder, 'p.ndjson'), lines.join(''));
      const argv = [...PAYLINT, 'validate', '--no-config', '--schema', 's.json', '--threads', '1', 'p.ndjson'];
      const script = [process.execPath, here('peers/readline-ajv-schema.js'), 's.json', 'p.ndjson'];
      return {
        ours: { label: 'paylint', argv, cwd: folder, exitCode: 1 },
        theirs: { label: 'script', argv: script, cwd: folder },
      };
    },
  },
  {
    name: 'render',
    title: '`render` of 1,000,000 violations, by `validate` that finds them',
    most: 4,
    commands(folder) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 's.json'), '{"properties":{"a":{"type":"integer"}}}');
      writeFileSync(join(folder, 'p.ndjson'), '{"a":"x"}\n'.repeat(1_000_000));
      const validate = [...PAYLINT, 'validate', '--no-config', '--schema', 's.json', 'p.ndjson'];
      const theirs = [...validate, '--format', 'ndjson=report'];
      spawnSync(/** @type {string} */ (theirs[0]), theirs.slice(1), { cwd: folder });
      const ours = [...PAYLINT, 'render', 'report', '--format', 'ndjson=again'];
      return {
        ours: { label: 'render', argv: ours, cwd: folder, exitCode: 1 },
        theirs: { label: 'validate', argv: theirs, cwd: folder, exitCode: 1 },
      };
    },
  },
];

/**
 * @typedef {object} CheckedLists
 * @property {string} assert
 * @property {number} lists of equal length, one in each payload
 */

/**
 * A row about checks of lists with 400,000 items together.
 * @param {{ name: string, title: string, ours: CheckedLists, theirs: CheckedLists }} it
 * @returns {Row}
 */
function checks({ name, title, ours, theirs }) {
  return {
    name,
    title,
    most: 5,
    commands(folder) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 's.json'), JSON.stringify({ properties: { l: { items: { type: 'integer' } } } }));
      /** @type {(label: string, lists: CheckedLists, exitCode: number) => import('./measure.js').Command} */
      const command = (label, { assert, lists }, exitCode) => {
        const list = Array.from({ length: 400_000 / lists }, (_, i) => i);
        writeFileSync(join(folder, `${label}.ndjson`), `${JSON.stringify({ l: list })}\n`.repeat(lists));
        const config = { schema: 's.json', checks: [{ id: 'c', message: 'no', assert }] };
        writeFileSync(join(folder, `${label}.config.json`), JSON.stringify(config));
        const flags = ['--config', `${label}.config.json`, '--threads', '1', '--quiet'];
        return { label, argv: [...PAYLINT, 'validate', ...flags, `${label}.ndjson`], cwd: folder, exitCode };
      };
      return { ours: command('costly', ours, 2), theirs: command('plain', theirs, 0) };
    },
  };
}

/**
 * A row about payloads that are invalid, by valid ones of the same size.
 * @param {{ name: string, title: string, schema: object, valid: (i: number) => unknown, invalid: (i: number) => unknown }} it
 * @returns {Row}
 */
function invalid({ name, title, schema, valid, invalid: wrong }) {
  return {
    name,
    title: `${COUNT} invalid payloads, by valid ones: ${title}`,
    most: 5,
    commands(folder) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
      const argv = [...PAYLINT, 'validate', '--no-config', '--schema', 's.json', '--threads', '1', '--quiet'];
      /** @type {(label: string, payload: (i: number) => unknown, exitCode: number) => import('./measure.js').Command} */
      const command = (label, payload, exitCode) => {
        const lines = Array.from({ length: COUNT }, (_, i) => `${JSON.stringify(payload(i))}\n`);
        writeFileSync(join(folder, `${label}.ndjson`), lines.join(''));
        return { label, argv: [...argv, `${label}.ndjson`], cwd: folder, exitCode };
      };
      return { ours: command('invalid', wrong, 1), theirs: command('valid', valid, 0) };
    },
  };
}

/**
 * @param {number} levels
 * @param {unknown} inner
 */
function nested(levels, inner) {
  return Array.from({ length: levels }).reduce((value) => ({ a: value }), inner);
}

/**
 * Makes the files in which something is missing. The disk must not be busy with them any more.
 * @param {string} folder
 * @param {number} count
 */
function makeFiles(folder, count) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const text = readFileSync(MISSING);
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `${i}.json`), text);
  execFileSync('sync');
}

/**
 * @param {Row} row
 * @param {number} rounds
 * @returns {Promise<Figures>}
 */
async function figuresOf({ commands, figures }, rounds) {
  const root = mkdtempSync(join(tmpdir(), 'paylint-bounds-'));
  const folder = join(root, 'data');
  try {
    if (figures !== undefined) return await figures(folder, rounds);
    if (commands === undefined) throw new Error('a row measures nothing');
    return await compared(commands(folder), rounds);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/**
 * @param {Pair} pair
 * @param {number} rounds
 * @returns {Promise<Figures>} the least times
 */
async function compared(pair, rounds) {
  const least = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
  for (let i = 0; i < rounds; i++) {
    least.ours = Math.min(least.ours, (await measure(pair.ours, { memory: false })).milliseconds);
    least.theirs = Math.min(least.theirs, (await measure(pair.theirs, { memory: false })).milliseconds);
  }
  const [ours, theirs] = [least.ours, least.theirs].map((time) => `${(time / 1000).toFixed(2)} s`);
  return { ours: `${ours}`, theirs: `${theirs}`, ratio: least.ours / least.theirs };
}

const { values } = parseArgs({ options: { only: { type: 'string' }, pairs: { type: 'string', default: '5' } } });
const only = values.only?.split(',') ?? ROWS.map(({ name }) => name);
const unknown = only.find((name) => !ROWS.some((row) => row.name === name));
if (unknown !== undefined) throw new Error(`there is no row ${unknown}`);

process.stdout.write('| | paylint | compared with | ratio | bound | kept |\n|---|--:|--:|--:|--:|---|\n');
for (const row of ROWS.filter(({ name }) => only.includes(name))) {
  const { ours, theirs, ratio } = await figuresOf(row, Number(values.pairs));
  const isKept = ratio <= row.most;
  if (!isKept) process.exitCode = 1;
  const cells = [row.title, ours, theirs, ratio.toFixed(2), `≤ ${row.most}`, isKept ? 'yes' : '**no**'];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
