/**
 * A regular expression as a table over UTF-8 bytes, and functions that match a text with it: one step per byte, in
 * memory that does not depend on the text. It is plain data, so it can be sent to threads and written as text, and equal
 * expressions have equal tables.
 *
 * The cost of making one has limits. Work is counted, not timed, so that an expression has the same result on every machine.
 * Without an automaton, RegExp matches the expression: with the same result, perhaps slower.
 */

export interface Automaton {
  /** The class of each of the 256 bytes. Bytes of one class lead to the same state, from every state. */
  readonly classes: Uint8Array;
  readonly classCount: number;
  /** The next state: at `state * classCount + class`. */
  readonly transitions: Uint16Array;
  readonly start: number;
  /** A text that ends in a state from 1 to this one is matched. */
  readonly lastAccepting: number;
}

/** Final state, whatever follows: no match. */
export const FAILED = 0;
/** Final state, whatever follows: a match. */
export const MATCHED = 1;

/** Whether `text` or a part of it matches, like `RegExp.prototype.test`. A lone surrogate is a character. */
export function matches(automaton: Automaton, text: string): boolean {
  const bytes = bytesOf(text);
  return matchesBytes(automaton, bytes, 0, bytes.length);
}

/** The same for the well-formed UTF-8 in `bytes[from, to)`. A lone surrogate is three bytes. */
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

/** Four numbers of two bytes each: number of classes, start, last accepting state, bytes of a transition. Then the classes. */
const CLASSES_AT = 8;
const TRANSITIONS_AT = CLASSES_AT + 256;

export function toText({ classes, classCount, transitions, start, lastAccepting }: Automaton): string {
  const width = transitions.length > 256 * classCount ? 2 : 1;
  const bytes = Buffer.alloc(TRANSITIONS_AT + width * transitions.length);
  for (const [i, number] of [classCount, start, lastAccepting, width].entries()) bytes.writeUInt16LE(number, 2 * i);
  bytes.set(classes, CLASSES_AT);
  for (const [i, state] of transitions.entries()) bytes.writeUIntLE(state, TRANSITIONS_AT + width * i, width);
  return bytes.toString('base64');
}

export function fromText(text: string): Automaton {
  const bytes = Buffer.from(text, 'base64');
  const width = bytes.readUInt16LE(6);
  return {
    classes: Uint8Array.from(bytes.subarray(CLASSES_AT, TRANSITIONS_AT)),
    classCount: bytes.readUInt16LE(0),
    transitions: Uint16Array.from({ length: (bytes.length - TRANSITIONS_AT) / width }, (_, i) =>
      bytes.readUIntLE(TRANSITIONS_AT + width * i, width),
    ),
    start: bytes.readUInt16LE(2),
    lastAccepting: bytes.readUInt16LE(4),
  };
}

export interface AutomatonLimits {
  /** States of the deterministic automaton before equal ones are merged. */
  readonly states: number;
  /** Steps of the construction: edges made and followed. A million steps take about 20 ms. */
  readonly work: number;
}

/** For an automaton that is made once and used often. */
export const AUTOMATON_LIMITS: AutomatonLimits = { states: 10_000, work: 2_000_000 };
/** For an automaton that may be used for a single text. */
export const QUICK: AutomatonLimits = { states: 1000, work: 100_000 };

/** The rest of the limits for one expression. */
export class AutomatonBudget {
  readonly limits: AutomatonLimits;
  #work: number;

  constructor(limits: AutomatonLimits) {
    this.limits = limits;
    this.#work = limits.work;
  }

  /** Throws UnsupportedPattern if nothing is left. */
  spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new UnsupportedPattern('its automaton would take too long to make');
  }

  /** Throws UnsupportedPattern for more states than the limits allow. */
  checkStates(states: number): void {
    if (states > this.limits.states) throw new UnsupportedPattern('its automaton would be too large');
  }
}

/** The message is a clause about the expression, such as "it looks behind". */
export class UnsupportedPattern extends Error {
  override readonly name = 'UnsupportedPattern';
}
