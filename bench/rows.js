// @ts-check
// What is measured: each row compares two whole processes on the same data, or looks at paylint's memory, and has a target.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNode, NODES } from '../scripts/nodes.js';

/** @typedef {import('./generate.js').Data} Data */
/** @typedef {import('./generate.js').Layout} Layout */
/** @typedef {import('./generate.js').Written} Written */
/** @typedef {import('./measure.js').Command} Command */
/** @typedef {Data & ({ size: number, layout?: Layout, gzip?: boolean } | { files: number })} DataSpec */
/** @typedef {{ path: string, written: Written }} Generated */
/** @typedef {keyof typeof DATA} DataName */
/**
 * @typedef {object} Row
 * @property {string} name for `--only`
 * @property {string} title
 * @property {DataName[]} data
 * @property {(data: Generated[], peers: Peers) => Command[]} commands paylint's, and the one that it is compared with
 * @property {Target} target
 * @property {number} [runs] where the usual number would not do
 * @property {boolean} [brief] so short that its memory is not looked at
 */
/**
 * @typedef {{ kind: 'faster', least: number } | { kind: 'ratio', most: number } | { kind: 'memory', mostBytes: number }
 *   | { kind: 'reference' }} Target faster: this many times; ratio: paylint's time by the other's
 */
/** @typedef {{ native: string }} Peers native: the executable of the fastest native validator */

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const PAYLINT = [process.execPath, here('../bin/paylint.js')];
const CONTENT_SCHEMA = here('../schemas/content-item.schema.json');
const FILL_JQ = here('peers/fill.jq');
const MB = 1e6;
const GB = 1e9;

/** @satisfies {Record<string, DataSpec>} */
export const DATA = {
  content: { kind: 'content', size: GB },
  content2g: { kind: 'content', size: 2 * GB },
  contracts: { kind: 'contract', size: GB },
  content4g: { kind: 'content', size: 4 * GB },
  oneIn100: { kind: 'content', size: GB, invalidEvery: 100 },
  oneIn10: { kind: 'content', size: GB, invalidEvery: 10 },
  unlistedIn10: { kind: 'content', size: GB, invalidEvery: 10, fault: 'unlisted' },
  missingIn10: { kind: 'content', size: GB, invalidEvery: 10, fault: 'missing' },
  allInvalid: { kind: 'content', size: GB, invalidEvery: 1 },
  mixed: { kind: 'mixed', size: GB },
  array: { kind: 'content', size: GB, layout: 'array' },
  pretty: { kind: 'content', size: GB, layout: 'pretty' },
  array2g: { kind: 'content', size: 2 * GB, layout: 'array' },
  array400m: { kind: 'content', size: 400 * MB, layout: 'array' },
  gzip: { kind: 'content', size: GB, gzip: true },
  files: { kind: 'content', files: 10_000 },
  missing: { kind: 'content', size: GB, missingDefaults: true },
  missing2g: { kind: 'content', size: 2 * GB, missingDefaults: true },
  one: { kind: 'content', size: 1 },
};

/**
 * @param {Generated} data
 * @param {string[]} flags
 * @returns {Command}
 */
function paylint({ path, written }, ...flags) {
  const exitCode = written.invalid > 0 ? 1 : 0;
  const argv = [...PAYLINT, 'validate', '--no-config', ...flags, path];
  return { label: 'paylint', argv, bytes: written.bytes, exitCode, counts: written };
}

/**
 * @param {Generated} data
 * @returns {Command}
 */
function compared({ path, written }) {
  const schema = join(dirname(path), 'changed.schema.json');
  writeFileSync(schema, readFileSync(CONTENT_SCHEMA, 'utf8').replace('"maximum": 999', '"maximum": 998'));
  const argv = [...PAYLINT, 'compare', '--no-config', '--schema', schema, '--against', CONTENT_SCHEMA, path];
  return { label: 'paylint compare', argv, bytes: written.bytes };
}

/**
 * By a schema that lists all members.
 * @param {'fill' | 'prune'} verb
 * @param {Generated} data
 * @returns {Command}
 */
function repaired(verb, { path, written }) {
  const schema = join(dirname(path), 'closed.schema.json');
  const { $id: _, ...content } = JSON.parse(readFileSync(CONTENT_SCHEMA, 'utf8'));
  Object.assign(content.properties, { language: true, tags: true, statistics: true });
  writeFileSync(schema, JSON.stringify({ ...content, additionalProperties: false }));
  const argv = [...PAYLINT, verb, '--no-config', '--quiet', '--schema', schema, path];
  return { label: `paylint ${verb}`, argv, bytes: written.bytes };
}

