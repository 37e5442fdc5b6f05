// @ts-check
// The table in the README that compares paylint with other validators: runs each of them, installed from npm into a temporary folder, on
// small files, and says where the table is not true; `--write` writes it. `--speed` measures the last row, too. Needs npm and a network, so no test
// runs it.
//
//     node scripts/peers.js [--write] [--speed] [--folder FOLDER]
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { generateFile } from '../bench/generate.js';
import { compare } from '../bench/measure.js';
import { replaceSection } from './suites/report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = join(ROOT, 'README.md');
const PAYLINT = join(ROOT, 'bin/paylint.js');

/** @typedef {{ code: number | null, text: string }} Outcome */
/** @typedef {(schema: string, data: string, draft?: string) => string[]} Command arguments, for the most that the program can say */
/**
 * @typedef {object} Peer
 * @property {string} name
 * @property {string} version
 * @property {string} [bin] the command's name in `node_modules/.bin`; absent: paylint
 * @property {Command} validate
 * @property {Command} [fast] for the verdict alone
 * @property {readonly string[]} extensions for a payload per line
 * @property {string} formats
 */

/** Drafts as ajv-cli calls them. */
const SPECS = new Map([
  ['2019-09', 'draft2019'],
  ['2020-12', 'draft2020'],
]);

/** @type {readonly Peer[]} */
const RUN = [
  {
    name: 'paylint',
    version: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
    validate: (schema, data) => ['validate', data, '--no-config', '--schema', schema, '--format', 'line'],
    fast: (schema, data) => ['validate', data, '--no-config', '--schema', schema, '--quiet'],
    extensions: ['ndjson', 'jsonl'],
    formats: 'text, JSON, NDJSON, GitHub, GitLab, SARIF, JUnit, HTML',
  },
  {
    name: 'ajv-cli',
    version: '5.0.0',
    bin: 'ajv',
    validate: (schema, data, draft) => [
      'validate',
      `--spec=${SPECS.get(draft ?? '') ?? 'draft7'}`,
      '--strict=false',
      '--all-errors',
      '--errors=json',
      '-s',
      schema,
      '-d',
      data,
    ],
    fast: (schema, data) => ['validate', '--strict=false', '-s', schema, '-d', data],
    extensions: ['ndjson', 'jsonl'],
    formats: 'text, JSON',
  },
  {
    name: '@jirutka/ajv-cli',
    version: '6.0.0',
    bin: 'ajv',
    validate: (schema, data) => [
      'validate',
      '--all-errors',
      '--errors=json-oneline',
      '--errors-location',
      '-s',
      schema,
      data,
    ],
    fast: (schema, data) => ['validate', '-s', schema, data],
    extensions: ['ndjson', 'jsonl'],
    formats: 'text, JSON, GitLab',
  },
  {
    name: '@sourcemeta/jsonschema',
    version: '16.11.0',
    bin: 'jsonschema',
    validate: (schema, data) => ['validate', schema, data],
    fast: (schema, data) => ['validate', '--fast', schema, data],
    extensions: ['ndjson', 'jsonl'],
    formats: 'text, JSON',
  },
  {
    name: 'v8r',
    version: '6.1.0',
    bin: 'v8r',
    validate: (schema, data) => ['--cache-ttl', '0', '--schema', schema, data],
    fast: (schema, data) => ['--schema', schema, data],
    extensions: ['ndjson', 'jsonl'],
    formats: 'text, JSON',
  },
];

/** @type {Record<string, { schema: object, valid: unknown, invalid: unknown }>} what each draft means and the one before does not */
const DRAFTS = {
  4: {
    schema: { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true },
    valid: 2,
    invalid: 1,
  },
  6: { schema: { $schema: 'http://json-schema.org/draft-06/schema#', exclusiveMinimum: 1 }, valid: 2, invalid: 1 },
  7: {
    schema: { $schema: 'http://json-schema.org/draft-07/schema#', if: { const: 1 }, else: { const: 2 } },
    valid: 2,
    invalid: 3,
  },
  '2019-09': {
    schema: { $schema: 'https://json-schema.org/draft/2019-09/schema', dependentRequired: { a: ['b'] } },
    valid: { a: 1, b: 1 },
    invalid: { a: 1 },
  },
  '2020-12': {
    schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] },
    valid: ['x'],
    invalid: [1],
  },
};

