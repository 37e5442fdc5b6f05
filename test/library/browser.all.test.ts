/**
 * `paylint/browser` and `paylint/validate`, as the build makes them: no eval, their sizes, and the results of Node, in this process and
 * in a browser under a strict content security policy.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { fixturePayloads } from '../../scripts/mutations/payloads.ts';
import { Generator } from '../../scripts/mutations/schemas.ts';
import { pathOf } from '../../scripts/programs.js';
import type * as library from '../../src/library/browser.ts';
import { openPaylint } from '../../src/library/open.ts';
import type * as validation from '../../src/library/validate.ts';
import { times } from '../rounds.ts';
import { needs } from '../tools.ts';

const FILE = new URL('../../dist/browser.js', import.meta.url);
const VALIDATE = new URL('../../dist/validate.js', import.meta.url);
const FIXTURES = new URL('../../fixtures', import.meta.url).pathname;

/** What both must say the same of: texts by the bundled schemas, and texts by schemas of their own. */
interface Work {
  readonly texts: readonly string[];
  readonly pairs: readonly (readonly [schema: object, texts: readonly string[]])[];
}

function work(): Work {
  const texts = fixturePayloads(FIXTURES).map(({ bytes }) => bytes.toString());
  const random = seeded(7);
  const pairs = Array.from({ length: times(80, 40) }, () => {
    const generator = new Generator(random);
    const schema = generator.schema() as object;
    return [schema, Array.from({ length: 10 }, () => JSON.stringify(generator.value(3)))] as const;
  });
  return { texts, pairs };
}

/** Runs in the page as well, so it uses nothing but its arguments. */
async function results(open: typeof library.openPaylint, { texts, pairs }: Work): Promise<string[]> {
  const said: string[] = [];
  const say = (result: unknown): void => void said.push(JSON.stringify(result));
  const bundled = await open();
  for (const text of texts) {
    say([bundled.isValid(text), bundled.kindOf(text), bundled.validate(text)]);
    const { fills, text: filled } = bundled.fill(text);
    const { text: pruned, removed, edits } = bundled.prune(text);
    say([filled, fills, pruned, removed, edits]);
  }
  say([...bundled.payloadsOf(texts.map((text) => text.replace(/\s+/g, ' ')).join('\n'), { input: 'lines' })]);
  const long = 'ab\u00e9'.repeat(4000);
  for (const text of [long, long.normalize('NFD'), `${long.replaceAll('\u00e9', 'e')}`])
    say([bundled.validate(`{"emoji":"${text}"}`), bundled.fill(`{"@type":"Contract","x":"${text}"}`)]);
  const named = { file: 'payloads.ndjson' };
  say([bundled.framingOf('{}', named.file), [...bundled.payloadsOf('{}\n{"emoji": 1}', named)]]);
  say(bundled.complete('{"@type":"Contract","', 21));
  say(bundled.explain('contract/coverage/maxAge'));
  const asked = async (options: library.BrowserOptions): Promise<void> => {
    try {
      const own = await open(options);
      say([own.explain('minimum'), own.warnings, own.kinds]);
      for (let i = 0; i < 60; i++)
        for (const text of [
          '{"a":"DE"}',
          '{"a":"d","b":4}',
          '{"a":"DE!","b":3}',
          '{"b":13}',
          '{"a":"","b":0,"c":null}',
        ])
          say([own.validate(text), own.validateValue(JSON.parse(text)), own.isValid(text), own.fill(text)]);
      for (const wrong of ['{"b":3}', '{"b":13}']) say(own.standard()['~standard'].validate(JSON.parse(wrong)));
      own.parse('{"b":13}');
    } catch (error) {
      say(String(error));
    }
  };
  const schema = {
    properties: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as ajv-errors has it
      a: { type: 'string', format: 'country', errorMessage: 'a country, ${/a}', default: 'DE' },
      b: { even: 2 },
      c: { type: 'string', nullable: true, deprecated: true },
    },
  };
  const even = {
    type: 'integer',
    validate: (value: number, by: unknown) => {
      if (value === 13) throw new Error(`no luck with ${value}`);
      return value % Number(by) === 0 || `${value} is odd`;
    },
  } as const;
  for (const country of [/^[A-Z]{2}$/, (text: string) => text.length === 2, () => JSON.parse('x')])
    await asked({ schema, formats: { country }, keywords: { even } });
  await asked({ schema: { format: 'email' }, formats: { email: false } });
  await asked({ schema, formats: { emial: false } });
  await asked({ schema, formats: { email: /@/ } });
  await asked({ schema, keywords: { even, minimum: even } });
  await asked({ schema, vocabularies: ['openapi'], rules: { deprecated: 'error' }, assertFormats: false });
  await asked({ schema: { $ref: 'x:y' }, refs: { 'x:y': schema }, draft: '7', maxDepth: 1, kind: 'none' });
  await asked({ schema: { $ref: 'x:y' }, refs: [{ $id: 'x:y', ...schema }], strictSchema: true });
  await asked({ schema: { $ref: 'x:y' }, maxPayloadBytes: 9 });
  await asked({ schemas: { one: { schema, when: { required: ['a'] } }, two: { schema: true, when: true } } });
  for (const [schema, instances] of pairs) {
    try {
      const own = await open({ schema });
      for (const text of instances) {
        say([own.isValid(text), own.validate(text)]);
        say(own.validateValue(JSON.parse(text)));
      }
      for (let i = 0; i < 60; i++) for (const text of instances) own.validate(text);
      say(instances.map((text) => own.validate(text).violations));
    } catch (error) {
      say(String(error));
    }
  }
  return said;
}

