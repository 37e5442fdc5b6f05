/**
 * `filter`: what it passes on and what it rejects are together the input, byte for byte and in order, however the bytes come in; and the
 * reasons say which of the rejects they are about.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { otherEncoding } from '../../src/json/utf8.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { Framing } from '../../src/types.ts';
import { randomSizes, randomSource } from '../flow-world.ts';
import { type Made, outletRunner, schemasOf } from '../outlet-world.ts';
import { SCRATCH } from '../tools.ts';
import { paylint } from '../world.ts';

const SCHEMAS = schemasOf(loadSchemas(bundledSchema(ENTRY_SCHEMA)));
const SPEC = { type: 'filter', invert: false, rejects: true, reasons: true } as const;
const FRAMINGS = ['lines', 'json', 'stream'] as const;
const SMALL = { maxBytes: 300 };

const folder = mkdtempSync(join(SCRATCH, 'paylint-filter-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = '"@context":"c","@type":"t"';
const VALID = `{${HEAD},"emoji":"a"}`;
const INVALID = `{${HEAD},"emoji":1}`;
const LARGE = `{"emoji":"${'x'.repeat(400)}"}`;

/** Lines that are not blank, without a byte order mark, each with its line feed if it has one. */
function linesOf(bytes: Buffer): string[] {
  const mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  const lines = bytes.toString('latin1', mark).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.filter((line) => /[^ \t\r\n]/.test(line));
}

function channels({ channels: [passed, rejects] }: Made): readonly [string, string] {
  return [passed?.toString('latin1') ?? '', rejects?.toString('latin1') ?? ''];
}

describe('every line is passed on or rejected, in order', () => {
  it('for random lines in random chunks', async () => {
    const run = await outletRunner(SCHEMAS, SPEC, { framing: 'lines', ...SMALL });
    const random = seeded(7);
    let passedLines = 0;
    let rejectedLines = 0;
    for (let round = 0; round < 400; round++) {
      const bytes = randomSource('lines', random);
      if (otherEncoding(bytes) !== null) continue; // UTF-16 has no lines
      const made = await run(bytes, randomSizes(random, random(2) === 0 ? 40 : 2000));
      const [passed, rejects] = channels(made);
      const rest = [linesOf(Buffer.from(passed, 'latin1')), linesOf(Buffer.from(rejects, 'latin1'))];
      passedLines += rest[0]!.length;
      rejectedLines += rest[1]!.length;
      for (const line of linesOf(bytes)) {
        const from = rest.find(([next]) => next === line);
        expect(from, `round ${round}: ${line}`).toBeDefined();
        from!.shift();
      }
      expect(rest).toEqual([[], []]);
      expect(made.rejected).toBe(made.invalid);
    }
    expect(Math.min(passedLines, rejectedLines)).toBeGreaterThan(200);
  });

  it('for a line that begins with more white space than the window keeps', async () => {
    const run = await outletRunner(SCHEMAS, SPEC, { framing: 'lines' });
    const text = `${' '.repeat(3000)}${VALID}\n\n${'\t'.repeat(2000)}${INVALID} \r\n \n${' '.repeat(999)}${VALID}`;
    const made = await run(Buffer.from(text), () => 100);
    const [first, , second, , third] = text.split('\n');
    expect(channels(made)).toEqual([`${first}\n${third}`, `${second}\n`]);
  });
});

describe('without reasons, what is surely invalid is not examined', () => {
  const budget = { left: new Int32Array(1), countsOthers: true };
  it.each(FRAMINGS)('and nothing else is different, in %s', async (framing) => {
    const examining = await outletRunner(SCHEMAS, SPEC, { framing, ...SMALL });
    const judging = await outletRunner(
      SCHEMAS,
      { ...SPEC, reasons: false },
      { framing, ...SMALL, budget, verdicts: true },
    );
    const random = seeded(23);
    let invalidPayloads = 0;
    for (let round = 0; round < 400; round++) {
      const bytes = randomSource(framing, random);
      const sizes = random(2) === 0 ? 40 : 2000;
      const one = await examining(bytes, randomSizes(random, sizes));
      const other = await judging(bytes, randomSizes(random, sizes));
      expect(other.channels, `round ${round}: ${bytes}`).toEqual(one.channels);
      expect([other.payloads, other.invalid]).toEqual([one.payloads, one.invalid]);
      invalidPayloads += one.invalid;
    }
    expect(invalidPayloads).toBeGreaterThan(100);
  });

  it('unless the entry schema cannot tell kinds apart for sure', async () => {
    const kind = (test: object, name: string, rest: object | false): object => ({
      if: { type: 'object', ...test },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { title: name, $ref: `#/$defs/${name}` },
      else: rest,
    });
    const first = { type: 'object', properties: { a: { type: 'integer' } } };
    const second = { type: 'object', properties: { a: { type: 'string' } } };
    const entry = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { first, second },
      // A payload with one of both members is of the second kind, although accept rules out the first kind by a single one.
      ...kind({ required: ['a', 'b'] }, 'first', kind({ required: ['c'] }, 'second', false)),
    };
    const file = join(folder, 'entry.json');
    writeFileSync(file, JSON.stringify(entry));
    const set = loadSchemas(file);
    rmSync(file);
    const judging = await outletRunner(
      schemasOf(set),
      { ...SPEC, reasons: false },
      { framing: 'lines', budget, verdicts: true },
    );
    const lines = ['{"a":1,"b":2}\n', '{"a":"x","b":2}\n', '{"a":"x","c":2}\n', '{"a":2,"c":2}\n'];
    const made = await judging(Buffer.from(lines.join('')));
    expect(channels(made)).toEqual([lines[0]! + lines[2]!, lines[1]! + lines[3]!]);
  });
});

