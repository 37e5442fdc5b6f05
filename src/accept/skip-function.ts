/**
 * Skips a value that was read before, and is known to be well-formed.
 */
import {
  block,
  br,
  brIf,
  type Code,
  call,
  type FunctionCode,
  i8x16Bitmask,
  i8x16Eq,
  i32Add,
  i32And,
  i32Const,
  i32Ctz,
  i32Eq,
  i32Eqz,
  i32GtU,
  i32LeU,
  i32Load,
  i32Load8U,
  i32LtU,
  i32Mul,
  i32Ne,
  i32Or,
  i32Popcnt,
  i32Shl,
  i32ShrU,
  i32Store,
  i32Sub,
  i32s,
  i32Xor,
  i64Eq,
  i64Load,
  i64Store,
  if_,
  localGet,
  localSet,
  loop,
  return_,
  v128ConstSplat,
  v128Load,
  v128Or,
} from '../wasm/assembler.ts';
import { END_BYTES, ENDS, MAX_ENDS, PAYLOADS_READ } from '../wasm/layout.ts';
import { BACKSLASH, QUOTE } from './string-bytes.ts';
import { advance } from './templates.ts';

const p = localGet('p');
const c = localGet('c');
const entry = localGet('entry');
const v = localGet('v');
const bytesEqual = (vector: Code, byte: number): Code => i8x16Bitmask(i8x16Eq(vector, v128ConstSplat(byte)));

/** Sets the bits of `strings` from each quote to before the next one: a prefix XOR. */
const fillStrings: Code = [1, 2, 4, 8].map((by) =>
  localSet('strings', i32Xor(localGet('strings'), i32Shl(localGet('strings'), i32Const(by)))),
);

/** From the bracket that opens a well-formed container to after the one that closes it, sixteen bytes at a time. */
const skipContainer: FunctionCode = {
  name: 'skipContainer',
  params: i32s('p'),
  result: 'i32',
  locals: [['v', 'v128'], ...i32s('c', 'open', 'end', 'strings', 'isInside', 'opening', 'closing')],
  body: [
    loop(
      'next',
      localSet('v', v128Load(p)),
      // An escaped quote ends no string: these sixteen are read one by one.
      if_(bytesEqual(v, BACKSLASH), [
        localSet('end', i32Add(p, i32Const(16))),
        loop(
          'bytes',
          localSet('c', i32Load8U(p)),
          advance(1),
          block(
            'read',
            if_(localGet('isInside'), [
              if_(i32Eq(c, i32Const(BACKSLASH)), advance(1)),
              if_(i32Eq(c, i32Const(QUOTE)), localSet('isInside', i32Const(0))),
              br('read'),
            ]),
            if_(i32Eq(c, i32Const(QUOTE)), [localSet('isInside', i32Const(0xffff)), br('read')]),
            // `{` and `[` differ in one bit, and so do `}` and `]`.
            localSet('c', i32Or(c, i32Const(0x20))),
            if_(i32Eq(c, i32Const(0x7b)), localSet('open', i32Add(localGet('open'), i32Const(1)))),
            brIf('read', i32Ne(c, i32Const(0x7d))),
            localSet('open', i32Sub(localGet('open'), i32Const(1))),
            if_(i32Eqz(localGet('open')), return_(p)),
          ),
          brIf('bytes', i32LtU(p, localGet('end'))),
        ),
        br('next'),
      ]),
      localSet('strings', bytesEqual(v, 0x22)),
      fillStrings,
      localSet('strings', i32And(i32Xor(localGet('strings'), localGet('isInside')), i32Const(0xffff))),
      localSet('isInside', i32Mul(i32ShrU(localGet('strings'), i32Const(15)), i32Const(0xffff))),
      localSet('strings', i32Xor(localGet('strings'), i32Const(0xffff))),
      localSet('v', v128Or(v, v128ConstSplat(0x20))),
      localSet('opening', i32And(bytesEqual(v, 0x7b), localGet('strings'))),
      localSet('closing', i32And(bytesEqual(v, 0x7d), localGet('strings'))),
      if_(
        i32GtU(localGet('open'), i32Popcnt(localGet('closing'))),
        localSet(
          'open',
          i32Sub(i32Add(localGet('open'), i32Popcnt(localGet('opening'))), i32Popcnt(localGet('closing'))),
        ),
        // The last bracket may be here. Bits of `closing` are looked at with those of `opening` before them.
        block(
          'passed',
          loop(
            'brackets',
            brIf('passed', i32Eqz(i32Or(localGet('opening'), localGet('closing')))),
            localSet('c', i32Ctz(i32Or(localGet('opening'), localGet('closing')))),
            localSet('end', i32Shl(i32Const(1), c)),
            if_(
              i32And(localGet('closing'), localGet('end')),
              [
                localSet('open', i32Sub(localGet('open'), i32Const(1))),
                if_(i32Eqz(localGet('open')), return_(i32Add(i32Add(p, c), i32Const(1)))),
                localSet('closing', i32Xor(localGet('closing'), localGet('end'))),
              ],
              [
                localSet('open', i32Add(localGet('open'), i32Const(1))),
                localSet('opening', i32Xor(localGet('opening'), localGet('end'))),
              ],
            ),
            br('brackets'),
          ),
        ),
      ),
      advance(16),
      br('next'),
    ),
    i32Const(0),
  ],
};

/** The ends of smaller containers are not stored: to skip them again is faster than to look the end up. */
const LEAST_KEPT = 48;

/** Returns the end of the container at `p`. It is stored, because each alternative skips the same containers again. */
const containerEnd: Code = [
  localSet('entry', i32Add(i32Const(ENDS), i32Mul(i32And(p, i32Const(MAX_ENDS - 1)), i32Const(END_BYTES)))),
  if_(i32Eq(i32Load(entry, 8), p), [
    if_(i64Eq(i64Load(entry), i64Load(i32Const(PAYLOADS_READ))), return_(i32Load(entry, 12))),
  ]),
  localSet('end', call('skipContainer', p)),
  if_(i32GtU(i32Sub(localGet('end'), p), i32Const(LEAST_KEPT)), [
    i64Store(entry, i64Load(i32Const(PAYLOADS_READ))),
    i32Store(entry, p, 8),
    i32Store(entry, localGet('end'), 12),
  ]),
  return_(localGet('end')),
];

/** From the first byte of a well-formed value to after it. */
const skip: FunctionCode = {
  name: 'skip',
  params: i32s('p'),
  result: 'i32',
  locals: i32s('c', 'entry', 'end'),
  body: [
    ...localSet('c', i32Load8U(p)),
    ...if_(i32Eq(c, i32Const(QUOTE)), return_(call('string', i32Add(p, i32Const(1))))),
    ...if_(i32Eq(i32Or(c, i32Const(0x20)), i32Const(0x7b)), containerEnd),
    // A number or a literal.
    ...block(
      'done',
      loop(
        'bytes',
        localSet('c', i32Load8U(p)),
        brIf('done', i32LeU(c, i32Const(0x20))),
        brIf('done', i32Eq(c, i32Const(0x2c))),
        brIf('done', i32Eq(i32Or(c, i32Const(0x20)), i32Const(0x7d))),
        advance(1),
        br('bytes'),
      ),
    ),
    ...p,
  ],
};

export const SKIP: readonly FunctionCode[] = [skip, skipContainer];
