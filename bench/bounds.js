// @ts-check
// Measures what must stay within a bound. Most rows are a command of paylint, another command that does it in the plainest way, and a bound on the
// ratio of their times: both run in turns on data made anew, and the least of all pairs counts, so that what else the machine does matters
// little. The others measure something else than times. Prints a table; exit code 1 if a bound is not kept.
//
//     npm run bench:bounds -- [--only NAME,…] [--pairs N]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MEMORY_ROWS } from './bounds-memory.js';
import { SIGNAL_ROWS } from './bounds-signals.js';
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

const MISSING = here('../fixtures/contract/fill/active-and-nested-types-pretty.before.json');

/** @type {readonly Row[]} */
const ROWS = [
  ...SIGNAL_ROWS,
  ...MEMORY_ROWS,
  {
    name: 'write-files',
    title: '`fill --write` of 1,500 small files, by reading, writing, syncing and renaming each',
    most: 2.5,
    commands(folder) {
      const before = () => makeFiles(folder, 1500);
      return {
        ours: {
          label: 'paylint',
          argv: [...PAYLINT, 'fill', '--write', '--no-config', '.'],
          cwd: folder,
          before,
        },
        theirs: { label: 'script', argv: [process.execPath, here('peers/rewrite.js')], cwd: folder, before },
      };
    },
  },
];

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

const { values } = parseArgs({
  options: { only: { type: 'string' }, pairs: { type: 'string', default: '5' } },
});
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
