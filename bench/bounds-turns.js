// @ts-check
// Rows for `bounds.js`: how long a call of the library that returns promises works between two turns of the event loop, in processor time of its
// thread. The first call of a process, which loads and compiles, does not count. Run by itself it is such a process, and prints the longest.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BARE_ENVIRONMENT } from './measure.js';

/** Milliseconds of work that the library promises at most. */
const PROMISED = 10;
const PAYLOADS = 300_000;
/** A name that no module has: the library is built. */
const LIBRARY = '../dist/index.js';

/**
 * @typedef {object} Call
 * @property {string} title
 * @property {(i: number) => string} line of the payload file
 * @property {object} [config]
 * @property {boolean} [isRead] the call gets the bytes of the file
 * @property {(paylint: any, input: string | Uint8Array) => Promise<unknown>} run
 */

/** @param {any} paylint @param {string | Uint8Array} file */
const validate = (paylint, file) => paylint.validateFiles([file], { threads: 1, onEvent() {} });
/** @param {any} paylint @param {string | Uint8Array} input */
async function iterate(paylint, input) {
  for await (const _ of paylint.payloads(input));
}
/** @param {number} i */
const invalid = (i) => `{"id":"x${i}","a":"b"}`;
/** @param {number} i */
const valid = (i) => `{"id":${i},"a":"b"}`;

/** @type {Readonly<Record<string, Call>>} */
const CALLS = {
  invalid: { title: '`validateFiles` of invalid payloads', line: invalid, run: validate },
  unique: {
    title: '`validateFiles` with `unique`',
    line: (i) => valid(i % (PAYLOADS / 2)),
    config: { checks: [{ id: 'u', message: 'twice', unique: '/id' }] },
    run: validate,
  },
  payloads: { title: '`payloads` of a path', line: invalid, run: iterate },
  bytes: { title: '`payloads` of bytes', line: (i) => (i % 9 ? valid(i) : invalid(i)), isRead: true, run: iterate },
};

/** @type {readonly import('./bounds.js').Row[]} */
export const TURN_ROWS = Object.entries(CALLS).map(([name, { title, line, config = {} }]) => ({
  name: `turns-${name}`,
  title: `the longest work of ${title} between two turns, ${PAYLOADS.toLocaleString('en')} payloads`,
  most: 1,
  async figures(folder, rounds) {
    mkdirSync(folder, { recursive: true });
    const lines = Array.from({ length: PAYLOADS }, (_, i) => line(i));
    writeFileSync(join(folder, 'p.ndjson'), `${lines.join('\n')}\n`);
    writeFileSync(join(folder, 's.json'), JSON.stringify({ properties: { id: { type: 'integer' } } }));
    writeFileSync(join(folder, 'c.json'), JSON.stringify({ schema: 's.json', ...config }));
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < rounds; i++) {
      const argv = [fileURLToPath(import.meta.url), name];
      const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: folder, env: BARE_ENVIRONMENT });
      least = Math.min(least, Number(stdout));
    }
    const milliseconds = (/** @type {number} */ n) => `${n.toFixed(1)} ms`;
    return { ours: milliseconds(least), theirs: milliseconds(PROMISED), ratio: least / PROMISED };
  },
}));

/** Processor time of this thread in milliseconds. */
const worked = () => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;

/**
 * @param {() => Promise<unknown>} run
 * @returns {Promise<number>} the longest work between two turns; what the collector of garbage took is not in it
 */
async function longestOf(run) {
  /** @type {{ from: number, to: number, work: number }[]} */
  const turns = [];
  /** @type {{ readonly startTime: number, readonly duration: number }[]} */
  const collections = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  let from = performance.now();
  let before = worked();
  let isOver = false;
  const look = () => {
    turns.push({ from, to: performance.now(), work: worked() - before });
    from = performance.now();
    before = worked();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await run();
  isOver = true;
  await new Promise((turn) => setTimeout(turn));
  observer.disconnect();
  const longest = turns.sort((a, b) => b.work - a.work).slice(0, 100);
  const without = longest.map(({ from, to, work }) => {
    const within = collections.filter(({ startTime }) => startTime >= from && startTime < to);
    return work - within.reduce((sum, { duration }) => sum + duration, 0);
  });
  return Math.max(...without);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { openPaylint } = await import(LIBRARY);
  const call = CALLS[process.argv[2] ?? ''];
  if (call === undefined) throw new Error(`none of ${Object.keys(CALLS).join(', ')}`);
  const paylint = await openPaylint({ config: 'c.json' });
  const input = call.isRead === true ? readFileSync('p.ndjson') : 'p.ndjson';
  await call.run(paylint, input);
  console.log(await longestOf(() => call.run(paylint, input)));
}
