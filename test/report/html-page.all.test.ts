/**
 * The page of `html` reports: what is in it, without a browser, and what it does, in one. A page is a file of its own, opened from
 * disk. Every browser test also fails if the page says anything on the console, or asks for anything but itself.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../../scripts/programs.js';
import { HTML_CHARACTERS, HTML_VIOLATIONS } from '../../src/limits.ts';
import { violationsOf } from '../../src/log/violation-table.ts';
import { createReporter } from '../../src/report/report-formats.ts';
import type { ReportEvent, ReportStyle } from '../../src/types.ts';
import { readPage, unescaped } from '../format-readers.ts';
import { eventOf, excerpt, HOSTILE, HOSTILE_TEXTS, PLAIN, SAMPLE, violation } from '../report-sample.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const temporary = mkdtempSync(join(tmpdir(), 'paylint-html-'));
afterAll(() => rmSync(temporary, { recursive: true }));

const ROOT = join(import.meta.dirname, '../..');
const END = SAMPLE.at(-1)! as Extract<ReportEvent, { type: 'summary' }>; // a report ends with it

async function draw(events: readonly ReportEvent[], style: Partial<ReportStyle> = {}): Promise<string> {
  const reporter = await createReporter('html', { ...PLAIN, ...style });
  return events.map(reporter).join('');
}

/** This many violations on lines of one file, with five rules in turn. */
function many(count: number): ReportEvent[] {
  return Array.from({ length: count }, (_, i): ReportEvent => {
    const rule = ['required', 'type', 'enum', 'minimum', 'pattern'][i % 5]!;
    const place = { payload: i, line: i + 1, endLine: i + 1 };
    const fields = { file: 'many.ndjson', pointer: `/list/${i}/name`, rule, message: `number ${i} is wrong` };
    return eventOf(violation({ ...fields, ...place }));
  });
}

