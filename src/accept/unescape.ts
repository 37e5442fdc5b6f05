/**
 * Strings with escapes: their text is written to the memory before the window, so that it can be checked like any other.
 */
import {
  block,
  br,
  brIf,
  type Code,
  call,
  type FunctionCode,
  globalGet,
  i32Add,
  i32And,
  i32Const,
  i32Eq,
  i32GeU,
  i32GtU,
  i32Load8U,
  i32LtU,
  i32Mul,
  i32Ne,
  i32Or,
  i32Shl,
  i32ShrU,
  i32Store8,
  i32Sub,
  i32s,
  if_,
  localGet,
  localSet,
  loop,
  return_,
} from '../wasm/assembler.ts';
import { SCRATCH, SCRATCH_BYTES } from '../wasm/layout.ts';
import { advance, isNotAtP, UNSURE } from './templates.ts';

const p = localGet('p');
const to = localGet('to');
const c = localGet('c');
const unit = localGet('unit');

/**
 * For the string that was read last, from `from` to before the closing quote before `p`: sets `from` and `textEnd` to
 * its text. Returns "unsure" for a text that is too long, or no Unicode.
 */
export const textOfString: Code = [
  localSet('textEnd', i32Sub(p, i32Const(1))),
  if_(globalGet('escaped'), [
    localSet('textEnd', call('unescape', localGet('from'), localGet('textEnd'))),
    if_(i32Eq(localGet('textEnd'), i32Const(0)), UNSURE),
    localSet('from', i32Const(SCRATCH)),
  ]),
];

const put = (byte: Code): Code => [i32Store8(to, byte), localSet('to', i32Add(to, i32Const(1)))];

/** A continuation byte: six bits of the code point, from bit `shift` on. */
const continuation = (shift: number): Code =>
  put(i32Or(i32And(i32ShrU(unit, i32Const(shift)), i32Const(0x3f)), i32Const(0x80)));
const lead = (shift: number, mark: number): Code =>
  put(i32Or(i32ShrU(unit, i32Const(shift)), i32Const(mark)));

/** The value of the hexadecimal digit at `p + offset`. */
const digitAt = (offset: number): Code => [
  // Letters have bit 6, and are 1 to 6 in the low bits; digits are 0 to 9.
  i32Add(
    i32And(i32Load8U(p, offset), i32Const(0x0f)),
    i32Mul(i32ShrU(i32Load8U(p, offset), i32Const(6)), i32Const(9)),
  ),
];

/** The four digits after `\\u` at `p`, as a number. */
const unitAtP: Code = [2, 3, 4, 5].reduce<Code>(
  (value, offset) => i32Or(i32Shl(value, i32Const(4)), digitAt(offset)),
  i32Const(0),
);

/** What a letter after a backslash stands for. */
const SIMPLE: Readonly<Record<string, number>> = { n: 0x0a, t: 0x09, r: 0x0d, b: 0x08, f: 0x0c };

/** Writes the text of a well-formed string in [p, end) to `SCRATCH`. Returns the address after it, or 0. */
export const unescaping: FunctionCode = {
  name: 'unescape',
  params: i32s('p', 'end'),
  result: 'i32',
  locals: i32s('to', 'c', 'unit'),
  body: [
    localSet('to', i32Const(SCRATCH)),
    loop(
      'next',
      if_(i32GeU(p, localGet('end')), return_(to)),
      if_(i32GtU(to, i32Const(SCRATCH + SCRATCH_BYTES - 8)), UNSURE),
      localSet('c', i32Load8U(p)),
      if_(i32Ne(c, i32Const(0x5c)), [put(c), advance(1), br('next')]),
      localSet('c', i32Load8U(p, 1)),
      if_(i32Ne(c, i32Const(0x75)), [
        block(
          'known',
          ...Object.entries(SIMPLE).map(([letter, byte]) =>
            if_(i32Eq(c, i32Const(letter.charCodeAt(0))), [localSet('c', i32Const(byte)), br('known')]),
          ),
        ),
        put(c),
        advance(2),
        br('next'),
      ]),
      localSet('unit', unitAtP),
      advance(6),
      block(
        'written',
        if_(i32LtU(unit, i32Const(0x80)), [put(unit), br('written')]),
        if_(i32LtU(unit, i32Const(0x800)), [lead(6, 0xc0), continuation(0), br('written')]),
        block(
          'whole',
          brIf('whole', i32Ne(i32And(unit, i32Const(0xf800)), i32Const(0xd800))),
          // Two units of a surrogate pair. One alone has no UTF-8.
          if_(i32GeU(unit, i32Const(0xdc00)), UNSURE),
          if_(isNotAtP(0x5c), UNSURE),
          if_(i32Ne(i32Load8U(p, 1), i32Const(0x75)), UNSURE),
          localSet('c', unitAtP),
          if_(i32Ne(i32And(c, i32Const(0xfc00)), i32Const(0xdc00)), UNSURE),
          advance(6),
          localSet(
            'unit',
            i32Add(
              i32Add(i32Shl(i32And(unit, i32Const(0x3ff)), i32Const(10)), i32And(c, i32Const(0x3ff))),
              i32Const(0x10000),
            ),
          ),
          lead(18, 0xf0),
          continuation(12),
          continuation(6),
          continuation(0),
          br('written'),
        ),
        lead(12, 0xe0),
        continuation(6),
        continuation(0),
      ),
      br('next'),
    ),
    i32Const(0),
  ],
};

/** 1 if the text in [p, end) has a character beyond ASCII. */
export const beyondAscii: FunctionCode = {
  name: 'beyondAscii',
  params: i32s('p', 'end'),
  result: 'i32',
  locals: [],
  body: [
    loop(
      'next',
      if_(i32GeU(p, localGet('end')), return_(i32Const(0))),
      if_(i32GeU(i32Load8U(p), i32Const(0x80)), return_(i32Const(1))),
      advance(1),
      br('next'),
    ),
    i32Const(0),
  ],
};
