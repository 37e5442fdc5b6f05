/**
 * The playground, as the build makes it: its size and its policy, without a browser, and what it does, in one. It is a file that is
 * opened from disk. Every browser test also fails if the page says anything on the console, or asks for anything but itself.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from '../../scripts/programs.js';
import { needs } from '../tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'dist/playground.html');
const ADDRESS = pathToFileURL(FILE).href;
const temporary = mkdtempSync(join(tmpdir(), 'paylint-playground-'));
afterAll(() => rmSync(temporary, { recursive: true }));

describe('the page', () => {
  const text = readFileSync(FILE, 'utf8');

  it('has a policy that lets nothing run or load but its own script, style and Worker', () => {
    const between = (start: string, end: string): string => {
      const from = text.indexOf(start) + start.length;
      return text.slice(from, text.indexOf(end, from));
    };
    const hash = (part: string): string => `'sha256-${createHash('sha256').update(part).digest('base64')}'`;
    expect(between('Content-Security-Policy" content="', '">').split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(between('<script>', '</script>'))} 'wasm-unsafe-eval'`,
      `style-src ${hash(between('<style>', '</style>'))}`,
      'worker-src blob:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(text).not.toMatch(/\bnew Function\b|[^\w.$]eval\(|document\.write|<link|\ssrc=/);
  });

  it('has the size that the documents state', () => {
    const size = gzipSync(text, { level: 9 }).length;
    const stated = /one file of (0\.\d\d) MB \(compressed\)/.exec(
      readFileSync(join(ROOT, 'docs/guides/playground.md'), 'utf8'),
    );
    expect(Math.abs(Number(stated?.[1]) - size / 1e6)).toBeLessThan(0.01);
    expect(size).toBeLessThan(420_000);
  });
});

/** What a link of the page holds. */
const linkOf = (state: unknown): string =>
  `#1.${deflateRawSync(typeof state === 'string' ? state : JSON.stringify(state)).toString('base64url')}`;

const EMOJI = '{"@context":"c","@type":"Emoji","emoji":"👍"}';
/** For this expression there is nothing but RegExp, which takes 2 ** 60 steps for the text. */
const ENDLESS = {
  schema: JSON.stringify({ type: 'string', pattern: '^(a+)+\\1?b$' }),
  payloads: JSON.stringify('a'.repeat(60)),
};

