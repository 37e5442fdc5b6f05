/**
 * The fixes and regions of `sarif`: applied to a file, by lines and columns or by bytes, the fixes make of it what `fill`, or `prune`, writes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastGlob from 'fast-glob';
import { afterAll, describe, expect, it } from 'vitest';
import { paylint } from '../world.ts';

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly byteOffset?: number;
  readonly byteLength?: number;
}

interface Replacement {
  readonly deletedRegion: Region;
  /** Absent: it is only a deletion. */
  readonly insertedContent?: { readonly text: string };
}

interface Result {
  readonly ruleId: string;
  readonly fixes?: readonly { readonly artifactChanges: readonly { readonly replacements: Replacement[] }[] }[];
  readonly locations: readonly { readonly physicalLocation: { readonly region: Region } }[];
  readonly properties: { readonly fixable: boolean; readonly offset: number };
}

const temporary = mkdtempSync(join(tmpdir(), 'paylint-fixes-'));
afterAll(() => rmSync(temporary, { recursive: true }));

const FIXTURES = join(import.meta.dirname, '../..', 'fixtures');

async function resultsOf(file: string, ...flags: string[]): Promise<Result[]> {
  const args = ['validate', file, '--no-config', '--format', 'sarif', ...flags];
  const { stdout } = await paylint(args, { cwd: temporary });
  return JSON.parse(stdout).runs[0].results;
}

async function filled(file: string, ...flags: string[]): Promise<string> {
  const { stdout } = await paylint(['fill', file, '--no-config', '--quiet', ...flags], { cwd: temporary });
  return stdout;
}

function replacementsOf(results: readonly Result[]): Replacement[] {
  return results.flatMap(({ fixes = [] }) => fixes[0]?.artifactChanges[0]?.replacements ?? []);
}

/** As a program does that reads bytes. */
function byBytes(bytes: Buffer, replacements: readonly Replacement[]): string {
  const sorted = [...replacements].sort((a, b) => b.deletedRegion.byteOffset! - a.deletedRegion.byteOffset!);
  let text = bytes;
  for (const { deletedRegion, insertedContent } of sorted) {
    const { byteOffset = 0, byteLength = 0 } = deletedRegion;
    const inserted = Buffer.from(insertedContent?.text ?? '');
    text = Buffer.concat([text.subarray(0, byteOffset), inserted, text.subarray(byteOffset + byteLength)]);
  }
  return text.toString();
}

/** As an editor does, whose columns are UTF-16 code units and which keeps the byte order mark apart. */
function byColumns(bytes: Buffer, replacements: readonly Replacement[]): string {
  const whole = bytes.toString();
  const mark = whole.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = whole.slice(mark.length).split('\n');
  const sorted = [...replacements].sort(
    ({ deletedRegion: a }, { deletedRegion: b }) => b.startLine - a.startLine || b.startColumn - a.startColumn,
  );
  for (const { deletedRegion: at, insertedContent } of sorted) {
    const first = lines[at.startLine - 1]!.slice(0, at.startColumn - 1);
    const last = (lines[at.endLine - 1] ?? '').slice(at.endColumn - 1);
    lines.splice(at.startLine - 1, at.endLine - at.startLine + 1, first + (insertedContent?.text ?? '') + last);
  }
  return mark + lines.join('\n');
}

function write(name: string, content: string | Uint8Array): void {
  writeFileSync(join(temporary, name), content);
}

const RESTS = [
  '"@type": "Contract", "name": "😀 𝄞 é", "coverage": {"minAge": 0}',
  '"@type":"Contract","name":"x","coverage":{"applicationCoverage":{"@id":"é"},"subLocation":[]}',
];
const FILES: Readonly<Record<string, string>> = {
  'one.json': `{${RESTS[0]}}`,
  'mark.json': `\ufeff{${RESTS[0]}}\r\n`,
  'array.json': `[\n  {${RESTS[0]}},\n  {"emoji": 1},\n  {${RESTS[1]}}\n]`,
  'lines.ndjson': `{${RESTS[0]}}\r\n\r\n{"emoji": }\r\n{${RESTS[1]}}\r\n`,
  'pretty.json': `{\n\t"text": "😀",\n\t${RESTS[0]!.replaceAll(', ', ',\n\t')}\n}\n`,
};

