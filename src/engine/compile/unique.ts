/**
 * Functions that only some schemas need, for values that were read before and are well-formed: one compares the items of an
 * array by their hashes, one skips a value.
 */
import { BACKSLASH, QUOTE } from '../../json/skip.ts';
import type { Code, FunctionCode, GlobalCode, Variables } from '../../wasm/assembler.ts';
import * as asm from '../../wasm/assembler.ts';
import {
  END_BYTES,
  ENDS,
  HASH_BYTES,
  HASHES,
  MAX_ENDS,
  MAX_HASHES,
  PAYLOADS_READ,
  SCRATCH,
} from '../../wasm/layout.ts';
import { advance, charge, isAtP, nextAfterComma, p, skipSpace, UNSURE, until } from '../../wasm/templates.ts';

const c = asm.localGet('c');

export const HASH_GLOBALS: readonly GlobalCode[] = [
  /** The hash of the last value. Equal values have equal hashes, if `isClear` is 1. */
  { name: 'hash', type: 'i64', initial: 0 },
  /** 0 if equal values may be written in other ways: with escapes, an exponent, or many digits. */
  { name: 'isClear', type: 'i32', initial: 0 },
];

/** A step of the hash: mixes the 64 bits in `bits` into `hash`. The constants have no meaning; they are odd. */
const mixed = (hash: Code, bits: Code): Code =>
  asm.i64Mul(asm.i64Rotl(asm.i64Xor(hash, bits), asm.i64Const(29n)), asm.i64Const(0x9e3779b97f4a7c15n));

const ended = (first: number): Code => asm.i64Const(BigInt(first) * 0x51_7cc1_b727_220a_95n);

const hashBytes: FunctionCode = {
  name: 'hashBytes',
  params: asm.i32s('p', 'end'),
  result: 'i64',
  locals: [['h', 'i64']],
  body: [
    asm.localSet('h', asm.i64ExtendI32U(asm.i32Sub('end', p))),
    asm.block(
      'done',
      asm.loop(
        'next',
        asm.if_(asm.i32LeU(asm.i32Add(p, 8), 'end'), [
          asm.localSet('h', mixed(asm.localGet('h'), asm.i64Load(p))),
          advance(8),
          asm.br('next'),
        ]),
        asm.brIf('done', asm.i32GeU(p, 'end')),
        asm.localSet('h', mixed(asm.localGet('h'), asm.i64ExtendI32U(asm.i32Load8U(p)))),
        advance(1),
        asm.br('next'),
      ),
    ),
    mixed(asm.localGet('h'), asm.i64Const(1n)),
  ],
};

const HASH_LOCALS: Variables = [...asm.i32s('c', 'end', 'textEnd'), ['h', 'i64'], ['name', 'i64']];

/** Hashes a well-formed value and returns the address after it. The order of members does not matter. */
const hashValue = asm.func('hashValue', asm.i32s('p'), HASH_LOCALS, [
  asm.localSet('c', asm.i32Load8U(p)),
  asm.if_(asm.i32Eq(c, QUOTE), [
    advance(1),
    asm.localSet('end', asm.call('string', p)),
    asm.localSet('textEnd', asm.i32Sub('end', 1)),
    asm.if_(asm.globalGet('escaped'), [
      asm.localSet('textEnd', asm.call('unescape', p, 'textEnd')),
      asm.localSet('p', SCRATCH),
      asm.if_(asm.i32Eqz('textEnd'), [asm.globalSet('isClear', 0), asm.localSet('textEnd', p)]),
    ]),
    asm.globalSet('hash', asm.call('hashBytes', p, 'textEnd')),
    asm.return_('end'),
  ]),
  asm.if_(asm.i32Eq(asm.i32Or(c, 0x20), 0x7b), [
    asm.localSet('h', asm.i64ExtendI32U(c)),
    advance(1),
    skipSpace,
    asm.if_(asm.i32Eq(asm.i32Load8U(p), asm.i32Add(c, 2)), [
      asm.globalSet('hash', mixed(asm.localGet('h'), ended(3))),
      asm.return_(asm.i32Add(p, 1)),
    ]),
    asm.loop(
      'members',
      asm.if_(
        asm.i32Eq(c, 0x7b),
        [
          asm.localSet('p', asm.call('hashValue', p)),
          asm.localSet('name', asm.globalGet('hash')),
          skipSpace,
          advance(1),
          skipSpace,
          asm.localSet('p', asm.call('hashValue', p)),
          asm.localSet('h', asm.i64Add('h', mixed(mixed(asm.localGet('name'), ended(5)), asm.globalGet('hash')))),
        ],
        [
          asm.localSet('p', asm.call('hashValue', p)),
          asm.localSet('h', mixed(asm.localGet('h'), asm.globalGet('hash'))),
        ],
      ),
      nextAfterComma('members'),
    ),
    asm.globalSet('hash', mixed(asm.localGet('h'), ended(7))),
    asm.return_(asm.i32Add(p, 1)),
  ]),
  // `t`, `f` and `n` are above the digits.
  asm.if_(asm.i32GtU(c, 0x39), [
    asm.globalSet('hash', mixed(asm.i64ExtendI32U(c), ended(9))),
    asm.return_(asm.call('skip', p)),
  ]),
  asm.localSet('end', asm.call('number', p)),
  asm.if_(asm.i32Eqz(asm.globalGet('isPlain')), asm.globalSet('isClear', 0)),
  // 0 and -0 are equal: adding 0 makes 0 of both.
  asm.globalSet('hash', mixed(asm.i64ReinterpretF64(asm.f64Add(asm.globalGet('number'), asm.f64Const(0))), ended(11))),
  asm.localGet('end'),
]);

