/**
 * The data that measurements run on is what it is said to be: valid or not, of its kinds, lacking what it should lack, in every
 * layout, and the same each time. Judged by paylint, and by Ajv where a count is compared with Ajv's.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Data, generateFile, generateFolder, type Layout, parseSize } from '../../bench/generate.js';
import { printsCounts } from '../../bench/measure.js';
import type { Summary } from '../../src/types.ts';
import { paylint } from '../world.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SIZE = 120_000;
const KINDS = ['content', 'contract', 'emoji', 'mixed'] as const;

async function generate(options: Data & { layout?: Layout; gzip?: boolean }, name = 'data.ndjson') {
  const out = join(folder, name);
  const written = await generateFile({ ...options, size: SIZE, out });
  const file = readFileSync(out);
  return { ...written, text: (options.gzip ? gunzipSync(file) : file).toString() };
}

async function summaryOf(path: string): Promise<Summary> {
  const { stdout, stderr } = await paylint(['validate', '--format', 'json', path], { cwd: folder });
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { summary: Summary }).summary;
}

const readSchema = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../schemas/${name}.schema.json`), 'utf8'));

/** With the entry schema, as the peers of the measurements check. */
function ajvFor(options: object) {
  const ajv = new Ajv2020({ strict: false, ...options });
  for (const name of ['content-item', 'contract', 'emoji']) ajv.addSchema(readSchema(name));
  return ajv.compile(readSchema('payload'));
}

