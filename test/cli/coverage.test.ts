/**
 * `coverage` counts what the judge says: places that validate reports have failed, counts are the same with any number of threads, and
 * add up over shards; its formats are read back by others.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { lcovParser } from '@friedemannsommer/lcov-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { Generator } from '../../scripts/mutations/schemas.ts';
import type { CoverageDocument, PlaceCoverage } from '../../src/report/coverage.ts';
import { rounds } from '../rounds.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-coverage-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fits = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../schemas/coverage.schema.json'), 'utf8')) as object, // our own schema
);

function write(schema: unknown, payloads: readonly unknown[], name = 'p.ndjson'): void {
  writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
  writeFileSync(join(folder, name), payloads.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

async function run(...args: string[]) {
  return paylint(['coverage', '--no-config', '--schema', 's.json', ...args], { cwd: folder });
}

async function covered(...args: string[]): Promise<CoverageDocument> {
  const { stdout, stderr } = await run('--format', 'json', ...args);
  expect(stdout, stderr).not.toBe('');
  const document = JSON.parse(stdout) as CoverageDocument; // its schema is asked next
  expect(fits(document), JSON.stringify(fits.errors)).toBe(true);
  return document;
}

function placesOf({ schemas }: CoverageDocument): Map<string, PlaceCoverage> {
  return new Map(schemas.flatMap(({ places }) => places.map((one) => [one.pointer, one] as const)));
}

function countsOf(document: CoverageDocument): unknown {
  const { elapsedMs: _, shard: __, ...summary } = document.summary;
  return { schemas: document.schemas, summary };
}

it('counts how often each place was reached, held and failed, by valid and by invalid payloads', async () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
      sort: { enum: ['a', 'b', { c: 1 }] },
      how: { oneOf: [{ type: 'string' }, { type: 'number', maximum: 9 }] },
      never: { type: 'null' },
    },
    additionalProperties: false,
  };
  write(schema, [
    { id: 'ab', sort: 'a' },
    { id: 'abc', sort: { c: 1 }, how: 3 },
    { id: 'a', how: 12 },
    { id: 'xy', more: 1 },
    [],
  ]);
  const places = placesOf(await covered('p.ndjson'));
  const counts = (pointer: string) => {
    const { valid, invalid } = places.get(pointer)!;
    return [valid.reached, valid.held, valid.failed, invalid.reached, invalid.held, invalid.failed];
  };
  expect(counts('/type')).toEqual([2, 2, 0, 3, 2, 1]);
  expect(counts('/required')).toEqual([2, 2, 0, 2, 2, 0]);
  expect(counts('/additionalProperties')).toEqual([2, 2, 0, 2, 1, 1]);
  expect(counts('/properties/id')).toEqual([2, 2, 0, 2, 1, 1]);
  expect(counts('/properties/id/minLength')).toEqual([2, 2, 0, 2, 1, 1]);
  expect(counts('/properties/sort/enum/0')).toEqual([2, 1, 1, 0, 0, 0]);
  expect(counts('/properties/sort/enum/1')).toEqual([2, 0, 2, 0, 0, 0]);
  expect(counts('/properties/sort/enum/2')).toEqual([2, 1, 1, 0, 0, 0]);
  expect(counts('/properties/how/oneOf')).toEqual([1, 1, 0, 1, 0, 1]);
  expect(counts('/properties/how/oneOf/0')).toEqual([1, 0, 1, 1, 0, 1]);
  expect(counts('/properties/how/oneOf/1')).toEqual([1, 1, 0, 1, 0, 1]);
  expect(counts('/properties/never')).toEqual([0, 0, 0, 0, 0, 0]);
  expect(places.get('/properties/never')).toMatchObject({ covered: false, objects: { valid: 2, invalid: 2 } });
  expect(places.get('/properties/id/minLength')!.valid).toMatchObject({ least: 2, most: 3 });
  expect(places.get('/properties/id/minLength')!.invalid).toMatchObject({ least: 1, most: 2 });
  expect(places.get('/properties/id/minLength')!.examples).toEqual({
    held: { file: 'p.ndjson', payload: 0, line: 1 },
    failed: { file: 'p.ndjson', payload: 2, line: 3 },
  });
});

describe('random schemas', () => {
  it('have failed where validate reports violations, and only in invalid payloads', async () => {
    const random = seeded(46);
    let asked = 0;
    for (let i = 0; i < rounds(150); i++) {
      const generator = new Generator(random);
      const schema = generator.schema();
      const texts = Array.from({ length: 30 }, () =>
        generator.text(generator.changed(generator.instance(schema, schema))).replaceAll('\n', ' '),
      );
      writeFileSync(join(folder, 's.json'), JSON.stringify(schema));
      writeFileSync(join(folder, 'p.ndjson'), texts.join('\n'));
      const args = ['validate', '--no-config', '--schema', 's.json', '--format', 'ndjson', 'p.ndjson'];
      const validated = await paylint(args, { cwd: folder });
      if (validated.code === 2) continue; // the command line refuses the schema
      const events = validated.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string; schema: string; rule: string }); // an ndjson report
      const summary = events.at(-1) as unknown as { payloads: number; valid: number }; // it is the last line
      const document = await covered('p.ndjson', '--quiet');
      expect(document.summary).toMatchObject({ payloads: summary.payloads, valid: summary.valid });
      const places = placesOf(document);
      for (const { type, schema: place } of events) {
        if (type !== 'violation' || place == null) continue;
        const one = places.get(place.slice(place.indexOf('#') + 1));
        if (one === undefined) continue; // `false` is no keyword
        asked++;
        expect(one.invalid.failed, `${place} ${JSON.stringify(schema)}`).toBeGreaterThan(0);
      }
      for (const pointer of ['/type', '/required', '/minimum', '/enum', '/anyOf', '/properties/a/type'])
        expect(places.get(pointer)?.valid.failed ?? 0, `${pointer} ${JSON.stringify(schema)}`).toBe(0);
    }
    expect(asked).toBeGreaterThan(100);
  });
});

describe('many lines', () => {
  const COUNT = 40_000;
  const schema = {
    properties: { n: { minimum: 3, maximum: 90 }, text: { maxLength: 22, enum: ['x', 'never'] } },
    anyOf: [{ required: ['n'] }, { required: ['text'] }],
  };
  const payloads = Array.from({ length: COUNT }, (_, i) => ({ n: (i + 50) % 100, pad: 'y'.repeat(40) }));

  it('have the same counts with any number of threads, gzip or not', async () => {
    write(schema, [...payloads, { text: 'x' }], 'many.ndjson');
    const one = countsOf(await covered('many.ndjson', '--threads', '1'));
    for (const threads of ['2', '3']) expect(countsOf(await covered('many.ndjson', '--threads', threads))).toEqual(one);
    const text = readFileSync(join(folder, 'many.ndjson'));
    writeFileSync(join(folder, 'many.ndjson'), gzipSync(text));
    expect(countsOf(await covered('many.ndjson'))).toEqual(one);
    const places = placesOf(one as CoverageDocument);
    expect(places.get('/properties/n/minimum')).toMatchObject({
      valid: { reached: 35200, least: 3, most: 90 },
      invalid: { failed: 1200, least: 0, most: 99 },
      examples: { failed: { payload: 50, line: 51 } },
    });
    expect(places.get('/anyOf/1')!.valid).toEqual({ reached: 35201, held: 1, failed: 35200 });
    expect(places.get('/properties/text/enum/0')!.examples!.held).toEqual({
      file: 'many.ndjson',
      payload: COUNT,
      line: COUNT + 1,
    });
  });

  it('add up over the shards of a run', async () => {
    const files = [0, 1, 2].map((i) => `part${i}.ndjson`);
    for (const [i, file] of files.entries()) write(schema, payloads.slice(i * 100, i * 100 + 100), file);
    const whole = await covered(...files);
    for (const k of [1, 2]) await run('--format', `json=r${k}.json`, '--shard', `${k}/2`, ...files);
    const { code, stdout } = await paylint(['render', 'r1.json', 'r2.json', '--format', 'json'], { cwd: folder });
    expect(code).toBe(0);
    const merged = JSON.parse(stdout) as CoverageDocument; // as in `covered`
    expect(fits(merged), JSON.stringify(fits.errors)).toBe(true);
    const bare = (document: CoverageDocument) => {
      const places = [...placesOf(document).values()].map(({ examples: _, ...place }) => place);
      return { places, summary: countsOf(document) };
    };
    expect(bare(merged).places).toEqual(bare(whole).places);
    expect(countsOf({ ...merged, schemas: [] })).toEqual(countsOf({ ...whole, schemas: [] }));
    const gate = await paylint(['render', 'r1.json', 'r2.json', '--min', '99%'], { cwd: folder });
    expect(gate.code).toBe(1);
    const alone = await paylint(['render', 'r1.json'], { cwd: folder });
    expect(alone.code).toBe(2);
    expect(alone.stderr).toContain('r1.json: this is the shard 1/2, and 2/2 is missing');
  });
});

/** What the checks of lcov 2 (check_data_consistency in lcovrc) find in a record of a file. */
function inconsistencies(record: string): string[] {
  const rows = record
    .trim()
    .split('\n')
    .map((line) => line.split(/[:,]/));
  const of = (name: string): string[][] => rows.filter(([first]) => first === name).map(([, ...rest]) => rest);
  const lines = new Map(of('DA').map(([line, count]) => [line, Number(count)]));
  const branches = of('BRDA').map(([line, , , taken]) => ({ line, taken }));
  const total = (name: string): number => Number(of(name)[0]?.[0]);
  const hit = [...lines.values()].filter((count) => count > 0).length;
  const taken = branches.filter((one) => Number(one.taken) > 0).length;
  const isEvaluated = (line: string | undefined): boolean =>
    branches.some((one) => one.line === line && one.taken !== '-');
  return [
    ...(lines.size === of('DA').length ? [] : ['a line has two counts']),
    ...(total('LF') === lines.size && total('LH') === hit ? [] : ['the lines do not add up']),
    ...(total('BRF') === branches.length && total('BRH') === taken ? [] : ['the branches do not add up']),
    ...branches.flatMap(({ line }) => (lines.has(line) ? [] : [`${line} has branchcov but no linecov data`])),
    ...[...lines].flatMap(([line, count]) => {
      if (count === 0 && isEvaluated(line)) return [`${line} is not hit, but a branch on it has been evaluated`];
      return count > 0 && !isEvaluated(line) ? [`${line} is hit, but no branch on it has been evaluated`] : [];
    }),
  ];
}

