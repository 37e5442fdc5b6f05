// @ts-check
// Runs mutations of all fixtures through both engines: what accept calls valid, examine must find nothing wrong with. The tests
// do the same with fewer of them.
//
//     node scripts/mutations/run.js [COUNT] [--seed N] [--plant FAULT | --plant-all]
//
// COUNT is ten million unless given; the same SEED (1 unless given) gives the same mutations again. The work is shared by two
// threads. Exit code 1, and the payloads, if the engines differ. `--plant` puts a fault into accept: then they must
// differ, and exit code 1 says that they do not; `--plant-all` does so with every fault that there is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { bundleModule } from '../bundle.js';

/** @typedef {typeof import('./engines.ts')} EnginesModule */
/** @typedef {import('./faults.ts').Fault} Fault */
/** @typedef {import('./engines.ts').Outcome} Outcome */
/** @typedef {{ module: string, seed: number, fault: Fault | undefined, counts: number[], first: number, step: number }} Share what a thread has to do: every `step`th of the slices, from `first` on */
/** @typedef {{ tried: number, accepted: Map<string, number>, wrong: Outcome['wrong'][number][] }} Totals */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const THREADS = 2;
/** Mutations that are made from one seed. */
const SLICE = 50_000;
/** Payloads shown, at most. */
const SHOWN = 10;

/** @param {Share} share */
async function work({ module, seed, fault, counts, first, step }) {
  const { createEngines, fixturePayloads, tryMutations, weighted } = /** @type {EnginesModule} */ (
    await import(module)
  );
  const entry = join(ROOT, 'schemas/payload.schema.json');
  const payloads = fixturePayloads(join(ROOT, 'fixtures')).map(({ bytes }) => bytes);
  const seeds = weighted(payloads, await createEngines(entry));
  const engines = await createEngines(entry, fault === undefined ? {} : { fault });
  for (let slice = first; slice < counts.length; slice += step) {
    const count = /** @type {number} */ (counts[slice]);
    const outcome = tryMutations(engines, seeds, count, seed * 1_000_003 + slice);
    parentPort?.postMessage(outcome);
    if (fault !== undefined && outcome.wrong.length > 0) break;
  }
}

/**
 * @param {string} module
 * @param {number} count
 * @param {number} seed
 * @param {Fault | undefined} fault
 * @returns {Promise<Totals>}
 */
async function run(module, count, seed, fault) {
  const slices = Math.ceil(count / SLICE);
  const counts = Array.from({ length: slices }, (_, i) => Math.min(SLICE, count - i * SLICE));
  /** @type {Totals} */
  const totals = { tried: 0, accepted: new Map(), wrong: [] };
  const begun = performance.now();
  let shown = begun;
  const threads = Array.from({ length: THREADS }, (_, first) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: /** @type {Share} */ ({ module, seed, fault, counts, first, step: THREADS }),
    });
    worker.on('message', (/** @type {Outcome} */ outcome) => {
      add(totals, outcome);
      if (fault !== undefined || performance.now() - shown < 5000) return;
      shown = performance.now();
      const seconds = Math.round((shown - begun) / 1000);
      console.error(`${seconds} s: ${number(totals.tried)} of ${number(count)}, ${totals.wrong.length} wrong`);
    });
    return new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));
  });
  await Promise.all(threads);
  return totals;
}

/**
 * @param {Totals} totals
 * @param {Outcome} outcome
 */
function add(totals, { tried, accepted, wrong }) {
  totals.tried += tried;
  for (const [kind, count] of accepted) totals.accepted.set(kind, (totals.accepted.get(kind) ?? 0) + count);
  // What crosses from a thread is a plain array of bytes.
  totals.wrong.push(...wrong.map((difference) => ({ ...difference, payload: Buffer.from(difference.payload) })));
}

/** @param {Totals} totals */
function report({ tried, accepted, wrong }) {
  const all = [...accepted.values()].reduce((a, b) => a + b, 0);
  const share = (/** @type {number} */ count) => `${number(count)} (${((100 * count) / tried).toFixed(1)} %)`;
  console.log(`tried     ${number(tried)}`);
  console.log(`accepted  ${share(all)}`);
  for (const [kind, count] of [...accepted].sort()) console.log(`  ${kind.padEnd(8)} ${share(count)}`);
  console.log(`wrong     ${wrong.length === 0 ? 'none' : wrong.length}`);
  for (const { payload, accept, examine } of wrong.slice(0, SHOWN)) {
    console.log(`\naccepted as ${accept}, in truth ${examine ?? 'not valid'}:`);
    console.log(JSON.stringify(payload.toString('latin1')));
  }
}

/** @param {number} value */
function number(value) {
  return value.toLocaleString('en');
}

/**
 * @param {string} module
 * @param {number} count
 * @param {number} seed
 * @param {readonly Fault[]} faults
 * @returns {Promise<boolean>} whether all of them were caught
 */
async function plantAll(module, count, seed, faults) {
  let all = true;
  for (const fault of faults) {
    const { tried, wrong } = await run(module, count, seed, fault);
    const found = wrong.length > 0;
    all &&= found;
    console.log(`${found ? '✓' : '✗'} ${fault}: ${found ? 'caught' : 'not caught'} by ${number(tried)}`);
  }
  return all;
}

/** Throws an Error for what makes no sense. */
function parse() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, plant: { type: 'string' }, 'plant-all': { type: 'boolean' } },
  });
  const count = wholeNumber(positionals[0] ?? '10000000');
  if (positionals.length > 1) throw new Error('one COUNT is enough');
  return { count, seed: wholeNumber(values.seed ?? '1'), plant: values.plant, plantAll: values['plant-all'] };
}

/** @param {string} text */
function wholeNumber(text) {
  const number = Number(text.replaceAll('_', ''));
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`${text} is no whole number from 1 on`);
  return number;
}

async function main() {
  const { count, seed, plant, plantAll: every } = parse();
  const scratch = mkdtempSync(join(tmpdir(), 'paylint-mutations-'));
  try {
    const module = await bundleModule(new URL('engines.ts', import.meta.url), scratch);
    const { FAULT_NAMES } = /** @type {EnginesModule} */ (await import(module));
    if (plant === undefined && !every) {
      const totals = await run(module, count, seed, undefined);
      report(totals);
      if (totals.wrong.length > 0) process.exitCode = 1;
      return;
    }
    const faults = FAULT_NAMES.filter((name) => every || name === plant);
    if (faults.length === 0) throw new Error(`there is no fault "${plant}"; there are ${FAULT_NAMES.join(', ')}`);
    if (!(await plantAll(module, count, seed, faults))) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

if (!isMainThread) await work(workerData);
else if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
