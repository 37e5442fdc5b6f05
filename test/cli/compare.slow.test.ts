/**
 * `compare` says of each payload what each schema says of it by itself, in every framing and with threads; and equal schemas
 * never differ.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { Generator, type Schema } from '../../scripts/mutations/schemas.ts';
import { openPaylint } from '../../src/library/open.ts';
import { bundledSchema } from '../../src/package.ts';
import { rounds } from '../rounds.ts';
import { paylint } from '../world.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-compare-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Outcome = 'broken' | 'healed' | 'invalid' | 'valid';

interface Compared {
  readonly code: number;
  /** Indexes of payloads with violations. */
  readonly broken: readonly number[];
  readonly summary: { readonly compare: Record<Outcome, number>; readonly payloads: number; readonly invalid: number };
}

async function compared(...args: string[]): Promise<Compared> {
  const { code, stdout, stderr } = await paylint(
    ['compare', '--schema', 'new.json', '--against', 'old.json', '--no-config', '--format', 'ndjson', ...args],
    { cwd: folder },
  );
  const lines = stdout.split('\n').filter(Boolean);
  expect(lines, stderr).not.toEqual([]);
  const events = lines.map((line) => JSON.parse(line) as { type: string; payload: number }); // an ndjson report
  const broken = events.filter(({ type }) => type === 'violation').map(({ payload }) => payload);
  // The last line of a report is its summary.
  return { code, broken: [...new Set(broken)], summary: events.at(-1) as unknown as Compared['summary'] };
}

function write(schemas: { readonly old: unknown; readonly new: unknown }): void {
  writeFileSync(join(folder, 'old.json'), JSON.stringify(schemas.old));
  writeFileSync(join(folder, 'new.json'), JSON.stringify(schemas.new));
}

/** The command line refuses some schemas that the library takes. */
async function isUsable(schema: string): Promise<boolean> {
  const args = ['validate', '--schema', schema, '--no-config', '--quiet', '--allow-empty', '-'];
  return (await paylint(args, { cwd: folder, stdin: '' })).code === 0;
}

function outcome(byOld: boolean, byNew: boolean): Outcome {
  if (byNew) return byOld ? 'valid' : 'healed';
  return byOld ? 'broken' : 'invalid';
}

function expected(outcomes: readonly Outcome[]): Omit<Compared, 'code'> {
  const count = (one: Outcome): number => outcomes.filter((other) => other === one).length;
  const broken = [...outcomes.keys()].filter((i) => outcomes[i] === 'broken');
  const compare = { broken: broken.length, healed: count('healed'), invalid: count('invalid'), valid: count('valid') };
  return { broken, summary: expect.objectContaining({ compare, payloads: outcomes.length, invalid: broken.length }) };
}

/** The same payloads in three files: in one run, and in two shards that `render` merges. */
async function comparedInFiles(texts: readonly string[], outcomes: readonly Outcome[]): Promise<void> {
  const files = ['f0.ndjson', 'f1.ndjson', 'f2.ndjson.gz'];
  const third = Math.ceil(texts.length / 3);
  for (const [i, file] of files.entries()) {
    const text = texts.slice(i * third, (i + 1) * third).map((one) => `${one}\n`);
    writeFileSync(join(folder, file), file.endsWith('.gz') ? gzipSync(text.join('')) : text.join(''));
  }
  const args = ['compare', '--schema', 'new.json', '--against', 'old.json', '--no-config', ...files];
  for (const k of [1, 2])
    await paylint([...args, '--format', `ndjson=r${k}.ndjson`, '--shard', `${k}/2`, '--quiet'], { cwd: folder });
  const whole = await paylint([...args, '--format', 'ndjson'], { cwd: folder });
  const rendered = await paylint(['render', 'r1.ndjson', 'r2.ndjson', '--format', 'ndjson'], { cwd: folder });
  for (const { stdout } of [whole, rendered]) {
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; file: string; payload: number }); // an ndjson report
    const broken = events
      .filter(({ type }) => type === 'violation')
      .map(({ file, payload }) => files.indexOf(file) * third + payload);
    const summary = events.at(-1);
    expect({ broken: [...new Set(broken)], summary }).toMatchObject(expected(outcomes));
  }
}

