// @ts-check
// Runs the files of nst/JSONTestSuite (`test_parsing`) through the built paylint, with a schema that accepts everything, so
// that only the JSON itself is tested. Every `y_` file must pass, every `n_` file must have a violation, an `i_` file may have
// either; no file may crash paylint, make it hang, or be lost.
//
//     node scripts/suites/json-test-suite.js FOLDER [--write] [--commit ID]
//
// FOLDER is a checkout of the suite, or its `test_parsing`. Exit code 1 if anything differs. `--write` puts the result into
// docs/internals/suites.md. The suite is not part of this repository.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitOf, parseSuiteArgs, writeSection } from './report.js';

/** @typedef {{ type: string, file: string, rule: string, message: string }} Event a line of the NDJSON report */
/** @typedef {{ file: string, rules: string[] }} Verdict `rules`: one for each violation. */
/** @typedef {{ verdicts: Map<string, Verdict>, faults: string[] }} WayResult */
/** @typedef {{ name: string, accepted: number, refused: number, either: { accepted: number, refused: number } }} WayCount */
/** @typedef {{ files: number, ways: WayCount[], deviations: string[] }} SuiteResult */

const BIN = fileURLToPath(new URL('../../bin/paylint.js', import.meta.url));

/** For all files in one run, and for one file. */
const FOLDER_TIMEOUT_MS = 120_000;
const FILE_TIMEOUT_MS = 30_000;

/** Two equal names: allowed by the grammar, and a violation for paylint. */
const HAS_DUPLICATE = /^y_object_duplicated_key.*\.json$/;

/**
 * Not a single JSON text, but several one after another or one per line, or nothing at all: valid input unless the
 * source must be one text.
 */
const SEVERAL_TEXTS = new Set([
  'n_single_space.json',
  'n_structure_UTF8_BOM_no_data.json',
  'n_structure_double_array.json',
  'n_structure_no_data.json',
  'n_structure_object_with_trailing_garbage.json',
]);

/** @type {{ name: string, flags: string[], stdin: boolean, severalTexts: boolean }[]} */
const WAYS = [
  { name: 'files', flags: [], stdin: false, severalTexts: false },
  { name: 'files, `--whole`', flags: ['--whole'], stdin: false, severalTexts: false },
  { name: 'stdin, `--input json`', flags: ['--input', 'json'], stdin: true, severalTexts: false },
  { name: 'stdin, `--input json --whole`', flags: ['--input', 'json', '--whole'], stdin: true, severalTexts: false },
  { name: 'stdin, detected by content', flags: [], stdin: true, severalTexts: true },
];

/**
 * Runs all files of `folder` in all ways.
 * @param {string} folder
 * @returns {Promise<SuiteResult>}
 */
