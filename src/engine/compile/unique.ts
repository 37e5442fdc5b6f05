/**
 * Compares the items of an array that is known to be well-formed, by their hashes.
 */

import type { Code, FunctionCode, GlobalCode } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { HASH_BYTES, HASHES, MAX_HASHES, SCRATCH } from '../wasm/layout.ts';
import { advance, charge, isAtP, nextAfterComma, p, skipSpace, UNSURE } from '../wasm/templates.ts';
import { QUOTE } from './text.ts';

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

/** Hashes the bytes in [p, end). */
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

/** Hashes a well-formed value and returns the address after it. The order of members does not matter. */
const hashValue: FunctionCode = {
  name: 'hashValue',
  params: asm.i32s('p'),
  result: 'i32',
  locals: [...asm.i32s('c', 'end', 'textEnd'), ['h', 'i64'], ['name', 'i64']],
  body: [
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
    asm.globalSet(
      'hash',
      mixed(asm.i64ReinterpretF64(asm.f64Add(asm.globalGet('number'), asm.f64Const(0))), ended(11)),
    ),
    asm.localGet('end'),
  ],
};

/** Whether the items of the well-formed array at `p` differ: 2 if all do, 1 if two are equal, 0 for unsure. */
const unique: FunctionCode = {
  name: 'unique',
  params: asm.i32s('p'),
  result: 'i32',
  locals: asm.i32s('top', 'at', 'start', 'i'),
  body: [
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
      asm.block(
        'differs',
        asm.loop(
          'entries',
          asm.brIf('differs', asm.i32GeU('at', 'top')),
          asm.if_(asm.i64Eq(asm.i64Load('at'), asm.globalGet('hash')), [
            // Equal bytes are equal values. Other bytes may be equal values too.
            asm.localSet('i', 0),
            asm.loop(
              'bytes',
              asm.if_(asm.i32GeU(asm.i32Add('start', 'i'), p), asm.return_(1)),
              asm.if_(
                asm.i32Eq(
                  asm.i32Load8U(asm.i32Add(asm.i32Load('at', 8), 'i')),
                  asm.i32Load8U(asm.i32Add('start', 'i')),
                ),
                [asm.localSet('i', asm.i32Add('i', 1)), asm.br('bytes')],
              ),
            ),
            UNSURE,
          ]),
          asm.localSet('at', asm.i32Add('at', HASH_BYTES)),
          asm.br('entries'),
        ),
      ),
      asm.i64Store('top', asm.globalGet('hash')),
      asm.i32Store('top', 'start', 8),
      asm.localSet('top', asm.i32Add('top', HASH_BYTES)),
      nextAfterComma('items'),
    ),
    asm.i32Const(2),
  ],
};
export const UNIQUE: readonly FunctionCode[] = [hashBytes, hashValue, unique];
