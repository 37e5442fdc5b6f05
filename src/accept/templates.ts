/**
 * Code that functions of any module have in common: results, white space, what is between brackets, and the limit of the work
 * of reading values more than once.
 */
import {
  block,
  br,
  type Code,
  call,
  globalGet,
  globalSet,
  i32Add,
  i32Const,
  i32Eq,
  i32GtU,
  i32LeU,
  i32Load,
  i32Load8U,
  i32Mul,
  i32Ne,
  i32Or,
  i32ShrU,
  i32Sub,
  i64Add,
  i64Const,
  i64Load,
  i64Store,
  if_,
  localGet,
  localSet,
  localTee,
  loop,
  return_,
  shared,
  unreachable,
} from '../wasm/assembler.ts';
import { MEMBERS, NAME_TEXTS, NAMES, PAYLOADS_READ } from '../wasm/layout.ts';

const p = localGet('p');

/** Whether this byte is at `p`. */
export const isAtP = (byte: number): Code => i32Eq(i32Load8U(p), i32Const(byte));
export const isNotAtP = (byte: number): Code => i32Ne(i32Load8U(p), i32Const(byte));

/** Returns "unsure". */
export const UNSURE: Code = return_(i32Const(0));
/** Stops the module at a member that is not compiled yet. */
export const wantMembers: Code = [...globalSet('wanted', i32Const(MEMBERS)), ...unreachable];
/** Returns "surely invalid": whatever follows, the value does not match the schema, or the text is not well-formed. */
export const INVALID: Code = return_(i32Const(1));

/** Before a payload: there is no name yet, and the end of no value is known. */
export const beginPayload: Code = [
  i64Store(i32Const(PAYLOADS_READ), i64Add(i64Load(i32Const(PAYLOADS_READ)), i64Const(1n))),
  globalSet('names', i32Const(NAMES)),
  globalSet('nameTexts', i32Const(NAME_TEXTS)),
].flat();

/** Skips white space at `p`. Cheap if there is none. */
export const skipSpace: Code = shared(
  if_(i32LeU(i32Load8U(localGet('p')), i32Const(0x20)), localSet('p', call('space', localGet('p')))),
);

/** Reads the colon after a name, with white space around it, and moves `p` to the value. */
export const expectColon: Code = shared(
  if_(isNotAtP(0x3a), [...localSet('p', call('space', localGet('p'))), ...if_(isNotAtP(0x3a), UNSURE)]),
  localSet('p', i32Add(localGet('p'), i32Const(1))),
  skipSpace,
);

/** Sets `p` to the result of a reading function. Returns the result if it is "unsure" or "surely invalid". */
export const proceed = (reading: Code): Code =>
  if_(i32LeU(localTee('p', reading), i32Const(1)), return_(localGet('p')));

export const advance = (count: number): Code => localSet('p', i32Add(p, i32Const(count)));

/** The four bytes of an ASCII word as a little-endian i32. */
const word = (ascii: string): Code => i32Const(Buffer.from(ascii).readInt32LE());

/** Moves `p` past `true`, `false` or `null`. Returns "unsure" for other bytes. */
export const literal = (name: 'true' | 'false' | 'null'): Code => {
  const differs = i32Ne(i32Load(p), word(name.slice(0, 4)));
  const fifth =
    name.length === 5 ? i32Or(differs, i32Ne(i32Load8U(p, 4), i32Const(name.charCodeAt(4)))) : differs;
  return [...if_(fifth, UNSURE), ...advance(name.length)];
};

/** After a member or an item: goes on with the next one, if a comma follows. */
export const nextAfterComma = (label: string): Code => [
  ...skipSpace,
  ...if_(isAtP(0x2c), [...advance(1), ...skipSpace, ...br(label)]),
];

/**
 * Reads the container at `p` up to its closing bracket, `close`, where `br('close')` leads too. `each` reads a member or an
 * item; `first` runs before them.
 */
export function betweenBrackets(
  close: number,
  each: Code,
  first: Code = if_(isAtP(close), br('close')),
): Code {
  return [
    ...advance(1),
    ...skipSpace,
    ...block('close', first, loop('next', each, nextAfterComma('next')), if_(isNotAtP(close), UNSURE)),
  ];
}

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
