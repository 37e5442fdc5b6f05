// @ts-check
// Measures paylint against its peers and against its own targets, prints a table and, where all rows ran at full size, writes
// it into docs/internals/performance.md. Data and peers go to bench/data, which git ignores.
//
// `--quick` takes a twentieth of the data, to compare a change with the state before it in some minutes. What a command takes for one payload is then
// subtracted from its time: at that size a start would count as much as the work. Rows that do not reach their target at that size, because threads
// and compiled code pay later, have another one (`quick.js`). It fails if a target is missed, but not for a peer that is not installed.
//
//     npm run bench -- [--only NAME,…] [--scale 0.1] [--runs N] [--keep] [--quick]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replaceSection } from '../scripts/suites/report.js';
import { generateFile, generateFolder } from './generate.js';
import { compare, measure, middle } from './measure.js';
import { findNative, NATIVE_PACKAGE, NATIVE_VERSION } from './native.js';
import { QUICK_TARGETS } from './quick.js';
import { DATA, ROWS } from './rows.js';

/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('./rows.js').DataName} DataName */
/** @typedef {import('./rows.js').DataSpec} DataSpec */
/** @typedef {import('./rows.js').Generated} Generated */
/** @typedef {import('./measure.js').Measurement} Measurement */
/** @typedef {{ row: Row, ours?: Measurement, theirs?: Measurement, other?: string, ratio?: number, failure?: string }} Result */