const tool = needs('chromium');
describe.skipIf(tool.missing)(`in a browser${tool.note}`, () => {
  let browser: Browser;
  let context: BrowserContext;
  /** One for all tests but those that move its clock: a new one takes longer than many of them. */
  let shared: Page;
  beforeAll(async () => {
    // Its own sandbox is not for root, nor for most containers; nothing but our page is opened.
    browser = await chromium.launch({ executablePath: pathOf('chromium')!, chromiumSandbox: false });
    context = await browser.newContext();
    shared = await context.newPage();
  });
  afterAll(() => browser?.close());

  interface View {
    readonly hash?: string;
    readonly width?: number;
    readonly colorScheme?: 'light' | 'dark';
    /** Its timers can be moved on. */
    readonly clock?: boolean;
  }

  /** Opens the page, does what is to be tested, and sees to it that the page was quiet meanwhile. */
  async function inPage(
    test: (page: Page) => Promise<void>,
    { hash = '', width = 1400, colorScheme = 'light', clock = false }: View = {},
  ): Promise<void> {
    const page = clock ? await context.newPage() : shared;
    try {
      const said: string[] = [];
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      page.on('dialog', (dialog) => said.push(`dialog ${dialog.message()}`));
      page.on('request', (request) => {
        const url = request.url().split('#')[0]!;
        if (![ADDRESS, 'about:blank'].includes(url) && !url.startsWith('blob:null/')) said.push(`request ${url}`);
      });
      if (clock) await page.clock.install();
      // Another fragment alone is no other page.
      await page.goto('about:blank');
      await page.goto(ADDRESS + hash);
      if (!clock) await checked(page);
      await test(page);
      expect(said).toEqual([]);
    } finally {
      page.removeAllListeners();
      if (clock) await page.close();
    }
  }

  /** Waits until what the page shows is checked. */
  const checked = async (page: Page): Promise<void> => {
    await page.waitForSelector('html[data-ready="true"]');
  };
  /** The machine may be busy with much else. */
  const eventually = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 120_000 });
  const verdict = (page: Page) => page.locator('h1').textContent();
  const messages = (page: Page) => page.locator('.violation .message').allTextContents();
  /** What is in an editor. Lines far below are not in the document. */
  const textIn = async (page: Page, id = 'editor'): Promise<string> =>
    (await page.locator(`#${id} .cm-line`).allTextContents()).join('\n');
  const selected = (page: Page): Promise<string> =>
    page.evaluate("document.querySelector('#editor').shadowRoot.getSelection().toString()");
  /** Replaces the text of an editor as a user does. */
  async function type(page: Page, text: string, id = 'editor'): Promise<void> {
    await page.locator(`#${id} .cm-content`).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  }

  it('shows the violations of examples of the three kinds', async () => {
    await inPage(async (page) => {
      expect(await verdict(page)).toBe('2 violations in 2 of 3 payloads');
      expect(await page.title()).toBe('✗ 2 violations in 2 of 3 payloads · paylint');
      expect(await page.locator('#framing').textContent()).toBe('NDJSON: one payload a line');
      expect(await page.locator('#schema-name').textContent()).toContain('content, contract, emoji');
      expect(await page.locator('#editor .cm-lintRange-error').allTextContents()).toEqual([
        '"Coment"',
        '"PassedModration"',
      ]);
      await page.locator('#example').selectOption('A contract');
      await eventually(() => messages(page)).toContain('expected at most 99, found 120');
      expect(await page.locator('#framing').textContent()).toBe('JSON');
      await page.locator('#example').selectOption('Emoji, as an array');
      await eventually(() => messages(page)).toContain('the member "reson" is not allowed');
      await page.locator('#example').selectOption('Your own schema');
      await expect.poll(() => messages(page)).toContain('expected one of "red", "green", "blue", found "gren"');
    });
  });

  it('checks what is typed, and takes a schema of one’s own', async () => {
    await inPage(async (page) => {
      await type(page, `${EMOJI}\n${EMOJI}\n{"emoji": 1}`);
      await eventually(() => verdict(page)).toMatch(/violations in 1 of 3 payloads/);
      await page.locator('#own summary').click();
      await type(page, '{"type": "object", "required": ["id"]}', 'schema');
      await eventually(() => verdict(page)).toBe('3 violations in 3 of 3 payloads');
      expect((await messages(page))[0]).toBe('the member "id" is missing');
      expect(await page.locator('#schema-name').textContent()).toBe('your own');
      await type(page, '{"type": "object",}', 'schema');
      await eventually(() => verdict(page)).toBe('Not checked');
      expect(await page.locator('#verdict').textContent()).toContain('The schema is not JSON');
      expect(await page.locator('#schema .cm-lintRange-error').count()).toBe(1);
      await type(page, '{"type": "objct"}', 'schema');
      await eventually(() => page.locator('#verdict').textContent()).toContain('"objct"');
    });
  });

  it('jumps to a violation by a click, and says what the rule means', async () => {
    const lines = `${`${EMOJI}\n`.repeat(400)}{"@context":"c","@type":"Emoji","emoji":7}\n`;
    await inPage(
      async (page) => {
        expect(await page.locator('#editor .cm-lintRange-error').count()).toBe(0);
        await page.locator('.violation').click();
        await eventually(() => page.locator('#editor .cm-lintRange-error').textContent()).toBe('7');
        expect(await selected(page)).toBe('7');
        expect(await page.locator('.violation').getAttribute('aria-expanded')).toBe('true');
        const detail = await page.locator('#list .detail').textContent();
        expect(detail).toContain('What the rule means');
        expect(detail).toContain('/emoji');
        await page.locator('#list .detail').getByRole('button', { name: 'Close' }).click();
        expect(await page.locator('#list .detail').count()).toBe(0);
      },
      { hash: linkOf({ payloads: lines, schema: '' }) },
    );
  });

  it('goes from violation to violation by a key, with the fix beside what is wrong', async () => {
    await inPage(async (page) => {
      await page.locator('#editor .cm-content').focus();
      await page.keyboard.press('F8');
      expect(await selected(page)).toBe('"Coment"');
      await page.locator('#editor .cm-lintRange-error').first().hover();
      await page.locator('#editor .cm-diagnosticAction').click();
      await eventually(() => textIn(page)).toContain('"@type":"Comment","application"');
    });
  });

  it('fixes near misses and missing defaults by one click each, which can be taken back', async () => {
    await inPage(async (page) => {
      const before = await textIn(page);
      await page.getByRole('button', { name: 'Change to "Comment"' }).click();
      await eventually(() => verdict(page)).toBe('1 violation in 1 of 3 payloads');
      await page.getByRole('button', { name: 'Change to "PassedModeration"' }).click();
      await eventually(() => verdict(page)).toBe('All 3 payloads are valid');
      expect(await textIn(page)).toBe(
        before.replace('"Coment"', '"Comment"').replace('PassedModration', 'PassedModeration'),
      );
      await page.keyboard.press('ControlOrMeta+z');
      await eventually(() => verdict(page)).toBe('1 violation in 1 of 3 payloads');
      await page.locator('#example').selectOption('A contract');
      await page.getByRole('button', { name: 'Insert "active": false' }).click();
      await eventually(() => textIn(page)).toContain('"active": false');
    });
  });

  it('fills in defaults, and shows the diff before', async () => {
    await inPage(
      async (page) => {
        expect(await page.locator('#fill p').textContent()).toBe('1 default missing');
        expect(await page.locator('.diff').count()).toBe(0);
        await page.getByRole('button', { name: 'Diff' }).click();
        expect(await page.locator('.diff span').allTextContents()).toEqual([
          '@@ -1,3 +1,4 @@',
          ' {',
          '-  "id": 1',
          '+  "id": 1,',
          '+  "currency": "EUR"',
          ' }',
        ]);
        await page.getByRole('button', { name: 'Fill in' }).click();
        await eventually(() => verdict(page)).toBe('The payload is valid');
        expect(await textIn(page)).toBe('{\n  "id": 1,\n  "currency": "EUR"\n}\n');
        expect(await page.locator('#fill').isVisible()).toBe(false);
      },
      {
        hash: linkOf({
          payloads: '{\n  "id": 1\n}\n',
          schema: '{"required": ["currency"], "properties": {"currency": {"default": "EUR"}}}',
        }),
      },
    );
  });

  /** What the page has put into the clipboard. */
  async function copied(page: Page, name: string): Promise<string> {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.getByRole('button', { name, exact: true }).click();
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).not.toBe('');
    return page.evaluate('navigator.clipboard.readText()');
  }

  it('copies the report, JSON, and a command that gives the same', async () => {
    await inPage(async (page) => {
      await page.locator('#example').selectOption('Your own schema');
      await expect.poll(() => messages(page)).toContain('expected one of "red", "green", "blue", found "gren"');
      const report = await copied(page, 'Report');
      expect(report).toMatch(/enum {2}expected one of "red", "green", "blue", found "gren"/);
      expect(report).toContain('did you mean "green"?');
      const json = JSON.parse(await copied(page, 'JSON'));
      const rules = ({ violations }: { violations: { rule: string; pointer: string }[] }) =>
        violations.map(({ rule, pointer }) => [rule, pointer]);
      const command = await copied(page, 'Command');
      const program = join(temporary, 'paylint');
      writeFileSync(
        program,
        `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/paylint.js')}' "$@" --format json\n`,
      );
      chmodSync(program, 0o755);
      const env = { ...process.env, PATH: `${temporary}${delimiter}${process.env.PATH}` };
      const { stdout } = spawnSync('sh', ['-c', command], { cwd: temporary, env, encoding: 'utf8' });
      expect(rules(JSON.parse(stdout))).toEqual(rules(json));
      expect(json.summary.violations).toBe(4);
    });
  });

  it('gives a link that holds both texts, in the fragment only', async () => {
    let link = '';
    await inPage(async (page) => {
      await page.locator('#own summary').click();
      await type(page, '{"type": "number"}', 'schema');
      await type(page, '"👍 \\u202e"');
      await eventually(() => messages(page)).toEqual(['expected a number, found "👍 \\u202e"']);
      link = await copied(page, 'Link');
      expect(page.url()).toBe(link);
    });
    expect(link.startsWith(`${ADDRESS}#1.`)).toBe(true);
    await inPage(
      async (page) => {
        expect(await textIn(page)).toBe('"👍 \\u202e"');
        expect(await textIn(page, 'schema')).toBe('{"type": "number"}');
        expect(await messages(page)).toEqual(['expected a number, found "👍 \\u202e"']);
      },
      { hash: link.slice(ADDRESS.length) },
    );
  });

  it.each([
    ['cut off', linkOf({ payloads: EMOJI.repeat(9), schema: '' }).slice(0, -9)],
    ['not base64', '#1.<script>alert(1)</script>'],
    ['not JSON', linkOf('{"payloads":')],
    ['of other types', linkOf({ payloads: ['a'], schema: { toString: 'b' } })],
    ['null', linkOf('null')],
    ['a small one of much text', linkOf({ payloads: 'a'.repeat(50_000_000), schema: '' })],
  ])('refuses a link that is %s', async (_, hash) => {
    await inPage(
      async (page) => {
        expect(await page.locator('#said').textContent()).toMatch(/^This link cannot be read/);
        expect(await verdict(page)).toBe('2 violations in 2 of 3 payloads');
      },
      { hash },
    );
  });

  it('ends a check that takes for ever, and then checks what is typed', async () => {
    await inPage(
      async (page) => {
        await eventually(async () => {
          await page.clock.fastForward(5001);
          return verdict(page);
        }).toBe('Not checked');
        expect(await page.locator('#verdict').textContent()).toContain('more than five seconds');
        await type(page, '"b"');
        await eventually(() => messages(page)).toHaveLength(1);
      },
      { hash: linkOf(ENDLESS), clock: true },
    );
  });

  it('shows payloads and schemas as text, whatever is in them', async () => {
    const text = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u0000';
    const payloads = JSON.stringify({ [text]: text, '@type': text });
    for (const schema of ['', JSON.stringify({ properties: { [text]: { const: `${text}.` } } })]) {
      await inPage(
        async (page) => {
          await page.locator('.violation').first().click();
          expect(await page.locator('#list').textContent()).toContain('<script>alert(1)</script>');
          const strange = page.locator(
            'body script:not([type]), img:not(.cm-widgetBuffer), iframe, object, embed, link, b',
          );
          expect(await strange.count()).toBe(0);
          expect(await page.locator('body').textContent()).not.toMatch(/[\u0000\u202e]/);
          expect(await textIn(page)).not.toMatch(/[\u0000\u202e]/);
        },
        { hash: linkOf({ payloads, schema }) },
      );
    }
  });

  it('shows a part of a large file, says so, and goes to any violation in it', async () => {
    const path = join(temporary, 'large.ndjson');
    const invalid = '{"@context":"c","@type":"Emoji","emoji":"é","reson":""}\n';
    writeFileSync(path, `${EMOJI}\n`.repeat(30_000) + invalid + `${EMOJI}\n`.repeat(10_000));
    await inPage(async (page) => {
      await page.locator('#file').setInputFiles(path);
      await eventually(() => verdict(page)).toBe('1 violation in 1 of 40,001 payloads');
      await checked(page);
      expect(await page.locator('#part').textContent()).toMatch(/^large\.ndjson is too large .* lines 1 to /);
      await page.locator('.violation').click();
      await eventually(() => page.locator('#editor .cm-lintRange-error').textContent()).toBe('"reson"');
      expect(await selected(page)).toBe('"reson"');
      expect(await page.locator('#editor .cm-lineNumbers').textContent()).toContain('30001');
      expect(await page.locator('#part').textContent()).toMatch(/lines 2\d,\d{3} to 3\d,\d{3} are shown/);
      expect(await copied(page, 'Command')).toBe('paylint validate -- large.ndjson\n');
    });
  });

  it('says that there is nothing to check, and what goes where', async () => {
    await inPage(
      async (page) => {
        expect(await verdict(page)).toBe('Nothing to check');
        expect(await page.locator('#editor .cm-placeholder').textContent()).toMatch(/^Type or paste JSON/);
        await type(page, '7', 'schema');
        await eventually(() => page.locator('#verdict').textContent()).toContain('A schema is an object');
        await page.getByRole('button', { name: 'Report' }).click();
        expect(await page.locator('#said').textContent()).toBe('There is no report: nothing was checked.');
      },
      { hash: linkOf({ payloads: '', schema: ' ' }) },
    );
  });

  it('opens a small file for editing, gzip or not', async () => {
    const path = join(temporary, 'small.ndjson.gz');
    writeFileSync(path, gzipSync(`${EMOJI}\noops\n`));
    await inPage(async (page) => {
      await page.locator('#file').setInputFiles(path);
      await eventually(() => verdict(page)).toBe('1 violation in 1 of 2 payloads');
      expect(await textIn(page)).toBe(`${EMOJI}\noops\n`);
    });
  });

  const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

  it('axe finds nothing, nor is anything too wide, on wide and narrow screens, light and dark', async () => {
    await inPage(async (page) => {
      await page.evaluate(AXE);
      const inAllViews = async (): Promise<void> => {
        for (const width of [1400, 400])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize({ width, height: 900 });
            await page.emulateMedia({ colorScheme });
            const { violations } = (await page.evaluate(
              `axe.run(document, { rules: { 'target-size': { enabled: true } } })`,
            )) as { violations: { id: string; nodes: { html: string }[] }[] }; // axe says so
            const faults = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
            expect([width, colorScheme, faults]).toEqual([width, colorScheme, []]);
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          }
      };
      await inAllViews();
      await page.locator('#example').selectOption('Your own schema');
      await expect.poll(() => messages(page)).toContain('expected one of "red", "green", "blue", found "gren"');
      await page.getByRole('button', { name: 'Diff' }).click();
      await page.locator('.violation').nth(1).click();
      await inAllViews();
    });
  });
});
