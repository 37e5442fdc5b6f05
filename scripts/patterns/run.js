// @ts-check
// Compares automata with RegExp: random regular expressions, and those of files. The tests do the same with fewer of them.
//
//     node scripts/patterns/run.js [COUNT] [--seed N] [--from FOLDER]...
//
// COUNT is 20,000 random expressions unless given, with 16 texts each; the same SEED (1 unless given) gives the same again. `--from`
// adds the values of `pattern` and the names in `patternProperties` of all JSON files below FOLDER.
// Exit code 1, and the expressions, if anything differs.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleModule } from '../bundle.js';

/** @typedef {import('./try.ts').Counts} Counts */

/** Differences shown, at most. */
const SHOWN = 10;

/**
 * Adds all patterns in a JSON value to `found`.
 * @param {unknown} value
 * @param {Set<string>} found
 */
function collect(value, found) {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'pattern' && typeof member === 'string') found.add(member);
    if (name === 'patternProperties' && typeof member === 'object') {
      for (const one of Object.keys(member ?? {})) found.add(one);
    }
    collect(member, found);
  }
}

/**
 * @param {readonly string[]} folders
 * @returns {string[]}
 */
function patternsIn(folders) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.json')) continue;
      try {
        collect(JSON.parse(readFileSync(join(folder, name), 'utf8')), found);
      } catch {
        // A test suite has files that are not JSON.
      }
    }
  }
  return [...found].sort();
}

/**
 * @param {string} title
 * @param {Counts} tally
 */
function report(title, { patterns, unsupported, pairs, matched, wrong }) {
  const left = [...unsupported.values()].reduce((a, b) => a + b, 0);
  console.log(
    `${title}: ${patterns} expressions, ${left} left to RegExp; ${pairs} texts, ${matched} match; ${wrong.length} wrong`,
  );
  for (const [reason, count] of [...unsupported].sort((a, b) => b[1] - a[1])) console.log(`  ${count}: ${reason}`);
  for (const line of wrong.slice(0, SHOWN)) console.log(`  WRONG ${line}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, from: { type: 'string', multiple: true, default: [] } },
});
const scratch = mkdtempSync(join(tmpdir(), 'paylint-patterns-'));
try {
  const module = await bundleModule(new URL('try.ts', import.meta.url), scratch);
  const { tryPatterns, tryRandom } = /** @type {typeof import('./try.ts')} */ (await import(module));
  const seed = Number(values.seed);
  const tallies = [['random', tryRandom(Number(positionals[0] ?? 20_000), seed)]];
  if (values.from.length > 0) tallies.push(['from files', tryPatterns(patternsIn(values.from), seed)]);
  for (const [title, tally] of /** @type {[string, Counts][]} */ (tallies)) {
    report(title, tally);
    if (tally.wrong.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true });
}