/** The first definition that keywords lead to, with another number or without a keyword. */
function changed(schema: Schema, random: (below: number) => number): Schema {
  const text = JSON.stringify(schema);
  const numbers = [...text.matchAll(/(?<="(?:minimum|maximum|minLength|maxLength|minItems|maxItems)":)-?[\d.]+/g)];
  const one = numbers[random(Math.max(1, numbers.length))];
  if (one === undefined) return JSON.parse(text.replace(/"type":"[a-z]+",?/, '').replace(/,}/g, '}')) as Schema; // as before
  return JSON.parse(`${text.slice(0, one.index)}${random(5)}${text.slice(one.index + one[0].length)}`) as Schema; // as before
}

describe('random schemas', () => {
  it('have the outcomes that both say, in lines, arrays, streams, gzip and files', async () => {
    const random = seeded(44);
    const seen = new Set<Outcome>();
    for (let i = 0; i < rounds(50); i++) {
      const generator = new Generator(random);
      const old = generator.schema();
      const other = random(2) === 0 ? changed(old, random) : new Generator(random).schema();
      const open = async (schema: Schema) =>
        openPaylint({ schema: schema as boolean | object, config: false }).catch(() => null);
      const judges = [await open(old), await open(other)];
      if (judges[0] == null || judges[1] == null) continue;
      const texts = Array.from({ length: 60 }, (_, j) => {
        const from = j % 2 === 0 ? old : other;
        const value = generator.instance(from, from);
        return generator.text(random(3) === 0 ? generator.changed(value) : value).replaceAll('\n', ' ');
      });
      write({ old, new: other });
      if (!(await isUsable('old.json')) || !(await isUsable('new.json'))) continue;
      const verdicts = texts.map((text) => judges.map((judge) => judge!.isValid(text)));
      const outcomes = verdicts.map(([byOld, byNew]) => outcome(byOld!, byNew!));
      for (const one of outcomes) seen.add(one);
      const lines = texts.map((text) => `${text}\n`).join('');
      writeFileSync(join(folder, 'p.ndjson'), lines);
      writeFileSync(join(folder, 'p.ndjson.gz'), gzipSync(lines));
      for (const name of ['p.ndjson', 'p.ndjson.gz'])
        expect(await compared(name), JSON.stringify([old, other])).toMatchObject(expected(outcomes));
      const readable = texts.map((_, j) => j).filter((j) => judges[0]!.validate(texts[j]!).kind !== null);
      const parts = readable.map((j) => texts[j]!);
      const some = readable.map((j) => outcomes[j]!);
      writeFileSync(join(folder, 'p.json'), `[${parts.join(', ')}]`);
      writeFileSync(join(folder, 's.txt'), parts.join(' '));
      const array = await compared('p.json', '--input', 'json');
      // Some schemas are about arrays: then it is one payload.
      if (!('arrays' in array.summary)) expect(array).toMatchObject(expected(some));
      expect(await compared('s.txt', '--input', 'stream')).toMatchObject(expected(some));
      if (i % 3 === 0) await comparedInFiles(texts, outcomes);
    }
    expect([...seen].sort()).toEqual(['broken', 'healed', 'invalid', 'valid']);
  });

  it('never differ from themselves', async () => {
    const random = seeded(45);
    for (let i = 0; i < rounds(120); i++) {
      const generator = new Generator(random);
      const schema = generator.schema();
      write({ old: schema, new: schema });
      const texts = Array.from({ length: 40 }, () =>
        generator.text(generator.changed(generator.instance(schema, schema))).replaceAll('\n', ' '),
      );
      writeFileSync(join(folder, 'p.ndjson'), texts.join('\n'));
      if (!(await isUsable('new.json'))) continue;
      const result = await compared('p.ndjson');
      expect(result.summary.compare, JSON.stringify(schema)).toMatchObject({ broken: 0, healed: 0 });
      expect(result.code).toBe(0);
    }
  });
});

