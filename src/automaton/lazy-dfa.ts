/**
 * An automaton that makes a state when a text first reaches it, for expressions with too many states to make them all.
 * A byte of a text costs at most time proportional to the expression, and memory is bounded: if there are too many
 * states, all are dropped and made again as needed.
 */
import { Budget } from './limits.ts';
import type { Nfa } from './nfa.ts';
import { DEAD, FOUND, START, Subsets } from './subsets.ts';

/** The number of states, and of numbers to store them, above which all states are dropped. */
export interface Room {
  readonly states: number;
  readonly weight: number;
}

export const ROOM: Room = { states: 10_000, weight: 1_000_000 };
const ENDLESS = { states: Number.POSITIVE_INFINITY, work: Number.POSITIVE_INFINITY };

export class LazyAutomaton {
  readonly #subsets: Subsets;
  readonly #room: Room;
  /** By state: the next state for each class of bytes; undefined if not known yet. */
  #rows: (readonly number[] | undefined)[] = [];

  constructor(nfa: Nfa, room: Room) {
    this.#subsets = new Subsets(nfa, new Budget(ENDLESS));
    this.#room = room;
  }

  /** Like `matches` of a complete automaton. */
  matches(text: string): boolean {
    let state = START;
    for (let i = 0; i < text.length && state !== DEAD && state !== FOUND; i++) {
      const point = text.codePointAt(i)!;
      if (point < 0x80) state = this.#next(state, point);
      else if (point < 0x800) {
        state = this.#next(state, 0xc0 | (point >> 6));
        state = this.#next(state, 0x80 | (point & 0x3f));
      } else {
        if (point > 0xffff) {
          i++;
          state = this.#next(state, 0xf0 | (point >> 18));
          state = this.#next(state, 0x80 | ((point >> 12) & 0x3f));
        } else state = this.#next(state, 0xe0 | (point >> 12));
        state = this.#next(state, 0x80 | ((point >> 6) & 0x3f));
        state = this.#next(state, 0x80 | (point & 0x3f));
      }
    }
    return this.#subsets.accepts(state);
  }

  #next(state: number, byte: number): number {
    let row = this.#rows[state];
    if (row === undefined) {
      const { size, weight } = this.#subsets;
      if (size > this.#room.states || weight > this.#room.weight) {
        this.#rows = [];
        state = this.#subsets.forget(state);
      }
      row = this.#subsets.row(state);
      this.#rows[state] = row;
    }
    return row[this.#subsets.classes[byte]!]!;
  }
}