/** Whether the items of the well-formed array at `p` differ: 2 if all do, 1 if two are equal, 0 for unsure. */
const unique = asm.func('unique', asm.i32s('p'), asm.i32s('top', 'at', 'start', 'i'), [
  asm.localSet('top', HASHES),
  advance(1),
  skipSpace,
  asm.if_(isAtP(0x5d), asm.return_(2)),
  asm.loop(
    'items',
    asm.if_(asm.i32GeU('top', HASHES + MAX_HASHES * HASH_BYTES), UNSURE),
    asm.localSet('start', p),
    asm.globalSet('isClear', 1),
    asm.localSet('p', asm.call('hashValue', p)),
    charge(asm.localGet('start')),
    asm.if_(asm.i32Eqz(asm.globalGet('isClear')), UNSURE),
    asm.localSet('at', HASHES),
    until(asm.i32GeU('at', 'top'), [
      asm.if_(asm.i64Eq(asm.i64Load('at'), asm.globalGet('hash')), [
        // Equal bytes are equal values. Other bytes may be equal values too.
        asm.localSet('i', 0),
        asm.loop(
          'bytes',
          asm.if_(asm.i32GeU(asm.i32Add('start', 'i'), p), asm.return_(1)),
          asm.if_(
            asm.i32Eq(asm.i32Load8U(asm.i32Add(asm.i32Load('at', 8), 'i')), asm.i32Load8U(asm.i32Add('start', 'i'))),
            [asm.localSet('i', asm.i32Add('i', 1)), asm.br('bytes')],
          ),
        ),
        UNSURE,
      ]),
      asm.localSet('at', asm.i32Add('at', HASH_BYTES)),
    ]),
    asm.i64Store('top', asm.globalGet('hash')),
    asm.i32Store('top', 'start', 8),
    asm.localSet('top', asm.i32Add('top', HASH_BYTES)),
    nextAfterComma('items'),
  ),
  asm.i32Const(2),
]);
export const UNIQUE: readonly FunctionCode[] = [hashBytes, hashValue, unique];

const entry = asm.localGet('entry');
const v = asm.localGet('v');
const bytesEqual = (vector: Code, byte: number): Code =>
  asm.i8x16Bitmask(asm.i8x16Eq(vector, asm.v128ConstSplat(byte)));

/** Sets the bits of `strings` from each quote to before the next one: a prefix XOR. */
const fillStrings: Code = [1, 2, 4, 8].map((by) =>
  asm.localSet('strings', asm.i32Xor('strings', asm.i32Shl('strings', by))),
);

const SKIP_LOCALS: Variables = [
  ['v', 'v128'],
  ...asm.i32s('c', 'open', 'end', 'strings', 'isInside', 'opening', 'closing'),
];

