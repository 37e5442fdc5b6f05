/**
 * Compares the items of an array that is known to be well-formed, by their hashes.
 */
import {
  block,
  br,
  brIf,
  type Code,
  call,
  type FunctionCode,
  f64Add,
  f64Const,
  type GlobalCode,
  globalGet,
  globalSet,
  i32Add,
  i32Const,
  i32Eq,
  i32Eqz,
  i32GeU,
  i32GtU,
  i32LeU,
  i32Load,
  i32Load8U,
  i32Or,
  i32Store,
  i32Sub,
  i32s,
  i64Add,
  i64Const,
  i64Eq,
  i64ExtendI32U,
  i64Load,
  i64Mul,
  i64ReinterpretF64,
  i64Rotl,
  i64Store,
  i64Xor,
  if_,
  localGet,
  localSet,
  loop,
  return_,
} from '../wasm/assembler.ts';
import { HASH_BYTES, HASHES, MAX_HASHES, SCRATCH } from '../wasm/layout.ts';
import { QUOTE } from './string-bytes.ts';
import { advance, charge, isAtP, nextAfterComma, skipSpace, UNSURE } from './templates.ts';

const p = localGet('p');
const c = localGet('c');

export const HASH_GLOBALS: readonly GlobalCode[] = [
  /** The hash of the last value. Equal values have equal hashes, if `isClear` is 1. */
  { name: 'hash', type: 'i64', initial: 0 },
  /** 0 if equal values may be written in other ways: with escapes, an exponent, or many digits. */
  { name: 'isClear', type: 'i32', initial: 0 },
];

/** A step of the hash: mixes the 64 bits in `bits` into `hash`. The constants have no meaning; they are odd. */
const mixed = (hash: Code, bits: Code): Code =>
  i64Mul(i64Rotl(i64Xor(hash, bits), i64Const(29n)), i64Const(0x9e3779b97f4a7c15n));

const ended = (first: number): Code => i64Const(BigInt(first) * 0x51_7cc1_b727_220a_95n);

/** Hashes the bytes in [p, end). */
const hashBytes: FunctionCode = {
  name: 'hashBytes',
  params: i32s('p', 'end'),
  result: 'i64',
  locals: [['h', 'i64']],
  body: [
    ...localSet('h', i64ExtendI32U(i32Sub(localGet('end'), p))),
    ...block(
      'done',
      loop(
        'next',
        if_(i32LeU(i32Add(p, i32Const(8)), localGet('end')), [
          ...localSet('h', mixed(localGet('h'), i64Load(p))),
          ...advance(8),
          ...br('next'),
        ]),
        brIf('done', i32GeU(p, localGet('end'))),
        localSet('h', mixed(localGet('h'), i64ExtendI32U(i32Load8U(p)))),
        advance(1),
        br('next'),
      ),
    ),
    ...mixed(localGet('h'), i64Const(1n)),
  ],
};

