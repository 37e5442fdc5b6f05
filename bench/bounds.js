// @ts-check
// Measures what must stay within a multiple of the plainest way to do it: each row is a command of paylint, another command, and a bound on the
// ratio of their times. Both run in turns on data made anew, and the least of all pairs counts, so that what else the machine does matters
// little. Prints a table; exit code 1 if a bound is not kept.
//
//     npm run bench:bounds -- [--only NAME,…] [--pairs N]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from './measure.js';

/**
 * @typedef {object} Row
 * @property {string} name for `--only`
 * @property {string} title
 * @property {number} most the bound: paylint's time by the other's
 * @property {(folder: string) => Pair} commands that work in `folder`, which is empty
 */
/** @typedef {{ ours: import('./measure.js').Command, theirs: import('./measure.js').Command }} Pair */

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const PAYLINT = [process.execPath, here('../bin/paylint.js')];
const MISSING = here('../fixtures/contract/fill/active-and-nested-types-pretty.before.json');

/** @type {readonly Row[]} */
const ROWS = [
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
 * @param {number} pairs
 * @returns {Promise<{ ours: number, theirs: number }>} the least times, in milliseconds
 */
async function leastOf({ commands }, pairs) {
  const root = mkdtempSync(join(tmpdir(), 'paylint-bounds-'));
  try {
    const { ours, theirs } = commands(join(root, 'data'));
    const least = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
    for (let i = 0; i < pairs; i++) {
      least.ours = Math.min(least.ours, (await measure(ours, { memory: false })).milliseconds);
      least.theirs = Math.min(least.theirs, (await measure(theirs, { memory: false })).milliseconds);
    }
    return least;
  } finally {
    rmSync(root, { recursive: true });
  }
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, pairs: { type: 'string', default: '5' } },
});
const only = values.only?.split(',') ?? ROWS.map(({ name }) => name);
const unknown = only.find((name) => !ROWS.some((row) => row.name === name));
if (unknown !== undefined) throw new Error(`there is no row ${unknown}`);

process.stdout.write('| | paylint | compared with | ratio | bound | kept |\n|---|--:|--:|--:|--:|---|\n');
for (const row of ROWS.filter(({ name }) => only.includes(name))) {
  const { ours, theirs } = await leastOf(row, Number(values.pairs));
  const isKept = ours / theirs <= row.most;
  if (!isKept) process.exitCode = 1;
  const times = [ours, theirs].map((milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`);
  const cells = [row.title, ...times, (ours / theirs).toFixed(2), `≤ ${row.most}`, isKept ? 'yes' : '**no**'];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
