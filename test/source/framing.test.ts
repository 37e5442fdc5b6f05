/**
 * Where payloads begin and end: by tables, and the same whatever the pieces in which the bytes arrive. And which framing a
 * source is judged to have.
 */

import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectFraming, settledFraming } from '../../src/source/detect-framing.ts';
import { createCutter } from '../../src/source/framing.ts';
import type { ByteReader } from '../../src/source/read-file.ts';
import { Window } from '../../src/source/window.ts';
import type { Framing } from '../../src/types.ts';
import { rounds } from '../rounds.ts';
import { paylint } from '../world.ts';

/** Delivers at most this many bytes at a time. */
function readerOf(bytes: Buffer, sizes: readonly number[]): ByteReader {
  let at = 0;
  let turn = 0;
  return {
    async read(into, from) {
      const count = Math.min(sizes[turn++ % sizes.length]!, bytes.length - at, into.length - from);
      into.set(bytes.subarray(at, at + count), from);
      at += count;
      return count;
    },
    get progress() {
      return { bytes: at, size: null };
    },
    async close() {},
  };
}

interface CutOptions {
  readonly sizes?: readonly number[];
  readonly whole?: boolean;
  readonly maxBytes?: number;
}

/** What is cut out of `text`: payloads as their text (with ` …` if they may be cut off), `too large @offset`, `expected … @offset`. */
async function cuts(text: string | Buffer, framing: Framing, options: CutOptions = {}): Promise<string[]> {
  const { sizes = [1 << 20], whole = false, maxBytes = Number.POSITIVE_INFINITY } = options;
  const window = new Window();
  window.reset(readerOf(Buffer.from(text), sizes));
  const cutter = createCutter(framing, { whole, maxBytes });
  const found: string[] = [];
  for (;;) {
    const cut = cutter.next(window);
    if (cut === 'end') return found;
    if (cut === 'more') await window.more();
    else if (cut === 'payload' || cut === 'cut-off')
      found.push(window.bytes.toString('utf8', cutter.start, cutter.end) + (cut === 'payload' ? '' : ' …'));
    else {
      const what = cut === 'fault' ? `expected ${cutter.expected}` : 'too large';
      found.push(`${what} @${window.base + cutter.start}`);
    }
  }
}

const LARGE = `{"a":"${'x'.repeat(20)}"}`;

