/**
 * The subset construction: each state of a deterministic automaton is the set of states of a nondeterministic one that
 * the same bytes lead to.
 *
 * A condition on the next byte (`\b`) is decided when that byte is known, so the same jumps are followed for each class
 * of bytes. The previous byte is part of the state.
 */
import { entryOf } from '../json/on-demand.ts';
import { type AutomatonBudget, FAILED, MATCHED } from './automaton.ts';
import { range, WORD } from './code-points.ts';
import type { Dfa } from './dfa.ts';
import type { Anchor } from './expression.ts';
import { conditionsAt, type Nfa, SORTS, type State, sortOf } from './nfa.ts';

/** A state of the result: the states of the `Nfa` that the bytes so far lead to. */
interface Subset {
  readonly states: readonly number[];
  /** A byte of the sort that the one before has; null: none is before. */
  readonly before: number | null;
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
  /** Whether a state has a jump with a condition. */
  readonly #isConditional: readonly boolean[];
  /** Whether a state can lead to a match after the start of the text, not only by jumps to others. */
  readonly #isUseful: readonly boolean[];
  readonly #ids = new Map<string, number>();

  constructor(nfa: Nfa, budget: AutomatonBudget) {
    this.#nfa = nfa;
    this.#budget = budget;
    const { states, accept } = nfa;
    this.#boundaries = states.some(({ jumps }) =>
      jumps.some(({ when }) => when !== null && when !== 'start' && when !== 'end'),
    );
    [this.classes, this.examples] = byteClasses(states, this.#boundaries);
    const canMatch = statesBeforeMatch(nfa);
    this.#isConditional = states.map(({ jumps }) => jumps.some(({ when }) => when !== null));
    this.#isUseful = states.map(
      ({ edges }, i) => canMatch.has(i) && (i === accept || edges.length > 0 || this.#isConditional[i]!),
    );
    this.all = [null, null, { states: [nfa.start], before: null }];
  }

  accepts(subset: Subset): boolean {
    return this.#reach(subset, null).includes(this.#nfa.accept);
  }

  /** The next state for each class of bytes. Throws UnsupportedPattern. */
  row(subset: Subset): number[] {
    const reached = (this.#boundaries ? SORTS : SORTS.slice(0, 1)).map((after) => this.#reach(subset, after));
    const found = reached.map((one) => one.includes(this.#nfa.accept));
    const targets: number[][] = this.examples.map(() => []);
    for (const [after, from] of reached.entries()) {
      for (const state of from) this.#follow(state, after, targets);
    }
    const next: number[] = [];
    for (const [i, states] of targets.entries()) {
      const sort = this.#boundaries ? sortOf(this.examples[i]!) : 0;
      // Most classes do the same as the one before.
      const isRepeated = i > 0 && !this.#boundaries && areEqual(states, targets[i - 1]!);
      next.push(found[sort] === true ? MATCHED : isRepeated ? next[i - 1]! : this.#id(states, SORTS[sort]!));
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
  #id(targets: readonly number[], before: number): number {
    if (targets.length === 0) return FAILED;
    const states = this.#settle(targets);
    if (states.length === 0) return FAILED;
    if (states.includes(this.#nfa.accept)) return MATCHED;
    return entryOf(this.#ids, String.fromCharCode(before, ...states), () => {
      const count = this.all.push({ states, before });
      this.#budget.checkStates(count);
      return count - 1;
    });
  }

  /** The useful states that unconditional jumps lead to from `targets`, after the start of the text; in order. */
  #settle(targets: readonly number[]): readonly number[] {
    return this.#spread(targets, (when) => when === null)
      .filter((state) => this.#isUseful[state])
      .sort((a, b) => a - b);
  }

  /** The states of the subset, and those that it jumps to before the byte `after`; null: the text ends. */
  #reach({ states, before }: Subset, after: number | null): readonly number[] {
    // The set is complete, except for jumps with a condition.
    const isComplete = before !== null && !states.some((state) => this.#isConditional[state]);
    const holds = conditionsAt(before, after);
    return isComplete ? states : this.#spread(states, (when) => when === null || holds[when]);
  }

  /** All that jumps lead to. */
  #spread(states: readonly number[], may: (when: Anchor | null) => boolean): number[] {
    const reached = new Set(states);
    // The set grows while the loop runs.
    for (const state of reached)
      for (const { to, when } of this.#nfa.states[state]!.jumps) if (may(when)) reached.add(to);
    this.#budget.spend(reached.size);
    return [...reached];
  }
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

/** The class of each byte, in order of the bytes, and the first byte of each class. */
function byteClasses(states: readonly State[], boundaries: boolean): [Uint8Array, number[]] {
  const begins = new Set([0]);
  for (const { edges } of states) for (const { first, last } of edges) begins.add(first).add(last + 1);
  if (boundaries) for (const [first, last] of [...WORD, range('\n')]) begins.add(first).add(last + 1);
  const examples = [...begins].filter((byte) => byte < 256).sort((a, b) => a - b);
  return [Uint8Array.from({ length: 256 }, (_, byte) => examples.findLastIndex((first) => first <= byte)), examples];
}

/** The states from which the match can be reached by a text that has begun. */
function statesBeforeMatch({ states, accept }: Nfa): ReadonlySet<number> {
  const before: number[][] = states.map(() => []);
  for (const [from, { edges, jumps }] of states.entries()) {
    for (const { to } of edges) before[to]!.push(from);
    for (const { to, when } of jumps) if (when !== 'start') before[to]!.push(from);
  }
  const reached = new Set([accept]);
  // The set grows while the loop runs.
  for (const state of reached) for (const from of before[state]!) reached.add(from);
  return reached;
}
