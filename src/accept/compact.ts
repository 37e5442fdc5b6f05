/**
 * Reads a JSON text without white space between its tokens, as most programs write it: an object or an array. The bytes
 * that end or interrupt a string are found 64 at a time, as bits of a mask, and taken one after another; so no step has
 * to wait for the length of the string before it.
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
  i32Eqz,
  i32GeU,
  i32GtU,
  i32Load8U,
  i32Mul,
  i32Ne,
  i32Or,
  i32Shl,
  i32Sub,
  i32s,
  i32WrapI64,
  i64And,
  i64Const,
  i64Ctz,
  i64Eqz,
  i64ExtendI32U,
  i64Or,
  i64Rotl,
  i64Shl,
  i64Sub,
  if_,
  localGet,
  localSet,
  loop,
  return_,
} from '../wasm/assembler.ts';
import { PARAMS } from './context.ts';
import { BACKSLASH, isHexDigit, QUOTE, stringEnds } from './string-bytes.ts';
import { advance, isNotAtP, literal, UNSURE } from './templates.ts';

const COMMA = 0x2c;
const COLON = 0x3a;
const OBJECT = 0x7b;
const ARRAY = 0x5b;
/** Closing brackets are two after the opening ones, and those of objects this much after those of arrays. */
const BETWEEN_BRACKETS = 0x20;
const END_OF_ARRAY = 0x5d;

/** Nesting levels that fit into the bits of one number. */
const MOST_LEVELS = 64;

const p = localGet('p');
const q = localGet('q');
const c = localGet('c');
const mask = localGet('mask');
const base = localGet('base');
const kinds = localGet('kinds');
const level = localGet('level');

const thirtyTwo = (offset: number): Code =>
  i64ExtendI32U(i32Or(stringEnds(base, offset), i32Shl(stringEnds(base, offset + 16), i32Const(16))));

/**
 * The quotes, backslashes and control characters in the 64 bytes at `base`. Zero bytes after the window are control
 * characters.
 */
const readMask: Code = localSet('mask', i64Or(thirtyTwo(0), i64Shl(thirtyTwo(32), i64Const(32n))));

/** Makes sure that the mask has a bit. */
const fill: Code = loop(
  'fill',
  if_(i64Eqz(mask), [...localSet('base', i32Add(base, i32Const(64))), ...readMask, ...br('fill')]),
);
const dropFirst: Code = localSet('mask', i64And(mask, i64Sub(mask, i64Const(1n))));
/** Moves `q` to the next of these bytes. */
const toNext: Code = [...fill, ...localSet('q', i32Add(base, i32WrapI64(i64Ctz(mask)))), ...dropFirst];

/** The escape at `q` is passed; `c` is the byte after the backslash. */
const passEscape: Code = [
  ...localSet('c', i32Load8U(q, 1)),
  ...block(
    'passed',
    ...[0x6e, 0x2f, 0x74, 0x72, 0x62, 0x66].map((byte) => brIf('passed', i32Eq(c, i32Const(byte)))),
    if_(
      i32Eq(c, i32Const(0x75)),
      [
        ...[2, 3, 4, 5].map((offset) => [
          ...localSet('c', i32Load8U(q, offset)),
          ...if_(i32Eqz(isHexDigit(c)), UNSURE),
        ]),
        br('passed'),
      ].flat(),
    ),
    // The byte is one of those in the mask.
    if_(i32And(i32Ne(c, i32Const(QUOTE)), i32Ne(c, i32Const(BACKSLASH))), UNSURE),
    fill,
    dropFirst,
  ),
];

/** The string at `p`: moves `q` to the quote that ends it. The opening quote must be the next bit of the mask. */
const passString: Code = [
  ...fill,
  ...dropFirst,
  ...block(
    'ended',
    loop(
      'next',
      toNext,
      localSet('c', i32Load8U(q)),
      brIf('ended', i32Eq(c, i32Const(QUOTE))),
      if_(i32Ne(c, i32Const(BACKSLASH)), UNSURE),
      passEscape,
      br('next'),
    ),
  ),
];

const inObject: Code = i32And(i32WrapI64(kinds), i32Const(1));

/** The name at `p`, and its colon. */
const passName: Code = [
  ...if_(isNotAtP(QUOTE), UNSURE),
  ...passString,
  ...if_(i32Ne(i32Load8U(q, 1), i32Const(COLON)), UNSURE),
  ...localSet('p', i32Add(q, i32Const(2))),
];

/** The opening bracket `c` is at `p`. Goes to `next`, or on if the bracket is closed at once. */
const openBracket: Code = [
  ...if_(i32GeU(i32Add(level, localGet('depth')), globalGet('maxDepth')), UNSURE),
  ...if_(i32GeU(level, i32Const(MOST_LEVELS)), UNSURE),
  ...localSet('level', i32Add(level, i32Const(1))),
  ...localSet('kinds', i64Or(i64Shl(kinds, i64Const(1n)), i64ExtendI32U(i32Eq(c, i32Const(OBJECT))))),
  ...advance(1),
  ...brIf('next', i32Ne(i32Load8U(p), i32Add(c, i32Const(2)))),
];

/** A number, `true`, `false`, `null`, or the beginning of an object or an array. */
const passOther: Code = block(
  'passed',
  if_(i32Or(i32Eq(c, i32Const(OBJECT)), i32Eq(c, i32Const(ARRAY))), [...openBracket, ...br('passed')]),
  if_(i32Eq(c, i32Const(0x74)), [...literal('true'), ...br('passed')]),
  if_(i32Eq(c, i32Const(0x66)), [...literal('false'), ...br('passed')]),
  if_(i32Eq(c, i32Const(0x6e)), [...literal('null'), ...br('passed')]),
  localSet('p', call('number', p)),
  if_(i32Eqz(p), UNSURE),
);

/** After a value: goes to `next` after a comma, or passes the brackets that are closed there. */
const passEnds: Code = loop(
  'ends',
  localSet('c', i32Load8U(p)),
  if_(i32Eq(c, i32Const(COMMA)), [...advance(1), ...br('next')]),
  if_(i32Ne(c, i32Add(i32Const(END_OF_ARRAY), i32Mul(inObject, i32Const(BETWEEN_BRACKETS)))), UNSURE),
  advance(1),
  localSet('kinds', i64Rotl(kinds, i64Const(63n))),
  localSet('level', i32Sub(level, i32Const(1))),
  brIf('ends', i32GtU(level, i32Const(0))),
  return_(p),
);

/** From an opening bracket to after the closing one; 0 if it is not certain, or there is white space. */
export const compactText: FunctionCode = {
  name: 'compact',
  params: PARAMS,
  result: 'i32',
  locals: [
    ...i32s('base'),
    ['mask', 'i64'],
    ...i32s('q', 'c'),
    ['v', 'v128'],
    ['kinds', 'i64'],
    ...i32s('level'),
  ],
  body: [
    ...localSet('base', p),
    ...readMask,
    ...loop(
      'next',
      if_(inObject, passName),
      localSet('c', i32Load8U(p)),
      if_(i32Eq(c, i32Const(QUOTE)), [...passString, ...localSet('p', i32Add(q, i32Const(1)))], passOther),
      passEnds,
    ),
    ...UNSURE,
  ],
};
