// @ts-check
// Compares paylint and Ajv over the test files of SchemaStore, with paylint compare --against ajv, and writes the schemas on which they
// differ into docs/reference/ajv.md.
//
//     node scripts/ajv-differences.js FOLDER [--state TEXT] [--only NAME]
//
// FOLDER is a checkout of SchemaStore/schemastore, which is not part of this repository; TEXT says which, such as its date. It takes some five
// minutes, and at most a minute for each schema. With NAME, only that schema is compared, and the result is printed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replaceSection } from './suites/report.js';

const PAYLINT = fileURLToPath(new URL('../bin/paylint.js', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../docs/reference/ajv.md', import.meta.url));
/** In milliseconds, for all test files of one schema. */
const LONGEST = 60_000;
/** Differences of one schema that are listed. */
const LISTED = 3;

/** @typedef {{ name: string, payloads: number, differ: number, reasons: string[] }} Differing */
/** @typedef {{ agree: string[], payloads: number, differ: Differing[], refused: Map<string, string[]> }} Outcomes */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, state: { type: 'string', default: '' } },
});
const [given] = positionals;
if (given === undefined) throw new Error('give the folder of the checkout');
const root = join(resolve(given), 'src');
const schemas = join(root, 'schemas/json');

/** @type {Outcomes} */
const outcomes = { agree: [], payloads: 0, differ: [], refused: new Map() };
for (const file of readdirSync(schemas).sort()) {
  const name = file.replace(/\.json$/, '');
  const folders = ['test', 'negative_test'].map((kind) => join(root, kind, name)).filter(hasTests);
  if (folders.length === 0 || (values.only !== undefined && values.only !== name)) continue;
  compare(name, join(schemas, file), folders);
}
if (values.only !== undefined) process.stdout.write(`${section()}\n`);
else writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), 'schemastore', section()));

/** @param {string} folder */
function hasTests(folder) {
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'));
}

/** @param {string} name @param {string} schema @param {string[]} folders */
function compare(name, schema, folders) {
  const refs = ['https://json.schemastore.org/', 'https://www.schemastore.org/'].flatMap((uri) => [
    '--ref',
    `${uri}=${schemas}`,
  ]);
  const files = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((one) => (one.endsWith('.json') ? [join(folder, one)] : [])),
  );
  const args = ['compare', '--no-config', '--schema', schema, '--against', 'ajv', ...refs];
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [PAYLINT, ...args, '--input', 'json', '--whole', '--format', 'json', ...files],
    { encoding: 'utf8', timeout: LONGEST, maxBuffer: 1 << 28 },
  );
  const report = status === 0 || status === 1 ? JSON.parse(stdout) : null;
  if (report === null) {
    const why = error === undefined ? reasonIn(stderr, stdout) : 'the minute was not enough';
    outcomes.refused.set(why, [...(outcomes.refused.get(why) ?? []), name]);
    return;
  }
  const { payloads } = report.summary;
  outcomes.payloads += payloads;
  if (report.violations.length === 0) outcomes.agree.push(name);
  else outcomes.differ.push(differing(name, payloads, report.violations));
}

/** Why it could not be compared, without what only this schema has. @param {string} stderr @param {string} stdout */
function reasonIn(stderr, stdout) {
  const line = stderr.split('\n').find((one) => one.startsWith('paylint: ') && !one.includes(' warning: ')) ?? stdout;
  const text = line.replace(/^paylint: /, '');
  if (text.includes('does not have draft-04')) return 'the schema is of draft-04, which Ajv 8 does not have';
  if (text.includes('--against ajv: '))
    return `Ajv cannot compile it: ${generally(text.replace(/^.*--against ajv: (?:Ajv cannot compile[^:]*: )?/, ''))}`;
  if (/fetched|leads to no/.test(text)) return 'it refers to schemas of another host';
  return `paylint refuses it: ${generally(text)}`;
}

/** @param {string} text */
function generally(text) {
  return text
    .replace(/\S*\/src\/schemas\/json\//g, '')
    .replace(/^\S+\.json(?::\d+:\d+)?: /, '')
    .replace(/"[^"]{40,}"/g, '"…"')
    .slice(0, 160);
}

/** @param {string} name @param {number} payloads @param {{ file: string, message: string }[]} violations @returns {Differing} */
function differing(name, payloads, violations) {
  const reasons = new Map();
  for (const { message } of violations) {
    const reason = message.replace(/ \(docs\/cli\.md#ajv\)$/, '').replace(/ at \S+:/, ':');
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const listed = [...reasons]
    .slice(0, LISTED)
    .map(([reason, count]) => (count === 1 ? reason : `${reason} (${count} files)`));
  return { name, payloads, differ: violations.length, reasons: listed };
}

/** @param {string} text */
function cell(text) {
  return text.replace(/[|\\`<>]/g, (one) => `\\${one}`);
}

function section() {
  const { agree, payloads, differ, refused } = outcomes;
  const all = agree.length + differ.length + [...refused.values()].flat().length;
  const rows = differ.map(
    ({ name, payloads: of, differ: count, reasons }) => `| ${name} | ${count} of ${of} | ${cell(reasons.join('; '))} |`,
  );
  const others = [...refused]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(
      ([why, names]) =>
        `| ${cell(why)} | ${names.length} | ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' …' : ''} |`,
    );
  return `Of ${all} schemas with test files in JSON, ${agree.length} have the same verdicts by both for each file, and ${differ.length} do not. The others cannot be compared. ${payloads} files were compared${values.state === '' ? '' : ` (SchemaStore of ${values.state})`}.

| schema | files that differ | what each judge says, and why |
|---|--:|---|
${rows.join('\n')}

| not compared, because | schemas | which |
|---|--:|---|
${others.join('\n')}`;
}