const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['a'],
  properties: {
    a: { type: 'integer' },
    o: { type: 'object', properties: { b: { type: 'string' } } },
    d: { default: 1 },
  },
};
/** A value of the first alternative, by its constant, with a fault; the second one asks for a member `m`. */
const ALTERNATIVES = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  oneOf: [
    { required: ['k'], properties: { k: { const: 'a' }, n: { type: 'integer' } } },
    { required: ['k', 'm'], properties: { k: { const: 'b' } } },
  ],
};
const TWO_FAULTS = '{\n  "o": {\n    "b": 3\n  },\n  "a": "x"\n}\n';

/** Where the files are, and the programs. */
class Trial {
  /** @param {string} folder @param {Peer} peer */
  constructor(folder, peer) {
    this.peer = peer;
    this.data = join(folder, 'data');
    this.program = peer.bin === undefined ? [process.execPath, PAYLINT] : [install(folder, peer)];
  }

  /** @param {string} name @param {string | Uint8Array} content */
  write(name, content) {
    mkdirSync(this.data, { recursive: true });
    writeFileSync(join(this.data, name), content);
    return name;
  }

  /** @param {string} data @param {string} [schema] @param {string} [draft] @returns {Promise<Outcome>} */
  validate(data, schema = this.write('s.json', JSON.stringify(SCHEMA)), draft = undefined) {
    return this.run(this.peer.validate(schema, data, draft));
  }