/**
 * @param {Generated} data
 * @returns {Command}
 */
function covered({ path, written }) {
  const argv = [...PAYLINT, 'coverage', '--no-config', '--schema', CONTENT_SCHEMA, path];
  return { label: 'paylint coverage', argv, bytes: written.bytes };
}

/**
 * @param {Generated} data
 * @returns {Command}
 */
function script({ path, written }) {
  const argv = [process.execPath, here('peers/readline-ajv.js'), path];
  return { label: 'readline + Ajv', argv, bytes: written.bytes, counts: written };
}

/**
 * Five checks of a config, and the script with the same five comparisons.
 * @param {Generated} data
 * @returns {Command[]}
 */
function checked({ path, written }) {
  const all = { bytes: written.bytes, counts: written };
  const argv = [...PAYLINT, 'validate', '--config', here('checks.config.json'), path];
  const peer = [process.execPath, here('peers/readline-checks.js'), path];
  return [
    { label: 'paylint', argv, ...all },
    { label: 'readline + Ajv + comparisons', argv: peer, ...all },
  ];
}

/**
 * The kind's own schema, not the entry schema: that is less work.
 * @param {Generated} data
 * @param {Peers} peers
 * @returns {Command}
 */
function native({ path, written }, peers) {
  const argv = [peers.native, 'validate', CONTENT_SCHEMA, path, '--fast'];
  return { label: 'jsonschema --fast', argv, bytes: written.bytes, counts: written };
}

/**
 * `paylint fill`, payloads to nowhere.
 * @param {Generated} data
 * @returns {Command}
 */
function fill({ path, written }) {
  const argv = [...PAYLINT, 'fill', '--no-config', '--quiet', path];
  return { label: 'paylint fill', argv, bytes: written.bytes };
}

/**
 * `paylint fill --write` on a copy of the data, which is made before the measurement.
 * @param {Generated} data
 * @returns {Command}
 */
function fillInPlace({ path, written }) {
  const copy = `${path}.copy`;
  const before = () => {
    copyFileSync(path, copy);
    execFileSync('sync'); // the disk must not be busy with it any more
  };
  const argv = [...PAYLINT, 'fill', '--no-config', '--quiet', '--write', copy];
  return { label: 'paylint fill --write', argv, bytes: written.bytes, before };
}

/**
 * A command with its output in a new file.
 * @param {Command} command
 * @param {Generated} data
 * @returns {Command}
 */
function toFile(command, { path }) {
  const [program = '', ...args] = command.argv;
  const file = `${path}.new`;
  // To empty an old file takes as long as to write a new one.
  const before = () => rmSync(file, { force: true });
  return { ...command, before, argv: ['sh', '-c', 'exec "$@" > "$0"', file, program, ...args] };
}

/**
 * The jq program that does the same.
 * @param {Generated} data
 * @returns {Command}
 */
function fillByJq({ path, written }) {
  return { label: 'jq -c', argv: ['jq', '-c', '-f', FILL_JQ, path], bytes: written.bytes };
}

/**
 * The script that does the same.
 * @param {Generated} data
 * @returns {Command}
 */
function fillByScript({ path, written }) {
  const argv = [process.execPath, here('peers/readline-fill.js'), path];
  return { label: 'readline + useDefaults', argv, bytes: written.bytes };
}

/**
 * `paylint filter` or `convert`, payloads to nowhere.
 * @param {string[]} verb
 * @param {Generated} data
 * @returns {Command}
 */
function pipe(verb, { path, written }) {
  const exitCode = verb[0] === 'filter' && written.invalid > 0 ? 1 : 0;
  const argv = [...PAYLINT, ...verb, '--no-config', '--quiet', path];
  return { label: `paylint ${verb[0]}`, argv, bytes: written.bytes, exitCode };
}

/**
 * Another program that reads the data and prints the same values.
 * @param {string[]} argv
 * @param {Generated} data
 * @returns {Command}
 */
function other(argv, { path, written }) {
  const label = argv.filter((word) => !word.startsWith('.')).join(' ');
  return { label, argv: [...argv, path], bytes: written.bytes };
}

