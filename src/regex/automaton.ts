/**
 * A regular expression as a table over UTF-8 bytes, and functions that match a text with it: one step per byte, in
 * memory that does not depend on the text. It is plain data, so it can be sent to threads, and equal expressions have
 * equal tables.
 */

export interface Automaton {
  /** The class of each of the 256 bytes. */
  readonly classes: Uint8Array;
  readonly classCount: number;
  /** The next state: at `state * classCount + class`. */
  readonly transitions: Uint16Array;
  /** The state before the first byte. */
  readonly start: number;
  /** A text that ends in a state from 1 to this one is matched. */
  readonly lastAccepting: number;
}

/** Final state, whatever follows: no match. */
export const FAILED = 0;
/** Final state, whatever follows: a match. */
export const MATCHED = 1;

/**
 * Whether the expression matches `text` or a part of it, like `RegExp.prototype.test`. A lone surrogate is a character.
 */
export function matches(automaton: Automaton, text: string): boolean {
  const bytes = bytesOf(text);
  return matchesBytes(automaton, bytes, 0, bytes.length);
}

/**
 * The same for the text with the UTF-8 bytes `bytes[from, to)`, which must be well-formed. A lone surrogate is three
 * bytes.
 */
export function matchesBytes(automaton: Automaton, bytes: Uint8Array, from: number, to: number): boolean {
  const { classes, classCount, transitions, start, lastAccepting } = automaton;
  let state = start;
  for (let i = from; i < to && state > MATCHED; i++) {
    state = transitions[state * classCount + classes[bytes[i]!]!]!;
  }
  return state !== FAILED && state <= lastAccepting;
}

/** The text in UTF-8, with three bytes for a lone surrogate. */
export function bytesOf(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text);
  return Uint8Array.from([...text].flatMap(bytesOfCharacter));
}

function bytesOfCharacter(character: string): number[] {
  const point = character.codePointAt(0)!;
  const rest = (shift: number): number => 0x80 | ((point >> shift) & 0x3f);
  return character.isWellFormed() ? [...Buffer.from(character)] : [0xe0 | (point >> 12), rest(6), rest(0)];
}