const FOLDER = fileURLToPath(new URL('data/', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../docs/internals/performance.md', import.meta.url));

/**
 * The data of that name, made if it is not there yet.
 * @param {DataName} name
 * @param {number} scale
 * @returns {Promise<Generated>}
 */
async function findData(name, scale) {
  /** @type {DataSpec} */
  const spec = DATA[name];
  const scaled =
    'size' in spec ? { ...spec, size: spec.size * scale } : { ...spec, files: Math.ceil(spec.files * scale) };
  const path = join(FOLDER, `${name}-${scale}${extensionOf(spec)}`);
  const note = `${path}.written`;
  const wanted = JSON.stringify(scaled);
  if (existsSync(note)) {
    const { made, written } = JSON.parse(readFileSync(note, 'utf8'));
    if (made === wanted) return { path, written };
  }
  rmSync(path, { recursive: true, force: true });
  const written =
    'size' in scaled ? await generateFile({ ...scaled, out: path }) : generateFolder({ ...scaled, out: path });
  writeFileSync(note, JSON.stringify({ made: wanted, written }));
  if (scale === 1) execFileSync('sync'); // the disk must not be busy with it any more
  return { path, written };
}

/** @param {DataSpec} spec */
function extensionOf(spec) {
  if ('files' in spec) return '';
  // The native validator reads one payload per line only with the extension .jsonl. To paylint it is the same as
  // .ndjson.
  return `${spec.layout === undefined ? '.jsonl' : '.json'}${spec.gzip ? '.gz' : ''}`;
}

/**
 * @param {Row} row
 * @param {{ scale: number, runs: number, quick: boolean }} options
 * @returns {Promise<Result>}
 */
async function runRow(row, { scale, runs, quick }) {
  try {
    const [ours, theirs] = await commandsOf(row, scale);
    if (ours === undefined) throw new Error('the row has no command');
    if (quick && theirs !== undefined && row.brief !== true) return await runQuickly(row, ours, theirs, runs);
    const options = { memory: row.brief !== true };
    const brief = quick ? QUICK_STARTS : row.runs;
    const times = row.brief && brief !== undefined ? brief : Math.min(runs, row.runs ?? runs);
    if (theirs !== undefined) {
      return { row, other: theirs.label, ...(await compare(ours, theirs, times, options)) };
    }
    const measured = [];
    for (let i = 0; i < times; i++) measured.push(await measure(ours, options));
    return { row, ours: middle(measured) };
  } catch (error) {
    return { row, failure: String(error).replaceAll(/\s+/g, ' ') };
  }
}

/**
 * @param {Row} row
 * @param {number} scale
 * @returns {Promise<import('./measure.js').Command[]>}
 */
async function commandsOf(row, scale) {
  const data = [];
  for (const name of row.data) data.push(await findData(name, scale));
  for (const { path } of data) warm(path);
  return row.commands(data, {
    get native() {
      return findNative();
    },
  });
}

/** Pairs of starts that are measured quickly. */
const QUICK_STARTS = 5;

/** In milliseconds: what takes longer is measured once, since other programs matter less. */
const LONG = 500;

/** Of the data, for what a start takes: one payload, or one file. */
const ONE = 1e-9;

/**
 * Compares the least times of both, without what their starts take.
 * @param {Row} row
 * @param {import('./measure.js').Command} ours
 * @param {import('./measure.js').Command} theirs
 * @param {number} runs
 * @returns {Promise<Result>}
 */
async function runQuickly(row, ours, theirs, runs) {
  const memory = { memory: true };
  const [ourStart, theirStart] = await commandsOf(row, ONE);
  const [a, b] = await leastOf([ours, theirs], runs, memory);
  const [from, to] = await leastOf([ourStart ?? ours, theirStart ?? theirs], runs, { memory: false });
  const perByte = (ours.bytes ?? 1) / (theirs.bytes ?? 1);
  const work = Math.max(1, a.milliseconds - from.milliseconds);
  const ratio = (Math.max(1, b.milliseconds - to.milliseconds) / work) * perByte;
  return { row, other: theirs.label, ours: a, theirs: b, ratio };
}

/**
 * @param {[import('./measure.js').Command, import('./measure.js').Command]} pair
 * @param {number} runs
 * @param {{ memory: boolean }} options
 * @returns {Promise<[Measurement, Measurement]>} of each the run that took least
 */
async function leastOf([one, other], runs, options) {
  const least = (/** @type {Measurement} */ before, /** @type {Measurement} */ now) =>
    now.milliseconds < before.milliseconds ? now : before;
  let [a, b] = [await measure(one, options), await measure(other, options)];
  for (let i = 1; i < runs; i++) {
    a = least(a, await measure(one, options));
    if (b.milliseconds < LONG) b = least(b, await measure(other, options));
  }
  return [a, b];
}

/**
 * Reads a file into the page cache before the measurement.
 * @param {string} path
 */
function warm(path) {
  if (statSync(path).isFile()) execFileSync('cat', [path], { stdio: 'ignore' });
}

/**
 * @param {Result} result
 * @param {boolean} quick
 * @returns {string[]} the cells of its line
 */
function cells({ row, ours, theirs, other, ratio, failure }, quick) {
  if (failure !== undefined || ours === undefined) return [row.title, `failed: ${failure}`, '', '', '', ''];
  const time = (/** @type {Measurement} */ { milliseconds, peakBytes }) =>
    seconds(milliseconds) + (row.brief ? '' : `, ${Math.round(peakBytes / 1e6)} MB`);
  const target = (quick ? QUICK_TARGETS[row.name] : undefined) ?? row.target;
  const { outcome, wanted, met } = outcomeOf(target, ours, ratio ?? 0);
  return [row.title, time(ours), theirs === undefined ? '' : `${other}: ${time(theirs)}`, outcome, wanted, met];
}

/**
 * @param {import('./rows.js').Target} target
 * @param {Measurement} ours
 * @param {number} ratio the other's time by paylint's
 */
function outcomeOf(target, { peakBytes }, ratio) {
  const verdict = (/** @type {boolean} */ met) => (met ? 'yes' : MISSED);
  switch (target.kind) {
    case 'faster':
      return { outcome: `${ratio.toFixed(1)}×`, wanted: `≥ ${target.least}×`, met: verdict(ratio >= target.least) };
    case 'ratio': {
      const share = 1 / ratio;
      return { outcome: share.toFixed(2), wanted: `≤ ${target.most}`, met: verdict(share <= target.most) };
    }
    case 'memory': {
      const outcome = `${Math.round(peakBytes / 1e6)} MB`;
      return { outcome, wanted: `< ${target.mostBytes / 1e6} MB`, met: verdict(peakBytes < target.mostBytes) };
    }
    case 'reference':
      return { outcome: `1/${(1 / ratio).toFixed(1)}`, wanted: '', met: '' };
  }
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

const MISSED = '**no**';

/** @param {Result[]} results @param {boolean} quick */
function table(results, quick) {
  const head = ['', 'paylint', 'the other', 'outcome', 'target', 'met'];
  const lines = [head, Array(6).fill('---'), ...results.map((result) => cells(result, quick))];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function machine() {
  const { model = 'unknown processor' } = cpus()[0] ?? {};
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${cpus().length} cores, ${memory} GiB; ${platform()} ${release()} ${arch()}; Node ${process.versions.node}; \
${NATIVE_PACKAGE} ${NATIVE_VERSION}; Ajv ${versionOf('ajv')}`;
}

/** @param {string} name */
function versionOf(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      scale: { type: 'string' },
      runs: { type: 'string' },
      keep: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  });
  const names = values.only?.split(',');
  const unknown = names?.find((name) => !ROWS.some((row) => row.name === name));
  if (unknown !== undefined)
    throw new Error(`no row "${unknown}"; there are ${ROWS.map(({ name }) => name).join(', ')}`);
  const rows = ROWS.filter(({ name }) => names?.includes(name) ?? true);
  const { quick, scale = quick ? '0.05' : '1', runs = quick ? '2' : '5' } = values;
  const options = { scale: Number(scale), runs: Number(runs), quick };
  const results = [];
  for (const [i, row] of rows.entries()) {
    const result = await runRow(row, options);
    results.push(result);
    console.log(`${row.name}: ${cells(result, quick).slice(1).filter(Boolean).join(' · ')}`);
    const later = new Set(rows.slice(i + 1).flatMap(({ data }) => data));
    if (values.keep) continue;
    for (const name of row.data.filter((one) => !later.has(one)))
      for (const size of [options.scale, ONE]) forget(name, size);
  }
  const text = `${machine()}. Medians of pairs run in turns; memory: the highest peak.\n\n${table(results, quick)}`;
  console.log(`\n${text}`);
  const isWhole = names === undefined && options.scale === 1;
  if (isWhole) writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), 'bench', text));
  const isMissed = (/** @type {Result} */ result) => quick && cells(result, quick).at(-1) === MISSED;
  const hasFailed = ({ failure = '' }) => failure !== '' && !(quick && failure.includes('ENOENT'));
  if (results.some((result) => hasFailed(result) || isMissed(result))) process.exitCode = 1;
}

/**
 * @param {DataName} name
 * @param {number} scale
 */
function forget(name, scale) {
  const path = join(FOLDER, `${name}-${scale}${extensionOf(DATA[name])}`);
  for (const one of [path, `${path}.written`, `${path}.copy`, `${path}.new`])
    rmSync(one, { recursive: true, force: true });
}

await main();