/** What is measured of `filter` and `convert`, against jq: title, data, and the program that does the same. */
const PIPES = {
  filter: { title: 'filter 1 GB NDJSON, 1 payload in 100 invalid', data: 'oneIn100', verb: ['filter'], program: '.' },
  'to-array': {
    title: 'convert 1 GB NDJSON to one array',
    data: 'content',
    verb: ['convert', '--to', 'json'],
    program: '.',
  },
  'to-lines': { title: 'convert one array of 1 GB to NDJSON', data: 'array', verb: ['convert'], program: '.[]' },
  minify: { title: 'convert an indented array of 1 GB to NDJSON', data: 'pretty', verb: ['convert'], program: '.[]' },
};

/**
 * For rows whose data is one file.
 * @param {(data: Generated, peers: Peers) => Command[]} make
 * @returns {Row['commands']}
 */
const withOne = (make) => (data, peers) => make(/** @type {Generated} */ (data[0]), peers);
/**
 * For rows whose data is two.
 * @param {(a: Generated, b: Generated) => Command[]} make
 * @returns {Row['commands']}
 */
const withTwo = (make) => (data) => make(/** @type {Generated} */ (data[0]), /** @type {Generated} */ (data[1]));

/**
 * Most reports are not written as `ndjson` is: what each violation costs them shows only if there are many.
 * @param {string} format
 * @param {number} most
 * @returns {Row}
 */
function reportRow(format, most) {
  return {
    name: `all-invalid-${format}`,
    title: `the same with \`--format ${format}\`, against \`--format ndjson\``,
    data: ['allInvalid'],
    commands: withOne((data) =>
      [format, 'ndjson'].map((name) => {
        const { counts: _, ...command } = paylint(data, '--format', name);
        return { ...command, label: `paylint --format ${name}` };
      }),
    ),
    target: { kind: 'ratio', most },
    runs: 3,
  };
}

