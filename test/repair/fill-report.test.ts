/**
 * `fill` of many files at once, what it reports, and where it stops.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { CONTRACT, CONTRACT_FILLED, eventsIn, FIXTURES, fillsIn, fixtures, own, place, run } from '../fill-run.ts';

describe('many files at once', () => {
  const befores = Object.fromEntries(own.map(({ file, before }) => [file, before]));
  const afters = Object.fromEntries(own.map(({ file, after }) => [file, after]));

  it.each(['1', '4'])('are written, each as if it were alone, by %s threads', async (threads) => {
    const folder = place(befores);
    await run(['fill', '--write', '--threads', threads, '.'], folder);
    for (const [name, after] of Object.entries(afters))
      expect([name, readFileSync(join(folder, name)).equals(after)]).toEqual([name, true]);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(afters).sort());
  });

  it('are checked: those that lack something are named', async () => {
    const folder = place(befores);
    const { code, stdout } = await run(['fill', '--check', '--format', 'line', '.'], folder);
    const named = [...stdout.toString().matchAll(/^([^:\n]+): \d+ missing members?/gm)].map(([, name]) => name);
    const lacking = own.filter(({ before, after }) => !before.equals(after)).map(({ file }) => file);
    expect(named.sort()).toEqual(lacking.sort());
    expect(code).toBe(1);
  });

  it('come to standard output one after another, each on a line of its own', async () => {
    const folder = place({ 'a.json': '{"emoji":1}', 'b.json': '{"emoji":2}\n', 'c.json': '', 'd.json': '{"emoji":3}' });
    const { stdout } = await run(['fill', '.', '--quiet'], folder);
    expect(stdout.toString()).toBe('{"emoji":1}\n{"emoji":2}\n{"emoji":3}');
  });
});

describe('the report', () => {
  const schema = JSON.parse(readFileSync(join(FIXTURES, '../schemas/report.schema.json'), 'utf8'));
  const valid = new Ajv2020({ strict: false }).compile(schema);
  const folder = place(Object.fromEntries(fixtures.map(({ file, before }) => [file, before])));

  it.each([['ndjson'], ['json']])('in %s is as its schema says', async (format) => {
    for (const flags of [[], ['--check'], ['--deep'], ['--quiet'], ['--bail']]) {
      const { stderr, stdout } = await run(['fill', '--format', `${format}`, ...flags, '.'], folder);
      const text = flags.includes('--check') ? stdout.toString() : stderr.replace(/^paylint: .*\n/gm, '');
      for (const event of format === 'json' ? [JSON.parse(text)] : eventsIn(text)) {
        expect(valid(event) ? null : [event, valid.errors]).toBeNull();
      }
    }
  });

  it('tells of members by pointer, the same whether they are told one by one or not', async () => {
    const args = ['fill', '--check', '--format', 'line', '.'];
    const summed = await run(args, folder);
    const told = await run([...args, '--format', 'ndjson=told.ndjson'], folder);
    expect(told.stdout.toString().replace(/[\d.]+ m?s$/m, '')).toBe(
      summed.stdout.toString().replace(/[\d.]+ m?s$/m, ''),
    );
    const fills = fillsIn(readFileSync(join(folder, 'told.ndjson'), 'utf8'));
    rmSync(join(folder, 'told.ndjson'));
    const counts = [...summed.stdout.toString().matchAll(/: (\d+) missing members?/g)].map(([, count]) =>
      Number(count),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(fills.length);
  });

  it('quotes a number that was filled in, and not the text at its place', async () => {
    // Something else is wrong with it, or it would be left as it is.
    const schema = {
      required: ['c'],
      properties: { a: { default: 1.5 } },
      allOf: [{ properties: { a: { type: 'string' } } }],
    };
    const folder = place({ 's.json': JSON.stringify(schema), 'a.json': '{"b":true}' });
    const args = ['validate', '--with-defaults', '--schema', 's.json', '--format', 'line', 'a.json'];
    const { stdout } = await run(args, folder);
    expect(stdout.toString().split('\n')).toContain('a.json:1:1: type expected a string, found 1.5');
  });

  it('is quiet when asked', async () => {
    const quiet = await run(
      ['fill', '--quiet', '--format', 'ndjson', 'contract-active-and-nested-types-pretty.json'],
      folder,
    );
    const lines = quiet.stderr.trimEnd().split('\n');
    expect([quiet.code, lines.map((line) => JSON.parse(line).type)]).toEqual([0, ['source', 'summary']]);
    expect(quiet.stdout.toString()).toBe(CONTRACT_FILLED);
  });
});

describe('--bail', () => {
  const line = JSON.stringify(JSON.parse(CONTRACT));
  const lines = `${line}\n${line}\nnul\n${line}\n`;

  it.each(['1', '4'])('hands on what comes up to the first invalid payload, by %s threads', async (threads) => {
    const folder = place({ 'a.ndjson': lines, 'b.ndjson': line });
    const { code, stdout } = await run(['fill', '--bail', '--threads', threads, '.'], folder);
    const filled = JSON.stringify(JSON.parse(CONTRACT_FILLED));
    expect(stdout.toString()).toBe(`${filled}\n${filled}\nnul\n`);
    expect(code).toBe(1);
  });

  it('writes nothing that is not read to its end', async () => {
    const folder = place({ 'a.ndjson': line, 'b.ndjson': lines, 'c.ndjson': line });
    const { code, stdout } = await run(['fill', '--bail', '--write', '--format', 'ndjson', '.'], folder);
    const sources = eventsIn(stdout.toString()).filter(({ type }) => type === 'source');
    expect(sources).toMatchObject([{ filled: 3 }, { filled: 0 }]);
    expect(code).toBe(1);
    expect(
      ['a', 'b', 'c'].map(
        (name) => readFileSync(join(folder, `${name}.ndjson`), 'utf8') === JSON.stringify(JSON.parse(CONTRACT_FILLED)),
      ),
    ).toEqual([true, false, false]);
    expect(readFileSync(join(folder, 'b.ndjson'), 'utf8')).toBe(lines);
  });
});
