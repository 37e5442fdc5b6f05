// @ts-check
// Writes test/side-by-side.md: what paylint and other validators say about the same payloads, tests of SchemaStore that must fail.
// All of them run, installed from npm into a temporary folder. FOLDER is a checkout of SchemaStore/schemastore, which is not part of this
// repository. Needs npm and a network, so no test runs it.
//
//     node scripts/side-by-side.js FOLDER [--installed FOLDER]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replaceSection } from './suites/report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'test/side-by-side.md');
const PACKAGES = {
  '@jirutka/ajv-cli': '6.0.0',
  '@sourcemeta/jsonschema': '16.11.0',
  '@hyperjump/json-schema': '1.18.0',
};

/** By `SCHEMA/FILE` in `src/negative_test`: schemas that refer to no other file. Not all of the validators can read all of them. */
const TESTS = [
  'attw/incompatible-source.json',
  'ava/invalid_timeout_fails.json',
  'claude-code-keybindings/invalid-action.json',
  'claude-code-keybindings/invalid-command-pattern.json',
  'dependabot-2.0/commit-message.prefix-development-max-length-exceeded.json',
  'dependabot-2.0/directory-and-directories.json',
  'dependabot-2.0/directory-missing.json',
  'dependabot-2.0/ignore.update-types-wrong-value.json',
  'dependabot-2.0/registries-string-other-than-asterisk.json',
  'dependabot-2.0/schedule.interval-missing.json',
  'emmet/emmet.invalid.json',
  'github-action/missing_items_in_run.json',
  'github-funding/custom-array-bad-type.json',
  'github-funding/custom-array-too-long.json',
  'github-funding/custom-bad-type.json',
  'github-issue-forms/check_additionalProperties_at_body.json',
  'intlayer/invalid_plural.json',
  'madge/exclude-regexp-invalid.json',
  'madge/ts-config-wrong-type.json',
  'popxf-1.0/bad_observable_central_key.json',
];

/** Lines of a report that are shown, and characters of a line. */
const LINES = 8;
const WIDTH = 220;

/** Prints what hyperjump's library says, in the output format "basic" of the specification. */
const HYPERJUMP = `
import { readFileSync } from 'node:fs';
import { registerSchema, validate } from '@hyperjump/json-schema';
for (const draft of ['draft-04', 'draft-06', 'draft-07', 'draft-2019-09', 'draft-2020-12']) await import('@hyperjump/json-schema/' + draft);
const [schema, data] = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
delete schema.$id; // else it is looked for on the network
delete schema.id;
registerSchema(schema, 'https://example.com/schema.json', schema.$schema ?? 'http://json-schema.org/draft-07/schema#');
const { errors } = await validate('https://example.com/schema.json', data, 'BASIC');
for (const { keyword, instanceLocation, absoluteKeywordLocation } of errors ?? [])
  console.log(instanceLocation + ' ' + keyword.split('/').pop() + ' (' + absoluteKeywordLocation.replace(/^[^#]*/, '') + ')');
`;

/** @typedef {(schema: string, data: string) => readonly string[]} Command the program and its arguments */

/** @param {string} folder @returns {ReadonlyMap<string, Command>} */
function commandsIn(folder) {
  const bin = (/** @type {string} */ name) => join(folder, 'node_modules/.bin', name);
  return new Map([
    [
      'paylint',
      (schema, data) => [
        process.execPath,
        join(ROOT, 'bin/paylint.js'),
        'validate',
        data,
        '--whole',
        '--no-config',
        '--quiet',
        '--format',
        'line',
        '--schema',
        schema,
      ],
    ],
    [
      '@jirutka/ajv-cli',
      (schema, data) => [bin('ajv'), 'validate', '--strict=false', '--all-errors', '--errors=line', '-s', schema, data],
    ],
    ['@sourcemeta/jsonschema', (schema, data) => [bin('jsonschema'), 'validate', schema, data]],
    ['@hyperjump/json-schema', (schema, data) => [process.execPath, join(folder, 'hyperjump.mjs'), schema, data]],
  ]);
}

/** @param {string} folder */
function install(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'hyperjump.mjs'), HYPERJUMP);
  if (existsSync(join(folder, 'node_modules/.bin/ajv'))) return;
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const flags = ['--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...flags, ...wanted], { cwd: folder, stdio: 'inherit' });
}

/** What a program prints, without the folders of its files, cut. @param {readonly string[]} command @param {string} cwd */
function outputOf([program = '', ...args], cwd) {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  const lines = `${stdout}${stderr}`
    .replaceAll(`${cwd}/`, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('npm warn'))
    .map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line));
  const more = lines.length - LINES;
  return more > 1 ? [...lines.slice(0, LINES), `… and ${more} more lines`] : lines;
}

/** A code block for any lines. @param {readonly string[]} lines */
function block(lines) {
  const harmless = lines.map((line) =>
    line.replace(/[^\P{C}\n]/gu, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`),
  );
  return ['```text', ...harmless, '```'].join('\n');
}

/** @param {string} store @param {string} folder */
function section(store, folder) {
  const commands = commandsIn(folder);
  const data = mkdtempSync(join(tmpdir(), 'side-by-side-'));
  const parts = TESTS.map((test) => {
    const [name = '', file = ''] = test.split('/');
    const schema = `${name}.json`;
    const payload = file === schema ? `payload-${file}` : file;
    writeFileSync(join(data, schema), readFileSync(join(store, 'src/schemas/json', schema)));
    writeFileSync(join(data, payload), readFileSync(join(store, 'src/negative_test', test)));
    const said = [...commands].map(
      ([program, command]) => `${program}:\n\n${block(outputOf(command(schema, payload), data))}`,
    );
    return [`### ${test}`, ...said].join('\n\n');
  });
  rmSync(data, { recursive: true });
  const versions = Object.entries(PACKAGES).map(([name, version]) => `${name} ${version}`);
  const head = `Twenty payloads of [SchemaStore](https://github.com/SchemaStore/schemastore) that must fail its schemas, with what paylint (\`--format line\`), ${versions.join(', ')} (output "basic") print. \`node scripts/side-by-side.js\` runs them and writes this section.`;
  return [head, ...parts].join('\n\n');
}

const {
  values,
  positionals: [store = ''],
} = parseArgs({ options: { installed: { type: 'string' } }, allowPositionals: true });
const folder = values.installed ?? mkdtempSync(join(tmpdir(), 'validators-'));
install(folder);
writeFileSync(PAGE, replaceSection(readFileSync(PAGE, 'utf8'), 'side-by-side', section(store, folder)));
if (values.installed === undefined) rmSync(folder, { recursive: true });
