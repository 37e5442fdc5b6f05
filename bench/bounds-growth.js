// @ts-check
// Rows for `bounds.js`: nothing that a payload or a schema chooses costs more than in proportion to its size. Each is one command over data of
// n, 2n and 4n things; what 4n take more than 2n is compared with what 2n take more than n, which is half as much if the costs are linear.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from './measure.js';
import { PAYLINT } from './paylint.js';

/** Twice, and room for what else the machine does; four times would be quadratic. */
const MOST = 3;

/**
 * @typedef {object} Growth
 * @property {string} name
 * @property {string} title what there are `n` of
 * @property {number} n so many that the command takes some tenths of a second
 * @property {readonly string[]} args
 * @property {(n: number) => Readonly<Record<string, unknown>>} files by name; a text is written as it is
 * @property {number} [exitCode]
 */

/**
 * @template T
 * @param {number} n
 * @param {(i: number) => T} make
 */
const list = (n, make) => Array.from({ length: n }, (_, i) => make(i));
/** @param {number} n @param {(i: number) => string} make */
const lines = (n, make) => `${list(n, make).join('\n')}\n`;

/** @param {number} n */
const alternatives = (n) => ({
  anyOf: list(n, (i) => ({ type: 'object', required: ['k'], properties: { k: { const: `k${i}` } } })),
});
/** @param {number} n */
const values = (n) => ({ properties: { v: { enum: list(n, (i) => ({ i })) } } });
/** The `ndjson` report on `n` payloads with a violation each. @param {number} n */
function reportOf(n) {
  const counts = { payloads: n, valid: 0, invalid: n, violations: n, warnings: 0 };
  const violation = { type: 'violation', file: 'p.ndjson', column: 1, endColumn: 2, kind: 'emoji', severity: 'error' };
  const about = { pointer: '', rule: 'required', message: 'the member "a" is missing', params: { missing: 'a' } };
  const of = list(n, (i) => ({ ...violation, payload: i, line: i + 1, endLine: i + 1, offset: 3 * i, ...about }));
  const kinds = { emoji: { payloads: n, valid: 0, invalid: n } };
  return lines(n + 2, (i) =>
    JSON.stringify(
      i < n
        ? { ...of[i], schema: 's.json#/required', fixable: false }
        : i === n
          ? { type: 'source', file: 'p.ndjson', ...counts }
          : { ...SUMMARY, ...counts, kinds, rules: { required: n } },
    ),
  );
}
const SUMMARY = { type: 'summary', version: '0.1.0', reportVersion: 1, sources: 1, failures: 0, elapsedMs: 1 };
const SCHEMA = ['--schema', 's.json'];
const ALL = ['--max-violations', '0', '--format', 'json=report'];

