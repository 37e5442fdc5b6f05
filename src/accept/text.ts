/**
 * Compares text in the payload with text in the schema: names, `enum` and `const`. The raw bytes are compared,
 * including the closing quote. A string with the same text in escapes does not match and is unsure.
 */
import {
  type Code,
  i8x16Bitmask,
  i8x16Eq,
  i32Add,
  i32And,
  i32Const,
  i32Eq,
  if_,
  localGet,
  localSet,
  v128Const,
  v128Load,
} from '../wasm/assembler.ts';
import { Unsupported } from './unsupported.ts';

/**
 * The longest text that is compared, in UTF-16 code units. Every sixteen bytes add one level of nesting to the code.
 */
const MAX_LENGTH = 1000;

/**
 * The bytes of the text in a JSON string without escapes, with the closing quote; null if it needs escapes. Throws
 * Unsupported for a text that is too long.
 */
export function rawText(text: string): readonly number[] | null {
  if (text.length > MAX_LENGTH)
    throw new Unsupported(`a name or value of more than ${MAX_LENGTH} characters`);
  // Quotes, backslashes and control characters need an escape. Lone surrogates have no UTF-8.
  return /["\\\u0000-\u001f]/.test(text) || !text.isWellFormed() ? null : [...Buffer.from(`${text}"`)];
}

/** Runs `then` if `bytes` are at `p`. The local `v` must hold the 16 bytes at `p`. */
export function whenMatches(bytes: readonly number[], then: Code): Code {
  const { length } = bytes;
  if (length <= 16) {
    const mask = (1 << length) - 1;
    const padded = [...bytes, ...new Array<number>(16 - length).fill(0)];
    return if_(
      i32Eq(i32And(i8x16Bitmask(i8x16Eq(localGet('v'), v128Const(padded))), i32Const(mask)), i32Const(mask)),
      then,
    );
  }
  // The next sixteen are loaded only if the ones before match. The match ends at the zeros after the window at the
  // latest, so the load stays inside the memory.
  const further = (at: number): Code => {
    if (at >= length) return then;
    // The last sixteen overlap the ones before, so that nothing after the text is compared.
    const from = Math.min(at, length - 16);
    return if_(sixteen(v128Load(localGet('p'), from), bytes.slice(from, from + 16)), further(at + 16));
  };
  return if_(sixteen(localGet('v'), bytes.slice(0, 16)), further(16));
}

function sixteen(vector: Code, bytes: readonly number[]): Code {
  return i32Eq(i8x16Bitmask(i8x16Eq(vector, v128Const(bytes))), i32Const(0xffff));
}

/** Loads the local `v` for `whenMatches`. */
export const loadText: Code = localSet('v', v128Load(localGet('p')));

/** Moves `p` past a matched text. */
export function pass(bytes: readonly number[]): Code {
  return localSet('p', i32Add(localGet('p'), i32Const(bytes.length)));
}