it('can reach all of a schema that lists equal values', async () => {
  writeFileSync(join(folder, 's.json'), '{"enum":[1,1.0e0,"a",[1],"a",[1.0],9007199254740993,9007199254740992]}');
  writeFileSync(join(folder, 'p.ndjson'), '1\n"a"\n[1]\n9007199254740993\n9007199254740992\n');
  const { summary } = await covered('p.ndjson', '--input', 'lines');
  expect([summary.covered, summary.places]).toEqual([6, 6]);
});

it('says that there are no places, and no share of them', async () => {
  write({ properties: {} }, [{}]);
  expect((await run('p.ndjson')).stdout).toMatch(
    /– no places: the schema asserts nothing that payloads could reach · 1/,
  );
});

describe('lcov', () => {
  const genhtml = needs('genhtml');
  const schema = `{
  "type": "object",
  "properties": {
    "a": { "type": "string", "minLength": 1 },
    "b": { "enum": ["x", "y"] }
  }
}`;

  async function lcov(): Promise<string> {
    writeFileSync(join(folder, 's.json'), schema);
    writeFileSync(join(folder, 'p.ndjson'), '{"a":"1","b":"x"}\n{"a":""}\n');
    return (await run('--format', 'lcov', 'p.ndjson')).stdout;
  }

  it('has the most of a line and a branch for each place, to a parser of its format', async () => {
    const [section, ...others] = await lcovParser({ from: await lcov() });
    expect(others).toEqual([]);
    expect(section).toMatchObject({
      path: 's.json',
      lines: {
        instrumented: 3,
        hit: 3,
        details: [
          { line: 2, hit: 1 },
          { line: 4, hit: 1 },
          { line: 5, hit: 1 },
        ],
      },
      branches: { instrumented: 8, hit: 7 },
    });
  });

  it('is consistent as lcov 2 wants it, for schemas on one line and on many, reached or not', async () => {
    const random = seeded(58);
    let hit = 0;
    for (let i = 0; i < rounds(50); i++) {
      const generator = new Generator(random);
      const schema = generator.schema();
      const texts = Array.from({ length: 3 }, () =>
        generator.text(generator.changed(generator.instance(schema, schema))).replaceAll('\n', ' '),
      );
      writeFileSync(join(folder, 's.json'), JSON.stringify(schema, null, i % 3));
      writeFileSync(join(folder, 'p.ndjson'), texts.join('\n'));
      const { stdout } = await run('--format', 'lcov', 'p.ndjson');
      for (const record of stdout.split('end_of_record\n').slice(0, -1)) {
        expect(inconsistencies(record), record).toEqual([]);
        if (/^LH:[1-9]/m.test(record)) hit++;
      }
    }
    expect(hit).toBeGreaterThan(0);
  });

  it.skipIf(genhtml.missing)(`makes pages with genhtml${genhtml.note}`, async () => {
    writeFileSync(join(folder, 'c.info'), await lcov());
    const args = ['--branch-coverage', '--output-directory', 'html', 'c.info'];
    const said = genhtml.run('genhtml', args, { cwd: folder });
    expect(said).toMatch(/lines\.*: 100(?:\.0)?% \(3 of 3 lines\)/);
    expect(said).toMatch(/branches\.*: 87\.5% \(7 of 8 branches\)/);
    const pages = readdirSync(join(folder, 'html'), { recursive: true, encoding: 'utf8' });
    const page = pages.find((name) => name.endsWith('s.json.gcov.html'));
    expect(readFileSync(join(folder, 'html', page!), 'utf8')).toContain('minLength');
  });
});