/** @type {readonly Growth[]} */
const GROWTHS = [
  ...[['validate'], ['filter', '--quiet'], ['fill', '--check'], ['compare', '--against', 'old.json']].flatMap(
    ([verb = '', ...flags]) => [
      {
        name: `${verb}-alternatives`,
        title: 'alternatives of which none holds',
        n: 4000,
        args: [verb, ...flags, ...SCHEMA, 'p.json'],
        files: (/** @type {number} */ n) => ({ 's.json': alternatives(n), 'old.json': true, 'p.json': { k: 'x' } }),
        exitCode: 1,
      },
      {
        name: `${verb}-violations`,
        title: 'violations of one payload',
        n: 20_000,
        args: [verb, ...flags, ...SCHEMA, ...ALL, 'p.json'],
        files: (/** @type {number} */ n) => ({
          's.json': { properties: { l: { items: { type: 'string' } } } },
          'old.json': true,
          'p.json': { l: list(n, (i) => i) },
        }),
        exitCode: 1,
      },
    ],
  ),
  {
    name: 'validate-members',
    title: 'members, of the schema and of the payload',
    n: 20_000,
    args: ['validate', ...SCHEMA, ...ALL, 'p.json'],
    files: (n) => ({
      's.json': {
        properties: Object.fromEntries(list(n, (i) => /** @type {const} */ ([`m${i}`, { type: 'string' }]))),
      },
      'p.json': Object.fromEntries(list(n, (i) => [`m${i}`, i % 2 ? i : 'x'])),
    }),
    exitCode: 1,
  },
  {
    name: 'validate-enum',
    title: 'values of `enum` that are objects',
    n: 20_000,
    args: ['validate', ...SCHEMA, 'p.ndjson'],
    files: (n) => ({ 's.json': values(n), 'p.ndjson': lines(20, (i) => `{"v":{"i":${i % 2 ? n - 1 : -1}}}`) }),
    exitCode: 1,
  },
  {
    name: 'validate-claims',
    title: 'items of one payload that must be `unique`, and are not',
    n: 50_000,
    args: ['validate', '--config', 'c.json', ...SCHEMA, ...ALL, 'p.json'],
    files: (n) => ({
      'c.json': { checks: [{ id: 'u', message: 'twice', unique: '/l/*' }] },
      's.json': { type: 'object' },
      'p.json': { l: list(n, (i) => i % 9) },
    }),
    exitCode: 1,
  },
  ...['pretty', 'html', 'json', 'lcov'].map((format) => ({
    name: `coverage-${format}`,
    title: `places that no payload reaches, \`--format ${format}\``,
    n: 4000,
    args: ['coverage', ...SCHEMA, 'p.json', '--format', format],
    files: (/** @type {number} */ n) => ({ 's.json': alternatives(n), 'p.json': { k: 'k0' } }),
  })),
  {
    name: 'test-defaults',
    title: 'defaults and examples',
    n: 2000,
    args: ['test', '--schemas-only', 's.json'],
    files: (n) => ({
      's.json': {
        properties: Object.fromEntries(list(n, (i) => [`m${i}`, { type: 'string', default: '', examples: [''] }])),
      },
    }),
  },
  {
    name: 'test-violations',
    title: 'violations that a test expects',
    n: 20_000,
    args: ['test', 'a.test.json'],
    files: (n) => ({
      's.json': { items: { type: 'string' } },
      'a.test.json': {
        target: './s.json',
        tests: [{ violations: list(n, (i) => ({ rule: 'type', pointer: `/${i}` })), data: list(n, (i) => i) }],
      },
    }),
  },
  {
    name: 'prune-members',
    title: 'members of one payload that go',
    n: 20_000,
    args: ['prune', '--quiet', ...SCHEMA, 'p.json'],
    files: (n) => ({
      's.json': { additionalProperties: false, properties: { m: true } },
      'p.json': Object.fromEntries(list(n, (i) => [`m${i}`, i])),
    }),
  },
  {
    name: 'render-violations',
    title: 'violations of a report',
    n: 20_000,
    args: ['render', 'r.ndjson', '--format', 'json=report'],
    files: (n) => ({ 'r.ndjson': reportOf(n) }),
    exitCode: 1,
  },
  {
    name: 'explain-members',
    title: 'members of a schema',
    n: 4000,
    args: ['explain', ...SCHEMA, 'm0'],
    files: (n) => ({ 's.json': { properties: Object.fromEntries(list(n, (i) => [`m${i}`, { type: 'string' }])) } }),
  },
  {
    name: 'convert-members',
    title: 'members of one payload',
    n: 200_000,
    args: ['convert', '--to', 'ndjson', 'p.json', '--output', 'out'],
    files: (n) => ({ 'p.json': Object.fromEntries(list(n, (i) => [`m${i}`, i])) }),
  },
];

/** @type {readonly import('./bounds.js').Row[]} */
export const GROWTH_ROWS = GROWTHS.map(({ name, title, n, args, files, exitCode = 0 }) => ({
  name: `growth-${name}`,
  title: `\`${args[0]}\` of ${n.toLocaleString('en')}, twice and four times as many: ${title}`,
  most: MOST,
  async figures(folder, rounds) {
    const isOfConfig = args.includes('--config') || args[0] === 'render';
    const argv = [...PAYLINT, ...args, ...(isOfConfig ? [] : ['--no-config'])];
    const times = [];
    for (const factor of [1, 2, 4]) {
      const cwd = join(folder, `${factor}`);
      mkdirSync(cwd, { recursive: true });
      for (const [file, value] of Object.entries(files(factor * n)))
        writeFileSync(join(cwd, file), typeof value === 'string' ? value : JSON.stringify(value));
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < rounds; i++)
        least = Math.min(least, (await measure({ label: name, argv, cwd, exitCode }, { memory: false })).milliseconds);
      times.push(least);
    }
    const [one = 0, two = 0, four = 0] = times;
    const ratio = Math.max(0, four - two) / Math.max(two - one, one / 10);
    const shown = times.map((time) => `${(time / 1000).toFixed(2)} s`);
    return { ours: shown.join(', '), theirs: 'twice as much more', ratio };
  },
}));