const TABLE: readonly [name: string, framing: Framing, input: string, passed: string, rejects: string][] = [
  ['a byte order mark', 'lines', `\ufeff${VALID}\n${INVALID}\n`, `${VALID}\n`, `${INVALID}\n`],
  ['a byte order mark before an invalid line', 'lines', `\ufeff${INVALID}\n${VALID}`, VALID, `${INVALID}\n`],
  ['carriage returns', 'lines', `${VALID}\r\n\r\n ${INVALID}\r\n`, `${VALID}\r\n`, ` ${INVALID}\r\n`],
  ['a cut-off last line', 'lines', `${VALID}\n{"emoji":`, `${VALID}\n`, '{"emoji":'],
  ['a line that is too large', 'lines', `${VALID}\n ${LARGE} \n${VALID}\n`, `${VALID}\n${VALID}\n`, ` ${LARGE} \n`],
  ['a last line that is too large', 'lines', `${VALID}\n${LARGE}`, `${VALID}\n`, LARGE],
  ['bytes that are not UTF-8', 'lines', `${VALID}\n"\u0080"\n${VALID}\n`, `${VALID}\n${VALID}\n`, '"\u0080"\n'],
  ['an array', 'json', `\ufeff [ ${VALID} ,\n${INVALID},${VALID}\n] \n`, `${VALID}\n${VALID}\n`, `${INVALID}\n`],
  ['an array with one too large', 'json', `[${LARGE}, ${VALID},${LARGE} ]`, `${VALID}\n`, `${LARGE}\n${LARGE}\n`],
  ['an array that ends too early', 'json', `[${VALID},${INVALID}`, `${VALID}\n`, `${INVALID}\n`],
  ['one text', 'json', ` ${VALID} `, `${VALID}\n`, ''],
  ['a stream', 'stream', `${VALID}${INVALID} {\n}\n${VALID}`, `${VALID}\n${VALID}\n`, `${INVALID}\n{\n}\n`],
  ['a stream with one too large', 'stream', `${LARGE}${VALID}\n${LARGE}`, `${VALID}\n`, `${LARGE}\n${LARGE}\n`],
  [
    'records',
    'stream',
    `\u001e${VALID}\n\u001e${LARGE}\n\u001e{"a\n\u001e${VALID}\n`,
    `${VALID}\n${VALID}\n`,
    `${LARGE}\n{"a\n`,
  ],
];

describe('thousands of small texts', () => {
  it.each(['json', 'stream'] as const)('are passed on as they stand, in %s', async (framing) => {
    const run = await outletRunner(SCHEMAS, SPEC, { framing, ...SMALL });
    const texts = Array.from({ length: 7000 }, (_, i) => (i % 2500 === 9 ? `[${i}]` : `{${HEAD}, "emoji" :"${i}"\n}`));
    const text = framing === 'json' ? `[ ${texts.join(' ,\n')} ]` : texts.join(' ');
    const isInvalid = (one: string): boolean => one.startsWith('[');
    const wanted = [texts.filter((one) => !isInvalid(one)), texts.filter(isInvalid)].map((all) =>
      all.map((one) => `${one}\n`).join(''),
    );
    for (const size of [1 << 20, 70_000]) {
      const made = await run(Buffer.from(text), () => size);
      expect(channels(made)).toEqual(wanted);
      expect(made.payloads).toBe(texts.length);
    }
  });
});

