/**
 * The smallest deterministic automaton that accepts the same texts (Hopcroft's algorithm, in O(classes * states * log
 * states)), and its tables for matching.
 */

import { type Automaton, FAILED, MATCHED, UnsupportedPattern } from './automaton.ts';
import type { Dfa } from './dfa.ts';

/**
 * Merges equivalent states, and equivalent classes of bytes. Equal languages give equal results except for the
 * numbering.
 */
export function minimise(dfa: Dfa): Dfa {
  const { classCount, next, accepting } = dfa;
  const { blocks, count } = new Partition(dfa).refine();
  const example = new Int32Array(count);
  for (let state = blocks.length - 1; state >= 0; state--) example[blocks[state]!] = state;
  const rows = new Int32Array(count * classCount);
  for (let block = 0; block < count; block++) {
    const from = example[block]! * classCount;
    for (let one = 0; one < classCount; one++) rows[block * classCount + one] = blocks[next[from + one]!]!;
  }
  const { classes, columns } = mergeClasses(dfa.classes, rows, classCount);
  const merged = new Int32Array(count * columns.length);
  for (let block = 0, at = 0; block < count; block++)
    for (const one of columns) merged[at++] = rows[block * classCount + one]!;
  return {
    classes,
    classCount: columns.length,
    next: merged,
    accepting: Array.from(example, (state) => accepting[state]!),
    start: blocks[dfa.start]!,
  };
}

/** Merges classes that lead to the same states from every state. `columns`: an old class for each new one. */
function mergeClasses(
  classes: Uint8Array,
  rows: Int32Array,
  classCount: number,
): { classes: Uint8Array; columns: number[] } {
  const columns: number[] = [];
  const merged = new Uint8Array(classCount);
  const isSame = (one: number, other: number): boolean => {
    for (let at = 0; at < rows.length; at += classCount) if (rows[at + one] !== rows[at + other]) return false;
    return true;
  };
  for (let one = 0; one < classCount; one++) {
    const known = columns.findIndex((other) => isSame(one, other));
    merged[one] = known < 0 ? columns.push(one) - 1 : known;
  }
  return { classes: classes.map((one) => merged[one]!), columns };
}

/** A partition of the states into blocks. Blocks are split until all states of a block are equivalent. */
class Partition {
  readonly #dfa: Dfa;
  /** The states grouped by block: `#order[#first[block]]` up to `#order[#end[block]]`. */
  readonly #order: Int32Array;
  readonly #place: Int32Array;
  readonly #block: Int32Array;
  readonly #first: number[] = [];
  readonly #end: number[] = [];
  /** How many states at the beginning of a block are marked. */
  readonly #marked: number[] = [];
  /** For a state and a class, the states from which the class leads to it: `#before[at]` up to `#before[at + 1]`. */
  readonly #beforeAt: Int32Array;
  readonly #before: Int32Array;
  readonly #queue: number[] = [];

