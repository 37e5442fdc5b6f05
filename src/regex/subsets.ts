/**
 * The subset construction: each state of a deterministic automaton is the set of states of a nondeterministic one that
 * the same bytes lead to.
 *
 * A condition on the next byte (`\b`) is decided when that byte is known, so the same jumps are followed for each class
 * of bytes. The previous byte is part of the state.
 */
import { type AutomatonBudget, FAILED, MATCHED } from './automaton.ts';
import { type CodePoints, WORD } from './code-points.ts';
import type { Dfa } from './dfa.ts';
import type { Anchor } from './expression.ts';
import { BYTE_SORTS, type ByteSort, boundaryOf, type Nfa, type State, sortOf, type TextBoundary } from './nfa.ts';

/** A state of the result: the states of the `Nfa` that the bytes so far lead to. */
interface Subset {
  readonly states: readonly number[];
  readonly start: boolean;
  /** What the byte before is. */
  readonly before: ByteSort;
}

/** The state before the first byte. `FAILED` and `MATCHED` are before it. */
const START = 2;

/** The automaton of the texts that `nfa` matches. Throws UnsupportedPattern. */
export function determinise(nfa: Nfa, budget: AutomatonBudget): Dfa {
  const subsets = new Subsets(nfa, budget);
  const next: number[] = [];
  const accepting: boolean[] = [];
  // The list grows while it is read.
  for (const [id, subset] of subsets.all.entries()) {
    accepting.push(subset === null ? id === MATCHED : subsets.accepts(subset));
    for (const to of subset === null ? subsets.examples.map(() => id) : subsets.row(subset)) next.push(to);
  }
  return { classes: subsets.classes, classCount: subsets.examples.length, next, accepting, start: START };
}

class Subsets {
  readonly classes: Uint8Array;
  /** A byte of each class. */
  readonly examples: readonly number[];
  /** By number; null for `FAILED` and `MATCHED`. */
  readonly all: (Subset | null)[];
  readonly #nfa: Nfa;
  readonly #budget: AutomatonBudget;
  /** Whether a condition on the bytes around a place occurs. */
  readonly #boundaries: boolean;
  /** Properties of each state: the constants below. */
  readonly #traits: Uint8Array;
  readonly #ids = new Map<string, number>();
  readonly #marks: Int32Array;
  #mark = 0;