const TABLES: Record<Framing, [text: string, payloads: string[], options?: CutOptions][]> = {
  lines: [
    ['', []],
    ['\n\r\n \t\n', []],
    ['1\n2', ['1', '2']],
    ['1\n2\n', ['1', '2']],
    [' 1 \r\n\r\n\t2\r\n', ['1', '2']],
    ['{\n}\n', ['{', '}']],
    ['1 2\n3', ['1 2', '3']],
    ['"a\rb"\n', ['"a\rb"']],
    ['\x1e1\n', ['\x1e1']],
    [`1\n${LARGE}\n2\n${LARGE}`, ['1', 'too large @2', '2', `too large @${5 + LARGE.length}`], { maxBytes: 9 }],
    [`${LARGE}`, ['too large @0'], { maxBytes: 9 }],
    [`   ${LARGE}   \n1`, ['too large @3', '1'], { maxBytes: 9 }],
    ['123456789\n1234567890\n', ['123456789', 'too large @10'], { maxBytes: 9 }],
    [`${' '.repeat(50)}123456789${' '.repeat(50)}\n`, ['123456789'], { maxBytes: 9 }],
  ],
  json: [
    ['', ['expected a value @0']],
    [' \n ', ['expected a value @3']],
    ['1', ['1']],
    [' {"a": [1]} \n', ['{"a": [1]}']],
    ['[]', []],
    [' [ ] ', []],
    ['[1, {"a":[2]} ,"]"]', ['1', '{"a":[2]}', '"]"']],
    ['[1]', ['[1]'], { whole: true }],
    [' [1] ', ['[1]'], { whole: true }],
    ['{} {}', ['{}', 'expected the end @3']],
    ['{}{}', ['{}', 'expected the end @2']],
    ['[1] 2', ['1', 'expected the end @4']],
    ['[1]]', ['1', 'expected the end @3']],
    ['[1', ['1', 'expected "," or "]" @2']],
    ['[1 2]', ['1', 'expected "," or "]" @3']],
    ['[1}', ['1', 'expected "," or "]" @2']],
    ['[', ['expected a value or "]" @1']],
    ['[,1]', ['expected a value or "]" @1']],
    ['[1,', ['1', 'expected a value @3']],
    ['[1,]', ['1', 'expected a value @3']],
    [']', ['expected a value @0']],
    [':', ['expected a value @0']],
    ['nonsense', ['nonsense']],
    ['[{"a":', ['{"a":', 'expected "," or "]" @6']],
    [`[1,${LARGE}, 2,${LARGE}]`, ['1', 'too large @3', '2', `too large @${7 + LARGE.length}`], { maxBytes: 9 }],
    [`[${LARGE}`, ['too large @1', `expected "," or "]" @${LARGE.length + 1}`], { maxBytes: 9 }],
    [`[${LARGE.slice(0, -1)}`, ['too large @1', `expected "," or "]" @${LARGE.length}`], { maxBytes: 9 }],
    [`${LARGE} 1`, ['too large @0', `expected the end @${LARGE.length + 1}`], { maxBytes: 9 }],
    [`[1,${LARGE}]`, ['too large @0'], { maxBytes: 9, whole: true }],
    ['[ 123456789 ,1234567890]', ['123456789', 'too large @13'], { maxBytes: 9 }],
  ],
  stream: [
    ['', []],
    [' \n', []],
    ['1 2\n3', ['1', '2', '3']],
    ['{}{}[][]', ['{}', '{}', '[]', '[]']],
    ['"a""b"1"c"', ['"a"', '"b"', '1', '"c"']],
    ['{\n "a": 1\n}\n{\n}', ['{\n "a": 1\n}', '{\n}']],
    ['truefalse', ['truefalse']],
    ['1,2', ['1', 'expected a value @1']],
    ['1 ] 2', ['1', 'expected a value @2']],
    ['1 }', ['1', 'expected a value @2']],
    ['{"a":', ['{"a":']],
    ['\x1e1\n\x1e2\n', ['1', '2']],
    ['\x1e\x1e 1 \n\x1e\n\x1e', ['1']],
    ['1\n\x1e2\n', ['1', '2']],
    ['\x1e{"a\n\x1e2', ['{"a', '2 …']],
    ['\x1e1 2\x1e3\x1e-4 \x1etrue\x1e"a"\x1e[]\x1enull\t', ['1 2 …', '3 …', '-4', 'true …', '"a"', '[]', 'null']],
    [`1${LARGE}2 ${LARGE}`, ['1', 'too large @1', '2', `too large @${3 + LARGE.length}`], { maxBytes: 9 }],
    [`\x1e${LARGE}\n\x1e1`, ['too large @1', '1 …'], { maxBytes: 9 }],
    [`${LARGE}\x1e${LARGE}\x1e1`, ['too large @0', `too large @${LARGE.length + 1}`, '1 …'], { maxBytes: 9 }],
  ],
};

describe.each(Object.entries(TABLES) as [Framing, (typeof TABLES)[Framing]][])('%s', (framing, rows) => {
  it.each(rows)('%j gives %j', async (text, payloads, options) => {
    expect(await cuts(text, framing, options)).toEqual(payloads);
    for (const size of [1, 2, 3, 5]) {
      expect([size, await cuts(text, framing, { ...options, sizes: [size] })]).toEqual([size, payloads]);
    }
  });
});

const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"\\""',
  '"\\\\"',
  '"',
  '\\',
  '1',
  'true',
  ' ',
  '\n',
  '\r\n',
  '\x1e',
  'é',
  '😀',
  `"${'y'.repeat(12)}"`,
  '{"a":[1,"]"]}',
  '[{"b":2},3]',
];
const text = fc.array(fc.constantFrom(...TOKENS), { maxLength: 25 }).map((tokens) => tokens.join(''));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
const framings = fc.constantFrom<Framing>('json', 'lines', 'stream');

