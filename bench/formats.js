// @ts-check
// Measures what each format of a report costs, with a million violations: invalid payloads of all kinds, in one file. Prints a table;
// `--write` puts it into docs/internals/performance.md.
//
//     npm run bench:formats -- [--size 600m] [--runs N] [--write]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replaceSection } from '../scripts/suites/report.js';
import { generateFile, parseSize } from './generate.js';
import { measure } from './measure.js';

const PAYLINT = fileURLToPath(new URL('../bin/paylint.js', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../docs/internals/performance.md', import.meta.url));

/**
 * Each format, and what its report lists.
 * @type {readonly (readonly [format: string, listed: string])[]}
 */
const FORMATS = [
  ['ndjson', 'all'],
  ['json', 'all'],
  ['line', 'all'],
  ['github', 'all'],
  ['gitlab', 'all'],
  ['junit', 'those of 10,000 payloads'],
  ['pretty', '50'],
  ['sarif', '25,000'],
  ['html', '100,000'],
];

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '600m' },
    runs: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'paylint-formats-'));
try {
  const data = join(folder, 'data.ndjson');
  const { payloads, bytes } = await generateFile({
    ...{ kind: 'mixed', invalidEvery: 1, size: parseSize(values.size) },
    out: data,
  });
  const rows = [];
  for (const [format, listed] of FORMATS) {
    const best = await leastOf(format, data, Number(values.runs));
    rows.push({ format, listed, ...best });
    process.stderr.write(`${format} ${best.seconds.toFixed(2)} s\n`);
  }
  const base = rows[0]?.seconds ?? 0;
  const table = [
    `${(payloads / 1e6).toFixed(2)} million payloads, all invalid, in ${(bytes / 1e6).toFixed(0)} MB; the least of ${values.runs} runs on Node ${process.versions.node}, with default threads.`,
    '',
    '| format | time | by `ndjson` | memory | violations in it |',
    '|---|--:|--:|--:|---|',
    ...rows.map(
      ({ format, listed, seconds, peakBytes }) =>
        `| \`${format}\` | ${seconds.toFixed(2)} s | ${(seconds / base).toFixed(2)} | ${(peakBytes / 2 ** 20).toFixed(0)} MB | ${listed} |`,
    ),
  ].join('\n');
  process.stdout.write(`${table}\n`);
  if (values.write) writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), 'formats', table));
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} format
 * @param {string} data
 * @param {number} runs
 */
async function leastOf(format, data, runs) {
  const argv = [process.execPath, PAYLINT, 'validate', data, '--format', format];
  const command = { label: format, argv, exitCode: 1 };
  let seconds = Number.POSITIVE_INFINITY;
  let peakBytes = 0;
  for (let run = 0; run < runs; run++) {
    const measured = await measure(command, { memory: true });
    seconds = Math.min(seconds, measured.milliseconds / 1000);
    peakBytes = Math.max(peakBytes, measured.peakBytes);
  }
  return { seconds, peakBytes };
}