describe('applied to a file, the fixes of sarif make what fill writes', () => {
  it.each(Object.entries(FILES))('%s', async (name, text) => {
    write(name, text);
    const results = await resultsOf(name);
    const replacements = replacementsOf(results);
    expect(replacements.length).toBeGreaterThan(0);
    const expected = await filled(name);
    expect(byBytes(Buffer.from(text), replacements)).toBe(expected);
    expect(byColumns(Buffer.from(text), replacements)).toBe(expected);
  });

  // A payload without a fixable violation has no result to carry its fix.
  it('in the fixtures: the payloads that have a fixable violation', async () => {
    let fixed = 0;
    for (const file of fastGlob.sync('*/fill/*.before.json', { cwd: FIXTURES, absolute: true })) {
      const bytes = readFileSync(file);
      const results = await resultsOf(file);
      if (!results.some(({ properties }) => properties.fixable)) continue;
      const expected = readFileSync(file.replace('.before.', '.after.'), 'utf8');
      if (bytes.toString().trimStart().startsWith('[')) continue;
      expect(byBytes(bytes, replacementsOf(results)), file).toBe(expected);
      expect(byColumns(bytes, replacementsOf(results)), file).toBe(expected);
      fixed++;
    }
    expect(fixed).toBeGreaterThan(2);
  });

  it('in a large file, whatever the number of threads', async () => {
    const valid = `{"@context": "x", "@type": "Emoji", "emoji": "${'😀'.repeat(30)}"}`;
    const lines = Array.from({ length: 15_000 }, (_, i) => (i % 500 === 499 ? `{${RESTS[i % 2]}}` : valid));
    const text = `${lines.join('\n')}\n`;
    write('large.ndjson', text);
    const one = await resultsOf('large.ndjson', '--threads', '1');
    expect(await resultsOf('large.ndjson', '--threads', '2')).toEqual(one);
    const replacements = replacementsOf(one);
    const expected = await filled('large.ndjson');
    expect(byBytes(Buffer.from(text), replacements)).toBe(expected);
    expect(byColumns(Buffer.from(text), replacements)).toBe(expected);
  });
});

