/**
 * `convert`: the same payloads in another framing. Values and spellings stay, whatever the layout, the chunks and the number of threads; what
 * is malformed is left out; and jq reads the same values.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { mutate, seeded } from '../../scripts/mutations/mutate.ts';
import { fixturePayloads } from '../../scripts/mutations/payloads.ts';
import { jsonWriter, type Schemas, schemasOf } from '../../src/engine/accept.ts';
import { minify } from '../../src/json/minify.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { NO_DEFAULTS } from '../../src/repair/wanted-defaults.ts';
import type { ConvertSpec } from '../../src/run/outlets/outlet.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { detectFraming } from '../../src/source/detect-framing.ts';
import { Window } from '../../src/source/window.ts';
import type { Framing } from '../../src/types.ts';
import { randomSizes, randomSource } from '../flow-world.ts';
import { outletRunner } from '../outlet-world.ts';
import { rounds, times } from '../rounds.ts';
import { needs, SCRATCH } from '../tools.ts';
import { putBytes } from '../window-bytes.ts';
import { paylint } from '../world.ts';

const SPEC: ConvertSpec = { type: 'convert', as: 'lines', only: null, split: null };
const SYNTAX = { syntaxOnly: true } as const;
const SET = loadSchemas(bundledSchema(ENTRY_SCHEMA));
const KINDS = ['content', 'contract', 'emoji'];

const folder = mkdtempSync(join(SCRATCH, 'paylint-convert-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The tokens of a text, without what is between them. */
function tokens(text: string): string {
  return (text.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? []).join('');
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line));
    return true;
  } catch {
    return false;
  }
}

const TEXTS = [
  '{}',
  '[]',
  ' { "a" : [ 1 , 2.50 , -0 , 1e400 , { } , [ ] ] , "a" : "\\u00e9 \\" , { : \\\\" } ',
  '"a b"',
  '0',
  'true',
  '[[[[\n]]]\t]',
  '{"a":{"b":{}},"c":"é"}',
  '12345678901234567890.0E+1',
];

/** For payloads of any kind, which are written in the layout. */
function anyJson({ as }: Pick<ConvertSpec, 'as'>): Schemas {
  const load = async () => expect.unreachable();
  return schemasOf({ load, precompiled: null, defaults: NO_DEFAULTS, reads: as });
}

describe('NDJSON', () => {
  it('of random lines in random chunks has every line that is JSON, without its white space', async () => {
    const run = await outletRunner(anyJson(SPEC), SPEC, { framing: 'lines', ...SYNTAX });
    const random = seeded(3);
    let total = 0;
    for (let round = 0; round < times(400, 150); round++) {
      const bytes = randomSource('lines', random);
      if (bytes.includes(0) && bytes.length % 2 === 0) continue; // UTF-16 has no lines
      const mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
      const lines = bytes
        .toString('latin1', mark)
        .split('\n')
        .map((line) => Buffer.from(line, 'latin1'));
      const wanted = lines.filter(isJson).map((line) => `${tokens(line.toString())}\n`);
      const { channels, payloads, invalid } = await run(bytes, randomSizes(random, random(2) === 0 ? 40 : 3000));
      expect(channels[0]?.toString() ?? '').toBe(wanted.join(''));
      expect(payloads - invalid).toBe(wanted.length);
      total += wanted.length;
    }
    expect(total).toBeGreaterThan(times(1000, 350));
  });

  it.each<[Framing, string]>([
    ['lines', TEXTS.map((text) => text.replaceAll('\n', ' ')).join('\r\n')],
    ['json', `\ufeff [${TEXTS.join(' ,\n')}]`],
    ['stream', TEXTS.join('\n')],
  ])('from %s is the same at every chunk border', async (framing, input) => {
    const run = await outletRunner(anyJson(SPEC), SPEC, { framing, ...SYNTAX });
    const wanted = TEXTS.map((text) => `${tokens(text)}\n`).join('');
    const bytes = Buffer.from(input);
    for (let border = 1; border <= bytes.length; border++) {
      let isFirst = true;
      const sizes = (): number => {
        const size = isFirst ? border : bytes.length;
        isFirst = false;
        return size;
      };
      const { channels, invalid } = await run(bytes, sizes);
      expect([channels[0]!.toString(), invalid]).toEqual([wanted, 0]);
    }
  });

  it('keeps the limits of depth and size', async () => {
    const options = { framing: 'stream', maxDepth: 3, maxBytes: 20, ...SYNTAX } as const;
    const run = await outletRunner(anyJson(SPEC), SPEC, options);
    const { channels, violations } = await run(Buffer.from(`[[[1]]] [[[[1]]]] "${'x'.repeat(30)}" {"a":1}`), () => 7);
    expect(channels[0]!.toString()).toBe('[[[1]]]\n{"a":1}\n');
    expect(violations.map(({ rule }) => rule)).toEqual(['nested-too-deep', 'payload-too-large']);
  });
});

