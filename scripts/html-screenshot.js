// @ts-check
// Takes docs/html-report.png: what the page of an `html` report looks like, for the README. Needs chromium.
//
//   npm run build && node scripts/html-screenshot.js
//
// The payloads are made here: an export in which one hour went wrong, so that the page has something to show.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { withPaylint } from './console-blocks.js';
import { pathOf } from './programs.js';

const TARGET = fileURLToPath(new URL('../docs/html-report.png', import.meta.url));
const SIZE = { width: 1280, height: 1120 };
/** Of one payload, most of them valid. */
const LINES = 6000;
const GOOD = { '@context': 'https://example.org', '@type': 'Emoji', emoji: '👍', reason: 'kind' };

const folder = mkdtempSync(join(tmpdir(), 'paylint-picture-'));
try {
  const payloads = join(folder, 'export.ndjson');
  const reactions = join(folder, 'reactions.ndjson');
  const report = join(folder, 'report.html');
  writeFileSync(payloads, lines(2600, 3100, article));
  writeFileSync(
    reactions,
    lines(0, LINES, (i) => (i % 37 === 0 ? reaction(i) : GOOD)),
  );
  // From there, so that the picture has no names of folders.
  withPaylint((run) => run(`cd '${folder}' && paylint validate . --format html=report.html`));
  await picture(report);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Lines of NDJSON, with what `bad` makes from one line to another, and here and there before and after.
 * @param {number} from
 * @param {number} to
 * @param {(line: number) => object} bad
 */
function lines(from, to, bad) {
  const all = Array.from({ length: LINES }, (_, i) => ((i >= from && i < to) || i % 400 === 0 ? bad(i) : GOOD));
  return `${all.map((payload) => JSON.stringify(payload)).join('\n')}\n`;
}

/** @param {number} i */
function article(i) {
  return {
    '@context': 'https://example.org',
    '@id': `urn:article:${i}`,
    '@type': i % 3 === 0 ? 'Artcle' : 'Article',
    application: { '@id': 'urn:app:1', '@type': 'Application' },
    author: { '@id': i % 2 === 0 ? '' : 'urn:person:7', '@type': 'Worker' },
    content: 'Hello',
    publishStatus: { '@id': 'Published' },
    moderationStatus: { '@id': i % 4 === 0 ? 'PassedModration' : 'PassedModeration' },
  };
}

/** @param {number} i */
function reaction(i) {
  return i % 2 === 0 ? { ...GOOD, reson: 'kind' } : { ...GOOD, emoji: '' };
}

/** @param {string} report */
async function picture(report) {
  const executablePath = pathOf('chromium');
  if (executablePath === null) throw new Error('chromium is missing');
  // Its own sandbox is not for root, nor for most containers; nothing but our page is opened.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  try {
    const page = await browser.newPage({ viewport: SIZE });
    await page.goto(pathToFileURL(report).href);
    await page.waitForSelector('html[data-ready]');
    await page.locator('.body .row', { hasText: 'PassedModration' }).first().click();
    await page.mouse.move(0, 0);
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: TARGET });
  } finally {
    await browser.close();
  }
}