describe('at every chunk border', () => {
  it.each(TABLE)('%s', async (_, framing, input, passed, rejects) => {
    const run = await outletRunner(SCHEMAS, SPEC, { framing, ...SMALL });
    const bytes = input.includes('\u0080') ? Buffer.from(input, 'latin1') : Buffer.from(input);
    const wanted = [passed, rejects];
    expect(channels(await run(bytes))).toEqual(wanted);
    for (let border = 1; border < bytes.length; border++) {
      let isFirst = true;
      const sizes = (): number => {
        const size = isFirst ? border : bytes.length;
        isFirst = false;
        return size;
      };
      expect(channels(await run(bytes, sizes)), `border ${border}`).toEqual(wanted);
    }
    for (const size of [1, 2, 3, 7]) expect(channels(await run(bytes, () => size))).toEqual(wanted);
  });

  it('for random sources in every framing', async () => {
    const random = seeded(11);
    for (const framing of FRAMINGS) {
      const run = await outletRunner(SCHEMAS, SPEC, { framing, ...SMALL });
      for (let round = 0; round < 100; round++) {
        const bytes = randomSource(framing, random);
        const whole = await run(bytes);
        const cut = await run(bytes, randomSizes(random, 50));
        expect({ ...cut, channels: channels(cut) }).toEqual({ ...whole, channels: channels(whole) });
      }
    }
  });
});

describe('the command', () => {
  const lines = Array.from({ length: 12_000 }, (_, i) => {
    if (i % 100 === 7) return `{${HEAD},"emoji":${i}}`;
    return i % 1000 === 3 ? `{"@id":"${i}",` : `{${HEAD},"emoji":"${i}","reason":"${'r'.repeat(200)}"}`;
  });
  const isValid = (line: string): boolean => line.endsWith('"}');

  it('makes no difference between threads, and numbers the rejects over all sources', async () => {
    writeFileSync(join(folder, 'a.ndjson'), `${lines.join('\n')}`);
    writeFileSync(
      join(folder, 'b.json'),
      `[${lines
        .filter((line) => !line.endsWith(','))
        .slice(0, 500)
        .join(',')}]`,
    );
    const results = [];
    for (const threads of ['1', '3']) {
      const args = [
        'filter',
        'a.ndjson',
        'b.json',
        '--rejects',
        'rejects',
        '--reasons',
        'reasons',
        '--threads',
        threads,
      ];
      const { code, stdout } = await paylint(args, { cwd: folder });
      const rejects = readFileSync(join(folder, 'rejects'), 'utf8');
      const reasons = readFileSync(join(folder, 'reasons'), 'utf8').replace(/"elapsedMs":\d+/, '"elapsedMs":0');
      results.push({ code, stdout, rejects, reasons });
      rmSync(join(folder, 'rejects'));
      rmSync(join(folder, 'reasons'));
    }
    const [alone, shared] = results;
    // Not as a whole: a diff of megabytes is of no use.
    for (const name of ['code', 'stdout', 'rejects', 'reasons'] as const)
      expect(shared![name] === alone![name], name).toBe(true);
    const { code, stdout, rejects, reasons } = alone!;
    expect(code).toBe(1);
    const ofArray = lines.filter((line) => !line.endsWith(',')).slice(0, 500);
    const all = [...lines, ...ofArray];
    expect(stdout === `${all.filter(isValid).join('\n')}\n`).toBe(true);
    expect(rejects).toBe(`${all.filter((line) => !isValid(line)).join('\n')}\n`);
    const rejected = rejects.split('\n');
    const events = reasons
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const violations = events.filter(({ type }) => type === 'violation');
    expect(violations.length).toBeGreaterThan(100);
    for (const { file, payload, reject } of violations) {
      const source = file === 'a.ndjson' ? lines : ofArray;
      expect(rejected[reject]).toBe(source[payload]);
    }
    expect(readdirSync(folder).sort()).toEqual(['a.ndjson', 'b.json']);
  });

  it('leaves what was rejected so far after a signal', async () => {
    const abort = new AbortController();
    const { Readable } = await import('node:stream');
    const pieces: number[] = [];
    async function* input() {
      yield `${VALID}\n${INVALID}\n`;
      while (pieces.length === 0) await new Promise((resolve) => setTimeout(resolve, 1)); // until the valid one is printed
      abort.abort('SIGINT');
      await new Promise(() => {});
    }
    const args = ['filter', '--rejects', 'rejects', '--input', 'lines'];
    const options = { cwd: folder, stdin: Readable.from(input()), interrupt: abort.signal, pieces };
    const { code, stdout } = await paylint(args, options);
    expect([code, stdout, readFileSync(join(folder, 'rejects'), 'utf8')]).toEqual([130, `${VALID}\n`, `${INVALID}\n`]);
    rmSync(join(folder, 'rejects'));
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves no file of rejects if standard output fails, and keeps the mode of one that is replaced', async () => {
    writeFileSync(join(folder, 'rejects'), 'old\n', { mode: 0o640 });
    const args = ['filter', '--rejects', 'rejects', '--reasons', 'rejects/is-no-folder'];
    const { code } = await paylint(args, { cwd: folder, stdin: `${INVALID}\n` });
    expect([code, readFileSync(join(folder, 'rejects'), 'utf8')]).toEqual([2, 'old\n']);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    rmSync(join(folder, 'rejects'));
  });
});
