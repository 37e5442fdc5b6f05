// @ts-check
// Measures paylint with every schema of the public jsonschema-benchmark, against the native validator and against a
// script with Ajv. Prints a table with the ratios and their geometric means; `--write` puts its least, mean and highest values into docs/internals/performance.md.
//
//     npm run bench:schemas -- [--size 60] [--only NAME,…] [--runs N] [--corpus FOLDER] [--no-script] [--write]
//     npm run bench:schemas -- --starts [--only NAME,…] [--runs N] [--store FOLDER] [--write]
//
// `--size`: megabytes of each file; the instances of a schema are repeated up to it. Files of more than 100 MB are deleted
// once the schema is measured. `--corpus`: a checkout of the benchmark; without it, it is cloned into bench/data, which git
// ignores. `--no-script`: without the script, which takes longest. `--starts`: one small file with each schema of SchemaStore, of which `--store` is a
// checkout; without it, it is cloned.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replaceSection } from '../scripts/suites/report.js';
import { measure } from './measure.js';
import { findNative, NATIVE_PACKAGE, NATIVE_VERSION } from './native.js';
import { findStore, measureStarts, startTable } from './starts.js';

/** @typedef {import('./measure.js').Command} Command */
/** @typedef {{ name: string, seconds: number, native: number | null, script: number | null, peakBytes: number, failure: string | null }} Row the others' times by paylint's */

