// @ts-check
// How long paylint takes for one small file with each schema of SchemaStore that has a test, against the native validator: all of it is the
// start. The native validator gets the names of the files that a schema refers to; paylint gets the folder and finds them.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure } from './measure.js';

/** @typedef {{ name: string, ours: number, theirs: number, node: number, refused: boolean }} Start least times, in milliseconds; node: of `node -e 0`; refused: the native validator refuses the schema, and `theirs` is its time until then */

const STORE = 'https://github.com/SchemaStore/schemastore';
const FOLDER = fileURLToPath(new URL('data/', import.meta.url));
const PAYLINT = fileURLToPath(new URL('../bin/paylint.js', import.meta.url));
/** How many times `node -e 0` a start may take longer than the native validator's. */
const MORE = 2;
const NODE = { label: 'node -e 0', argv: [process.execPath, '-e', '0'] };
/** How many times as many pairs are measured for a schema beyond that. */
const MORE_PAIRS = 3;
/** Exit codes of the native validator: the payload is valid, or it is not. Others: it refuses the schema. */
const JUDGED = [0, 2];
const URIS = ['https://json.schemastore.org/', 'https://www.schemastore.org/'];

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
 * The files in `folder` that the schema at `path` refers to, and those that these refer to.
 * @param {string} path
 * @param {string} folder
 */
function referredFiles(path, folder) {
  const found = new Set([path]);
  for (const file of found) {
    const text = readFileSync(file, 'utf8');
    const [, id = URIS[0]] = /"\$?id"\s*:\s*"(https:[^"]+)"/.exec(text) ?? [];
    for (const [, reference = ''] of text.matchAll(/"\$ref"\s*:\s*"([^"#]+)/g)) {
      const href = URL.canParse(reference, id) ? new URL(reference, id).href : '';
      const uri = URIS.find((one) => href.startsWith(one));
      const names = uri === undefined ? [] : [href.slice(uri.length), `${href.slice(uri.length)}.json`];
      const target = names.map((name) => join(folder, name)).find((one) => one.endsWith('.json') && existsSync(one));
      if (target !== undefined) found.add(target);
    }
  }
  found.delete(path);
  return [...found];
}

/**
 * @param {string} store
 * @param {{ schema: string, data: string }} files
 * @param {string} native
 */
function commandsFor(store, { schema, data }, native) {
  const schemas = join(store, 'src/schemas/json');
  const refs = URIS.flatMap((uri) => ['--ref', `${uri}=${schemas}`]);
  const resolved = referredFiles(schema, schemas).flatMap((file) => ['--resolve', file]);
  const flags = ['--no-config', '--exit-zero', '--quiet', '--format', 'line', ...refs];
  return {
    ours: { label: 'paylint', argv: [process.execPath, PAYLINT, 'validate', ...flags, '--schema', schema, data] },
    theirs: { label: 'native', argv: [native, 'validate', schema, data, '--fast', ...resolved] },
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
  const [program = '', ...args] = theirs.argv;
  const exitCode = spawnSync(program, args).status;
  // One schema makes it crash.
  if (exitCode === null) return leastTimes({ ours, theirs: { ...theirs, argv: withoutFiles(theirs.argv) } }, pairs);
  const never = Number.POSITIVE_INFINITY;
  const least = { ours: never, theirs: never, node: never };
  for (let pair = 0; pair < pairs; pair++) {
    least.ours = Math.min(least.ours, (await timeOf(ours)) ?? Number.NaN);
    least.theirs = Math.min(least.theirs, (await timeOf({ ...theirs, exitCode })) ?? Number.NaN);
    least.node = Math.min(least.node, (await timeOf(NODE)) ?? Number.NaN);
  }
  return { ...least, refused: !JUDGED.includes(exitCode) };
}

/**
 * A command of the native validator without the files that a schema refers to.
 * @param {readonly string[]} argv
 */
function withoutFiles(argv) {
  const first = argv.indexOf('--resolve');
  return first < 0 ? [...argv] : argv.slice(0, first);
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
  for (const start of starts) {
    if (!isBeyond(start)) continue;
    const again = await leastTimes(commandsFor(store, start.files, native), MORE_PAIRS * pairs);
    start.ours = Math.min(start.ours, again?.ours ?? start.ours);
    start.theirs = Math.min(start.theirs, again?.theirs ?? start.theirs);
    start.node = Math.min(start.node, again?.node ?? start.node);
  }
  return starts;
}

/** @param {Start} start */
function isBeyond({ ours, theirs, node }) {
  return !(ours < theirs + MORE * node);
}

/**
 * A table of the distribution, and the schemas beyond the bound.
 * @param {readonly Start[]} starts
 */
export function startTable(starts) {
  const refused = starts.filter((start) => start.refused).length;
  const beyond = starts.filter(isBeyond);
  const ratios = starts.map(({ ours, node }) => ours / node).sort((a, b) => a - b);
  const ratio = (ratios[Math.floor(ratios.length / 2)] ?? 0).toFixed(2);
  const share = ((100 * beyond.length) / starts.length).toFixed(1);
  /** @param {(row: Start) => number} value */
  const shares = (value) => {
    const sorted = starts.map(value).sort((a, b) => a - b);
    return [0.5, 0.9, 0.99, 1].map((share) => `${Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)} ms`);
  };
  return [
    '| | median | 90 % | 99 % | worst |',
    '|---|---|---|---|---|',
    `| paylint | ${shares(({ ours }) => ours).join(' | ')} |`,
    `| \`node -e 0\` | ${shares(({ node }) => node).join(' | ')} |`,
    `| native | ${shares(({ theirs }) => theirs).join(' | ')} |`,
    `| difference | ${shares(({ ours, theirs }) => ours - theirs).join(' | ')} |`,
    '',
    `The median is ${ratio} times \`node -e 0\` (at most 2.1). ${beyond.length} of ${starts.length} schemas (${share} %, at most 3 %) take longer than native and ${MORE} times \`node -e 0\`. The native validator refuses ${refused} of them; its time until then counts there.`,
    ...(beyond.length === 0
      ? []
      : [
          '',
          `Longer: ${beyond
            .sort((a, b) => b.ours - b.theirs - a.ours + a.theirs)
            .map(({ name, ours, theirs }) => `${name} (${Math.round(ours)} ms, native ${Math.round(theirs)} ms)`)
            .join(', ')}.`,
        ]),
  ];
}
