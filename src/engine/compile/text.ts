/**
 * Compares text in the payload with text in the schema: names, `enum` and `const`. The raw bytes are compared,
 * including the closing quote. A string with the same text in escapes does not match and is unsure; so is an object or an
 * array that is not the compact text of an allowed one.
 */
import { BACKSLASH, QUOTE } from '../../json/skip.ts';
import { Unsupported } from '../../keywords/keyword-code.ts';
import type { Code } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { SCRATCH, SCRATCH_BYTES } from '../../wasm/layout.ts';
import { advance, isNotAtP, p, UNSURE } from '../../wasm/templates.ts';

const v = asm.localGet('v');

/** Longest text that is compared, in UTF-16 code units. Every sixteen bytes add one level of nesting to the code. */
const MAX_LENGTH = 1000;

/** The bytes of a JSON string with its closing quote; null if it needs escapes. Throws Unsupported if too long. */
export function rawText(text: string): readonly number[] | null {
  if (text.length > MAX_LENGTH) throw new Unsupported(`a name or value of more than ${MAX_LENGTH} characters`);
  // Quotes, backslashes and control characters need an escape. Lone surrogates have no UTF-8.
  return /["\\\u0000-\u001f]/.test(text) || !text.isWellFormed() ? null : [...Buffer.from(`${text}"`)];
}

/** Runs `action` if `bytes` are at `p`. The local `v` must hold the 16 bytes at `p`. */
export function whenMatches(bytes: readonly number[], action: Code): Code {
  const { length } = bytes;
  if (length <= 16) {
    const mask = asm.i32Const((1 << length) - 1);
    const padded = bytes.slice();
    while (padded.length < 16) padded.push(0);
    return asm.if_(asm.i32Eq(asm.i32And(asm.i8x16Bitmask(asm.i8x16Eq(v, asm.v128Const(padded))), mask), mask), action);
  }
  // The next sixteen are loaded only if the ones before match. The match ends at the zeros after the window at the
  // latest, so the load stays inside the memory.
  let code = action;
  for (let at = 16 * Math.floor((length - 1) / 16); at > 0; at -= 16) {
    // The last sixteen overlap the ones before, so that nothing after the text is compared.
    const from = Math.min(at, length - 16);
    code = asm.if_(sixteen(asm.v128Load(p, from), bytes.slice(from, from + 16)), code);
  }
  return asm.if_(sixteen(v, bytes.slice(0, 16)), code);
}

function sixteen(vector: Code, bytes: readonly number[]): Code {
  return asm.i32Eq(asm.i8x16Bitmask(asm.i8x16Eq(vector, asm.v128Const(bytes))), 0xffff);
}

/** Loads the local `v` for `whenMatches`. */
export const loadText: Code = asm.localSet('v', asm.v128Load('p'));

/** A text to look for, and the code to run at it, which must end with a branch or a return. */
export interface TextCase {
  readonly bytes: readonly number[];
  readonly action: Code;
}

/** The closing quote of a text of this length or more is not in the first sixteen bytes. */
const LONG_WORD = 16;
/** Up to this number, texts are compared one after another: processors predict branches better than jumps. */
const VERY_FEW = 5;
/** Up to this number, texts of the same length are compared one after another. */
const FEW_OF_A_LENGTH = 6;

/**
 * Runs the code of the case whose text is at `p`; without one, control goes on after this code. More than a few texts
 * are told apart by length, then, if there are many, by the byte at which they differ most, then by all bytes.
 */
export function whenOneMatches(cases: readonly TextCase[]): Code {
  if (cases.length === 0) return [];
  if (cases.length <= VERY_FEW) return [loadText, cases.map(({ bytes, action }) => whenMatches(bytes, action))];
  const lengths = [...new Set(cases.map(lengthOf))].sort((a, b) => a - b);
  const labelOf = (length: number): string => `length ${length}`;
  const labels = Array.from({ length: LONG_WORD }, (_, length) =>
    lengths.includes(length) ? labelOf(length) : 'no text',
  );
  const beyond = lengths.includes(LONG_WORD) ? labelOf(LONG_WORD) : 'no text';
  // The index is the position of the first quote in sixteen bytes, 32 if there is none.
  let code = asm.brTable(asm.i32Ctz(asm.i8x16Bitmask(asm.i8x16Eq('v', asm.v128ConstSplat(0x22)))), labels, beyond);
  for (const length of lengths) {
    const ofLength = cases.filter((one) => lengthOf(one) === length);
    code = [asm.block(labelOf(length), code), ...byBytes(ofLength, length, 0), asm.br('no text')];
  }
  return asm.block('no text', loadText, code);
}

function lengthOf({ bytes }: TextCase): number {
  return Math.min(LONG_WORD, bytes.length - 1);
}

/** Cases with texts that are equally long up to byte `length`. */
function byBytes(cases: readonly TextCase[], length: number, level: number): Code {
  const position = cases.length > FEW_OF_A_LENGTH && level < 4 ? bestPosition(cases, length) : null;
  if (position === null) return cases.flatMap(({ bytes, action }) => whenMatches(bytes, action));
  const values = [...new Set(cases.map(({ bytes }) => bytes[position]!))].sort((a, b) => a - b);
  const least = values[0]!;
  const labelOf = (byte: number): string => `byte ${level} ${byte}`;
  const none = `no byte ${level}`;
  const labels = Array.from({ length: values.at(-1)! - least + 1 }, (_, i) =>
    values.includes(least + i) ? labelOf(least + i) : none,
  );
  let code = asm.brTable(asm.i32Sub(asm.i32Load8U('p', position), least), labels, none);
  for (const byte of values) {
    const same = cases.filter(({ bytes }) => bytes[position] === byte);
    code = [asm.block(labelOf(byte), code), ...byBytes(same, length, level + 1), asm.br(none)];
  }
  return asm.block(none, code);
}

/** The position at which the texts have the most different bytes; null if they are equal up to `length`. */
function bestPosition(cases: readonly TextCase[], length: number): number | null {
  let best = 1;
  let position: number | null = null;
  for (let at = 0; at < length; at++) {
    const count = new Set(cases.map(({ bytes }) => bytes[at])).size;
    if (count > best) [best, position] = [count, at];
  }
  return position;
}

/** With this bit changed, the quote comes right after the control characters: then one comparison finds both. */
const BIT = 2;
const LAST = QUOTE ^ BIT;

/** One bit for each quote, backslash and control character among the sixteen bytes at `address + offset`. Uses the local `v`. */
export const stringEnds = (address: Code, offset = 0): Code => [
  asm.localSet('v', asm.v128Xor(asm.v128Load(address, offset), asm.v128ConstSplat(BIT))),
  // V8 makes fewer instructions of this than of `i8x16.lt_u`.
  asm.i8x16Bitmask(
    asm.v128Or(
      asm.i8x16Eq(asm.i8x16MinU(v, asm.v128ConstSplat(LAST)), v),
      asm.i8x16Eq(v, asm.v128ConstSplat(BACKSLASH ^ BIT)),
    ),
  ),
];

const isHexDigit = (byte: Code): Code =>
  asm.i32Or(asm.i32LtU(asm.i32Sub(byte, 0x30), 10), asm.i32LtU(asm.i32Sub(asm.i32Or(byte, 0x20), 0x61), 6));

/** Returns "unsure" if there is no hexadecimal digit at one of the offsets. Uses the local `c`. */
export const mustBeHex = (address: Code, ...offsets: readonly number[]): Code =>
  offsets.map((offset) => [
    asm.localSet('c', asm.i32Load8U(address, offset)),
    asm.if_(asm.i32Eqz(isHexDigit(asm.localGet('c'))), UNSURE),
  ]);

const MOST_VALUE_BYTES = 1000;
/** For thousands of values in one function, V8 needs gigabytes of memory. */
const MOST_VALUES = 500;

/** Reads the value at `p` by `read`, and compares it with objects and arrays. Throws Unsupported for too many. */
export function equalCode(values: readonly object[], read: Code): Code {
  if (values.length > MOST_VALUES) throw new Unsupported(`more than ${MOST_VALUES} objects and arrays in "enum"`);
  const texts = values
    .map((value) => [...Buffer.from(JSON.stringify(value))])
    .filter((bytes) => bytes.length <= MOST_VALUE_BYTES);
  const cases = texts.flatMap((bytes) =>
    asm.if_(
      asm.i32Eq('length', bytes.length),
      whenMatches(bytes, [asm.localSet('p', asm.i32Add('from', bytes.length)), asm.br('equal')]),
    ),
  );
  return [
    asm.localSet('from', p),
    ...read,
    asm.localSet('length', asm.i32Sub(p, 'from')),
    asm.localSet('p', 'from'),
    loadText,
    asm.block('equal', cases, UNSURE),
  ];
}

const to = asm.localGet('to');
const c = asm.localGet('c');
const unit = asm.localGet('unit');

/**
 * For the string that was read last, from `from` to before the closing quote before `p`: sets `from` and `textEnd` to
 * its text. Returns "unsure" for a text that is too long, or no Unicode.
 */
export const textOfString: Code = [
  asm.localSet('textEnd', asm.i32Sub(p, 1)),
  asm.if_(asm.globalGet('escaped'), [
    asm.localSet('textEnd', asm.call('unescape', 'from', 'textEnd')),
    asm.if_(asm.i32Eq('textEnd', 0), UNSURE),
    asm.localSet('from', SCRATCH),
  ]),
];

const put = (byte: Code): Code => [asm.i32Store8(to, byte), asm.localSet('to', asm.i32Add(to, 1))];

/** A continuation byte: six bits of the code point, from bit `shift` on. */
const continuation = (shift: number): Code => put(asm.i32Or(asm.i32And(asm.i32ShrU(unit, shift), 0x3f), 0x80));
const lead = (shift: number, mark: number): Code => put(asm.i32Or(asm.i32ShrU(unit, shift), mark));

/** The value of the hexadecimal digit at `p + offset`. */
const digitAt = (offset: number): Code => [
  // Letters have bit 6, and are 1 to 6 in the low bits; digits are 0 to 9.
  asm.i32Add(asm.i32And(asm.i32Load8U(p, offset), 0x0f), asm.i32Mul(asm.i32ShrU(asm.i32Load8U(p, offset), 6), 9)),
];

/** The four digits after `\\u` at `p`, as a number. */
const unitAtP: Code = [2, 3, 4, 5].reduce<Code>(
  (value, offset) => asm.i32Or(asm.i32Shl(value, 4), digitAt(offset)),
  asm.i32Const(0),
);

/** The byte that each letter means after a backslash. */
const SIMPLE: Readonly<Record<string, number>> = { n: 0x0a, t: 0x09, r: 0x0d, b: 0x08, f: 0x0c };

/** Writes the text of a well-formed string in [p, end) to `SCRATCH`. Returns the address after it, or 0. */
export const unescaping = asm.func('unescape', asm.i32s('p', 'end'), asm.i32s('to', 'c', 'unit'), [
  asm.localSet('to', SCRATCH),
  asm.loop(
    'next',
    asm.if_(asm.i32GeU(p, 'end'), asm.return_(to)),
    asm.if_(asm.i32GtU(to, SCRATCH + SCRATCH_BYTES - 8), UNSURE),
    asm.localSet('c', asm.i32Load8U(p)),
    asm.if_(asm.i32Ne(c, 0x5c), [put(c), advance(1), asm.br('next')]),
    asm.localSet('c', asm.i32Load8U(p, 1)),
    asm.if_(asm.i32Ne(c, 0x75), [
      asm.block(
        'known',
        ...Object.entries(SIMPLE).map(([letter, byte]) =>
          asm.if_(asm.i32Eq(c, letter.charCodeAt(0)), [asm.localSet('c', byte), asm.br('known')]),
        ),
      ),
      put(c),
      advance(2),
      asm.br('next'),
    ]),
    asm.localSet('unit', unitAtP),
    advance(6),
    asm.block(
      'written',
      asm.if_(asm.i32LtU(unit, 0x80), [put(unit), asm.br('written')]),
      asm.if_(asm.i32LtU(unit, 0x800), [lead(6, 0xc0), continuation(0), asm.br('written')]),
      asm.block(
        'whole',
        asm.brIf('whole', asm.i32Ne(asm.i32And(unit, 0xf800), 0xd800)),
        // Two units of a surrogate pair. One alone has no UTF-8.
        asm.if_(asm.i32GeU(unit, 0xdc00), UNSURE),
        asm.if_(isNotAtP(0x5c), UNSURE),
        asm.if_(asm.i32Ne(asm.i32Load8U(p, 1), 0x75), UNSURE),
        asm.localSet('c', unitAtP),
        asm.if_(asm.i32Ne(asm.i32And(c, 0xfc00), 0xdc00), UNSURE),
        advance(6),
        asm.localSet(
          'unit',
          asm.i32Add(asm.i32Add(asm.i32Shl(asm.i32And(unit, 0x3ff), 10), asm.i32And(c, 0x3ff)), 0x10000),
        ),
        lead(18, 0xf0),
        continuation(12),
        continuation(6),
        continuation(0),
        asm.br('written'),
      ),
      lead(12, 0xe0),
      continuation(6),
      continuation(0),
    ),
    asm.br('next'),
  ),
  asm.i32Const(0),
]);

/** 1 if the text in [p, end) has a character beyond ASCII. */
export const beyondAscii = asm.func('beyondAscii', asm.i32s('p', 'end'), asm.NONE, [
  asm.loop(
    'next',
    asm.if_(asm.i32GeU(p, 'end'), asm.return_(0)),
    asm.if_(asm.i32GeU(asm.i32Load8U(p), 0x80), asm.return_(1)),
    advance(1),
    asm.br('next'),
  ),
  asm.i32Const(0),
]);