/** What Node says, which is asked once for both the file in this process and that in a browser. */
const ofNode = new Map<unknown, Promise<string[]>>();
function saidByNode(run: typeof results | typeof verdicts): Promise<string[]> {
  // The page has the calls of its entry only, and Node has them all.
  const asNode = run as (open: typeof openPaylint, all: Work) => Promise<string[]>;
  const said = ofNode.get(run) ?? asNode(openPaylint, work());
  ofNode.set(run, said);
  return said;
}

describe('the file for browsers', () => {
  const text = readFileSync(FILE, 'utf8');

  it('makes no code from text', () => {
    expect(text).not.toMatch(/\bnew Function\b|[^\w.$]eval\(/);
    expect(text).not.toMatch(/\bfrom\s*["']node:|\bimport\(["']node:|\brequire\(["']node:/);
  });

  it('has the size that the documents state', () => {
    const document = readFileSync(new URL('../../docs/reference/library.md', import.meta.url), 'utf8');
    const stated = /one ES module of (0\.\d\d) MB \(compressed\)/.exec(document);
    const size = gzipSync(text, { level: 9 }).length;
    expect(Math.abs(Number(stated?.[1]) - size / 1e6)).toBeLessThan(0.01);
    expect(size).toBeLessThan(260_000);
  });

  it('has the results of Node in this process', async () => {
    const { openPaylint: open } = (await import(FILE.href)) as typeof library;
    const ours = await results(open, work());
    expect(ours).toEqual(await saidByNode(results));
    expect(ours.length).toBeGreaterThan(800);
  });

  it.each([
    [{ config: 'a.json' }, 'config is not there in a browser'],
    [{ advice: true }, 'advice is not there in a browser'],
    [{ schema: 'a.json' }, 'schema is a path, and there are no files in a browser: give the schema itself'],
    [{ refs: { 'https://a': 'b.json' } }, 'https://a is a path'],
  ])('refuses %j', async (options, message) => {
    const { openPaylint: open } = (await import(FILE.href)) as typeof library;
    await expect(open(options as library.BrowserOptions)).rejects.toThrow(message);
  });
});

/** What `paylint/validate` has. Runs in the page as well, so it uses nothing but its arguments. */
async function verdicts(open: typeof validation.openPaylint, { texts, pairs }: Work): Promise<string[]> {
  const said: string[] = [];
  const say = (result: unknown): void => void said.push(JSON.stringify(result));
  const asked = async (options: validation.ValidateOptions, instances: readonly string[]): Promise<void> => {
    try {
      const own: validation.ValidatePaylint = await open(options);
      say(own.kinds.map(({ name }) => name));
      for (const text of instances) say([own.isValid(text), own.validate(text)]);
      for (const text of instances) {
        try {
          say(own.parse(text));
          const value: unknown = JSON.parse(text);
          say([own.validateValue(value), own.standard()['~standard'].validate(value)]);
          own.assert(value);
        } catch (error) {
          say(String(error));
        }
      }
    } catch (error) {
      say(String(error));
    }
  };
  await asked({}, texts);
  for (const [schema, instances] of pairs) await asked({ schema }, instances);
  const hosts = ['a.b', 'xn--bcher-kva.example', 'xn--a', 'b\u00fccher.example', 'a\u200d.b', '1:2:3Z'].map((text) =>
    JSON.stringify(text),
  );
  for (const format of ['hostname', 'idn-hostname', 'idn-email', 'iso-time', 'email', 'none'])
    await asked({ schema: { format } }, hosts);
  const schema = { properties: { a: { default: 1, minimum: 2 }, b: { even: true } }, required: ['a', 'c'] };
  const even = { validate: (value: unknown) => Number(value) % 2 === 0 };
  const values = ['{}', '{"a":1,"b":1,"c":0}', '{"a":1,"a":2}', '[', '{"b":1e999}'];
  await asked({ schema, keywords: { even }, redact: true, maxPayloadBytes: 18 }, values);
  await asked({ schema, keywords: { even }, rules: { minimum: 'warning' } }, values);
  for (const wrong of [
    { draft: '5' },
    { formats: { emial: /a/ } },
    { vocabularies: ['x'] },
    { rules: { minimun: 'off' } },
  ])
    await asked({ schema: true, ...wrong } as validation.ValidateOptions, []);
  return said;
}

describe('the file that only validates', () => {
  const text = readFileSync(VALIDATE, 'utf8');

  it('makes no code from text, and is small', () => {
    expect(text).not.toMatch(/\bnew Function\b|[^\w.$]eval\(/);
    expect(text).not.toMatch(/\bfrom\s*["']node:|\bimport\(["']node:|\brequire\(["']node:/);
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(95_000);
  });

  it('has the results of the whole library in this process', async () => {
    const { openPaylint: open } = (await import(VALIDATE.href)) as typeof validation;
    const ours = await verdicts(open, work());
    expect(ours).toEqual(await saidByNode(verdicts));
    expect(ours.length).toBeGreaterThan(800);
  });

  it.each([
    [{ config: 'a.json' }, "config is not there in 'paylint/validate'"],
    [{ strictSchema: true }, "strictSchema is not there in 'paylint/validate'"],
    [{ schema: 'a.json' }, "schema is a path, and there are no files in 'paylint/validate': give the schema itself"],
    [{ shcema: {} }, 'did you mean "schema"?'],
  ])('refuses %j', async (options, message) => {
    const { openPaylint: open } = (await import(VALIDATE.href)) as typeof validation;
    await expect(open(options as validation.ValidateOptions)).rejects.toThrow(message);
  });
});

const tool = needs('chromium');
describe.skipIf(tool.missing)(`in a browser${tool.note}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: pathOf('chromium')!, chromiumSandbox: false });
  });
  afterAll(() => browser?.close());

  const policy = "default-src 'none'; script-src 'self'";
  it.each([
    ['browser.js', `${policy} 'wasm-unsafe-eval'`, results],
    ['validate.js', policy, verdicts],
  ] as const)('%s gives the results of Node under a strict content security policy', async (entry, policy, run) => {
    const all = work();
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => wrong.push(message.text()));
    // The function is written into the page's script: the policy allows no code from text.
    const script = `import { openPaylint } from '../${entry}';
globalThis.said = (${run})(openPaylint, ${JSON.stringify(all)});`;
    const files: Record<string, readonly [type: string, text: string]> = {
      '/': ['text/html', '<!doctype html><script type="module" src="run.js"></script>'],
      '/run.js': ['text/javascript', script],
      '/browser.js': ['text/javascript', readFileSync(FILE, 'utf8')],
      ...Object.fromEntries(
        ['validate.js', 'validate.formats.js', 'validate.kinds.js'].map((name) => [
          `/${name}`,
          ['text/javascript', readFileSync(new URL(name, VALIDATE), 'utf8')],
        ]),
      ),
    };
    await page.route('http://paylint.test/**', (route) => {
      const [contentType, body] = files[new URL(route.request().url()).pathname] ?? ['text/plain', ''];
      return route.fulfill({ contentType, body, headers: { 'content-security-policy': policy } });
    });
    await page.goto('http://paylint.test/');
    await page.waitForFunction('globalThis.said !== undefined');
    const said = await page.evaluate(() => (globalThis as { said?: Promise<string[]> }).said);
    expect(wrong).toEqual([]);
    expect(said).toEqual(await saidByNode(run));
  });
});
