/**
 * Reads a JSON text without white space between its tokens, as most programs write it: an object or an array. The bytes
 * that end or interrupt a string are found 64 at a time, as bits of a mask, and taken one after another; so no step has
 * to wait for the length of the string before it.
 */
import { BACKSLASH, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../../json/skip.ts';
import type { Code } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import { advance, isNotAtP, literals, p, UNSURE } from '../../wasm/templates.ts';
import { PARAMS } from './context.ts';
import { mustBeHex, stringEnds } from './text.ts';

/** Closing brackets are two after the opening ones, and those of objects this much after those of arrays. */
const BETWEEN_BRACKETS = 0x20;
const END_OF_ARRAY = 0x5d;

/** Nesting levels that fit into the bits of one number. */
const LEVELS_OF_A_NUMBER = 64;

const q = asm.localGet('q');
const c = asm.localGet('c');
const mask = asm.localGet('mask');
const base = asm.localGet('base');
const kinds = asm.localGet('kinds');
const level = asm.localGet('level');

const thirtyTwo = (offset: number): Code =>
  asm.i64ExtendI32U(asm.i32Or(stringEnds(base, offset), asm.i32Shl(stringEnds(base, offset + 16), 16)));

/** The quotes, backslashes and control characters, as are zeros after the window, in the 64 bytes at `base`. */
const readMask: Code = asm.localSet('mask', asm.i64Or(thirtyTwo(0), asm.i64Shl(thirtyTwo(32), asm.i64Const(32n))));

/** Makes sure that the mask has a bit. */
const fill: Code = asm.loop(
  'fill',
  asm.if_(asm.i64Eqz(mask), [asm.localSet('base', asm.i32Add(base, 64)), readMask, asm.br('fill')]),
);
const dropFirst: Code = asm.localSet('mask', asm.i64And(mask, asm.i64Sub(mask, asm.i64Const(1n))));
/** Moves `q` to the next of these bytes. */
const toNext: Code = [fill, asm.localSet('q', asm.i32Add(base, asm.i32WrapI64(asm.i64Ctz(mask)))), dropFirst];

/** The escape at `q` is passed; `c` is the byte after the backslash. */
const passEscape: Code = [
  asm.localSet('c', asm.i32Load8U(q, 1)),
  asm.block(
    'passed',
    ...[0x6e, 0x2f, 0x74, 0x72, 0x62, 0x66].map((byte) => asm.brIf('passed', asm.i32Eq(c, byte))),
    asm.if_(asm.i32Eq(c, 0x75), [mustBeHex(q, 2, 3, 4, 5), asm.br('passed')]),
    // The byte is one of those in the mask.
    asm.if_(asm.i32And(asm.i32Ne(c, QUOTE), asm.i32Ne(c, BACKSLASH)), UNSURE),
    fill,
    dropFirst,
  ),
];

/** The string at `p`: moves `q` to the quote that ends it. The opening quote must be the next bit of the mask. */
const passString: Code = [
  fill,
  dropFirst,
  asm.block(
    'ended',
    asm.loop(
      'next',
      toNext,
      asm.localSet('c', asm.i32Load8U(q)),
      asm.brIf('ended', asm.i32Eq(c, QUOTE)),
      asm.if_(asm.i32Ne(c, BACKSLASH), UNSURE),
      passEscape,
      asm.br('next'),
    ),
  ),
];

const inObject: Code = asm.i32And(asm.i32WrapI64(kinds), 1);

/** The name at `p`, and its colon. */
const passName: Code = [
  asm.if_(isNotAtP(QUOTE), UNSURE),
  passString,
  asm.if_(asm.i32Ne(asm.i32Load8U(q, 1), COLON), UNSURE),
  asm.localSet('p', asm.i32Add(q, 2)),
];

/** The opening bracket `c` is at `p`. Goes to `next`, or on if the bracket is closed at once. */
const openBracket: Code = [
  asm.if_(asm.i32GeU(asm.i32Add(level, 'depth'), asm.globalGet('maxDepth')), UNSURE),
  asm.if_(asm.i32GeU(level, LEVELS_OF_A_NUMBER), UNSURE),
  asm.localSet('level', asm.i32Add(level, 1)),
  asm.localSet('kinds', asm.i64Or(asm.i64Shl(kinds, asm.i64Const(1n)), asm.i64ExtendI32U(asm.i32Eq(c, OPEN_OBJECT)))),
  advance(1),
  asm.brIf('next', asm.i32Ne(asm.i32Load8U(p), asm.i32Add(c, 2))),
];

/** A number, `true`, `false`, `null`, or the beginning of an object or an array. */
const passOther: Code = asm.block(
  'passed',
  asm.if_(asm.i32Or(asm.i32Eq(c, OPEN_OBJECT), asm.i32Eq(c, OPEN_ARRAY)), [openBracket, asm.br('passed')]),
  literals(asm.br('passed')),
  asm.localSet('p', asm.call('number', p)),
  asm.if_(asm.i32Eqz(p), UNSURE),
);

/** After a value: goes to `next` after a comma, or passes the brackets that are closed there. */
const passEnds: Code = asm.loop(
  'ends',
  asm.localSet('c', asm.i32Load8U(p)),
  asm.if_(asm.i32Eq(c, COMMA), [advance(1), asm.br('next')]),
  asm.if_(asm.i32Ne(c, asm.i32Add(END_OF_ARRAY, asm.i32Mul(inObject, BETWEEN_BRACKETS))), UNSURE),
  advance(1),
  asm.localSet('kinds', asm.i64Rotl(kinds, asm.i64Const(63n))),
  asm.localSet('level', asm.i32Sub(level, 1)),
  asm.brIf('ends', asm.i32GtU(level, 0)),
  asm.return_(p),
);

/** From an opening bracket to after the closing one; 0 if it is not certain, or there is white space. */
export const compactText = asm.func(
  'compact',
  PARAMS,
  [...asm.i32s('base'), ['mask', 'i64'], ...asm.i32s('q', 'c'), ['v', 'v128'], ['kinds', 'i64'], ...asm.i32s('level')],
  [
    asm.localSet('base', p),
    readMask,
    asm.loop(
      'next',
      asm.if_(inObject, passName),
      asm.localSet('c', asm.i32Load8U(p)),
      asm.if_(asm.i32Eq(c, QUOTE), [passString, asm.localSet('p', asm.i32Add(q, 1))], passOther),
      passEnds,
    ),
    UNSURE,
  ],
);