/** Some payloads have whatever is not ASCII escaped; this is the text as JSON.stringify would have it. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const payloadsOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('valid data', () => {
  it.each(KINDS)('%s', async (kind) => {
    const { payloads, invalid, bytes, text } = await generate({ kind });
    const summary = await summaryOf('data.ndjson');
    expect(summary).toMatchObject({ payloads, valid: payloads, invalid: 0, violations: 0 });
    expect(invalid).toBe(0);
    expect(Object.keys(summary.kinds)).toEqual(kind === 'mixed' ? ['content', 'contract', 'emoji'] : [kind]);
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect(bytes).toBeLessThanOrEqual(SIZE);
    expect(bytes).toBeGreaterThan(SIZE * 0.98);
  });

  it('has content items of 1 kB on average, with text in several scripts, escapes and members in any order', async () => {
    const { payloads, bytes, text } = await generate({ kind: 'content' });
    expect(bytes / payloads).toBeGreaterThan(900);
    expect(bytes / payloads).toBeLessThan(1200);
    for (const pattern of [
      /[\u0080-\u024f]/,
      /\p{Script=Han}/u,
      /\p{Emoji_Presentation}/u,
      /\\n/,
      /\\"/,
      /\\u[0-9a-f]{4}/,
    ]) {
      expect(text).toMatch(pattern);
    }
    const names = payloadsOf(text).map((payload) => Object.keys(payload as object));
    expect(new Set(names.map((list) => [...list].sort().join())).size).toBeGreaterThan(50);
    const moved = names.filter((list) => list.indexOf('content') < list.indexOf('@id'));
    expect(moved.length).toBeGreaterThan(10);
    expect(moved.length).toBeLessThan(payloads / 4);
  });

  it('numbers its payloads', async () => {
    const { text } = await generate({ kind: 'content' });
    const ids = payloadsOf(text).map((payload) => (payload as { '@id': string })['@id']);
    expect(ids[0]).toMatch(/\/0{12}$/);
    expect(ids[99]).toMatch(/\/0{10}99$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('invalid data', () => {
  it.each(KINDS)('%s, every payload', async (kind) => {
    const { payloads, invalid, text } = await generate({ kind, invalidEvery: 1 });
    expect(invalid).toBe(payloads);
    const { valid, rules } = await summaryOf('data.ndjson');
    expect(valid).toBe(0);
    expect(Object.keys(rules).length).toBeGreaterThan(kind === 'emoji' ? 2 : 5);
    expect(rules).not.toHaveProperty('json-syntax');
    const validate = ajvFor({});
    expect(payloadsOf(text).filter((payload) => validate(payload))).toEqual([]);
  });

  it('one payload in a hundred', async () => {
    const { payloads, invalid } = await generate({ kind: 'content', invalidEvery: 100 });
    expect(invalid).toBe(Math.floor(payloads / 100));
    expect(await summaryOf('data.ndjson')).toMatchObject({ payloads, invalid });
  });
});

describe('data with missing defaults', () => {
  const countMembers = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const own = Array.isArray(value) ? 0 : Object.keys(value).length;
    return Object.values(value).reduce((sum: number, member) => sum + countMembers(member), own);
  };

  it.each(['content', 'contract'] as const)('%s: three of them, and valid once filled', async (kind) => {
    const { text } = await generate({ kind, missingDefaults: true });
    const fill = ajvFor({ useDefaults: true });
    for (const payload of payloadsOf(text)) {
      const before = countMembers(payload);
      // The entry schema tests the kind before a default can help; the kind's own schema fills.
      expect(fill(payload)).toBe(true);
      expect(countMembers(payload) - before).toBe(3);
    }
  });

  it('is refused for emoji payloads, which have none', async () => {
    await expect(generate({ kind: 'emoji', missingDefaults: true })).rejects.toThrow('no defaults');
  });
});

describe('layouts', () => {
  it.each(['array', 'pretty'] as const)('%s: one JSON array', async (layout) => {
    const { payloads, text } = await generate({ kind: 'mixed', layout }, 'data.json');
    expect(text.startsWith('[')).toBe(true);
    const elements: unknown[] = JSON.parse(text);
    expect(elements).toHaveLength(payloads);
    const indent = layout === 'pretty' ? 2 : 0;
    expect(unescaped(text)).toBe(`${JSON.stringify(elements, null, indent)}\n`);
    expect(await summaryOf('data.json')).toMatchObject({ payloads, invalid: 0 });
  });

  it('gzip: the same bytes, compressed', async () => {
    const plain = await generate({ kind: 'content' });
    const { text } = await generate({ kind: 'content', gzip: true }, 'data.ndjson.gz');
    expect(text).toBe(plain.text);
    expect(statSync(join(folder, 'data.ndjson.gz')).size).toBeLessThan(SIZE / 2);
  });

  it('files: one indented payload each, a hundred to a folder', async () => {
    const written = generateFolder({ kind: 'content', files: 120, out: join(folder, 'files') });
    expect(written).toMatchObject({ payloads: 120, invalid: 0 });
    expect(readdirSync(join(folder, 'files'))).toEqual(['0000', '0001']);
    const text = readFileSync(join(folder, 'files/0001/000119.json'), 'utf8');
    expect(unescaped(text)).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect(await summaryOf('files')).toMatchObject({ sources: 120, payloads: 120, invalid: 0 });
  });
});

describe('the generator', () => {
  it('writes the same bytes for the same seed, and others for another', async () => {
    const { text } = await generate({ kind: 'mixed', seed: 7, invalidEvery: 10 });
    expect((await generate({ kind: 'mixed', seed: 7, invalidEvery: 10 })).text).toBe(text);
    expect((await generate({ kind: 'mixed', seed: 8, invalidEvery: 10 })).text).not.toBe(text);
  });

  it('writes one payload where not even that has room', async () => {
    const out = join(folder, 'one.ndjson');
    expect(await generateFile({ kind: 'content', size: 1, out })).toMatchObject({ payloads: 1 });
    expect(await summaryOf('one.ndjson')).toMatchObject({ payloads: 1, valid: 1 });
  });

  it('understands sizes', () => {
    expect(['17', '10k', '1.5m', '2g'].map(parseSize)).toEqual([17, 10_000, 1_500_000, 2_000_000_000]);
    expect(() => parseSize('2 GB')).toThrow('not a size');
  });
});

describe('the counts that a measured run must print', () => {
  it('are found in the words of paylint and of its peers, and nowhere else', () => {
    const counts = { payloads: 12345, invalid: 0 };
    expect(printsCounts('✓ 12,345 payloads valid · 1 s', counts)).toBe(true);
    expect(printsCounts('12345 validated, 12345 passed, 0 failed', counts)).toBe(true);
    expect(printsCounts('12345 payloads, 0 invalid', counts)).toBe(true);
    expect(printsCounts('✓ 12,344 payloads valid', counts)).toBe(false);
    expect(printsCounts('✗ 9 violations in 7 of 12,345 payloads', { ...counts, invalid: 7 })).toBe(true);
    expect(printsCounts('✗ 9 violations in 7 of 12,345 payloads', counts)).toBe(false);
  });

  it('are as paylint prints them', async () => {
    for (const invalidEvery of [0, 10]) {
      const written = await generate({ kind: 'content', invalidEvery });
      const { stdout } = await paylint(['validate', 'data.ndjson'], { cwd: folder });
      expect(printsCounts(stdout, written)).toBe(true);
    }
  });
});
