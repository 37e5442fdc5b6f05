// @ts-check
// Writes docs/reference/limits.md from the comments of src/limits.ts: what each limits, its value and unit, and what happens at the limit.
//
//   node scripts/limits.js
//
// test/docs/limits.test.ts fails if the page is stale.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModule } from './bundle.js';

const SOURCE = new URL('../src/limits.ts', import.meta.url);
const PAGE = new URL('../docs/reference/limits.md', import.meta.url);

const HEAD = `# Limits

This page is for you if paylint refused or cut something, or if you want to know what it can take.

A [rule](terms.md#rule) such as \`nested-too-deep\` is one [violation](terms.md#violation), and the next [payload](terms.md#payload) is checked as usual. Quotes are from
messages. A payload that takes too many steps or too much memory, or meets a bug in paylint, is a [failure](terms.md#failure), \`payload 2 (line 3) could not be checked: …\`: it counts as
invalid, \`fill\` and \`prune\` leave it unchanged, and the exit code is 2. *Counted* means that the report has the number of what it does not list. [Sources](terms.md#source) can have any size.
`;

/** A limit as its comment has it. @typedef {{ name: string, about: string, unit: string, beyond: string }} Limit */

const PART = /^\/\/ (.*)\n\n|^\/\*\* ([^\n]*) \*\/\nexport const (\w+) = /gm;

/** Headings and limits, in their order. @param {string} text @returns {(string | Limit)[]} */
export function limitsIn(text) {
  return [...text.matchAll(PART)].map(([, heading, comment = '', name = '']) => {
    if (heading !== undefined) return heading;
    const [, about, unit, beyond] = /^(.+) \(([a-z ]+)\)\. (.*)\.$/.exec(comment) ?? [];
    if (about === undefined || unit === undefined || beyond === undefined)
      throw new Error(`src/limits.ts: the comment of ${name} is not "what it limits (unit). What happens beyond it."`);
    return { name, about, unit, beyond };
  });
}

/** `64 MiB`, `1 s`, `250 levels` */
export function amount(/** @type {number} */ value, /** @type {string} */ unit) {
  if (unit === 'ms') return `${value / 1000} s`;
  if (unit !== 'bytes') return `${value.toLocaleString('en-US')} ${unit}`.trim();
  const power = [30, 20, 10].find((one) => value % 2 ** one === 0) ?? 0;
  return `${value / 2 ** power} ${{ 30: 'GiB', 20: 'MiB', 10: 'KiB' }[power] ?? 'bytes'}`;
}

/** The page for the limits of `text`, with their `values`. @param {string} text @param {Record<string, number>} values */
export function limitsPage(text, values) {
  const rows = limitsIn(text).map((part) => {
    if (typeof part === 'string') return `\n## ${part}\n\n| of what | limit | beyond it |\n|---|---|---|`;
    const { name, about, unit, beyond } = part;
    return `| ${about} | ${amount(values[name] ?? Number.NaN, new RegExp(`(?<!-)\\b${unit}\\b`).test(about) ? '' : unit)} | ${beyond} |`;
  });
  return `${HEAD}${rows.join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-limits-'));
  const values = await import(await bundleModule(SOURCE, folder));
  rmSync(folder, { recursive: true });
  writeFileSync(PAGE, limitsPage(readFileSync(SOURCE, 'utf8'), values));
}