export async function runJsonTestSuite(folder) {
  const files = readdirSync(folder).filter((name) => /^[yni]_.*\.json$/.test(name));
  files.sort();
  const scratch = mkdtempSync(join(tmpdir(), 'paylint-suite-'));
  const schema = join(scratch, 'anything.json');
  writeFileSync(schema, '{"not":false}'); // the schema true would say that it accepts everything
  try {
    /** @type {SuiteResult} */
    const result = { files: files.length, ways: [], deviations: [] };
    if (files.length === 0) result.deviations.push(`${folder} holds no y_, n_ or i_ file`);
    for (const way of WAYS) {
      const flags = ['--schema', schema, '--no-config', '--format', 'ndjson', '--allow-empty', ...way.flags];
      const { verdicts, faults } = await (way.stdin ? oneByOne : allAtOnce)(folder, files, flags);
      const wrong = files.map((file) => problemWith(file, verdicts.get(file), way.severalTexts));
      const all = [...faults, ...wrong.filter((text) => text !== null)];
      result.deviations.push(...all.map((text) => `${way.name}: ${text}`));
      result.ways.push(count(way.name, verdicts));
    }
    return result;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/**
 * What is wrong with a verdict; null if nothing is.
 * @param {string} file
 * @param {Verdict | undefined} verdict
 * @param {boolean} severalTexts
 * @returns {string | null}
 */
function problemWith(file, verdict, severalTexts) {
  if (verdict === undefined) return `${file} was not checked`;
  const { rules } = verdict;
  const found = rules.length === 0 ? 'no violation' : rules.join(', ');
  if (HAS_DUPLICATE.test(file)) {
    return found === 'duplicate-member' ? null : `${file} should be one duplicate-member, but has ${found}`;
  }
  if (file.startsWith('y_')) return rules.length === 0 ? null : `${file} should pass, but has ${found}`;
  if (!file.startsWith('n_')) return null;
  const mayPass = severalTexts && SEVERAL_TEXTS.has(file);
  if (mayPass) return rules.length === 0 ? null : `${file} is several texts and should pass, but has ${found}`;
  return rules.length > 0 ? null : `${file} should have a violation, but passes`;
}

/**
 * One run for the whole folder.
 * @param {string} folder
 * @param {string[]} files
 * @param {string[]} flags
 * @returns {Promise<WayResult>}
 */
async function allAtOnce(folder, files, flags) {
  const run = await paylint(['validate', ...flags, '.'], folder, null, FOLDER_TIMEOUT_MS);
  /** @type {Map<string, Verdict>} */
  const verdicts = new Map();
  const faults = run.fault === null ? [] : [run.fault];
  for (const event of run.events) {
    if (event.type === 'source') verdicts.set(event.file, { file: event.file, rules: [] });
  }
  for (const event of run.events) {
    if (event.type === 'violation') verdicts.get(event.file)?.rules.push(event.rule);
    if (event.type === 'failure') faults.push(`${event.file}: ${event.message}`);
  }
  for (const name of verdicts.keys()) if (!files.includes(name)) verdicts.delete(name);
  return { verdicts, faults };
}

/**
 * One run for each file, on standard input.
 * @param {string} folder
 * @param {string[]} files
 * @param {string[]} flags
 * @returns {Promise<WayResult>}
 */
async function oneByOne(folder, files, flags) {
  /** @type {Map<string, Verdict>} */
  const verdicts = new Map();
  /** @type {string[]} */
  const faults = [];
  const left = files.values();
  const work = async () => {
    for (const file of left) {
      const run = await paylint(['validate', ...flags, '-'], folder, join(folder, file), FILE_TIMEOUT_MS);
      if (run.fault !== null) faults.push(`${file}: ${run.fault}`);
      const rules = run.events.filter(({ type }) => type === 'violation').map(({ rule }) => rule);
      if (run.events.some(({ type }) => type === 'source')) verdicts.set(file, { file, rules });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { verdicts, faults };
}

/**
 * Runs the built paylint. `fault`: what no input may cause: a crash, a stack, a hang, an exit code above 1.
 * @param {string[]} args
 * @param {string} cwd
 * @param {string | null} stdin the file that is standard input
 * @param {number} timeout in milliseconds
 * @returns {Promise<{ events: Event[], fault: string | null }>}
 */
function paylint(args, cwd, stdin, timeout) {
  const input = stdin === null ? 'ignore' : openSync(stdin, 'r');
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd, stdio: [input, 'pipe', 'pipe'], timeout });
    if (typeof input === 'number') closeSync(input);
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.on('error', fail);
    child.on('close', (code, signal) => {
      const events = stdout()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const said = stderr().trim();
      let fault = null;
      if (signal !== null) fault = `ended by ${signal} (after ${timeout} ms it is taken for hanging)`;
      else if (code !== 0 && code !== 1) fault = `exit code ${code}: ${said.slice(0, 200)}`;
      else if (said !== '' && !/^paylint: note: no payload in \S+$/.test(said))
        fault = `says on standard error: ${said.slice(0, 200)}`;
      else if (events.at(-1)?.type !== 'summary') fault = 'the report has no summary';
      done({ events, fault });
    });
  });
}

/** @param {import('node:stream').Readable | null} stream */
function collect(stream) {
  /** @type {Buffer[]} */
  const chunks = [];
  stream?.on('data', (chunk) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/**
 * @param {string} name
 * @param {Map<string, Verdict>} verdicts
 * @returns {WayCount}
 */
function count(name, verdicts) {
  const either = { accepted: 0, refused: 0 };
  const way = { name, accepted: 0, refused: 0, either };
  for (const { file, rules } of verdicts.values()) {
    const counts = file.startsWith('i_') ? either : way;
    if (rules.length === 0) counts.accepted++;
    else counts.refused++;
  }
  return way;
}

/**
 * @param {SuiteResult} result
 * @returns {string} a Markdown table
 */
function table({ ways }) {
  const rows = ways.map(
    ({ name, accepted, refused, either }) =>
      `| ${name} | ${accepted} | ${refused} | ${either.accepted} / ${either.refused} |`,
  );
  return [
    '| read as | accepted | with violations | `i_`: accepted / with violations |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/**
 * @param {SuiteResult} result
 * @param {string} commit
 */
function section(result, commit) {
  return `${result.files} files of commit \`${commit}\`; deviations: ${result.deviations.length}.

${table(result)}
`;
}

async function main() {
  const { folder, write, commit } = parseSuiteArgs(process.argv.slice(2));
  const nested = join(folder, 'test_parsing');
  const result = await runJsonTestSuite(resolve(existsSync(nested) ? nested : folder));
  console.log(table(result));
  for (const deviation of result.deviations) console.log(`✗ ${deviation}`);
  console.log(`${result.files} files, ${result.deviations.length} deviations`);
  if (result.deviations.length > 0) process.exitCode = 1;
  else if (write) writeSection('json-test-suite', section(result, commit ?? commitOf(folder)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