describe('applied to a file, the fixes of sarif make what prune writes', () => {
  const CLOSED = { properties: { a: true, o: { $ref: '#' } }, additionalProperties: false };
  it.each<[string, string]>([
    ['line.json', '{"x": "😀", "a": 1, "y": [2], "z": 3}'],
    ['all.json', '{"x": 1, "o": { "y": 2, "z": 3 }, "a": 1}'],
    ['mark.json', '\ufeff{\r\n  "x": "é",\r\n  "a": 1,\r\n  "y": {\r\n    "z": 1\r\n  }\r\n}\r\n'],
    ['pretty.json', '{\n\t"x": 1,\n\t"y": "𝄞",\n\t"o": {\n\t\t"z": 1,\n\t\t"a": 2\n\t}\n}\n'],
    ['commas.json', '{ "a": 1\n, "x": 2\n, "y": 3\n, "o": { }\n}\n'],
    ['lines.ndjson', '{"x": 1}\n{"a": 1}\n\n{"a": 1, "o": {"é": 1}}\n'],
    ['array.json', '[\n  {"x": 1},\n  {"a": 1, "x": 2}\n]'],
  ])('%s', async (name, text) => {
    write('closed.json', JSON.stringify(CLOSED));
    write(name, text);
    const schema = ['--schema', 'closed.json'];
    const results = await resultsOf(name, ...schema);
    const replacements = replacementsOf(results);
    expect(replacements.some(({ insertedContent }) => insertedContent !== undefined)).toBe(false);
    const args = ['prune', name, '--no-config', '--quiet', ...schema];
    const expected = (await paylint(args, { cwd: temporary })).stdout;
    expect(expected).not.toBe(text);
    expect(byBytes(Buffer.from(text), replacements)).toBe(expected);
    expect(byColumns(Buffer.from(text), replacements)).toBe(expected);
  });

  it('beside those of fill, unless nothing is left for these to come after', async () => {
    const schema = { required: ['d'], properties: { a: true, d: { default: 1 } }, additionalProperties: false };
    write('both.schema.json', JSON.stringify(schema));
    for (const [text, expected] of [
      ['{"a": 1, "x": 2}', '{"a": 1, "d": 1}'],
      ['{"x": 2, "a": 1}', '{"a": 1, "d": 1}'],
      ['{"x": 2}', '{"x": 2, "d": 1}'],
    ] as const) {
      write('both.json', text);
      const replacements = replacementsOf(await resultsOf('both.json', '--schema', 'both.schema.json'));
      expect(byBytes(Buffer.from(text), replacements)).toBe(expected);
    }
  });

  it('none where prune leaves the member', async () => {
    write('beside.json', JSON.stringify({ allOf: [CLOSED, { properties: { b: true } }], minProperties: 1 }));
    for (const text of ['{"a": 1, "b": 2}', '{"x": 1}', '{"x": 1, "x": 2, "a": 1}']) {
      write('left.json', text);
      const results = await resultsOf('left.json', '--schema', 'beside.json');
      expect(results.some(({ ruleId }) => ruleId === 'additionalProperties')).toBe(true);
      expect(replacementsOf(results)).toEqual([]);
    }
  });
});

it('a fix is the first fixable violation of its object, and the others have none', async () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { a: { default: 1 }, b: { default: 2 }, c: { default: 3 } },
    required: ['c', 'a'],
  };
  write('s.schema.json', JSON.stringify(schema));
  write('s.json', '{}');
  const results = await resultsOf('s.json', '--schema', 's.schema.json');
  expect(results.map(({ fixes }) => fixes !== undefined)).toEqual([true, false]);
  expect(byBytes(Buffer.from('{}'), replacementsOf(results))).toBe('{"a":1,"b":2,"c":3}');
});

it('regions are the same range in bytes, whatever the characters', async () => {
  const text = '{"emoji": "😀", "@context": "é", "@type": "E", "𝄞": "😀"}';
  write('region.json', text);
  const results = await resultsOf('region.json');
  for (const { locations } of results) {
    const { startColumn, endColumn, byteOffset = -1, byteLength = -1 } = locations[0]!.physicalLocation.region;
    const ofBytes = Buffer.from(text).toString('utf8', byteOffset, byteOffset + byteLength);
    expect(ofBytes).toBe(text.slice(startColumn - 1, endColumn - 1));
  }
  expect(results.map(({ ruleId }) => ruleId)).toContain('additionalProperties');
});

it('a compressed file has neither fixes nor bytes: they are not in the file', async () => {
  write('a.json.gz', gzipSync(FILES['one.json']!));
  const results = await resultsOf('a.json.gz');
  expect(results.some(({ properties }) => properties.fixable)).toBe(true);
  expect(replacementsOf(results)).toEqual([]);
  for (const { locations } of results) expect(locations[0]!.physicalLocation.region).not.toHaveProperty('byteOffset');
});

it('there is no fix if fill would leave the payload alone', async () => {
  write('twice.json', '{"@type": "Contract", "name": "x", "name": "y", "coverage": {}}');
  expect(replacementsOf(await resultsOf('twice.json'))).toEqual([]);
  const schema = { properties: { a: { type: 'number', default: 'text' } }, required: ['a'] };
  write('bad.schema.json', JSON.stringify(schema));
  write('bad.json', '{}');
  expect(replacementsOf(await resultsOf('bad.json', '--schema', 'bad.schema.json'))).toEqual([]);
});
