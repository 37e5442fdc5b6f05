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
  const { classes, classCount, transitions } = automaton;
  let state = automaton.start;
  // A hot loop. It reads all bytes of a character before it checks the state.
  for (let i = 0; i < text.length && state > MATCHED; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      state = transitions[state * classCount + classes[unit]!]!;
      continue;
    }
    if (unit < 0x800) {
      state = transitions[state * classCount + classes[0xc0 | (unit >> 6)]!]!;
    } else {
      const point = unit < 0xd800 || unit > 0xdbff ? unit : text.codePointAt(i)!;
      if (point > 0xffff) {
        i++;
        state = transitions[state * classCount + classes[0xf0 | (point >> 18)]!]!;
        state = transitions[state * classCount + classes[0x80 | ((point >> 12) & 0x3f)]!]!;
        state = transitions[state * classCount + classes[0x80 | ((point >> 6) & 0x3f)]!]!;
        state = transitions[state * classCount + classes[0x80 | (point & 0x3f)]!]!;
        continue;
      }
      state = transitions[state * classCount + classes[0xe0 | (unit >> 12)]!]!;
      state = transitions[state * classCount + classes[0x80 | ((unit >> 6) & 0x3f)]!]!;
    }
    state = transitions[state * classCount + classes[0x80 | (unit & 0x3f)]!]!;
  }
  return accepts(automaton, state);
}

/**
 * The same for the text with the UTF-8 bytes `bytes[from, to)`, which must be well-formed. A lone surrogate is three
 * bytes.
 */
export function matchesBytes(automaton: Automaton, bytes: Uint8Array, from: number, to: number): boolean {
  const { classes, classCount, transitions } = automaton;
  let state = automaton.start;
  for (let i = from; i < to && state > MATCHED; i++) {
    state = transitions[state * classCount + classes[bytes[i]!]!]!;
  }
  return accepts(automaton, state);
}

function accepts({ lastAccepting }: Automaton, state: number): boolean {
  return state !== FAILED && state <= lastAccepting;
}
