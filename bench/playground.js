// @ts-check
// Measures the playground in chromium with files of 20 MB: when the first violation is shown, when all is checked, and how long the page
// does not react at most. Needs chromium and `npm run build`.
//
//     node bench/playground.js
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { pathOf } from '../scripts/programs.js';

const PAGE = pathToFileURL(fileURLToPath(new URL('../dist/playground.html', import.meta.url))).href;
const SIZE = 20e6;
const ROUNDS = 3;
const GOOD = { '@context': 'https://example.org', '@type': 'Emoji', emoji: '👍', reason: 'kind' };
const BAD = { ...GOOD, reson: 'kind' };

/** Payloads of which every so many are invalid. @param {number} every */
const payloads = (every) => Array.from({ length: 300_000 }, (_, i) => (i % every === every - 1 ? BAD : GOOD));
/** @param {object[]} all */
const lines = (all) => all.map((one) => JSON.stringify(one)).join('\n');
/** @type {[title: string, name: string, text: string][]} */
const FILES = [
  ['NDJSON, all payloads invalid', 'all.ndjson', lines(payloads(1)).slice(0, SIZE)],
  ['NDJSON, one payload of 1,000 invalid', 'some.ndjson', lines(payloads(1000)).slice(0, SIZE)],
  [
    'one array on one line, one payload of 1,000 invalid',
    'array.json',
    JSON.stringify(payloads(1000).slice(0, 245_000)),
  ],
  [
    'one array, indented, one payload of 1,000 invalid',
    'pretty.json',
    JSON.stringify(payloads(1000).slice(0, 180_000), null, 2),
  ],
  ['one payload', 'one.json', JSON.stringify({ ...BAD, reason: 'x'.repeat(SIZE) })],
];

/** Runs in the page: what happens from when the file is chosen until all of it is checked. */
const WATCH = `new Promise((resolve) => {
  let begun, last, pause = 0, first = null;
  const look = () => {
    const now = performance.now();
    pause = Math.max(pause, now - last);
    last = now;
    if (first === null && document.querySelector('#list .violation') !== null) first = now - begun;
    if (document.documentElement.dataset.ready === 'true') resolve({ first, all: now - begun, pause });
    else setTimeout(look, 1);
  };
  document.querySelector('#file').addEventListener('change', () => {
    document.documentElement.dataset.ready = 'false';
    document.querySelector('#list').replaceChildren();
    begun = last = performance.now();
    look();
  }, { capture: true, once: true });
})`;

const folder = mkdtempSync(join(tmpdir(), 'paylint-playground-'));
const executablePath = pathOf('chromium');
if (executablePath === null) throw new Error('chromium is missing');
// Its own sandbox is not for root, nor for most containers; nothing but our page is opened.
const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
try {
  console.log('| 20 MB | first violation | all checked | longest pause of the page |\n|---|---|---|---|');
  for (const [title, name, text] of FILES) {
    const path = join(folder, name);
    writeFileSync(path, text);
    /** @type {{ first: number, all: number, pause: number }[]} */
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measured(path));
    /** The middle one. @param {'first' | 'all' | 'pause'} what */
    const middle = (what) => Math.round(rounds.map((one) => one[what]).sort((a, b) => a - b)[1] ?? 0);
    console.log(`| ${title} | ${middle('first')} ms | ${middle('all')} ms | ${middle('pause')} ms |`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} path
 * @returns {Promise<{ first: number, all: number, pause: number }>}
 */
async function measured(path) {
  const page = await browser.newPage();
  await page.goto(PAGE);
  await page.waitForSelector('html[data-ready="true"]');
  const watched = page.evaluate(WATCH);
  await page.evaluate('0'); // it listens
  await page.locator('#file').setInputFiles(path);
  const found = /** @type {{ first: number | null, all: number, pause: number }} */ (await watched);
  await page.close();
  if (found.first === null) throw new Error(`${path} has no violation`);
  return /** @type {{ first: number, all: number, pause: number }} */ (found);
}
