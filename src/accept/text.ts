/**
 * Comparing text in the payload with text of the schema: names, `enum` and `const`. A match is of the raw bytes up to and with
 * the closing quote, so a string that spells the same text with escapes does not match, and is unsure.
 */
import {
  add,
  and,
  bitmask,
  bytesEq,
  type Code,
  eq,
  get,
  i32,
  load128,
  set,
  v128,
  when,
} from '../wasm/assembler.ts';
import { Unsupported } from './unsupported.ts';

/** Characters of the longest text that is compared: sixteen bytes of it are one level of code. */
const MAX_LENGTH = 1000;

/**
 * The text as it stands in a JSON string without escapes, and its closing quote; null if it cannot stand so. Throws Unsupported
 * for one that is too long.
 */
export function rawText(text: string): readonly number[] | null {
  if (text.length > MAX_LENGTH)
    throw new Unsupported(`a name or value of more than ${MAX_LENGTH} characters`);
  // Quotes, backslashes and control characters need an escape; lone surrogates have no UTF-8.
  return /["\\\u0000-\u001f]/.test(text) || !text.isWellFormed() ? null : [...Buffer.from(`${text}"`)];
}

/**
 * Runs `then` where `bytes` stand at `p`. The local `v` must hold the 16 bytes at `p`.
 */
export function whenMatches(bytes: readonly number[], then: Code): Code {
  const { length } = bytes;
  if (length <= 16) {
    const mask = (1 << length) - 1;
    const padded = [...bytes, ...new Array<number>(16 - length).fill(0)];
    return when(eq(and(bitmask(bytesEq(get('v'), v128(padded))), i32(mask)), i32(mask)), then);
  }
  // Sixteen are loaded only where those before them match: no text goes beyond the zeros behind the window, but the memory ends.
  const further = (at: number): Code => {
    if (at >= length) return then;
    // The last sixteen overlap those before, so that nothing beyond the text is compared.
    const from = Math.min(at, length - 16);
    return when(sixteen(load128(get('p'), from), bytes.slice(from, from + 16)), further(at + 16));
  };
  return when(sixteen(get('v'), bytes.slice(0, 16)), further(16));
}

function sixteen(vector: Code, bytes: readonly number[]): Code {
  return eq(bitmask(bytesEq(vector, v128(bytes))), i32(0xffff));
}

/** Loads the local `v` for `whenMatches`. */
export const loadText: Code = set('v', load128(get('p')));

/** Moves `p` past text that was matched. */
export function pass(bytes: readonly number[]): Code {
  return set('p', add(get('p'), i32(bytes.length)));
}