/** From the bracket that opens a well-formed container to after the one that closes it, sixteen bytes at a time. */
const skipContainer = asm.func('skipContainer', asm.i32s('p'), SKIP_LOCALS, [
  asm.loop(
    'next',
    asm.localSet('v', asm.v128Load(p)),
    // An escaped quote ends no string: these sixteen are read one by one.
    asm.if_(bytesEqual(v, BACKSLASH), [
      asm.localSet('end', asm.i32Add(p, 16)),
      asm.loop(
        'bytes',
        asm.localSet('c', asm.i32Load8U(p)),
        advance(1),
        asm.block(
          'read',
          asm.if_('isInside', [
            asm.if_(asm.i32Eq(c, BACKSLASH), advance(1)),
            asm.if_(asm.i32Eq(c, QUOTE), asm.localSet('isInside', 0)),
            asm.br('read'),
          ]),
          asm.if_(asm.i32Eq(c, QUOTE), [asm.localSet('isInside', 0xffff), asm.br('read')]),
          // `{` and `[` differ in one bit, and so do `}` and `]`.
          asm.localSet('c', asm.i32Or(c, 0x20)),
          asm.if_(asm.i32Eq(c, 0x7b), asm.localSet('open', asm.i32Add('open', 1))),
          asm.brIf('read', asm.i32Ne(c, 0x7d)),
          asm.localSet('open', asm.i32Sub('open', 1)),
          asm.if_(asm.i32Eqz('open'), asm.return_(p)),
        ),
        asm.brIf('bytes', asm.i32LtU(p, 'end')),
      ),
      asm.br('next'),
    ]),
    asm.localSet('strings', bytesEqual(v, 0x22)),
    fillStrings,
    asm.localSet('strings', asm.i32And(asm.i32Xor('strings', 'isInside'), 0xffff)),
    asm.localSet('isInside', asm.i32Mul(asm.i32ShrU('strings', 15), 0xffff)),
    asm.localSet('strings', asm.i32Xor('strings', 0xffff)),
    asm.localSet('v', asm.v128Or(v, asm.v128ConstSplat(0x20))),
    asm.localSet('opening', asm.i32And(bytesEqual(v, 0x7b), 'strings')),
    asm.localSet('closing', asm.i32And(bytesEqual(v, 0x7d), 'strings')),
    asm.if_(
      asm.i32GtU('open', asm.i32Popcnt('closing')),
      asm.localSet('open', asm.i32Sub(asm.i32Add('open', asm.i32Popcnt('opening')), asm.i32Popcnt('closing'))),
      // The last bracket may be here. Bits of `closing` are looked at with those of `opening` before them.
      until(asm.i32Eqz(asm.i32Or('opening', 'closing')), [
        asm.localSet('c', asm.i32Ctz(asm.i32Or('opening', 'closing'))),
        asm.localSet('end', asm.i32Shl(1, c)),
        asm.if_(
          asm.i32And('closing', 'end'),
          [
            asm.localSet('open', asm.i32Sub('open', 1)),
            asm.if_(asm.i32Eqz('open'), asm.return_(asm.i32Add(asm.i32Add(p, c), 1))),
            asm.localSet('closing', asm.i32Xor('closing', 'end')),
          ],
          [asm.localSet('open', asm.i32Add('open', 1)), asm.localSet('opening', asm.i32Xor('opening', 'end'))],
        ),
      ]),
    ),
    advance(16),
    asm.br('next'),
  ),
  asm.i32Const(0),
]);

/** The ends of smaller containers are not stored: to skip them again is faster than to look the end up. */
const LEAST_KEPT = 48;

/** Returns the end of the container at `p`. It is stored, because each alternative skips the same containers again. */
const containerEnd: Code = [
  asm.localSet('entry', asm.i32Add(ENDS, asm.i32Mul(asm.i32And(p, MAX_ENDS - 1), END_BYTES))),
  asm.if_(asm.i32Eq(asm.i32Load(entry, 8), p), [
    asm.if_(asm.i64Eq(asm.i64Load(entry), asm.i64Load(PAYLOADS_READ)), asm.return_(asm.i32Load(entry, 12))),
  ]),
  asm.localSet('end', asm.call('skipContainer', p)),
  asm.if_(asm.i32GtU(asm.i32Sub('end', p), LEAST_KEPT), [
    asm.i64Store(entry, asm.i64Load(PAYLOADS_READ)),
    asm.i32Store(entry, p, 8),
    asm.i32Store(entry, 'end', 12),
  ]),
  asm.return_('end'),
];

/** From the first byte of a well-formed value to after it. */
const skip = asm.func('skip', asm.i32s('p'), asm.i32s('c', 'entry', 'end'), [
  asm.localSet('c', asm.i32Load8U(p)),
  asm.if_(asm.i32Eq(c, QUOTE), asm.return_(asm.call('string', asm.i32Add(p, 1)))),
  asm.if_(asm.i32Eq(asm.i32Or(c, 0x20), 0x7b), containerEnd),
  // A number or a literal.
  asm.block(
    'done',
    asm.loop(
      'bytes',
      asm.localSet('c', asm.i32Load8U(p)),
      asm.brIf('done', asm.i32LeU(c, 0x20)),
      asm.brIf('done', asm.i32Eq(c, 0x2c)),
      asm.brIf('done', asm.i32Eq(asm.i32Or(c, 0x20), 0x7d)),
      advance(1),
      asm.br('bytes'),
    ),
  ),
  p,
]);

export const SKIP: readonly FunctionCode[] = [skip, skipContainer];