  /** @param {readonly string[]} args @returns {Promise<Outcome>} */
  run(args) {
    const [program = '', ...first] = this.program;
    return new Promise((done, fail) => {
      const child = spawn(program, [...first, ...args], {
        cwd: this.data,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      child.on('error', fail);
      child.on('close', (code) => done({ code, text }));
    });
  }

  /** True if it accepts the one and calls the other invalid. @param {string} good @param {string} bad */
  async tells(good, bad) {
    const invalid = (await this.validate(this.write('bad.json', '{"a":"x"}'))).code;
    return (await this.validate(good)).code === 0 && (await this.validate(bad)).code === invalid;
  }
}

/** @param {string} folder @param {Peer} peer @returns {string} the path of its command */
function install(folder, { name, version, bin = '' }) {
  const place = join(folder, name.replaceAll(/\W/g, '_'));
  const path = join(place, 'node_modules/.bin', bin);
  if (!existsSync(path)) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{"private":true}');
    const flags = ['--no-audit', '--no-fund', '--no-save', '--silent'];
    execFileSync('npm', ['install', ...flags, `${name}@${version}`], { cwd: place, stdio: 'inherit' });
  }
  return path;
}

const yes = (/** @type {boolean} */ is) => (is ? 'yes' : 'no');

/** @type {readonly { title: string, probe: (trial: Trial) => Promise<string> | string }[]} */
const ROWS = [
  {
    title: 'A payload per line (NDJSON)',
    async probe(trial) {
      /** @type {string[]} */
      const names = [];
      for (const extension of trial.peer.extensions) {
        const good = trial.write(`lines.${extension}`, '{"a":1}\n{"a":2}\n');
        const bad = trial.write(`bad-lines.${extension}`, '{"a":1}\n{"a":"x"}\n');
        if (await trial.tells(good, bad)) names.push(`.${extension}`);
      }
      return names.length === trial.peer.extensions.length
        ? 'yes'
        : names.length === 0
          ? 'no'
          : `\`${names.join(' ')}\``;
    },
  },
  {
    title: '`.gz`',
    async probe(trial) {
      const kinds = { '.json': ['{"a":1}', '{"a":"x"}'], '.jsonl': ['{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":"x"}\n'] };
      /** @type {string[]} */
      const names = [];
      for (const [extension, [good = '', bad = '']] of Object.entries(kinds)) {
        const files = [
          trial.write(`good${extension}.gz`, gzipSync(good)),
          trial.write(`wrong${extension}.gz`, gzipSync(bad)),
        ];
        if (await trial.tells(files[0] ?? '', files[1] ?? '')) names.push(`${extension}.gz`);
      }
      return names.length === 2 ? 'yes' : names.length === 0 ? 'no' : `\`${names.join(' ')}\``;
    },
  },
  {
    title: 'Line and column',
    async probe(trial) {
      const { text } = await trial.validate(trial.write('two.json', TWO_FAULTS));
      return yes(/5:\d|line 5, column \d|"line":5,"col/.test(text));
    },
  },
  {
    title: 'Where, as a JSON Pointer',
    async probe(trial) {
      const file = trial.write('one.json', '{"a":1,"o":{"b":3}}');
      const { text } =
        trial.peer.bin === undefined
          ? await trial.run(['validate', file, '--no-config', '--schema', 's.json', '--format', 'ndjson'])
          : await trial.validate(file);
      return yes(/["#]\/o\/b\b/.test(text));
    },
  },
  {
    title: 'All violations of a payload',
    async probe(trial) {
      const { text } = await trial.validate(trial.write('two.json', TWO_FAULTS));
      const perLine = text.split(/\n|\},\{/);
      return yes(
        perLine.some((line) => /integer/.test(line)) &&
          perLine.some(
            (line) => /must be string|expected a string|type string/.test(line) && !/type integer/.test(line),
          ),
      );
    },
  },
  {
    title: 'Which alternative of `oneOf` was meant',
    async probe(trial) {
      const schema = trial.write('alternatives.json', JSON.stringify(ALTERNATIVES));
      const { text } = await trial.validate(trial.write('one-of.json', '{"k":"a","n":"x"}'), schema);
      const isMeant = /integer/.test(text);
      const isOther = /"m"|'m'|property m\b/.test(text);
      return isMeant && isOther ? 'lists all' : yes(isMeant);
    },
  },
  {
    title: 'Duplicate names are found',
    probe: async (trial) => yes((await trial.validate(trial.write('dup.json', '{"a":1,"a":2}'))).code !== 0),
  },
  {
    title: 'Writes defaults into files, other bytes kept',
    // The others have no command that writes payloads.
    async probe(trial) {
      if (trial.peer.bin !== undefined) return 'no';
      const text = '{ "a" : 1.0, "n": 12345678901234567890, "e": "\\u00e9" }\n';
      trial.write('s.json', JSON.stringify(SCHEMA));
      trial.write('fill.json', text);
      await trial.run(['fill', '--write', 'fill.json', '--no-config', '--schema', 's.json']);
      return yes(readFileSync(join(trial.data, 'fill.json'), 'utf8') === text.replace(' }', ', "d": 1 }'));
    },
  },
  { title: 'Reports', probe: (trial) => trial.peer.formats },
  {
    title: 'Drafts',
    async probe(trial) {
      /** @type {string[]} */
      const known = [];
      for (const [draft, { schema, valid, invalid }] of Object.entries(DRAFTS)) {
        const name = trial.write(`draft-${draft}.json`, JSON.stringify(schema));
        const good = trial.write('valid.json', JSON.stringify(valid));
        const bad = trial.write('invalid.json', JSON.stringify(invalid));
        const spec = /^\d$/.test(draft) ? `draft-0${draft}` : draft;
        const expected = (await trial.validate(trial.write('bad.json', '{"a":"x"}'))).code;
        const codes = [(await trial.validate(good, name, spec)).code, (await trial.validate(bad, name, spec)).code];
        if (codes[0] === 0 && codes[1] === expected) known.push(draft);
      }
      return known.join(', ');
    },
  },
  {
    title: 'Fetches remote schemas',
    async probe(trial) {
      let requests = 0;
      const server = createServer((_, response) => {
        requests++;
        response.setHeader('Content-Type', 'application/schema+json');
        response.end(JSON.stringify({ $schema: SCHEMA.$schema, type: 'object' }));
      });
      await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(null)));
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const ref = `http://127.0.0.1:${port}/other.json`;
      const schema = trial.write('remote.json', JSON.stringify({ $schema: SCHEMA.$schema, allOf: [{ $ref: ref }] }));
      await trial.validate(trial.write('ok.json', '{"a":1}'), schema);
      server.close();
      const option = trial.peer.name.startsWith('@sourcemeta') ? 'off; `--http`' : 'off';
      return requests > 0 ? 'on' : trial.peer.bin === undefined ? 'never' : option;
    },
  },
];

const SPEED = 'Time for one array of 100 MB';
const SPEED_BYTES = 100e6;

/** The time of each peer by that of paylint, for the same schema and file. @param {readonly Trial[]} trials */
async function measureSpeed(trials) {
  const [ours] = trials;
  if (ours === undefined) return [];
  await generateFile({ kind: 'content', size: SPEED_BYTES, layout: 'array', out: join(ours.data, 'large.json') });
  const {
    $id: _,
    $schema: __,
    ...items
  } = JSON.parse(readFileSync(join(ROOT, 'schemas/content-item.schema.json'), 'utf8'));
  ours.write('large.schema.json', JSON.stringify({ $schema: SCHEMA.$schema, type: 'array', items }));
  ours.write('item.schema.json', JSON.stringify({ $schema: SCHEMA.$schema, ...items }));
  const commandOf = (/** @type {Trial} */ { peer, program, data }) => {
    // To paylint, an array is a list of payloads, and one payload if the schema is about arrays.
    const schema = peer.bin === undefined ? 'item.schema.json' : 'large.schema.json';
    return { label: peer.name, argv: [...program, ...(peer.fast ?? peer.validate)(schema, 'large.json')], cwd: data };
  };
  const cells = ['1'];
  for (const trial of trials.slice(1)) {
    try {
      const { ratio } = await compare(commandOf(ours), commandOf(trial), 5, { memory: false });
      cells.push(`${ratio.toFixed(ratio < 10 ? 1 : 0)} ×`);
    } catch (error) {
      cells.push(`fails (${error instanceof Error ? error.message.slice(0, 60) : ''})`);
    }
  }
  return cells;
}

/** @param {string} document */
const tableIn = (document) => /<!-- peers:begin[^\n]*-->\n([\s\S]*?)\n\nChecked on/.exec(document)?.[1]?.trim() ?? '';

async function main() {
  const { values } = parseArgs({
    options: { write: { type: 'boolean' }, speed: { type: 'boolean' }, folder: { type: 'string' } },
  });
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'paylint-peers-'));
  const before = tableIn(readFileSync(README, 'utf8'));
  try {
    const trials = RUN.map((peer) => new Trial(folder, peer));
    const names = RUN.map(({ name, version }) => `${name} ${version}`);
    const rows = [];
    for (const { title, probe } of ROWS) {
      const cells = [];
      for (const trial of trials) cells.push(await probe(trial));
      rows.push([title, ...cells]);
      process.stderr.write(`${title}: ${cells.join(' | ')}\n`);
    }
    const known = before.split('\n').find((line) => line.startsWith(`| ${SPEED}`));
    if (values.speed) rows.push([SPEED, ...(await measureSpeed(trials))]);
    const lines = [['', ...names], ['---', ...names.map(() => '---')], ...rows].map(
      (cells) => `| ${cells.join(' | ')} |`,
    );
    if (!values.speed && known !== undefined) lines.push(known);
    const table = lines.join('\n');
    if (values.write) {
      const day = new Date().toISOString().slice(0, 10);
      const text = `${table}\n\nChecked on ${day}.`;
      writeFileSync(README, replaceSection(readFileSync(README, 'utf8'), 'peers', text));
    } else if (table !== before) {
      process.stderr.write('The table in README.md is not what was found:\n');
      process.stdout.write(`${table}\n`);
      process.exitCode = 1;
    }
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

await main();