/** Hashes a well-formed value and returns the address after it. The order of members does not matter. */
const hashValue: FunctionCode = {
  name: 'hashValue',
  params: i32s('p'),
  result: 'i32',
  locals: [...i32s('c', 'end', 'textEnd'), ['h', 'i64'], ['name', 'i64']],
  body: [
    ...localSet('c', i32Load8U(p)),
    ...if_(i32Eq(c, i32Const(QUOTE)), [
      ...advance(1),
      ...localSet('end', call('string', p)),
      localSet('textEnd', i32Sub(localGet('end'), i32Const(1))),
      if_(globalGet('escaped'), [
        localSet('textEnd', call('unescape', p, localGet('textEnd'))),
        localSet('p', i32Const(SCRATCH)),
        if_(i32Eqz(localGet('textEnd')), [globalSet('isClear', i32Const(0)), localSet('textEnd', p)]),
      ]),
      ...globalSet('hash', call('hashBytes', p, localGet('textEnd'))),
      ...return_(localGet('end')),
    ]),
    ...if_(i32Eq(i32Or(c, i32Const(0x20)), i32Const(0x7b)), [
      ...localSet('h', i64ExtendI32U(c)),
      ...advance(1),
      ...skipSpace,
      ...if_(i32Eq(i32Load8U(p), i32Add(c, i32Const(2))), [
        ...globalSet('hash', mixed(localGet('h'), ended(3))),
        ...return_(i32Add(p, i32Const(1))),
      ]),
      ...loop(
        'members',
        if_(
          i32Eq(c, i32Const(0x7b)),
          [
            ...localSet('p', call('hashValue', p)),
            ...localSet('name', globalGet('hash')),
            ...skipSpace,
            ...advance(1),
            ...skipSpace,
            ...localSet('p', call('hashValue', p)),
            ...localSet(
              'h',
              i64Add(localGet('h'), mixed(mixed(localGet('name'), ended(5)), globalGet('hash'))),
            ),
          ],
          [...localSet('p', call('hashValue', p)), ...localSet('h', mixed(localGet('h'), globalGet('hash')))],
        ),
        nextAfterComma('members'),
      ),
      ...globalSet('hash', mixed(localGet('h'), ended(7))),
      ...return_(i32Add(p, i32Const(1))),
    ]),
    // `t`, `f` and `n` are above the digits.
    ...if_(i32GtU(c, i32Const(0x39)), [
      ...globalSet('hash', mixed(i64ExtendI32U(c), ended(9))),
      ...return_(call('skip', p)),
    ]),
    ...localSet('end', call('number', p)),
    ...if_(i32Eqz(globalGet('isPlain')), globalSet('isClear', i32Const(0))),
    // 0 and -0 are equal: adding 0 makes 0 of both.
    ...globalSet('hash', mixed(i64ReinterpretF64(f64Add(globalGet('number'), f64Const(0))), ended(11))),
    ...localGet('end'),
  ],
};

/** Whether the items of the well-formed array at `p` differ: 2 if all do, 1 if two are equal, 0 for unsure. */
const unique: FunctionCode = {
  name: 'unique',
  params: i32s('p'),
  result: 'i32',
  locals: i32s('top', 'at', 'start', 'i'),
  body: [
    ...localSet('top', i32Const(HASHES)),
    ...advance(1),
    ...skipSpace,
    ...if_(isAtP(0x5d), return_(i32Const(2))),
    ...loop(
      'items',
      if_(i32GeU(localGet('top'), i32Const(HASHES + MAX_HASHES * HASH_BYTES)), UNSURE),
      localSet('start', p),
      globalSet('isClear', i32Const(1)),
      localSet('p', call('hashValue', p)),
      charge(localGet('start')),
      if_(i32Eqz(globalGet('isClear')), UNSURE),
      localSet('at', i32Const(HASHES)),
      block(
        'differs',
        loop(
          'entries',
          brIf('differs', i32GeU(localGet('at'), localGet('top'))),
          if_(i64Eq(i64Load(localGet('at')), globalGet('hash')), [
            // Equal bytes are equal values. Other bytes may be equal values too.
            ...localSet('i', i32Const(0)),
            ...loop(
              'bytes',
              if_(i32GeU(i32Add(localGet('start'), localGet('i')), p), return_(i32Const(1))),
              if_(
                i32Eq(
                  i32Load8U(i32Add(i32Load(localGet('at'), 8), localGet('i'))),
                  i32Load8U(i32Add(localGet('start'), localGet('i'))),
                ),
                [...localSet('i', i32Add(localGet('i'), i32Const(1))), ...br('bytes')],
              ),
            ),
            ...UNSURE,
          ]),
          localSet('at', i32Add(localGet('at'), i32Const(HASH_BYTES))),
          br('entries'),
        ),
      ),
      i64Store(localGet('top'), globalGet('hash')),
      i32Store(localGet('top'), localGet('start'), 8),
      localSet('top', i32Add(localGet('top'), i32Const(HASH_BYTES))),
      nextAfterComma('items'),
    ),
    ...i32Const(2),
  ],
};
export const UNIQUE: readonly FunctionCode[] = [hashBytes, hashValue, unique];