  constructor(nfa: Nfa, budget: AutomatonBudget) {
    this.#nfa = nfa;
    this.#budget = budget;
    const { states, accept } = nfa;
    this.#boundaries = states.some(({ jumps }) =>
      jumps.some(({ when }) => when !== null && when !== 'start' && when !== 'end'),
    );
    [this.classes, this.examples] = byteClasses(states, this.#boundaries);
    const canMatch = statesBeforeMatch(nfa);
    this.#traits = Uint8Array.from(states, ({ edges, jumps }, i) => {
      const isConditional = jumps.some(({ when }) => when !== null);
      // The state leads on: an edge, a jump with a condition, or a match.
      const hasWay = i === accept || edges.length > 0 || isConditional;
      return (hasWay && canMatch[i] === 1 ? USEFUL : 0) | (isConditional ? CONDITIONAL : 0);
    });
    this.#marks = new Int32Array(states.length);
    this.all = [null, null, { states: [nfa.start], start: true, before: 0 }];
  }

  accepts({ states, start, before }: Subset): boolean {
    return this.#reach(states, boundaryOf({ start, end: true }, before, 0)).includes(this.#nfa.accept);
  }

  /** The next state for each class of bytes. Throws UnsupportedPattern. */
  row({ states, start, before }: Subset): number[] {
    const reached = (this.#boundaries ? BYTE_SORTS : [0 as const]).map((after) =>
      this.#reach(states, boundaryOf({ start, end: false }, before, after)),
    );
    const found = reached.map((one) => one.includes(this.#nfa.accept));
    const targets: number[][] = this.examples.map(() => []);
    for (const [after, from] of reached.entries()) {
      for (const state of from) this.#follow(state, after, targets);
    }
    const next: number[] = [];
    for (let i = 0; i < targets.length; i++) {
      const sort = this.#boundaries ? sortOf(this.examples[i]!) : 0;
      if (found[sort]) next.push(MATCHED);
      // Most classes do the same as the one before.
      else if (i > 0 && !this.#boundaries && areEqual(targets[i]!, targets[i - 1]!)) next.push(next[i - 1]!);
      else next.push(this.#id(targets[i]!, sort));
    }
    return next;
  }

  /** Adds the targets of the edges of `state`, by class; with boundaries, only those of bytes of that sort. */
  #follow(state: number, sort: number, targets: number[][]): void {
    for (const { first, last, to } of this.#nfa.states[state]!.edges) {
      const lastClass = this.classes[last]!;
      for (let one = this.classes[first]!; one <= lastClass; one++) {
        if (!this.#boundaries || sortOf(this.examples[one]!) === sort) targets[one]!.push(to);
      }
      this.#budget.spend(1 + lastClass - this.classes[first]!);
    }
  }

  /** The number of the state that a byte leads to. */
  #id(targets: readonly number[], before: ByteSort): number {
    if (targets.length === 0) return FAILED;
    const states = this.#settle(targets);
    if (states.length === 0) return FAILED;
    if (states.includes(this.#nfa.accept)) return MATCHED;
    return this.#add({ states, start: false, before });
  }

  /** The number of `subset`, a new one if it is not known. */
  #add(subset: Subset): number {
    const key = String.fromCharCode(subset.before, ...subset.states);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.all.push(subset) - 1;
    this.#ids.set(key, id);
    this.#budget.checkStates(this.all.length);
    return id;
  }

  /** The useful states that unconditional jumps lead to from `targets`, after the start of the text; in order. */
  #settle(targets: readonly number[]): readonly number[] {
    return this.#spread(targets, (when) => when === null)
      .filter((state) => (this.#traits[state]! & USEFUL) !== 0)
      .sort((a, b) => a - b);
  }

  #reach(states: readonly number[], place: TextBoundary): readonly number[] {
    // The set is complete, except for jumps with a condition.
    const isComplete = !place.start && !states.some((state) => (this.#traits[state]! & CONDITIONAL) !== 0);
    return isComplete ? states : this.#spread(states, (when) => when === null || place[when]);
  }

  /** All that jumps lead to. */
  #spread(states: readonly number[], may: (when: Anchor | null) => boolean): number[] {
    this.#mark++;
    const reached: number[] = [];
    const add = (state: number): void => {
      if (this.#marks[state] === this.#mark) return;
      this.#marks[state] = this.#mark;
      reached.push(state);
    };
    for (const state of states) add(state);
    // The set grows while the loop runs.
    for (const state of reached) {
      for (const { to, when } of this.#nfa.states[state]!.jumps) if (may(when)) add(to);
    }
    this.#budget.spend(reached.length);
    return reached;
  }
}

/** A state that can lead to a match after the start of the text, not only by jumps to others. */
const USEFUL = 1;
/** A state with a jump that has a condition. */
const CONDITIONAL = 2;

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

const LINE: CodePoints = [[0x0a, 0x0a]];

/** The class of each byte, in order of the bytes, and the first byte of each class. */
function byteClasses(states: readonly State[], boundaries: boolean): [Uint8Array, number[]] {
  const isFirst = new Uint8Array(257);
  isFirst[0] = 1;
  const begin = (first: number, last: number): void => {
    isFirst[first] = 1;
    isFirst[last + 1] = 1;
  };
  for (const { edges } of states) for (const { first, last } of edges) begin(first, last);
  if (boundaries) for (const [first, last] of [...WORD, ...LINE]) begin(first, last);
  const classes = new Uint8Array(256);
  const examples: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    if (isFirst[byte] === 1) examples.push(byte);
    classes[byte] = examples.length - 1;
  }
  return [classes, examples];
}

/** 1 for each state from which the match can be reached by a text that has begun. */
function statesBeforeMatch({ states, accept }: Nfa): Uint8Array {
  const before: number[][] = states.map(() => []);
  for (const [from, { edges, jumps }] of states.entries()) {
    for (const { to } of edges) before[to]!.push(from);
    for (const { to, when } of jumps) if (when !== 'start') before[to]!.push(from);
  }
  const useful = new Uint8Array(states.length);
  const reached = [accept];
  useful[accept] = 1;
  for (const state of reached) {
    for (const from of before[state]!) {
      if (useful[from] === 1) continue;
      useful[from] = 1;
      reached.push(from);
    }
  }
  return useful;
}