describe('what WebAssembly writes', () => {
  const random = seeded(13);
  const fixtures = fixturePayloads(join(import.meta.dirname, '../../fixtures')).map(({ bytes }) => bytes);
  /** Fixtures as they are and laid out, and what mutations make of them. */
  const some = (): Buffer => {
    const text = mutate(fixtures[random(fixtures.length)]!, random);
    if (random(3) > 0 || !isJson(text)) return text;
    return Buffer.from(JSON.stringify(JSON.parse(text.toString()), null, [1, 2, 4, '\t', 40][random(5)]));
  };
  const minified = (text: Buffer): string => {
    const out = Buffer.alloc(text.length);
    return out.subarray(0, minify(text, { start: 0, end: text.length }, out, 0)).toString('latin1');
  };

  it('is what JavaScript writes, for mutations', async () => {
    const window = new Window(true);
    const writer = (await jsonWriter(SPEC.as))(window);
    let written = 0;
    const refused: string[] = [];
    for (let round = 0; round < rounds(4000); round++) {
      const text = some();
      if (text.length > 20_000) continue;
      putBytes(window, text);
      writer.reset();
      const isWritten = writer.read(window, { start: 0, end: text.length }) === 'valid';
      if (isWritten) {
        expect(isJson(text), text.toString()).toBe(true);
        expect(writer.output!.take(window.bytes).toString('latin1')).toBe(`${minified(text)}\n`);
        written++;
      } else if (isJson(text) && !/^\s|\s$/.test(text.toString())) refused.push(text.toString());
    }
    expect(written).toBeGreaterThan(rounds(1000));
    // Numbers that may be beyond a double, halves of surrogate pairs, and what is deeper than its stack.
    const mayRefuse = (text: string): boolean =>
      /\de[-+]?\d{3}|\d{200}|\\ud[89a-f]/i.test(text) || text.split(/[[{]/).length >= 100;
    expect(refused.filter((text) => !mayRefuse(text))).toEqual([]);
  });

  it('accepts each byte of ASCII in a string if it may be there, with white space between tokens and without', async () => {
    const window = new Window(true);
    const writer = (await jsonWriter(SPEC.as))(window);
    for (let byte = 0; byte < 0x80; byte++)
      for (const before of [0, 1, 14, 15, 16, 31, 62, 63])
        for (const space of ['', ' ']) {
          const string = `"${'x'.repeat(before)}${String.fromCharCode(byte)}${'y'.repeat(20)}"`;
          const text = Buffer.from(`{${space}${string}${space}:[${string}${space}]}`);
          putBytes(window, text);
          writer.reset();
          expect([text.toString(), writer.read(window, { start: 0, end: text.length }) === 'valid']).toEqual([
            text.toString(),
            isJson(text),
          ]);
        }
  });

  it('is the same wherever strings, escapes and faults are in the sixty-four bytes that are read together', async () => {
    const window = new Window(true);
    const writer = (await jsonWriter(SPEC.as))(window);
    const ends = [
      '"',
      '\\""',
      '\\\\"',
      '\\u00e9\\n"',
      '\\',
      '\\"',
      '\\x"',
      '\\u00g0"',
      '\u0001"',
      '\n"',
      ' "',
      '"x',
      '"",',
      '\u0000"',
    ];
    for (let length = 0; length < 140; length++) {
      for (const end of ends) {
        for (const around of [
          ['{"', ':[]}'],
          ['[[],{"a":"', '},-1.5,null]'],
          ['["', ',"\\\\",{}]'],
          ['["a",', ']'],
        ]) {
          const text = Buffer.from(`${around[0]}${'x'.repeat(length)}${end}${around[1]}`);
          putBytes(window, text);
          writer.reset();
          const isWritten = writer.read(window, { start: 0, end: text.length }) === 'valid';
          expect([text.toString(), isWritten]).toEqual([text.toString(), isJson(text)]);
          if (isWritten) expect(writer.output!.take(window.bytes).toString()).toBe(`${text.toString()}\n`);
        }
      }
    }
    for (const levels of [1, 2, 3, 63, 64, 65, 66, 128, 129]) {
      const kinds = Array.from({ length: levels }, (_, i) => ({
        open: i % 2 === 0 ? '[' : '{"a":',
        close: ']}'[i % 2]!,
      }));
      const inside = `${kinds.map(({ open }) => open).join('')}1`;
      const closes = kinds.map(({ close }) => close).reverse();
      for (let at = -1; at < levels; at++) {
        const wrong = closes.with(at, closes.at(at) === ']' ? '}' : ']');
        const text = Buffer.from(`${inside}${(at < 0 ? closes : wrong).join('')}`);
        putBytes(window, text);
        writer.reset();
        expect([text.toString(), writer.read(window, { start: 0, end: text.length }) === 'valid']).toEqual([
          text.toString(),
          at < 0 && levels <= 128,
        ]);
      }
    }
  });

  it.each([
    ['array', 'lines'],
    ['array', 'array'],
    ['stream', 'lines'],
    ['stream', 'array'],
    ['lines', 'array'],
  ] as const)('from %s as %s is every text without its white space, in random chunks', async (from, as) => {
    const spec = { ...SPEC, as };
    const framing = from === 'array' ? 'json' : from;
    const run = await outletRunner(anyJson(spec), spec, { framing, ...SYNTAX });
    const spaces = ['', '', ' ', '\r\n', `\n${' '.repeat(20)}\t`];
    const space = (): string => spaces[random(spaces.length)]!;
    for (let round = 0; round < rounds(60); round++) {
      const texts: Buffer[] = [];
      for (let tries = 0; tries < 30; tries++) {
        const text = some();
        if (!isJson(text) || text.length > 9000 || text[0] !== 0x7b) continue;
        texts.push(from === 'lines' ? Buffer.from(minified(text).replaceAll('":', '": '), 'latin1') : text);
      }
      const between = from === 'array' ? ',' : from === 'lines' ? '\n' : '';
      const joined = texts.map((text, i) =>
        [i === 0 ? '' : between, ...(from === 'lines' ? [] : [space()]), text.toString('latin1')].join(''),
      );
      const body = joined.join('') + (from === 'lines' ? '' : space());
      const bytes = Buffer.from(from === 'array' ? `[${body}]` : body, 'latin1');
      const { channels, invalid } = await run(bytes, randomSizes(random, random(2) === 0 ? 100 : 20_000));
      const wanted = texts.map((text) => (as === 'lines' ? `${minified(text)}\n` : `,${minified(text)}`));
      expect([channels[0]?.toString('latin1') ?? '', invalid]).toEqual([wanted.join(''), 0]);
    }
  });
});

describe('a framing that later lines decide', () => {
  const PARTS = ['1', '{}', '[]', '[{"a":1}]', '{"a":1}', '{\n"a":1}', '[\n1\n]', 'x', '{"a":', '1 2', '', '\u001e'];

  it('is the same however the bytes come, and the one that all of them show', async () => {
    const run = await outletRunner(anyJson(SPEC), SPEC, SYNTAX);
    const random = seeded(11);
    const seen = new Map<string, number>();
    for (let round = 0; round < 600; round++) {
      const parts = Array.from({ length: 1 + random(5) }, () => PARTS[random(PARTS.length)]!);
      const bytes = Buffer.from(parts.join('\n') + (random(3) === 0 ? '' : '\n'));
      const framing = detectFraming(bytes, true);
      const forced = await outletRunner(anyJson(SPEC), SPEC, { ...SYNTAX, framing });
      const [atOnce, byByte, asDetected] = [await run(bytes), await run(bytes, () => 1), await forced(bytes)];
      expect(byByte, JSON.stringify(parts)).toEqual(atOnce);
      expect(atOnce.channels, JSON.stringify(parts)).toEqual(asDetected.channels);
      expect(atOnce.payloads, JSON.stringify(parts)).toEqual(asDetected.payloads);
      seen.set(framing, (seen.get(framing) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual(['json', 'lines', 'stream']);
  });
});

describe('one array', () => {
  it('and back is what it was', async () => {
    const random = seeded(5);
    for (let round = 0; round < 30; round++) {
      const bytes = randomSource('stream', random);
      const lines = await paylint(['convert', '--input', 'stream', '--allow-empty'], { cwd: folder, stdin: bytes });
      for (const flags of [
        ['--to', 'json'],
        ['--to', 'json', '--pretty'],
      ]) {
        const array = await paylint(['convert', '--allow-empty', '--input', 'lines', ...flags], {
          cwd: folder,
          stdin: lines.stdout,
        });
        const back = await paylint(['convert', '--allow-empty', '--input', 'json'], {
          cwd: folder,
          stdin: array.stdout,
        });
        expect(back.stdout).toBe(lines.stdout);
        const parsed = lines.stdout
          .split('\n')
          .slice(0, -1)
          .map((line): unknown => JSON.parse(line));
        expect(JSON.parse(array.stdout)).toEqual(parsed);
        expect(array.code).toBe(0);
      }
    }
  });

  it('is laid out as JSON.stringify does it', async () => {
    const texts = TEXTS.filter((text) => !/\d{3}|-0|2\.50/.test(text));
    const { stdout } = await paylint(['convert', '--to', 'json', '--pretty'], { cwd: folder, stdin: texts.join('\n') });
    expect(stdout).toBe(
      `${JSON.stringify(
        texts.map((text): unknown => JSON.parse(text)),
        null,
        2,
      )}\n`,
    );
  });

  it.each(['json', 'lines', 'stream'])('is laid out in pieces: %s', async (framing) => {
    // Deep indentation makes it 100 times as long.
    const deep = `${'['.repeat(200)}${'1,'.repeat(20_000)}1${']'.repeat(200)}`;
    const stdin = framing === 'json' ? `[${deep},${deep}]` : `${deep}\n${deep}\n`;
    const pieces: number[] = [];
    const args = ['convert', '--to', 'json', '--pretty', '--input', framing];
    const { stdout } = await paylint(args, { cwd: folder, stdin, pieces });
    const value = JSON.parse(deep) as unknown;
    expect(stdout === `${JSON.stringify([value, value], null, 2)}\n`).toBe(true);
    expect(Math.max(...pieces)).toBeLessThan(3 << 20);
  });

  it('has the payloads of all sources', async () => {
    writeFileSync(join(folder, 'a.ndjson'), '1\n{"b": 2}\n{\n');
    writeFileSync(join(folder, 'b.json'), '[ 3, {"c":[ ]} ]');
    writeFileSync(join(folder, 'c.json'), '[]');
    const { code, stdout } = await paylint(['convert', '--to', 'json', 'a.ndjson', 'b.json', 'c.json'], {
      cwd: folder,
    });
    expect([code, stdout]).toEqual([1, '[1,{"b":2},3,{"c":[]}]\n']);
    const empty = await paylint(['convert', '--to', 'json', 'c.json', '--allow-empty'], { cwd: folder });
    expect(empty.stdout).toBe('[]\n');
  });
});

describe('kinds', () => {
  const LINES = [
    '{"@type":"Article"}',
    '{"@type":"Contract","x":{"y":[ ]}}',
    '{"emoji":1}',
    '{"emoji":1,"@type":"Comment"}',
    '{"@type":"Article","@type":"Contract"}',
    '[1]',
    '7',
    '{"\\u0065moji":2}',
  ];
  const OF_KIND = ['03', '14', '27', '56'].map((indexes) =>
    [...indexes].map((index) => `${tokens(LINES[Number(index)]!)}\n`).join(''),
  );

  it.each([1, 5, 1000])('each in its channel, in chunks of %i bytes', async (size) => {
    const run = await outletRunner(
      schemasOf({ load: async () => SET, precompiled: null, defaults: NO_DEFAULTS, reads: 'kinds' }),
      { ...SPEC, split: KINDS },
      SYNTAX,
    );
    const { channels, invalid } = await run(Buffer.from(LINES.join('\n')), () => size);
    expect([channels.map(String), invalid]).toEqual([OF_KIND, 0]);
  });

  it('go to files, and one of them to standard output', async () => {
    const stdin = LINES.join('\n');
    const split = await paylint(['convert', '--split-by', 'kind', '--out-dir', 'out/kinds'], { cwd: folder, stdin });
    expect([split.code, split.stdout]).toEqual([0, '']);
    const out = join(folder, 'out/kinds');
    expect(readdirSync(out).sort()).toEqual(['content.ndjson', 'contract.ndjson', 'emoji.ndjson', 'unknown.ndjson']);
    const files = [...KINDS, 'unknown'].map((kind) => readFileSync(join(out, `${kind}.ndjson`), 'utf8'));
    expect(files).toEqual(OF_KIND);
    const only = await paylint(['convert', '--kind', 'contract'], { cwd: folder, stdin });
    expect(only.stdout).toBe(OF_KIND[1]);
  });

  it.each([
    ['CON', 2],
    ['nul.txt', 2],
    ['Com1 .x', 2],
    ['console', 0],
    ['com10', 0],
    ['dot.', 2],
    ['space ', 2],
  ])('go to a file whose name no system reserves, or are refused: %s', async (kind, expected) => {
    writeFileSync(join(folder, `${kind}.json`), '{"type":"object"}');
    const args = ['convert', '--split-by', 'kind', '--out-dir', `reserved-${kind}`, '--schema', `${kind}.json`];
    const { code, stdout } = await paylint(args, { cwd: folder, stdin: '{"a":1}' });
    expect([code, stdout]).toEqual([expected, '']);
    const out = join(folder, `reserved-${kind}`);
    if (code === 0) expect(readdirSync(out).sort()).toEqual([`${kind}.ndjson`, 'unknown.ndjson'].sort());
  });
});

describe('files', () => {
  it('are compressed by their name or a flag, and read again', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `{"n":${i}}\n`).join('');
    const made = await paylint(['convert', '--output', 'lines.gz'], { cwd: folder, stdin: lines });
    expect([made.code, made.stdout]).toEqual([0, '']);
    expect(gunzipSync(readFileSync(join(folder, 'lines.gz'))).toString()).toBe(lines);
    const back = await paylint(['convert', 'lines.gz'], { cwd: folder });
    expect(back.stdout).toBe(lines);
  });

  it('are not touched if the input cannot be read to its end', async () => {
    writeFileSync(join(folder, 'kept.json'), 'old');
    writeFileSync(join(folder, 'one.json'), '1');
    const { code, stderr } = await paylint(
      ['convert', '--to', 'json', 'one.json', 'none.json', '--output', 'kept.json'],
      { cwd: folder },
    );
    expect([code, readFileSync(join(folder, 'kept.json'), 'utf8')]).toEqual([2, 'old']);
    expect(stderr).toContain('kept.json: was not written: not all of the input was read');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('make no difference between threads', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) =>
      i % 997 === 5 ? '{' : `{"n": ${i}, "t":"${'t'.repeat(80)}"}`,
    );
    writeFileSync(join(folder, 'large.ndjson'), lines.join('\n'));
    const made = [];
    for (const threads of ['1', '3']) {
      const { code } = await paylint(
        ['convert', 'large.ndjson', '--to', 'json', '--output', 'large.json', '--threads', threads],
        { cwd: folder },
      );
      expect(code).toBe(1);
      made.push(readFileSync(join(folder, 'large.json'), 'utf8'));
    }
    expect(made[0] === made[1]).toBe(true);
    expect(
      made[0] ===
        `[${lines
          .filter((line) => line !== '{')
          .map((line) => tokens(line))
          .join(',')}]\n`,
    ).toBe(true);
  });
});

const jq = needs('jq');

it.skipIf(jq.missing)(`jq reads the same values${jq.note}`, async () => {
  const random = seeded(9);
  const lines = Array.from({ length: 50 }, () => randomSource('lines', random).toString('latin1').split('\n'));
  const isPlain = (line: string): boolean =>
    isJson(Buffer.from(line, 'latin1')) &&
    !/\d{16}|\d[eE]|\\u0000|\\u[dD]/.test(line) &&
    line.split(/[[{]/).length < 200;
  const bytes = Buffer.from(lines.flat().filter(isPlain).join('\n'), 'latin1');
  const run = (program: string, input: Uint8Array): string => jq.run('jq', ['-cS', program], { cwd: folder, input });
  const ndjson = await paylint(['convert', '--input', 'lines'], { cwd: folder, stdin: bytes });
  const array = await paylint(['convert', '--input', 'lines', '--to', 'json'], { cwd: folder, stdin: bytes });
  const values = run('.', bytes);
  expect(run('.', Buffer.from(ndjson.stdout))).toBe(values);
  expect(run('.[]', Buffer.from(array.stdout))).toBe(values);
  expect(values.length).toBeGreaterThan(1000);
});