it('the bundled schemas never differ from themselves, for every fixture', async () => {
  const entry = bundledSchema('payload.schema.json');
  const { code, stdout } = await paylint(
    ['compare', '--schema', entry, '--against', entry, '--format', 'ndjson', 'fixtures'],
    { cwd: join(import.meta.dirname, '../..') },
  );
  // Some of them are not read to their end.
  expect(code).toBe(2);
  const { compare } = JSON.parse(stdout.trim().split('\n').at(-1)!) as Compared['summary']; // the summary
  expect(compare).toMatchObject({ broken: 0, healed: 0 });
  expect(compare.valid).toBeGreaterThan(100);
  expect(compare.invalid).toBeGreaterThan(100);
});

describe('many lines', () => {
  /** More than one part of a file, so that threads share it. */
  const COUNT = 60_000;
  const numbers = Array.from({ length: COUNT }, (_, i) => ({ n: i % 100, text: 'x'.repeat(20 + (i % 7)) }));

  beforeAll(() => {
    write({
      old: { type: 'object', properties: { n: { minimum: 3 }, text: { maxLength: 30 } } },
      new: { type: 'object', properties: { n: { minimum: 10 }, text: { maxLength: 25 } } },
    });
    writeFileSync(join(folder, 'many.ndjson'), numbers.map((one) => `${JSON.stringify(one)}\n`).join(''));
  });

  it('have the same report with any number of threads, and the broken ones are the rejects', async () => {
    const outcomes = numbers.map(({ n, text }) => outcome(n >= 3, n >= 10 && text.length <= 25));
    const reports: string[] = [];
    for (const threads of ['1', '2', '8']) {
      const args = ['--threads', threads, '--rejects', 'rejects.ndjson', '--redact', '--format', 'pretty=pretty.txt'];
      expect(await compared('many.ndjson', ...args)).toMatchObject({ code: 1, ...expected(outcomes) });
      const rejects = readFileSync(join(folder, 'rejects.ndjson'), 'utf8');
      const broken = numbers.filter((_, i) => outcomes[i] === 'broken');
      expect(rejects === broken.map((one) => `${JSON.stringify(one)}\n`).join('')).toBe(true);
      reports.push(readFileSync(join(folder, 'pretty.txt'), 'utf8').replace(/[^·]+$/, ''));
    }
    expect(reports[1]).toBe(reports[0]);
    expect(reports[2]).toBe(reports[0]);
    expect(reports[0]).toContain('payloads: minimum at /n by new.json#/properties/n/minimum');
  });

  it('add up over the shards of a run', async () => {
    const files = [0, 1, 2].map((i) => `part${i}.ndjson`);
    for (const [i, file] of files.entries())
      writeFileSync(
        join(folder, file),
        numbers
          .slice(i * 100, i * 100 + 100)
          .map((one) => `${JSON.stringify(one)}\n`)
          .join(''),
      );
    const whole = await compared(...files);
    for (const k of [1, 2]) {
      const args = ['--format', `ndjson=r${k}.ndjson`, '--shard', `${k}/2`, '--quiet'];
      await paylint(['compare', '--schema', 'new.json', '--against', 'old.json', ...args, ...files], { cwd: folder });
    }
    const { code, stdout } = await paylint(['render', 'r1.ndjson', 'r2.ndjson', '--format', 'ndjson'], { cwd: folder });
    const { compare } = JSON.parse(stdout.trim().split('\n').at(-1)!) as Compared['summary']; // the summary
    expect({ code, compare }).toEqual({ code: 1, compare: whole.summary.compare });
    const { stdout: pretty } = await paylint(['render', 'r1.ndjson', 'r2.ndjson'], { cwd: folder });
    expect(pretty).toMatch(/✗ \d+ of 300 payloads break/);
  });
});

it('reports of compare and of validate cannot be merged', async () => {
  write({ old: { type: 'object' }, new: { type: 'object', minProperties: 1 } });
  writeFileSync(join(folder, 'one.ndjson'), '{}\n');
  await paylint(
    ['compare', '--schema', 'new.json', '--against', 'old.json', '--format', 'ndjson=a.ndjson', 'one.ndjson'],
    { cwd: folder },
  );
  await paylint(['validate', '--schema', 'new.json', '--format', 'ndjson=b.ndjson', 'one.ndjson'], { cwd: folder });
  const { code, stderr } = await paylint(['render', 'a.ndjson', 'b.ndjson'], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain('b.ndjson:3: this is no report of compare, and others are: they cannot be merged');
});
