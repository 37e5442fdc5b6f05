// @ts-check
// Rows for `bounds.js`: how long a run takes to end after SIGINT, whatever it is at. The longest of all rounds counts.
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BARE_ENVIRONMENT } from './measure.js';
import { PAYLINT } from './paylint.js';

/** Milliseconds after the signal in which a run must have ended. */
const PROMISED = 2500;

/** Milliseconds of work before the signal, unless a row says otherwise. */
const WORK = 3000;

/** @typedef {{ what: string, file: string, schema?: unknown, make: (path: string) => void, worked?: number }} Work */

/** @type {Readonly<Record<string, Work>>} */
const WORKS = {
  'endless-line': {
    what: 'a line without end',
    file: 'endless.ndjson',
    make(path) {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 40);
    },
  },
  'huge-payload': {
    what: 'one payload of 60 MB',
    file: 'huge.json',
    schema: { items: { properties: { a: { type: 'boolean' } }, required: ['b'] } },
    make: (path) => writeRepeated(path, { before: '[', item: '{"a":1},', times: 7_400_000, after: '{}]' }),
  },
  'many-violations': {
    what: 'many violations in all reports',
    file: 'many.ndjson',
    make: (path) =>
      writeRepeated(path, { before: '', item: '{"@type":"Contract","name":1}\n', times: 1_000_000, after: '' }),
  },
  'slow-pattern': {
    what: 'a pattern that takes for ever',
    file: 'text.json',
    schema: { pattern: '^(a+)+\\1$' },
    make: (path) => writeFileSync(path, `"${'a'.repeat(60)}b"\n`),
  },
  'large-schema': {
    what: 'a schema of 32,000 members',
    file: 'empty.json',
    schema: {
      properties: Object.fromEntries(
        Array.from({ length: 32_000 }, (_, i) => [
          `p${i}`,
          { anyOf: [{ enum: [i, `${i}`] }, { type: 'object', required: [`r${i}`] }] },
        ]),
      ),
    },
    make: (path) => writeFileSync(path, '{"p7":true}\n'),
    // It takes about a second.
    worked: 400,
  },
};

/** @type {readonly import('./bounds.js').Row[]} */
export const SIGNAL_ROWS = Object.entries(WORKS).flatMap(([name, work]) =>
  [1, 2].map((threads) => ({
    name: `signal-${name}-${threads}`,
    title: `SIGINT during ${work.what}, \`--threads ${threads}\`, until the end of the run`,
    most: 1,
    async figures(folder, rounds) {
      mkdirSync(folder, { recursive: true });
      work.make(join(folder, work.file));
      if (work.schema !== undefined) writeFileSync(join(folder, 's.json'), JSON.stringify(work.schema));
      let longest = 0;
      for (let i = 0; i < rounds; i++) longest = Math.max(longest, await timeToEnd(folder, work, threads));
      return { ours: seconds(longest), theirs: seconds(PROMISED), ratio: longest / PROMISED };
    },
  })),
);

/** @param {number} milliseconds */
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;

/**
 * @param {string} folder
 * @param {Work} work
 * @param {number} threads
 * @returns {Promise<number>} milliseconds from the signal to the end; throws if a report is there and not complete
 */
async function timeToEnd(folder, { file, schema, worked = WORK }, threads) {
  const report = join(folder, 'report.ndjson');
  rmSync(report, { force: true });
  const [program = '', ...before] = PAYLINT;
  const flags = ['--max-violations', '0', '--format', `ndjson=${report}`, '--format', 'pretty'];
  const schemas = schema === undefined ? [] : ['--schema', 's.json'];
  const args = [...before, 'validate', file, '--no-config', '--threads', `${threads}`, ...flags, ...schemas];
  const child = spawn(program, args, { cwd: folder, env: BARE_ENVIRONMENT, stdio: 'ignore' });
  /** @type {Promise<number | null>} */
  const ended = new Promise((done) => child.on('exit', (code, signal) => done(signal === 'SIGINT' ? 130 : code)));
  await pause(worked);
  const begun = performance.now();
  child.kill('SIGINT');
  const code = await ended;
  const took = performance.now() - begun;
  if (code !== 130) throw new Error(`${file}: exit code ${code}: the run was over before the signal`);
  const last = existsSync(report) ? readFileSync(report, 'utf8').trimEnd().split('\n').at(-1) : undefined;
  if (last !== undefined && JSON.parse(last).interrupted !== true)
    throw new Error(`${file}: its report is not complete`);
  return took;
}

/**
 * @param {string} path
 * @param {{ before: string, item: string, times: number, after: string }} text
 */
export function writeRepeated(path, { before, item, times, after }) {
  const fd = openSync(path, 'w');
  const at = 10_000;
  writeSync(fd, before);
  for (let left = times; left > 0; left -= at) writeSync(fd, item.repeat(Math.min(at, left)));
  writeSync(fd, after);
  closeSync(fd);
}
