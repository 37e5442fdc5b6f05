/**
 * Code that functions of any module have in common: results, white space, what is between brackets, and the limit of the work
 * of reading values more than once.
 */
import type { Code } from './assembler.ts';
import * as asm from './assembler.ts';
import { NAME_TEXTS, NAMES, PAYLOADS_READ } from './layout.ts';

/** The address that is read, in most functions. */
export const p = asm.localGet('p');

export const isAtP = (byte: number): Code => asm.i32Eq(asm.i32Load8U(p), byte);
export const isNotAtP = (byte: number): Code => asm.i32Ne(asm.i32Load8U(p), byte);

export const UNSURE: Code = asm.return_(0);
/** Returns "surely invalid": whatever follows, the value does not match the schema, or the text is not well-formed. */
export const INVALID: Code = asm.return_(1);

/** Before a payload: there is no name yet, and the end of no value is known. */
export const beginPayload: Code = [
  asm.i64Store(PAYLOADS_READ, asm.i64Add(asm.i64Load(PAYLOADS_READ), asm.i64Const(1n))),
  asm.globalSet('names', NAMES),
  asm.globalSet('nameTexts', NAME_TEXTS),
].flat();

/** Skips white space at `p`. Cheap if there is none. */
export const skipSpace: Code = asm.if_(asm.i32LeU(asm.i32Load8U('p'), 0x20), asm.localSet('p', asm.call('space', 'p')));

/** Reads the colon after a name, with white space around it, and moves `p` to the value. */
export const expectColon: Code = [
  asm.if_(isNotAtP(0x3a), [asm.localSet('p', asm.call('space', 'p')), asm.if_(isNotAtP(0x3a), UNSURE)]),
  asm.localSet('p', asm.i32Add('p', 1)),
  skipSpace,
];

/** Sets `p` to the result of a reading function. Returns the result if it is "unsure" or "surely invalid". */
export const proceed = (reading: Code): Code => asm.if_(asm.i32LeU(asm.localTee('p', reading), 1), asm.return_('p'));

export const advance = (count: number): Code => asm.localSet('p', asm.i32Add(p, count));

/** The four bytes of an ASCII word as a little-endian i32. */
const word = (ascii: string): Code => asm.i32Const(Buffer.from(ascii).readInt32LE());

/** Moves `p` past `true`, `false` or `null`. Returns "unsure" for other bytes. */
export const literal = (name: 'true' | 'false' | 'null'): Code => {
  const differs = asm.i32Ne(asm.i32Load(p), word(name.slice(0, 4)));
  const fifth = name.length === 5 ? asm.i32Or(differs, asm.i32Ne(asm.i32Load8U(p, 4), name.charCodeAt(4))) : differs;
  return [asm.if_(fifth, UNSURE), advance(name.length)];
};

/** Moves `p` past `true`, `false` or `null`, if the local `c` is its first byte, and runs `then`. */
export const literals = (then: Code): Code =>
  (['true', 'false', 'null'] as const).map((name) =>
    asm.if_(asm.i32Eq('c', name.charCodeAt(0)), [literal(name), then]),
  );

/** After a member or an item: goes on with the next one, if a comma follows. */
export const nextAfterComma = (label: string): Code => [
  skipSpace,
  asm.if_(isAtP(0x2c), [advance(1), skipSpace, asm.br(label)]),
];

/** Reads the container at `p` up to `close`, where `br('close')` leads too. `each` reads a member or an item. */
export function betweenBrackets(close: number, each: Code, first: Code = asm.if_(isAtP(close), asm.br('close'))): Code {
  return [
    advance(1),
    skipSpace,
    asm.block('close', first, asm.loop('next', each, nextAfterComma('next')), asm.if_(isNotAtP(close), UNSURE)),
  ];
}

/** Runs `body` again and again until `isDone`. It can leave by `br('done')`, and begin again by `br('next')`. */
export const until = (isDone: Code, body: Code): Code =>
  asm.block('done', asm.loop('next', asm.brIf('done', isDone), body, asm.br('next')));

/** Adds to the work of reading again: the bytes of one member or item, from `from` to `p`, at one unit for 32. */
export const charge = (from: Code): Code =>
  asm.globalSet('spent', asm.i32Add(asm.globalGet('spent'), asm.i32Add(1, asm.i32ShrU(asm.i32Sub(p, from), 5))));

/** The same for a schema that is applied again: many can be applied to a value that has no members. */
export const chargeOne: Code = asm.globalSet('spent', asm.i32Add(asm.globalGet('spent'), 1));

/** Work that every payload may cost, and work per byte up to the value that is being read. */
const FREE = 20_000;
const PER_BYTE = 4;

/** Returns "unsure" if the values before were read too often: the time must not grow faster than the payload. */
export const mustNotBeSpent: Code = asm.if_(
  asm.i32GtU(
    asm.globalGet('spent'),
    asm.i32Add(FREE, asm.i32Mul(asm.i32Sub(p, asm.globalGet('payloadStart')), PER_BYTE)),
  ),
  UNSURE,
);
