/**
 * The bytes that matter in a JSON string (RFC 8259, section 7): those that end or interrupt it, and those of escapes.
 */

import type { Code } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;

const v = asm.localGet('v');

/** With this bit changed, the quote comes right after the control characters: then one comparison finds both. */
const BIT = 2;
const LAST = QUOTE ^ BIT;

/** One bit for each quote, backslash and control character among the sixteen bytes at `address + offset`. Uses the local `v`. */
export const stringEnds = (address: Code, offset = 0): Code => [
  asm.localSet('v', asm.v128Xor(asm.v128Load(address, offset), asm.v128ConstSplat(BIT))),
  // V8 makes fewer instructions of this than of `i8x16.lt_u`.
  asm.i8x16Bitmask(
    asm.v128Or(
      asm.i8x16Eq(asm.i8x16MinU(v, asm.v128ConstSplat(LAST)), v),
      asm.i8x16Eq(v, asm.v128ConstSplat(BACKSLASH ^ BIT)),
    ),
  ),
];

export const isHexDigit = (byte: Code): Code =>
  asm.i32Or(asm.i32LtU(asm.i32Sub(byte, 0x30), 10), asm.i32LtU(asm.i32Sub(asm.i32Or(byte, 0x20), 0x61), 6));