it('counts keywords of older drafts by the names that the file has', async () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    properties: { n: { minimum: 1, exclusiveMinimum: true }, l: { items: [{}], additionalItems: false } },
    dependencies: { n: ['l'], l: { required: ['n'] } },
  };
  write(schema, [
    { n: 2, l: ['a'] },
    { n: 1, l: ['a', 2] },
  ]);
  const places = placesOf(await covered('p.ndjson'));
  const valid = { reached: 1, held: 1, failed: 0 };
  for (const pointer of ['/dependencies', '/dependencies/l', '/dependencies/l/required'])
    expect(places.get(pointer)).toMatchObject({ valid, invalid: valid });
  for (const pointer of ['/properties/n/exclusiveMinimum', '/properties/l/additionalItems'])
    expect(places.get(pointer)).toMatchObject({ valid, invalid: { reached: 1, held: 0, failed: 1 } });
});

describe('attacked', () => {
  it('has a place for each of 10,000 values, and says which were seen', async () => {
    const values = Array.from({ length: 10_000 }, (_, i) => `value ${i}`);
    write({ enum: values }, ['value 3', 'value 9999', 'none']);
    const document = await covered('p.ndjson');
    expect(document.summary).toMatchObject({ places: 10_001, covered: 3, valid: 2, invalid: 1 });
  });

  it('counts each level of a recursive schema, and payloads that are too deep are not counted to their end', async () => {
    const tree = { properties: { next: { $ref: '#' }, n: { minimum: 1 } }, type: 'object' };
    const deep = `${'{"next":'.repeat(999)}{}${'}'.repeat(999)}`;
    write(tree, [{ next: { next: { n: 1 } }, n: 2 }]);
    writeFileSync(join(folder, 'deep.json'), deep);
    expect(placesOf(await covered('p.ndjson')).get('/properties/n/minimum')!.valid.reached).toBe(2);
    const { summary, schemas } = await covered('deep.json');
    expect(summary).toMatchObject({ payloads: 1, valid: 1, uncounted: 0 });
    expect(schemas[0]!.places.find(({ pointer }) => pointer === '/type')!.valid.reached).toBe(1000);
  });

  it('a text that a pattern takes for ever to match ends, and is not counted to its end', async () => {
    write({ type: 'string', pattern: '^(?=(a+)+$)(a+)+$' }, [`${'a'.repeat(40)}b`, 'aa']);
    const { code, stdout } = await run('--format', 'json', 'p.ndjson', '--threads', '1');
    const { summary } = JSON.parse(stdout || '{}') as CoverageDocument; // as in `covered`
    expect([0, 2]).toContain(code);
    expect(summary.payloads).toBe(2);
  });

  it('an interrupted run has what was counted so far, in whole documents', async () => {
    write({ type: 'object' }, [{}, {}]);
    const interrupt = new AbortController();
    interrupt.abort('SIGINT');
    const { code, stdout } = await paylint(
      ['coverage', '--no-config', '--schema', 's.json', '--format', 'json', 'p.ndjson'],
      { cwd: folder, interrupt: interrupt.signal },
    );
    expect(code).toBe(130);
    const document = JSON.parse(stdout) as CoverageDocument; // as in `covered`
    expect(fits(document), JSON.stringify(fits.errors)).toBe(true);
    expect(document.summary.interrupted).toBe(true);
  });

  it('a schema that is judged again to know what it evaluates is counted once', async () => {
    write(
      {
        anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { required: ['b'] }],
        unevaluatedProperties: false,
      },
      [{ a: 'x' }],
    );
    const places = placesOf(await covered('p.ndjson'));
    expect(places.get('/anyOf/0/properties/a/type')!.valid.reached).toBe(1);
    expect(places.get('/unevaluatedProperties')!.valid).toEqual({ reached: 1, held: 1, failed: 0 });
  });
});