/** @type {Row[]} */
export const ROWS = [
  {
    name: 'native',
    title: '1 GB NDJSON, against the fastest native validator',
    data: ['content'],
    commands: withOne((data, peers) => [paylint(data), native(data, peers)]),
    target: { kind: 'faster', least: 20 },
    runs: 3,
  },
  {
    name: 'script',
    title: '1 GB NDJSON, against a readline + Ajv script',
    data: ['content'],
    commands: withOne((data) => [paylint(data), script(data)]),
    target: { kind: 'faster', least: 10 },
  },
  {
    name: 'one-thread',
    title: '1 GB NDJSON with `--threads 1`, against the same script',
    data: ['content'],
    commands: withOne((data) => [paylint(data, '--threads', '1'), script(data)]),
    target: { kind: 'faster', least: 6 },
  },
  {
    name: 'checks',
    title: '1 GB NDJSON with five checks, against a readline + Ajv script with the same comparisons',
    data: ['contracts'],
    commands: withOne(checked),
    target: { kind: 'faster', least: 1 },
    runs: 3,
  },
  {
    name: 'wc',
    title: '1 GB NDJSON, `wc -l` as a reference',
    data: ['content'],
    commands: withOne((data) => [
      paylint(data),
      { label: 'wc -l', argv: ['wc', '-l', data.path], bytes: data.written.bytes },
    ]),
    target: { kind: 'reference' },
  },
  {
    name: 'memory-1g',
    title: 'peak memory, 1 GB NDJSON',
    data: ['content'],
    commands: withOne((data) => [paylint(data)]),
    target: { kind: 'memory', mostBytes: 150 * MB },
  },
  {
    name: 'memory-4g',
    title: 'peak memory, 4 GB NDJSON',
    data: ['content4g'],
    commands: withOne((data) => [paylint(data)]),
    target: { kind: 'memory', mostBytes: 150 * MB },
    runs: 1,
  },
  {
    name: 'memory-2g',
    title: 'peak memory, 2 GB NDJSON',
    data: ['content2g'],
    commands: withOne((data) => [paylint(data)]),
    target: { kind: 'memory', mostBytes: 200 * MB },
    runs: 1,
  },
  {
    name: 'memory-array-2g',
    title: 'peak memory, one JSON array of 2 GB',
    data: ['array2g'],
    commands: withOne((data) => [paylint(data)]),
    target: { kind: 'memory', mostBytes: 200 * MB },
    runs: 1,
  },
  {
    name: 'one-in-100',
    title: '1 GB NDJSON, 1 payload in 100 invalid, against all valid',
    data: ['oneIn100', 'content'],
    commands: withTwo((invalid, valid) => [paylint(invalid), { ...paylint(valid), label: 'paylint, all valid' }]),
    target: { kind: 'ratio', most: 1.25 },
  },
  {
    name: 'one-in-10',
    title: '1 GB NDJSON, 1 payload in 10 invalid, against all valid',
    data: ['oneIn10', 'content'],
    commands: withTwo((invalid, valid) => [paylint(invalid), { ...paylint(valid), label: 'paylint, all valid' }]),
    target: { kind: 'ratio', most: 2 },
  },
  {
    name: 'all-invalid',
    title:
      '1 GB NDJSON, every payload invalid, `--format ndjson`, against the script that prints Ajv’s errors as NDJSON',
    data: ['allInvalid'],
    commands: withOne((data) => {
      const { counts: _, ...ours } = paylint(data, '--format', 'ndjson');
      const { counts: __, ...theirs } = script(data);
      return [ours, { ...theirs, argv: [...theirs.argv, '--errors'] }];
    }),
    target: { kind: 'faster', least: 4 },
    runs: 3,
  },
  reportRow('line', 1.2),
  reportRow('gitlab', 1.4),
  {
    name: 'mixed',
    title: '1 GB NDJSON, three kinds mixed, against one kind',
    data: ['mixed', 'content'],
    commands: withTwo((mixed, one) => [paylint(mixed), { ...paylint(one), label: 'paylint, one kind' }]),
    target: { kind: 'ratio', most: 1.15 },
  },
  {
    name: 'folder',
    title: '10,000 indented files of 1 kB, against the native validator',
    data: ['files'],
    commands: withOne((data, peers) => [paylint(data), native(data, peers)]),
    target: { kind: 'faster', least: 1 },
  },
  {
    name: 'array',
    title: 'one JSON array of 1 GB, against `JSON.parse` of 400 MB, by the byte',
    data: ['array', 'array400m'],
    commands: withTwo((large, small) => [
      paylint(large),
      {
        label: 'JSON.parse',
        argv: [process.execPath, here('peers/json-parse-array.js'), small.path],
        bytes: small.written.bytes,
        counts: small.written,
      },
    ]),
    target: { kind: 'faster', least: 10 },
  },
  {
    name: 'gzip',
    title: '1 GB NDJSON as .gz, against `gzip -dc`',
    data: ['gzip'],
    commands: withOne((data) => [
      paylint(data),
      { label: 'gzip -dc', argv: ['gzip', '-dc', data.path], bytes: data.written.bytes },
    ]),
    target: { kind: 'ratio', most: 1.3 },
  },
  {
    name: 'fill-jq',
    title: 'fill 1 GB NDJSON, three defaults missing per payload, against a `jq -c` program',
    data: ['missing'],
    commands: withOne((data) => [fill(data), fillByJq(data)]),
    target: { kind: 'faster', least: 10 },
    runs: 1,
  },
  {
    name: 'fill-script',
    title: 'the same, against a readline + Ajv `useDefaults` + JSON.stringify script',
    data: ['missing'],
    commands: withOne((data) => [fill(data), fillByScript(data)]),
    target: { kind: 'faster', least: 4 },
    runs: 3,
  },
  {
    name: 'fill-write-jq',
    title: 'the same in place, on disk before it ends, against `jq -c` to a new file',
    data: ['missing'],
    commands: withOne((data) => [fillInPlace(data), toFile(fillByJq(data), data)]),
    target: { kind: 'faster', least: 10 },
    runs: 1,
  },
  {
    name: 'fill-write-script',
    title: 'the same in place, against the script to a new file',
    data: ['missing'],
    commands: withOne((data) => [fillInPlace(data), toFile(fillByScript(data), data)]),
    target: { kind: 'faster', least: 4 },
    runs: 3,
  },
  {
    name: 'fill-memory-2g',
    title: 'peak memory, 2 GB NDJSON, three defaults missing per payload, in place',
    data: ['missing2g'],
    commands: withOne((data) => [fillInPlace(data)]),
    target: { kind: 'memory', mostBytes: 200 * MB },
    runs: 1,
  },
  {
    name: 'fill-complete',
    title: 'fill 1 GB NDJSON, nothing missing, against validate',
    data: ['content'],
    commands: withOne((data) => {
      const { counts: _, ...validate } = paylint(data);
      return [fill(data), { ...validate, label: 'paylint validate' }];
    }),
    target: { kind: 'ratio', most: 1.5 },
  },
  {
    name: 'prune-fill',
    title:
      'prune 1 GB NDJSON, 1 payload in 10 with a member that is not listed, against fill where as many lack defaults',
    data: ['unlistedIn10', 'missingIn10'],
    commands: withTwo((unlisted, missing) => [repaired('prune', unlisted), repaired('fill', missing)]),
    target: { kind: 'ratio', most: 1.5 },
  },
  ...Object.entries(PIPES).map(([name, { title, data, verb, program }]) => ({
    name: `${name}-jq`,
    title: `${title}, against \`jq -c ${program}\``,
    data: [/** @type {DataName} */ (data)],
    commands: withOne((one) => [pipe(verb, one), other(['jq', '-c', program], one)]),
    target: /** @type {Target} */ ({ kind: 'faster', least: 20 }),
    runs: 1,
  })),
  {
    name: 'to-array-gojq',
    title: 'convert 1 GB NDJSON to one array, against `gojq -c .`',
    data: ['content'],
    commands: withOne((data) => [pipe(['convert', '--to', 'json'], data), other(['gojq', '-c', '.'], data)]),
    target: { kind: 'faster', least: 20 },
    runs: 1,
  },
  {
    name: 'to-array-miller',
    title: 'the same, against `mlr --ijsonl --ojson cat`',
    data: ['content'],
    commands: withOne((data) => [
      pipe(['convert', '--to', 'json'], data),
      other(['mlr', '--ijsonl', '--ojson', 'cat'], data),
    ]),
    target: { kind: 'faster', least: 20 },
    runs: 1,
  },
  {
    name: 'to-lines-cat',
    title: 'convert one array of 1 GB to NDJSON in a new file, against `cat`',
    data: ['array'],
    commands: withOne((data) => [toFile(pipe(['convert'], data), data), toFile(other(['cat'], data), data)]),
    target: { kind: 'ratio', most: 2.6 },
  },
  {
    name: 'filter-validate',
    title: 'filter 1 GB NDJSON, 1 payload in 100 invalid, against validate',
    data: ['oneIn100'],
    commands: withOne((data) => {
      const { counts: _, ...validate } = paylint(data);
      return [pipe(['filter'], data), { ...validate, label: 'paylint validate' }];
    }),
    target: { kind: 'ratio', most: 1.5 },
  },
  {
    name: 'filter-array-validate',
    title: 'filter one JSON array of 1 GB, against validate',
    data: ['array'],
    commands: withOne((data) => {
      const { counts: _, ...validate } = paylint(data);
      return [pipe(['filter'], data), { ...validate, label: 'paylint validate' }];
    }),
    target: { kind: 'ratio', most: 1.5 },
  },
  {
    name: 'compare-validate',
    title: 'compare 1 GB NDJSON by two schemas with another bound, against validate',
    data: ['content'],
    commands: withOne((data) => [
      compared(data),
      { ...paylint(data, '--schema', CONTENT_SCHEMA), label: 'paylint validate' },
    ]),
    target: { kind: 'ratio', most: 2.3 },
  },
  {
    name: 'coverage-validate',
    title: 'coverage of a schema by 1 GB NDJSON, against validate',
    data: ['content'],
    commands: withOne((data) => [
      covered(data),
      { ...paylint(data, '--schema', CONTENT_SCHEMA), label: 'paylint validate' },
    ]),
    target: { kind: 'ratio', most: 25 },
  },
  {
    name: 'filter-memory',
    title: 'peak memory, filter 1 GB NDJSON, 1 payload in 100 invalid',
    data: ['oneIn100'],
    commands: withOne((data) => [pipe(['filter'], data)]),
    target: { kind: 'memory', mostBytes: 150 * MB },
  },
  {
    name: 'convert-memory',
    title: 'peak memory, convert 1 GB NDJSON to one array',
    data: ['content'],
    commands: withOne((data) => [pipe(['convert', '--to', 'json'], data)]),
    target: { kind: 'memory', mostBytes: 150 * MB },
  },
  ...NODES.map(startRow),
];

/**
 * The start time on a version of Node.
 * @param {string} version
 * @returns {Row}
 */
function startRow(version) {
  return {
    name: `start-${version}`,
    title: `a file with one payload, whole process, against \`node -e 0\`: Node ${version}`,
    data: ['one'],
    commands: withOne(({ path }) => {
      const node = installNode(version);
      const [, script] = PAYLINT;
      return [
        { label: 'paylint', argv: [node, /** @type {string} */ (script), 'validate', '--no-config', path] },
        { label: 'node -e 0', argv: [node, '-e', '0'] },
      ];
    }),
    // Node 20 has no cache of compiled code.
    target: { kind: 'ratio', most: Number.parseInt(version, 10) < 22 ? 1.6 : 1.45 },
    runs: 31,
    brief: true,
  };
}