describe('a page holds', () => {
  it('a policy that lets nothing run or load but its own script and style', async () => {
    const { policy, script, style } = readPage(await draw(HOSTILE));
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(script.length).toBeGreaterThan(1000);
    expect(`${script}${style}`).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|url\(|@import/,
    );
  });

  it('all of the hostile sample, and none of it as markup', async () => {
    const page = await draw(HOSTILE);
    const { markup, rows, end } = readPage(page);
    const found = HOSTILE.flatMap((event) => (event.type === 'violations' ? [...violationsOf(event)] : []));
    expect(rows).toHaveLength(HOSTILE_TEXTS.length);
    for (const [i, { file, message, rule, pointer, kind, suggestion, schema, params, line }] of found.entries()) {
      const row = rows[i]!;
      expect(
        [row.file, row.message, row.rule, row.pointer, row.kind, row.suggestion, row.schema].map((text) =>
          unescaped(text!),
        ),
      ).toEqual([file, message, rule, pointer, kind, suggestion, schema]);
      expect([row.params, row.line]).toEqual([params, line]);
    }
    expect(end.failures.map(({ message }) => unescaped(message))).toEqual(HOSTILE_TEXTS);
    expect(markup).not.toMatch(/alert|evil|onerror|<img|CDATA/);
  });

  it('long texts cut, and lines around the place', async () => {
    const long = '\u{1f600}'.repeat(5000);
    const text = `${'a'.repeat(3000)}${long}`;
    const fields = { column: 2901, endColumn: 4000, message: long, pointer: `/${long}`, params: { allowed: [long] } };
    const page = await draw([eventOf(violation(fields), excerpt(text)), END]);
    const [row] = readPage(page).rows;
    expect(row!.message).toBe(`${'\u{1f600}'.repeat(250)}…`);
    expect(row!.pointer).toBe(`/${'\u{1f600}'.repeat(249)}…`);
    expect(row!.params).toBeNull();
    const { text: shown, ...frame } = row!.frame!;
    expect(shown).toBe(`${'a'.repeat(200)}${'\u{1f600}'.repeat(30)}`);
    expect(frame).toEqual({ from: 100, to: 1199, cutBefore: true, cutAfter: true });
  });

  it('the earlier line on which the cause is', async () => {
    const earlier = { text: '"a": 1', at: 5, length: 1, above: 2, cutBefore: false, cutAfter: false };
    const event = eventOf(violation({ line: 9 }), excerpt('"b": 2', { earlier }));
    const [row] = readPage(await draw([event, END])).rows;
    expect(row!.frame!.earlier).toEqual({ text: '"a": 1', line: 7, cutBefore: false, cutAfter: false });
  });

  it('at most 100,000 violations, and says so, however many may be listed', async () => {
    const hidden = { type: 'hidden', file: 'b', rule: 'type', count: 3, fixable: 2 } as const;
    const events = [...many(HTML_VIOLATIONS + 5), hidden, END];
    const page = await draw(events, { maxViolations: 0 });
    expect(page === (await draw(events, { maxViolations: 200_000 }))).toBe(true);
    const { rows, end } = readPage(page);
    expect(rows).toHaveLength(100_000);
    expect(rows.at(-1)!.line).toBe(100_000);
    expect(end.fixable).toBe(2);
    expect(end.notes[0]).toBe(
      'Only the first 100,000 violations are listed: … and 8 more: type 4, enum 1, minimum 1, pattern 1, required 1.',
    );
  });

  it('no more text than a browser can take', async () => {
    const filler = 'x'.repeat(450);
    const fields = {
      message: filler,
      file: filler,
      schema: filler,
      suggestion: filler,
      params: { filler: filler.repeat(4) },
    };
    const event: ReportEvent = eventOf(violation(fields), excerpt('y'.repeat(250)));
    const reporter = await createReporter('html', PLAIN);
    let page = '';
    for (let i = 0; i < 66_000; i++) page += reporter(event);
    page += reporter(END);
    const { rows, end } = readPage(page);
    const size = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
    expect(size).toBeGreaterThan(HTML_CHARACTERS);
    expect(size).toBeLessThan(HTML_CHARACTERS + 10_000);
    expect(end.notes[0]).toMatch(/^Only the first 2\d,\d{3} violations are listed: … and \d\d,\d{3} more: required/);
  });

  it('the totals under --quiet too, of all violations and not only of those that are listed', async () => {
    const page = readPage(await draw(SAMPLE, { quiet: true, maxViolations: 1 }));
    expect(page.rows).toHaveLength(1);
    expect(page.end.summary).toEqual(END.summary);
  });

  it('what was found before a run was stopped', async () => {
    const summary = { ...END.summary, interrupted: true as const };
    const { end, rows } = readPage(await draw([...many(3), { type: 'summary', summary }]));
    expect([rows.length, end.summary.interrupted]).toEqual([3, true]);
  });
});

