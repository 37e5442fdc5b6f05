// @ts-check
// Rows for `bounds.js`: the memory that a run takes for each file, and for what it tells of one payload. The least of all rounds counts:
// a garbage collector that has to wait for other programs lets memory grow.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRepeated } from './bounds-signals.js';
import { measure } from './measure.js';
import { PAYLINT } from './paylint.js';

/** Files in two folders: what the second takes more is for the files that it has more. */
const FEW = 20_000;
const MANY = 200_000;

/** What a run may take for the values of one payload: none of them is kept but in the table of all values. */
const UNIQUE_BYTES = 300e6;

/** What a run may take for a payload with as many violations as are listed. */
const LISTED_BYTES = 250e6;

/** @param {string} path */
const fixture = (path) => readFileSync(fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url)));

const VALID = fixture('contract/valid/full.json');
const MISSING = fixture('contract/fill/active-and-nested-types-pretty.before.json');

/** @type {readonly import('./bounds.js').Row[]} */
export const MEMORY_ROWS = [
  ...[1, 2].flatMap((threads) => [
    perFile(`files-validate-${threads}`, ['validate', '--threads', `${threads}`], VALID),
    perFile(`files-fill-${threads}`, ['fill', '--check', '--threads', `${threads}`], MISSING),
  ]),
  {
    name: 'fill-events',
    title: 'memory of `fill --format ndjson` for one payload with two million members to fill in, by that of `--quiet`',
    most: 1.2,
    async figures(folder, rounds) {
      mkdirSync(folder, { recursive: true });
      const items = { properties: { b: { default: true } } };
      const schema = { properties: { a: { items } } };
      writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
      writeRepeated(join(folder, 'one.json'), { before: '{"a":[', item: '{"a":1},', times: 2_000_000, after: '{}]}' });
      const args = ['fill', '--check', 'one.json', '--schema', 's.json'];
      const ours = await peakOf(folder, [...args, '--format', 'ndjson'], rounds);
      const theirs = await peakOf(folder, [...args, '--quiet'], rounds);
      return { ours: megabytes(ours), theirs: megabytes(theirs), ratio: ours / theirs };
    },
  },
  {
    name: 'listed-violations',
    title: 'memory of `--format ndjson` for one payload with 100,000 violations, all of which are listed',
    most: 1,
    async figures(folder, rounds) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 's.json'), JSON.stringify({ additionalProperties: { type: 'string' } }));
      const members = Array.from({ length: 100_000 }, (_, i) => [`m${i}`, i]);
      writeFileSync(join(folder, 'one.json'), JSON.stringify(Object.fromEntries(members)));
      const args = ['validate', 'one.json', '--format', 'ndjson', '--no-config', '--schema', 's.json'];
      const bytes = await leastPeak(folder, args, { rounds, exitCode: 1 });
      return { ours: megabytes(bytes), theirs: megabytes(LISTED_BYTES), ratio: bytes / LISTED_BYTES };
    },
  },
  {
    name: 'unique-items',
    title: 'memory of `unique` over the 1.5 million items of one payload of 3 MB, none of which is unique',
    most: 1,
    async figures(folder, rounds) {
      mkdirSync(folder, { recursive: true });
      const checks = [{ id: 'u', message: 'twice', unique: '/a/*' }];
      writeFileSync(join(folder, 's.json'), JSON.stringify({ type: 'object' }));
      writeFileSync(join(folder, 'c.json'), JSON.stringify({ schema: 's.json', checks }));
      writeRepeated(join(folder, 'one.json'), { before: '{"a":[', item: '1,', times: 1_500_000, after: '1]}' });
      const args = ['validate', 'one.json', '--quiet', '--config', 'c.json'];
      const bytes = await leastPeak(folder, args, { rounds, exitCode: 1 });
      return { ours: megabytes(bytes), theirs: megabytes(UNIQUE_BYTES), ratio: bytes / UNIQUE_BYTES };
    },
  },
];

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {Uint8Array} content of each file
 * @returns {import('./bounds.js').Row}
 */
function perFile(name, args, content) {
  return {
    name,
    title: `memory of \`${args.join(' ')}\` for each of ${MANY.toLocaleString('en')} small files`,
    most: 1,
    async figures(folder, rounds) {
      for (const count of [FEW, MANY]) makeFiles(join(folder, `${count}`), count, content);
      const [few, many] = [
        await peakOf(join(folder, `${FEW}`), args, rounds),
        await peakOf(join(folder, `${MANY}`), args, rounds),
      ];
      const bytes = (many - few) / (MANY - FEW);
      return { ours: `${Math.round(bytes)} B`, theirs: '1,000 B', ratio: bytes / 1000 };
    },
  };
}

/**
 * @param {string} folder
 * @param {number} count
 * @param {Uint8Array} content
 */
function makeFiles(folder, count, content) {
  for (let i = 0; i < count; i++) {
    const inner = join(folder, `${Math.floor(i / 1000)}`);
    if (i % 1000 === 0) mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `payload-${i}.json`), content);
  }
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {number} rounds
 * @returns {Promise<number>} in bytes
 */
function peakOf(cwd, args, rounds) {
  const paths = args.includes('--schema') ? [] : ['.'];
  return leastPeak(cwd, [...args, ...paths, '--no-config'], { rounds, exitCode: args[0] === 'fill' ? 1 : 0 });
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {{ rounds: number, exitCode: number }} run
 * @returns {Promise<number>} in bytes
 */
async function leastPeak(cwd, args, { rounds, exitCode }) {
  const command = { label: 'paylint', argv: [...PAYLINT, ...args], cwd, exitCode };
  let peak = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) peak = Math.min(peak, (await measure(command, { memory: true })).peakBytes);
  return peak;
}

/** @param {number} bytes */
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
