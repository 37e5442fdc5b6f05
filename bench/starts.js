// @ts-check
// How long paylint takes for one small file with each schema of SchemaStore that has a test, against the native validator: all of it is the
// start. Schemas that the native validator refuses, mostly because they refer to others, are compared with its median.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure } from './measure.js';

/** @typedef {{ name: string, ours: number, theirs: number | null }} Start least times, in milliseconds; null: the native validator refuses the schema */

const STORE = 'https://github.com/SchemaStore/schemastore';
const FOLDER = fileURLToPath(new URL('data/', import.meta.url));
const PAYLINT = fileURLToPath(new URL('../bin/paylint.js', import.meta.url));
/** What a start may take longer than the native validator's, in milliseconds. */
const MORE = 60;
/** How many times as many pairs are measured for a schema beyond that. */
const MORE_PAIRS = 3;
/** Exit code of the native validator for a payload that is not valid. */
const INVALID = 2;

/** A checkout of SchemaStore, cloned if it is not there. */
export function findStore() {
  const folder = join(FOLDER, 'schemastore');
  if (!existsSync(folder)) {
    mkdirSync(FOLDER, { recursive: true });
    execFileSync('git', ['clone', '--depth', '1', STORE, folder], { stdio: 'inherit' });
  }
  return folder;
}

/**
 * Each schema with the smallest of its test files.
 * @param {string} store
 */
function schemasWithTests(store) {
  const tests = join(store, 'src/test');
  return readdirSync(tests).flatMap((name) => {
    const schema = join(store, 'src/schemas/json', `${name}.json`);
    if (!existsSync(schema) || !statSync(join(tests, name)).isDirectory()) return [];
    const files = readdirSync(join(tests, name)).filter((file) => file.endsWith('.json'));
    const sized = files.map((file) => ({
      path: join(tests, name, file),
      size: statSync(join(tests, name, file)).size,
    }));
    const [smallest] = sized.sort((a, b) => a.size - b.size);
    return smallest === undefined ? [] : [{ name, schema, data: smallest.path }];
  });
}

/**
 * @param {string} store
 * @param {{ schema: string, data: string }} files
 * @param {string} native
 */
function commandsFor(store, { schema, data }, native) {
  const schemas = join(store, 'src/schemas/json');
  const refs = ['https://json.schemastore.org/', 'https://www.schemastore.org/'].flatMap((uri) => [
    '--ref',
    `${uri}=${schemas}`,
  ]);
  const flags = ['--no-config', '--exit-zero', '--quiet', '--format', 'line', ...refs];
  return {
    ours: {
      label: 'paylint',
      argv: [process.execPath, PAYLINT, 'validate', ...flags, '--schema', schema, data],
    },
    theirs: { label: 'native', argv: [native, 'validate', schema, data, '--fast'] },
  };
}

/**
 * The least time of a command; null if it fails.
 * @param {import('./measure.js').Command} command
 */
async function timeOf(command) {
  try {
    return (await measure(command, { memory: false })).milliseconds;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message.startsWith(`${command.label}: exit code `) ? null : Promise.reject(error);
  }
}

/**
 * The least times of some pairs; null if paylint cannot load the schema, which refers to another host.
 * @param {ReturnType<typeof commandsFor>} commands
 * @param {number} pairs
 */
async function leastTimes({ ours, theirs }, pairs) {
  if ((await timeOf(ours)) === null) return null;
  const least = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY };
  // A payload that is not valid takes the native validator as long.
  let code = 0;
  for (let pair = 0; pair < pairs; pair++) {
    least.ours = Math.min(least.ours, (await timeOf(ours)) ?? Number.NaN);
    let time = await timeOf({ ...theirs, exitCode: code });
    if (time === null && pair === 0) {
      code = INVALID;
      time = await timeOf({ ...theirs, exitCode: code });
    }
    least.theirs = Math.min(least.theirs, time ?? Number.NaN);
  }
  return { ours: least.ours, theirs: Number.isNaN(least.theirs) ? null : least.theirs };
}

/**
 * The least times, with each schema that paylint can load. Those beyond the bound are measured a second time, with more pairs:
 * other programs can only make times longer, for paylint and for the native validator.
 * @param {string} store
 * @param {string} native
 * @param {{ pairs: number, only?: readonly string[] | undefined }} options
 * @returns {Promise<Start[]>}
 */
export async function measureStarts(store, native, { pairs, only }) {
  const all = schemasWithTests(store).filter(({ name }) => only?.includes(name) !== false);
  /** @type {(Start & { files: (typeof all)[number] })[]} */
  const starts = [];
  for (const files of all) {
    const least = await leastTimes(commandsFor(store, files, native), pairs);
    if (least !== null) starts.push({ name: files.name, ...least, files });
  }
  const usual = usualTime(starts);
  for (const start of starts) {
    if (start.ours < (start.theirs ?? usual) + MORE) continue;
    const again = await leastTimes(commandsFor(store, start.files, native), MORE_PAIRS * pairs);
    start.ours = Math.min(start.ours, again?.ours ?? start.ours);
    if (start.theirs !== null) start.theirs = Math.min(start.theirs, again?.theirs ?? start.theirs);
  }
  return starts;
}

/**
 * The median of the native validator's times.
 * @param {readonly Start[]} starts
 */
function usualTime(starts) {
  const known = starts.flatMap(({ theirs }) => theirs ?? []).sort((a, b) => a - b);
  return known[known.length >> 1] ?? 0;
}

/**
 * A table of the distribution, and the schemas beyond the bound.
 * @param {readonly Start[]} starts
 */
export function startTable(starts) {
  const usual = usualTime(starts);
  const refused = starts.filter(({ theirs }) => theirs === null).length;
  const rows = starts.map(({ name, ours, theirs }) => ({ name, ours, theirs: theirs ?? usual }));
  const beyond = rows.filter(({ ours, theirs }) => !(ours < theirs + MORE));
  /** @param {(row: { ours: number, theirs: number }) => number} value */
  const shares = (value) => {
    const sorted = rows.map(value).sort((a, b) => a - b);
    return [0.5, 0.9, 0.99, 1].map(
      (share) => `${Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)} ms`,
    );
  };
  return [
    '| | median | 90 % | 99 % | worst |',
    '|---|---|---|---|---|',
    `| paylint | ${shares(({ ours }) => ours).join(' | ')} |`,
    `| native | ${shares(({ theirs }) => theirs).join(' | ')} |`,
    `| difference | ${shares(({ ours, theirs }) => ours - theirs).join(' | ')} |`,
    '',
    `${rows.length - beyond.length} of ${rows.length} schemas take less than native and ${MORE} ms. The native validator refuses ${refused} of them, mostly because they refer to others; its median counts there.`,
    ...(beyond.length === 0
      ? []
      : [
          '',
          `Longer: ${beyond
            .sort((a, b) => b.ours - b.theirs - a.ours + a.theirs)
            .map(
              ({ name, ours, theirs }) => `${name} (${Math.round(ours)} ms, native ${Math.round(theirs)} ms)`,
            )
            .join(', ')}.`,
        ]),
  ];
}
