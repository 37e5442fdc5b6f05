/**
 * Strings with escapes: their text is written to the memory before the window, so that it can be checked like any other.
 */

import type { Code, FunctionCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { SCRATCH, SCRATCH_BYTES } from '../wasm/layout.ts';
import { advance, isNotAtP, p, UNSURE } from '../wasm/templates.ts';

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

/** What a letter after a backslash stands for. */
const SIMPLE: Readonly<Record<string, number>> = { n: 0x0a, t: 0x09, r: 0x0d, b: 0x08, f: 0x0c };

/** Writes the text of a well-formed string in [p, end) to `SCRATCH`. Returns the address after it, or 0. */
export const unescaping: FunctionCode = {
  name: 'unescape',
  params: asm.i32s('p', 'end'),
  result: 'i32',
  locals: asm.i32s('to', 'c', 'unit'),
  body: [
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
  ],
};

/** 1 if the text in [p, end) has a character beyond ASCII. */
export const beyondAscii: FunctionCode = {
  name: 'beyondAscii',
  params: asm.i32s('p', 'end'),
  result: 'i32',
  locals: [],
  body: [
    asm.loop(
      'next',
      asm.if_(asm.i32GeU(p, 'end'), asm.return_(0)),
      asm.if_(asm.i32GeU(asm.i32Load8U(p), 0x80), asm.return_(1)),
      advance(1),
      asm.br('next'),
    ),
    asm.i32Const(0),
  ],
};