describe('pieces of any size', () => {
  it('give the same payloads, malformed or not, large or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        framings,
        sizes,
        fc.boolean(),
        fc.constantFrom(3, 9, 1000),
        async (all, framing, pieces, whole, maxBytes) => {
          const options = { whole, maxBytes };
          expect(await cuts(all, framing, { ...options, sizes: pieces })).toEqual(await cuts(all, framing, options));
        },
      ),
      { numRuns: rounds(800) },
    );
  });

  it('give the same report', async () => {
    const valid = '{"@context":"c","@type":"t","emoji":"x"}';
    const payload = fc.constantFrom(
      valid,
      valid,
      valid.replace('"x"', '1'),
      `{\n${valid.slice(1)}`,
      '{"emoji":tru}',
      '{"emoji":"é😀',
      '"\ud83d"',
      '[[[]]]',
      `{"reason":"${'r'.repeat(60)}",${valid.slice(1)}`,
      '7',
    );
    const between = fc.constantFrom('\n', '\n', '\r\n', ' ', '\n\n', ',', ',\n', '\x1e');
    const source = fc
      .tuple(
        fc.constantFrom('', '[', '\ufeff', '\x1e', '\ufeff['),
        fc.array(fc.tuple(payload, between), { maxLength: 12 }),
        fc.constantFrom('', ']', '\n'),
      )
      .map(([open, payloads, close]) => Buffer.from(open + payloads.flat().join('') + close));
    const report = async (bytes: Buffer, framing: Framing, pieces: readonly number[]): Promise<string> => {
      const chunks = (function* () {
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = pieces[turn % pieces.length]!;
          yield bytes.subarray(at, at + size);
          at += size;
        }
      })();
      const stdin = Readable.from(chunks, { objectMode: true, highWaterMark: 1 });
      const args = [
        'validate',
        '--input',
        framing,
        '--format',
        'ndjson',
        '--max-payload-bytes',
        '90',
        '--max-depth',
        '2',
        '--allow-empty',
      ];
      const { code, stdout, stderr } = await paylint(args, { cwd: import.meta.dirname, stdin });
      return `${code}\n${stderr}\n${stdout.replace(/"elapsedMs":\d+/, '')}`;
    };
    await fc.assert(
      fc.asyncProperty(source, framings, sizes, async (bytes, framing, pieces) => {
        expect(await report(bytes, framing, pieces)).toBe(await report(bytes, framing, [bytes.length || 1]));
      }),
      { numRuns: rounds(60) },
    );
  });
});