  constructor(dfa: Dfa) {
    this.#dfa = dfa;
    const { accepting, next } = dfa;
    const states = [...accepting.keys()];
    this.#order = Int32Array.from([
      ...states.filter((state) => !accepting[state]),
      ...states.filter((state) => accepting[state]),
    ]);
    this.#place = new Int32Array(states.length);
    this.#block = new Int32Array(states.length);
    for (const [place, state] of this.#order.entries()) this.#place[state] = place;
    const refused = accepting.filter((one) => !one).length;
    if (refused > 0) this.#add(0, refused);
    if (refused < states.length) this.#add(refused, states.length);
    this.#beforeAt = new Int32Array(next.length + 1);
    this.#before = new Int32Array(next.length);
    this.#reverse();
  }

  /** The block of each state, and how many blocks there are. */
  refine(): { blocks: Int32Array; count: number } {
    const { classCount } = this.#dfa;
    for (let block = this.#queue.pop(); block !== undefined; block = this.#queue.pop()) {
      // A copy: the block may be split itself in this loop.
      const splitter = this.#order.slice(this.#first[block], this.#end[block]);
      for (let one = 0; one < classCount; one++) this.#splitBy(splitter, one);
    }
    return { blocks: this.#block, count: this.#first.length };
  }

  /** Separates the states that lead into `splitter` with a byte of class `one` from the others. */
  #splitBy(splitter: Int32Array, one: number): void {
    const touched: number[] = [];
    for (const state of splitter) {
      const at = state * this.#dfa.classCount + one;
      for (let i = this.#beforeAt[at]!; i < this.#beforeAt[at + 1]!; i++) {
        const block = this.#block[this.#before[i]!]!;
        if (this.#marked[block] === 0) touched.push(block);
        this.#markState(this.#before[i]!, block);
      }
    }
    for (const block of touched) this.#splitMarked(block);
  }

  /** Moves an unmarked state to the marked ones of its block. */
  #markState(state: number, block: number): void {
    const to = this.#first[block]! + this.#marked[block]!++;
    const from = this.#place[state]!;
    const other = this.#order[to]!;
    this.#order[to] = state;
    this.#order[from] = other;
    this.#place[state] = to;
    this.#place[other] = from;
  }

  #splitMarked(block: number): void {
    const [first, end] = [this.#first[block]!, this.#end[block]!];
    const middle = first + this.#marked[block]!;
    this.#marked[block] = 0;
    if (middle === end) return;
    // The new block is the smaller part. It is enough to queue that one, whether the old one is queued or not.
    if (middle - first <= end - middle) {
      this.#first[block] = middle;
      this.#add(first, middle);
    } else {
      this.#end[block] = middle;
      this.#add(middle, end);
    }
  }

  /** Makes a block of the states in `[first, end)` and queues it. */
  #add(first: number, end: number): void {
    const block = this.#first.push(first) - 1;
    this.#end.push(end);
    this.#marked.push(0);
    for (let i = first; i < end; i++) this.#block[this.#order[i]!] = block;
    this.#queue.push(block);
  }

  /** Fills `#before` and `#beforeAt`. */
  #reverse(): void {
    const { classCount, next } = this.#dfa;
    const at = (i: number): number => next[i]! * classCount + (i % classCount);
    for (let i = 0; i < next.length; i++) this.#beforeAt[at(i) + 1]!++;
    for (let i = 0; i < next.length; i++) this.#beforeAt[i + 1]! += this.#beforeAt[i]!;
    const filled = this.#beforeAt.slice();
    for (let i = 0; i < next.length; i++) this.#before[filled[at(i)]!++] = Math.floor(i / classCount);
  }
}

/** States are numbered by 16 bits. */
const MAX_STATES = 0xffff;

/**
 * Packs a minimal automaton into the tables used for matching. States are numbered so that the two final states, and the
 * accepting ones, are known by number. Throws UnsupportedPattern for more states than 16 bits can number.
 */
export function pack(dfa: Dfa): Automaton {
  const { classes, classCount, next, accepting, start } = dfa;
  const order = inOrder(dfa);
  if (order.length > MAX_STATES) throw new UnsupportedPattern('its automaton would be too large');
  const numbers = new Int32Array(accepting.length);
  for (let number = 0; number < order.length; number++) if (order[number]! >= 0) numbers[order[number]!] = number;
  const transitions = new Uint16Array(order.length * classCount);
  for (let number = 0, at = 0; number < order.length; number++) {
    const from = order[number]! * classCount;
    for (let one = 0; one < classCount; one++) transitions[at++] = from < 0 ? number : numbers[next[from + one]!]!;
  }
  const others = order.filter((state) => state >= 0 && accepting[state] && state !== order[MATCHED]).length;
  return { classes, classCount, transitions, start: numbers[start]!, lastAccepting: MATCHED + others };
}

/** The states by their new number: FAILED, MATCHED (-1 and -2 if missing), the other accepting ones, the rest. */
function inOrder(dfa: Dfa): number[] {
  const { accepting } = dfa;
  const states = [...accepting.keys()];
  const order: number[] = [];
  order[FAILED] = states.find((state) => !accepting[state] && isLast(dfa, state)) ?? -1;
  order[MATCHED] = states.find((state) => accepting[state] && isLast(dfa, state)) ?? -2;
  const others = states.filter((state) => state !== order[FAILED] && state !== order[MATCHED]);
  return [...order, ...others.filter((state) => accepting[state]), ...others.filter((state) => !accepting[state])];
}

/** Whether every byte leads back to `state`. */
function isLast({ classCount, next }: Dfa, state: number): boolean {
  for (let one = 0; one < classCount; one++) if (next[state * classCount + one] !== state) return false;
  return true;
}
