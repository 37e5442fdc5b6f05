// @ts-check
// Measures the library beside what a user would write without it: JSON.parse and compiled Ajv functions, in one process, in turns. It starts that
// process with Node 20 and with the newest (`npm run nodes` installs both), and prints a table of the ratios; `--write` puts it into
// docs/internals/performance.md.
//
//     npm run bench:library -- [--only NAME,…] [--rounds N] [--here] [--write]
//
// `--here`: only with the Node that runs this.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NODES, nodePath } from '../scripts/nodes.js';
import { replaceSection } from '../scripts/suites/report.js';

/** @typedef {import('./library-rows.js').Measured} Measured */

const ROWS = fileURLToPath(new URL('library-rows.js', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../docs/internals/performance.md', import.meta.url));

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '60' },
    here: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

/** Oldest and newest line of Node. */
const programs = values.here
  ? [process.execPath]
  : ['20', NODES.at(-1) ?? ''].map(nodePath).filter((path) => existsSync(path));
if (programs.length === 0) throw new Error('no Node to measure with: npm run nodes installs them');

/** @type {{ version: string, rows: Measured[] }[]} */
const measured = programs.map((program) => {
  const flags = ['--expose-gc', ROWS, values.rounds, values.only];
  return JSON.parse(execFileSync(program, flags, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
});

/** @param {Measured} row */
function cell({ ratio, most, ours, theirs, unit }) {
  const shown = theirs === null ? '' : ` (${ours} against ${theirs} ${unit})`;
  const value = theirs === null ? `${ours} ${unit}` : ratio.toFixed(2);
  return most === null || ratio <= most ? `${value}${shown}` : `**${value}**${shown}`;
}

const [first] = measured;
const lines = [
  ['', 'at most', ...measured.map(({ version }) => `Node ${version}`)],
  Array(2 + measured.length).fill('---'),
  ...(first?.rows ?? []).map(({ title, limit }, i) => [
    title,
    limit,
    ...measured.map(({ rows }) => cell(/** @type {Measured} */ (rows[i]))),
  ]),
];
const table = lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
console.log(table);
if (values.write) writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), 'library', table));