describe('judged by content', () => {
  const pretty = '{\n  "a": 1\n}';
  const ROWS: [name: string, head: string, framing: Framing][] = [
    ['nothing', '', 'stream'],
    ['white space', ' \n\n', 'stream'],
    ['one object', '{"a":1}', 'stream'],
    ['one object and a line feed', '{"a":1}\n', 'lines'],
    ['one pretty object', pretty, 'stream'],
    ['one array', '[1,2]', 'json'],
    ['one array and a line feed', ' [1,2]\n', 'json'],
    ['one pretty array', '[\n  1,\n  2\n]\n', 'json'],
    ['one scalar', '7', 'stream'],
    ['objects on lines', '{"a":1}\n{"a":2}\n', 'lines'],
    ['objects on lines with CRLF and blank lines', '\r\n{"a":1}\r\n\r\n{"a":2}\r\n', 'lines'],
    ['scalars on lines', '1\n2\n', 'lines'],
    ['arrays on lines', '[1]\n[2]\n', 'lines'],
    ['pretty objects', `${pretty}\n${pretty}\n`, 'stream'],
    ['an object on a line, then a pretty one', `{"a":1}\n${pretty}\n`, 'lines'],
    ['two objects on one line', '{"a":1}{"a":2}\n', 'stream'],
    ['two objects on the second line', '{"a":1}\n{"a":2} {"a":3}\n', 'lines'],
    ['scalars on one line', '1 2 3', 'stream'],
    ['records of RFC 7464', '\x1e{"a":1}\n\x1e{"a":2}\n', 'stream'],
    ['pretty records', `\x1e${pretty}\n\x1e${pretty}\n`, 'stream'],
    ['a malformed first line', '{"a":\n{"a":2}\n', 'lines'],
    ['a malformed first line that goes on over the next', '{"a":"\n{"a":2}\n{"a":3}\n', 'lines'],
    ['a malformed line between', '{"a":1}\nbad\n{"a":2}\n', 'lines'],
    ['a malformed last line', '{"a":1}\n{"a":', 'lines'],
    ['a malformed line and nothing else', '{"a":', 'lines'],
    ['a malformed pretty object', '{\n  "a": 1,\n}\n', 'stream'],
    ['a malformed array', '[\n  {"a":1},\n  {"a":2\n]\n', 'json'],
    ['an array that is cut off', '[\n  {"a":1},\n', 'json'],
    ['words', 'hello\nworld\n', 'stream'],
    ['one line of words', 'hello world', 'lines'],
    ['objects with commas between', '{"a":1},{"a":2}', 'lines'],
    ['a list with commas on lines', '{"a":1},\n{"a":2},\n', 'lines'],
  ];
  it.each([
    ['an object on a line', '{"a":1}\n', 'lines'],
    ['an object on a line, cut off', '{"a":1}', null],
    ['scalars and empty texts, then an object', '1\n{}\n[]\n \n{ "a": [] } \r\n', 'lines'],
    ['scalars and empty texts', '1\n{}\n[]\n[{"a":1}]\n', null],
    ['an object over several lines', '{\n"a":1}\n', 'stream'],
    ['an object over several lines, cut off', '{\n"a":1', null],
    ['an array over several lines', '[\n{"a":1}\n]\n', null],
    ['a malformed line', '{"a":}\n1\n', null],
    ['a malformed line, then an object on a line', '{"a":}\n{"a":1}\n', 'lines'],
    ['a malformed line, then an object that may go on', '{"a":}\n{"a":1}', null],
    ['an array that is malformed', '[1,}\n', 'json'],
    ['a record', '\u001e', 'stream'],
  ])('is settled, or not, by %s, whatever comes after it', (_, head, framing) => {
    expect(settledFraming(Buffer.from(head))).toBe(framing);
    if (framing === null) return;
    for (const more of ['x', '{\n', '[1]\n', '{"b":\n2}'])
      expect(detectFraming(Buffer.from(head + more), true)).toBe(framing);
  });

  it.each(ROWS)('%s', (_, head, framing) => expect(detectFraming(Buffer.from(head), true)).toBe(framing));

  const long = `{"a":"${'x'.repeat(70_000)}"}`;
  const HEADS: [name: string, head: string, framing: Framing][] = [
    ['a long object on the first line', long, 'lines'],
    ['a long object over many lines', `{\n"a":"${'x'.repeat(70_000)}"`, 'stream'],
    ['a long array', `[${long}`, 'json'],
    ['a long array over many lines', `[\n${long},\n${long}`, 'json'],
    ['objects on lines', `{"a":1}\n${long}`, 'lines'],
    ['one object, and no more in the head', `{"a":1}${' '.repeat(70_000)}`, 'lines'],
    ['one pretty object, and no more in the head', `${pretty}${' '.repeat(70_000)}`, 'stream'],
    ['one array, and no more in the head', `[\n1]${' '.repeat(70_000)}`, 'json'],
    ['pretty objects, the second cut', `${pretty}\n{\n  "a"${' '.repeat(70_000)}`, 'stream'],
    ['records', `\x1e${long}`, 'stream'],
    ['white space', ' \n'.repeat(40_000), 'stream'],
  ];
  it.each(HEADS)('from a head that is not all: %s', (_, head, framing) => {
    expect(detectFraming(Buffer.from(head).subarray(0, 64 << 10), false)).toBe(framing);
  });
});