const CORPUS = 'https://github.com/sourcemeta-research/jsonschema-benchmark';
const FOLDER = fileURLToPath(new URL('data/', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../docs/internals/performance.md', import.meta.url));
const PAYLINT = fileURLToPath(new URL('../bin/paylint.js', import.meta.url));
/** Smaller files are kept for the next time, in bytes. */
const KEPT = 100e6;
const SCRIPT = fileURLToPath(new URL('peers/readline-ajv-schema.js', import.meta.url));

/** The folder of the schemas, cloned if it is not there. */
function findCorpus() {
  const folder = join(FOLDER, 'jsonschema-benchmark');
  if (!existsSync(folder)) {
    mkdirSync(FOLDER, { recursive: true });
    execFileSync('git', ['clone', '--depth', '1', CORPUS, folder], { stdio: 'inherit' });
  }
  return folder;
}

/**
 * A file with the instances of a schema, repeated up to `size` bytes. The native validator reads one payload per line
 * only with the extension `.jsonl`.
 * @param {string} instances
 * @param {string} name
 * @param {number} size
 */
function repeated(instances, name, size) {
  const path = join(FOLDER, `schema-${name}-${size}.jsonl`);
  if (existsSync(path)) return path;
  const once = readFileSync(instances);
  const lines = once.at(-1) === 0x0a ? once : Buffer.concat([once, Buffer.from('\n')]);
  const fd = openSync(path, 'w');
  for (let written = 0; written === 0 || written + lines.length <= size; written += lines.length) writeSync(fd, lines);
  // Else the first command would be measured while the system writes the file to the disk.
  fsyncSync(fd);
  closeSync(fd);
  return path;
}

/**
 * The least time of a command, in seconds, and the most memory; null if it fails.
 * @param {Command} command
 * @param {number} runs
 */
async function best(command, runs) {
  let seconds = Number.POSITIVE_INFINITY;
  let peakBytes = 0;
  try {
    for (let run = 0; run < runs; run++) {
      const measured = await measure(command, { memory: true });
      seconds = Math.min(seconds, measured.milliseconds / 1000);
      peakBytes = Math.max(peakBytes, measured.peakBytes);
    }
  } catch (error) {
    return { seconds: null, peakBytes, failure: error instanceof Error ? error.message : String(error) };
  }
  return { seconds, peakBytes, failure: null };
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {{ size: number, runs: number, native: string, withScript: boolean }} options
 * @returns {Promise<Row | null>} null if there are no instances
 */
async function measureSchema(folder, name, options) {
  const schema = join(folder, name, 'schema.json');
  const instances = join(folder, name, 'instances.jsonl');
  if (!existsSync(instances)) return null;
  const data = repeated(instances, name, options.size);
  try {
    return await measureWith({ schema, data }, name, options);
  } finally {
    if (options.size > KEPT) rmSync(data);
  }
}

/**
 * @param {{ schema: string, data: string }} files
 * @param {string} name
 * @param {{ runs: number, native: string, withScript: boolean }} options
 * @returns {Promise<Row>}
 */
async function measureWith({ schema, data }, name, { runs, native, withScript }) {
  const argv = [process.execPath, PAYLINT, 'validate', '--no-config', '--quiet', '--format', 'line', '--exit-zero'];
  const ours = await best({ label: 'paylint', argv: [...argv, '--schema', schema, data] }, runs);
  const theirs = await best({ label: 'native', argv: [native, 'validate', schema, data, '--fast'] }, runs);
  const script = withScript
    ? await best({ label: 'script', argv: [process.execPath, SCRIPT, schema, data] }, Math.min(runs, 2))
    : { seconds: null };
  /** @param {number | null} seconds */
  const ratio = (seconds) => (seconds === null || ours.seconds === null ? null : seconds / ours.seconds);
  return {
    name,
    seconds: ours.seconds ?? Number.NaN,
    native: ratio(theirs.seconds),
    script: ratio(script.seconds),
    peakBytes: ours.peakBytes,
    failure: ours.failure,
  };
}

/** Pairs of runs of one small file. */
const SMALL_PAIRS = 15;

/**
 * One payload, with a large schema: the start is all of it. Least times, in turns.
 * @param {string} folder
 * @param {string} native
 */
async function smallFile(folder, native) {
  const schema = join(folder, 'cspell', 'schema.json');
  const data = join(FOLDER, 'one-cspell.json');
  const [first = ''] = readFileSync(join(folder, 'cspell', 'instances.jsonl'), 'utf8').split('\n');
  writeFileSync(data, first);
  const commands = [
    { label: 'paylint', argv: [process.execPath, PAYLINT, 'validate', '--no-config', '--schema', schema, data] },
    { label: 'native', argv: [native, 'validate', schema, data, '--fast'] },
    { label: 'node -e 0', argv: [process.execPath, '-e', '0'] },
  ];
  const least = commands.map(() => Number.POSITIVE_INFINITY);
  for (let pair = 0; pair < SMALL_PAIRS; pair++)
    for (const [i, command] of commands.entries()) {
      const { milliseconds } = await measure(command, { memory: false });
      least[i] = Math.min(least[i] ?? 0, milliseconds);
    }
  const [ours = 0, theirs = 0, node = 0] = least.map(Math.round);
  const met = ours < theirs + 2 * node ? 'yes' : '**no**';
  return `One payload with cspell's schema, Node ${process.versions.node}: paylint ${ours} ms, native ${theirs} ms, \`node -e 0\` ${node} ms; less than native and twice \`node -e 0\`: ${met}.`;
}

/** @param {(number | null)[]} ratios */
const known = (ratios) => ratios.filter((ratio) => ratio !== null);

/** @param {(number | null)[]} ratios */
function geometricMean(ratios) {
  const numbers = known(ratios);
  if (numbers.length === 0) return null;
  return Math.exp(numbers.reduce((sum, ratio) => sum + Math.log(ratio), 0) / numbers.length);
}

/** @param {Pick<Row, 'seconds' | 'native' | 'script' | 'peakBytes'>} row */
function cellsOf({ seconds, native, script, peakBytes }) {
  return [`${seconds.toFixed(2)} s`, times(native), times(script), `${Math.round(peakBytes / 1e6)} MB`];
}

/** @param {number | null} ratio */
const times = (ratio) => (ratio === null ? '–' : `${ratio.toFixed(1)} ×`);

const { values } = parseArgs({
  allowNegative: true,
  options: {
    size: { type: 'string', default: '60' },
    only: { type: 'string' },
    runs: { type: 'string', default: '3' },
    corpus: { type: 'string' },
    script: { type: 'boolean', default: true },
    starts: { type: 'boolean', default: false },
    store: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',');
mkdirSync(FOLDER, { recursive: true });
const lines = values.starts ? await starts() : await sizes();
if (values.starts) console.log(lines.join('\n'));
if (values.write) {
  const name = values.starts ? 'schemas-starts' : `schemas-${values.size}`;
  writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), name, lines.join('\n')));
}

/** The lines of the table of starts. */
async function starts() {
  const measured = await measureStarts(values.store ?? findStore(), findNative(), { pairs: Number(values.runs), only });
  return startTable(measured);
}

/** The lines of the table of files of one size. */
async function sizes() {
  const folder = join(values.corpus ?? findCorpus(), 'schemas');
  const size = Number(values.size) * 1e6;
  const options = { size, runs: Number(values.runs), native: findNative(), withScript: values.script };
  /** @type {Row[]} */
  const rows = [];
  for (const name of readdirSync(folder)) {
    if (only !== undefined && !only.includes(name)) continue;
    const row = await measureSchema(folder, name, options);
    if (row === null) continue;
    rows.push(row);
    console.error(
      `${name}: ${row.failure ?? `${row.seconds.toFixed(2)} s, ${times(row.native)}, ${times(row.script)}`}`,
    );
  }
  console.log(['schema', 'paylint', 'native', 'script', 'memory'].join('\t'));
  for (const { name, ...row } of rows) console.log([name, ...cellsOf(row)].join('\t'));
  const all = (/** @type {(...values: number[]) => number} */ pick) =>
    cellsOf({
      seconds: pick(...rows.map(({ seconds }) => seconds)),
      native: pick(...known(rows.map(({ native }) => native))),
      script: pick(...known(rows.map(({ script }) => script))),
      peakBytes: pick(...rows.map(({ peakBytes }) => peakBytes)),
    });
  const [nativeMean, scriptMean] = [rows.map(({ native }) => native), rows.map(({ script }) => script)].map((ratios) =>
    times(geometricMean(ratios)),
  );
  const table = [
    `${values.size} MB of instances per schema, default threads. Times of the others divided by paylint's: \`${NATIVE_PACKAGE}\` ${NATIVE_VERSION} \`validate --fast\`, and readline, JSON.parse and Ajv for a verdict.`,
    '',
    `| ${rows.length} schemas | paylint | native | script | memory |`,
    '|---|---|---|---|---|',
    `| least | ${all(Math.min).join(' | ')} |`,
    `| **geometric mean** | | **${nativeMean}** | **${scriptMean}** | |`,
    `| most | ${all(Math.max).join(' | ')} |`,
  ];
  if (only === undefined) table.push('', await smallFile(folder, options.native));
  return table;
}
