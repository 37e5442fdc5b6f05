// @ts-check
// Measures in chromium how soon `paylint/validate` is ready in a new page: its import, and `openPaylint` with a schema of the bundled kinds, as
// if it was one's own. Exit code 1 if the median is above the target. Needs chromium and `npm run build`.
//
//     node bench/ready.js
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { pathOf } from '../scripts/programs.js';
import { median } from './measure.js';

const PAGES = 15;
/** Milliseconds. */
const TARGET = 50;

const files = new Map([
  ['', '<!doctype html>'],
  ['empty.js', ''],
  ['validate.js', readFileSync(new URL('../dist/validate.js', import.meta.url), 'utf8')],
]);
const schema = JSON.parse(readFileSync(new URL('../schemas/content-item.schema.json', import.meta.url), 'utf8'));

/** Runs in the page. @param {[empty: string, url: string, schema: object]} given */
async function ready([empty, url, schema]) {
  await import(empty); // what the first module of any page takes does not count
  const begun = performance.now();
  const { openPaylint } = await import(url);
  const imported = performance.now();
  const paylint = await openPaylint({ schema });
  const opened = performance.now();
  if (paylint.validateValue({}).valid) throw new Error('an empty object is no content item');
  return [imported - begun, opened - imported, performance.now() - opened];
}

const server = createServer((request, response) => {
  const name = request.url?.slice(1) ?? '';
  response.setHeader('Content-Type', name.endsWith('.js') ? 'text/javascript' : 'text/html');
  response.end(files.get(name));
});
await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(null)));
const address = server.address();
const host = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;

const executablePath = pathOf('chromium');
if (executablePath === null) throw new Error('chromium is missing');
const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
try {
  /** @type {number[][]} */
  const times = [];
  for (let i = 0; i < PAGES; i++) {
    // A context of its own has no script that another page has compiled.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(host);
    times.push(
      await page.evaluate(
        ready,
        /** @type {[string, string, object]} */ ([`${host}empty.js`, `${host}validate.js`, schema]),
      ),
    );
    await context.close();
  }
  const parts = [0, 1, 2].map((part) => median(times.map((one) => one[part] ?? 0)));
  const [imported = 0, opened = 0, judged = 0] = parts;
  const shown = parts.map((part) => part.toFixed(1));
  console.log(`import ${shown[0]} ms, openPaylint ${shown[1]} ms, first value ${shown[2]} ms`);
  const least = Math.min(...times.map(([one = 0, two = 0]) => one + two));
  console.log(
    `ready: median ${(imported + opened).toFixed(1)} ms, least ${least.toFixed(1)} ms (at most ${TARGET} ms)`,
  );
  if (imported + opened > TARGET || judged > TARGET) process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
}