const tool = needs('chromium');
describe.skipIf(tool.missing)(`in a browser${tool.note}`, () => {
  let browser: Browser;
  /** One for all tests: a new one takes longer than most of them. */
  let page: Page;
  beforeAll(async () => {
    const path = pathOf('chromium');
    // Its own sandbox is not for root, nor for most containers; nothing but our pages is opened.
    browser = await chromium.launch({ executablePath: path!, chromiumSandbox: false });
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());

  interface View {
    readonly hash?: string;
    readonly width?: number;
    readonly colorScheme?: 'light' | 'dark';
  }

  let pages = 0;

  /** Opens a report, does what is to be tested, and sees to it that the page was quiet meanwhile. */
  async function inPage(
    text: string,
    test: (page: Page) => Promise<void>,
    { hash = '', width = 1400, colorScheme = 'light' }: View = {},
  ): Promise<void> {
    const file = join(temporary, `${pages++}.html`);
    writeFileSync(file, text);
    const address = pathToFileURL(file).href;
    try {
      const said: string[] = [];
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      page.on('dialog', (dialog) => said.push(`dialog ${dialog.message()}`));
      page.on('request', (request) => {
        if (request.url().split('#')[0] !== address) said.push(`request ${request.url()}`);
      });
      await page.goto(address + hash);
      await page.waitForSelector('html[data-ready]');
      await test(page);
      expect(said).toEqual([]);
    } finally {
      page.removeAllListeners();
    }
  }

  const messages = (page: Page): Promise<string[]> => page.locator('.body .row .message').allTextContents();
  const places = (page: Page): Promise<string[]> => page.locator('.body .row .place').allTextContents();
  const hashOf = (page: Page): URLSearchParams => new URLSearchParams(new URL(page.url()).hash.slice(1));

  let examples = '';
  beforeAll(async () => {
    examples = (await paylint(['validate', 'docs/examples', '--format', 'html'], { cwd: ROOT })).stdout;
  });

  it('says the verdict and the totals', async () => {
    await inPage(examples, async (page) => {
      expect(await page.locator('h1').textContent()).toBe('8 violations in 5 of 6 payloads');
      expect(await page.title()).toBe('✗ 8 violations in 5 of 6 payloads · paylint');
      expect(await page.locator('.totals > div').allTextContents()).toEqual([
        'Payloads6',
        'Valid1',
        'Invalid5',
        'Violations8',
        'Fixable2',
        'Files2',
      ]);
      expect(await page.locator('#count').textContent()).toBe('8 violations');
    });
    await inPage(await draw(SAMPLE), async (page) => {
      expect(await page.locator('#failures li').allTextContents()).toEqual([
        'broken\\u001b[2J.gz: not gzip: ::error::\\u000a\\u202e',
      ]);
    });
  });

  it('has one number for violations and one for warnings', async () => {
    const warning = eventOf(violation({ severity: 'warning', file: 'w.json' }));
    const events = [...SAMPLE.slice(0, -1), warning, warning];
    const summary = { ...END.summary, warnings: 2 };
    await inPage(await draw([...events, { type: 'summary', summary }]), async (page) => {
      const totals = await page.locator('.totals > div').allTextContents();
      expect(totals).toContain('Violations8');
      expect(totals).toContain('Warnings2');
      expect(await page.locator('#count').textContent()).toBe('8 violations, 2 warnings');
      expect(await page.locator('.switch').allTextContents()).toEqual(
        expect.arrayContaining(['violations8', 'warnings2']),
      );
      await page.getByRole('button', { name: 'warnings 2' }).click();
      expect(await page.locator('#count').textContent()).toBe('0 of 8 violations, 2 of 2 warnings');
    });
  });

  it('says that all is valid, and that there was nothing to check', async () => {
    const clean = { ...END.summary, violations: 0, invalid: 0, failures: 0, rules: {} };
    await inPage(await draw([{ type: 'summary', summary: { ...clean, valid: 1000 } }]), async (page) => {
      expect(await page.locator('h1').textContent()).toBe('All 1,000 payloads are valid');
      expect(await page.locator('#violations').isVisible()).toBe(false);
    });
    await inPage(await draw([{ type: 'summary', summary: { ...clean, payloads: 0, valid: 0 } }]), async (page) => {
      expect(await page.locator('h1').textContent()).toBe('Nothing to check');
    });
  });

  it('filters by a click on a bar, and back, with the view in the address', async () => {
    await inPage(examples, async (page) => {
      const bar = page.getByRole('button', { name: 'required 2' });
      await bar.click();
      expect(await messages(page)).toEqual(['the member "active" is missing', 'the member "@id" is missing']);
      expect(await page.locator('#count').textContent()).toBe('2 of 8 violations');
      expect(hashOf(page).getAll('rule')).toEqual(['required']);
      await page.locator('#charts .card').nth(3).locator('button').first().click();
      expect(await places(page)).toHaveLength(1);
      expect(hashOf(page).getAll('file')).toHaveLength(1);
      await page.goBack();
      await expect.poll(() => messages(page)).toHaveLength(2);
      await bar.click();
      expect(await messages(page)).toHaveLength(8);
      expect(hashOf(page).getAll('rule')).toEqual([]);
    });
  });

  it('shows the view that an address asks for', async () => {
    const hash = '#rule=required&rule=enum&sort=message&descending=&q=examples';
    await inPage(
      examples,
      async (page) => {
        expect(await messages(page)).toEqual([
          'the member "active" is missing',
          'the member "@id" is missing',
          'expected one of "PendingModeration", "PassedModeration", "FailedModeration", found "PassedModration"',
        ]);
        expect(await page.locator('#search').inputValue()).toBe('examples');
        await page.getByRole('button', { name: 'Clear all' }).click();
        expect(await messages(page)).toHaveLength(8);
      },
      { hash },
    );
  });

  it('shows the bar of each filter, however small it is', async () => {
    // Of nine files, each has one violation less than the one before.
    const files = Array.from({ length: 9 }, (_, i) =>
      many(9 - i).map((event): ReportEvent => {
        const file = `${String.fromCharCode(97 + i)}.ndjson`;
        return event.type === 'violations' ? { ...event, table: { ...event.table, file } } : event;
      }),
    );
    await inPage(
      await draw([...files.flat(), END]),
      async (page) => {
        const card = page.locator('#charts .card').nth(3);
        expect(await card.locator('button[aria-pressed="true"] .name').textContent()).toBe('i.ndjson');
        expect(await card.locator('li').count()).toBe(8);
        expect(await card.locator('.more').textContent()).toBe('Show 1 more');
      },
      { hash: '#file=i.ndjson' },
    );
  });

  it('searches in file, pointer, rule and message', async () => {
    await inPage(examples, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('INBOX missing');
      await expect.poll(() => messages(page)).toEqual(['the member "@id" is missing']);
      await expect.poll(() => hashOf(page).get('q')).toBe('INBOX missing');
      await page.locator('#search').fill('nothing at all');
      await expect.poll(() => page.locator('.nothing').textContent()).toBe('No violation matches.');
    });
  });

  it('sorts by a column, and the other way round', async () => {
    await inPage(examples, async (page) => {
      const rules = () => page.locator('.body .row .rule bdi').allTextContents();
      const before = await rules();
      const head = page.getByRole('columnheader', { name: 'Rule' });
      await head.getByRole('button').click();
      expect(await rules()).toEqual([...before].sort());
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      await head.getByRole('button').click();
      expect(await rules()).toEqual([...before].sort().reverse());
      expect(await head.getAttribute('aria-sort')).toBe('descending');
    });
  });

  it('opens a violation: the line with carets, what was expected, what the rule means', async () => {
    await inPage(examples, async (page) => {
      await page.locator('.body .row', { hasText: 'PassedModration' }).click();
      const detail = page.locator('#detail');
      expect(await detail.locator('h3').textContent()).toBe('errorenum');
      expect(await detail.locator('mark').evaluate((mark) => mark.firstChild?.textContent)).toBe('"PassedModration"');
      const [mark, carets] = [
        await detail.locator('mark').boundingBox(),
        await detail.locator('.carets').boundingBox(),
      ];
      expect([carets!.x, carets!.width]).toEqual([mark!.x, mark!.width]);
      expect(carets!.y).toBeGreaterThanOrEqual(mark!.y + mark!.height - 1);
      expect(await detail.locator('.facts .value').allTextContents()).toEqual([
        'PendingModeration',
        'PassedModeration',
        'FailedModeration',
      ]);
      expect(await detail.locator('.hint').textContent()).toBe('Did you mean PassedModeration?');
      expect(await detail.locator('.explain p').first().textContent()).toMatch(/^The value is not one of/);
      expect(hashOf(page).get('open')).toBe('4');
      await page.keyboard.press('Escape');
      expect(await detail.isVisible()).toBe(false);
      await expect.poll(() => hashOf(page).has('open')).toBe(false);
    });
  });

  it('says what the rule means with the facts of the violation', async () => {
    const rows: [rule: string, params: Record<string, unknown>, said: string][] = [
      ['maximum', { limit: 99 }, 'Write a number that is at most 99.'],
      ['enum', { allowed: ['a', '<b>', 3] }, 'Use one of these: "a", "<b>", 3.'],
      ['duplicate-member', { first: { line: 3, column: 5 } }, 'the first is at line 3, column 5.'],
      ['minLength', {}, 'the limit is the least length.'],
    ];
    const events = rows.map(
      ([rule, params], i): ReportEvent => eventOf(violation({ file: 'a.json', rule, params, payload: i, line: i + 1 })),
    );
    await inPage(await draw([...events, END]), async (page) => {
      for (const [i, [, , said]] of rows.entries()) {
        await page.locator('.body .row').nth(i).click();
        const explained = await page.locator('#detail .explain').textContent();
        expect(explained).toContain(said);
        expect(explained).not.toContain('params.');
      }
    });
  });

  it('is used with the keyboard alone', async () => {
    await inPage(examples, async (page) => {
      await page.getByRole('grid').focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      expect(await page.locator('#detail h3').textContent()).toBe('errormaximum');
      await page.keyboard.press('ArrowDown');
      expect(await page.locator('#detail h3').textContent()).toBe('errorunknown-kind');
      await page.getByRole('button', { name: 'Next violation' }).press('Enter');
      expect(await page.locator('#detail h3').textContent()).toBe('errorenum');
      await page.getByRole('button', { name: 'Next violation' }).press('Enter'); // which still has the focus
      expect(await page.locator('#detail h3').textContent()).toBe('errorrequired');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement.role')).toBe('grid');
    });
  });

  it('filters by a part of a file, with the keyboard or the mouse', async () => {
    await inPage(await draw([...many(1200), END]), async (page) => {
      const strip = page.getByRole('slider');
      await strip.focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      expect(await strip.getAttribute('aria-valuetext')).toBe('lines 11 to 20: 10 violations');
      await page.keyboard.press('Enter');
      expect(await messages(page)).toEqual(Array.from({ length: 10 }, (_, i) => `number ${i + 10} is wrong`));
      expect(hashOf(page).get('part')).toBe('11-20:many.ndjson');
      const box = (await strip.boundingBox())!;
      await page.mouse.move(box.x + 1, box.y + 5);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 - 1, box.y + 5);
      await page.mouse.up();
      expect(await page.locator('#count').textContent()).toBe('600 of 1,200 violations');
    });
  });

  it('has 100,000 violations, and few elements', async () => {
    await inPage(await draw([...many(HTML_VIOLATIONS), END]), async (page) => {
      const rows = page.locator('.body .row');
      expect(await rows.count()).toBeLessThan(100);
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('100001');
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      expect(await rows.last().textContent()).toContain('number 99999 is wrong');
      expect(await rows.count()).toBeLessThan(100);
      await page.locator('#search').fill('/list/54321/');
      await expect.poll(() => messages(page)).toEqual(['number 54321 is wrong']);
      expect(await page.getByRole('button', { name: /list/ }).first().textContent()).toBe('/list/*/name1');
    });
  });

  it('runs nothing of a hostile payload, and shows it as text', async () => {
    const text = '</script><script>alert(1)</script><img src=x onerror=alert(1)>';
    const place = { column: 1, endColumn: 9, line: 1, endLine: 1 };
    const events = HOSTILE_TEXTS.map((line): ReportEvent => {
      return eventOf(violation({ ...place, file: 'frames', message: line }), excerpt(line));
    });
    const hash = `#${new URLSearchParams({ rule: text, q: text, part: `1-2:${text}`, open: text, sort: text })}`;
    const report = await draw([...events, ...HOSTILE]);
    await inPage(report, async (page) => expect(await page.locator('.chip').count()).toBe(3), { hash });
    await inPage(report, async (page) => {
      await page.getByRole('grid').focus();
      for (let i = 0; i < 2 * HOSTILE_TEXTS.length; i++) await page.keyboard.press(i === 0 ? 'Enter' : 'ArrowDown');
      expect(await page.locator('#detail').count()).toBe(1);
      for (const more of await page.locator('.more').all()) await more.click();
      const count = (selector: string) => page.locator(selector).count();
      expect(await count('body script, img, iframe, object, embed, link, a:not(.skip), b, form')).toBe(0);
      const shown = await page.locator('body').textContent();
      expect(shown).toContain(text);
      // Nothing that reorders or hides text.
      expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\u200b\ufeff]/);
    });
  });

  it('prints all, and not only the rows in sight', async () => {
    await inPage(await draw([...many(1200), END]), async (page) => {
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      expect(await page.locator('.body .row').count()).toBe(1001);
      expect(await page.locator('.body .nothing').textContent()).toBe('… and 200 more');
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      expect(await page.locator('.body .row').count()).toBeLessThan(100);
    });
  });

  it('says that it was cut off, or that its data are damaged', async () => {
    const whole = await draw([...many(3), END]);
    const cut = whole.slice(0, whole.indexOf('<script type="application/x-paylint+gzip" data-part="end"'));
    await inPage(cut, async (page) => {
      expect(await page.locator('.note').textContent()).toBe('This report was cut off before its end.');
      expect(await messages(page)).toHaveLength(3);
    });
    await inPage(whole.replace('data-part="block">H4sI', 'data-part="block">H4sX'), async (page) => {
      expect(await page.locator('#verdict').textContent()).toBe('This report cannot be read: its data are damaged.');
    });
  });

  const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  it.each([
    { hash: '', light: [1400, 360], dark: [1400] },
    { hash: '#open=0', light: [1400], dark: [] },
    { hash: '#open=1', light: [800], dark: [360] },
    { hash: '#open=1&rule=enum&q=a', light: [1400], dark: [1400] },
    { hash: '#q=nothing', light: [1400], dark: [] },
  ] as const)('axe finds nothing with the fragment $hash', async ({ hash, ...views }) => {
    const warning = eventOf(violation({ severity: 'warning' }));
    const summary = { ...END.summary, warnings: 1, interrupted: true as const };
    const report = await draw([...SAMPLE.slice(0, -1), warning, { type: 'summary', summary }], { maxViolations: 9 });
    const inAllViews = async (page: Page): Promise<void> => {
      await page.evaluate(AXE);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of views[colorScheme]) {
          await page.setViewportSize({ width, height: 900 });
          const { violations } = (await page.evaluate(
            `axe.run(document, { rules: { 'target-size': { enabled: true } } })`,
          )) as { violations: { id: string; nodes: { html: string }[] }[] }; // axe says so
          const faults = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
          expect([width, colorScheme, faults]).toEqual([width, colorScheme, []]);
        }
      }
    };
    await inPage(report, inAllViews, { hash });
  });

  it('is not wider than the window, however wide that is', async () => {
    const report = await draw(HOSTILE);
    for (const hash of ['', '#open=2']) {
      const widths = async (page: Page): Promise<void> => {
        for (const width of [1400, 800, 360]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        }
      };
      await inPage(report, widths, { hash });
    }
  });
});

it('--redact: no text of a payload, compressed or not', async () => {
  const folder = join(temporary, 'redacted');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'a.ndjson'),
    '{"@type":"Sw0rdf1sh"}\n{"@context":"c","@type":"Emoji","emoji":"Sw0rdf1sh"}\n{"a":"Sw0rdf1sh\n',
  );
  const args = ['validate', 'a.ndjson', '--format', 'html'];
  const text = async (...more: string[]) =>
    JSON.stringify(readPage((await paylint([...args, ...more], { cwd: folder })).stdout));
  expect(await text()).toContain('Sw0rdf1sh');
  const redacted = await text('--redact');
  expect(redacted).toContain('unknown-kind');
  expect(redacted).not.toMatch(/sw0rd/i);
  expect(JSON.parse(redacted).rows.map(({ frame }: { frame: unknown }) => frame)).toEqual([null, null]);
});
