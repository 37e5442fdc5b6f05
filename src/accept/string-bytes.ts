/**
 * The bytes that matter in a JSON string (RFC 8259, section 7): those that end or interrupt it, and those of escapes.
 */
import {
  type Code,
  i8x16Bitmask,
  i8x16Eq,
  i8x16MinU,
  i32Const,
  i32LtU,
  i32Or,
  i32Sub,
  localGet,
  localSet,
  v128ConstSplat,
  v128Load,
  v128Or,
  v128Xor,
} from '../wasm/assembler.ts';

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;

const v = localGet('v');

/** With this bit changed, the quote comes right after the control characters: then one comparison finds both. */
const BIT = 2;
const LAST = QUOTE ^ BIT;

/** One bit for each quote, backslash and control character among the sixteen bytes at `address + offset`. Uses the local `v`. */
export const stringEnds = (address: Code, offset = 0): Code => [
  ...localSet('v', v128Xor(v128Load(address, offset), v128ConstSplat(BIT))),
  // V8 makes fewer instructions of this than of `i8x16.lt_u`.
  ...i8x16Bitmask(
    v128Or(i8x16Eq(i8x16MinU(v, v128ConstSplat(LAST)), v), i8x16Eq(v, v128ConstSplat(BACKSLASH ^ BIT))),
  ),
];

export const isHexDigit = (byte: Code): Code =>
  i32Or(
    i32LtU(i32Sub(byte, i32Const(0x30)), i32Const(10)),
    i32LtU(i32Sub(i32Or(byte, i32Const(0x20)), i32Const(0x61)), i32Const(6)),
  );
