/**
 * Functions for values that were read before, and are known to be well-formed: to skip one, to compare the items of an
 * array, and to limit the work of reading again.
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
  i8x16Bitmask,
  i8x16Eq,
  i32Add,
  i32And,
  i32Const,
  i32Ctz,
  i32Eq,
  i32Eqz,
  i32GeU,
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
  v128ConstSplat,
  v128Load,
  v128Or,
} from '../wasm/assembler.ts';
import {
  END_BYTES,
  ENDS,
  HASH_BYTES,
  HASHES,
  MAX_ENDS,
  MAX_HASHES,
  PAYLOADS_READ,
  SCRATCH,
} from '../wasm/layout.ts';
import { advance, skipSpace, UNSURE } from './runtime.ts';
import { BACKSLASH, QUOTE } from './string-bytes.ts';

const p = localGet('p');
const c = localGet('c');
const entry = localGet('entry');

export const AGAIN_GLOBALS: readonly GlobalCode[] = [
  /** The hash of the last value. Equal values have equal hashes, if `isClear` is 1. */
  { name: 'hash', type: 'i64', initial: 0 },
  /** 0 if equal values may be written in other ways: with escapes, an exponent, or many digits. */
  { name: 'isClear', type: 'i32', initial: 0 },
];

/**
 * Adds to the work of reading again: the bytes from `from` to `p`, which were one member or item. Reading all of a
 * payload once costs at most one unit for two bytes.
 */
export const charge = (from: Code): Code =>
  globalSet('spent', i32Add(globalGet('spent'), i32Add(i32Const(1), i32ShrU(i32Sub(p, from), i32Const(5)))));

/** The same for a schema that is applied again: many can be applied to a value that has no members. */
export const chargeOne: Code = globalSet('spent', i32Add(globalGet('spent'), i32Const(1)));

/** Work that every payload may cost, and work per byte up to the value that is being read. */
const FREE = 20_000;
const PER_BYTE = 4;

/** Returns "unsure" if the values before were read too often: the time must not grow faster than the payload. */
export const mustNotBeSpent: Code = if_(
  i32GtU(
    globalGet('spent'),
    i32Add(i32Const(FREE), i32Mul(i32Sub(p, globalGet('payloadStart')), i32Const(PER_BYTE))),
  ),
  UNSURE,
);

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
        skipSpace,
        if_(i32Eq(i32Load8U(p), i32Const(0x2c)), [...advance(1), ...skipSpace, ...br('members')]),
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
    ...if_(i32Eq(i32Load8U(p), i32Const(0x5d)), return_(i32Const(2))),
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
      skipSpace,
      if_(i32Eq(i32Load8U(p), i32Const(0x2c)), [...advance(1), ...skipSpace, ...br('items')]),
    ),
    ...i32Const(2),
  ],
};
export const AGAIN: readonly FunctionCode[] = [skip, skipContainer, hashBytes, hashValue, unique];
