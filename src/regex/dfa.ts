/**
 * A deterministic automaton over bytes under construction, and the combination of two of them.
 */
import type { AutomatonBudget } from './automaton.ts';

export interface Dfa {
  /** The class of each of the 256 bytes. Bytes of one class lead to the same state, from every state. */
  readonly classes: Uint8Array;
  readonly classCount: number;
  /** The next state: at `state * classCount + class`. */
  readonly next: ArrayLike<number>;
  /** Whether a text may end in a state: one for each. */
  readonly accepting: readonly boolean[];
  readonly start: number;
}

/**
 * The automaton of the texts that both `a` and `b` accept (`negate`: that `a` accepts and `b` does not). Throws
 * Unsupported.
 */
export function intersect(a: Dfa, b: Dfa, negate: boolean, budget: AutomatonBudget): Dfa {
  const { classes, columns } = commonClasses(a, b);
  const pairs: [number, number][] = [];
  const ids = new Map<number, number>();
  const id = (inA: number, inB: number): number => {
    const key = inA * b.accepting.length + inB;
    let one = ids.get(key);
    if (one === undefined) {
      one = pairs.push([inA, inB]) - 1;
      ids.set(key, one);
      budget.checkStates(pairs.length);
      budget.spend(columns.length);
    }
    return one;
  };
  id(a.start, b.start);
  const next: number[] = [];
  const accepting: boolean[] = [];
  for (const [inA, inB] of pairs) {
    accepting.push(a.accepting[inA]! && b.accepting[inB] !== negate);
    for (const [inColumnA, inColumnB] of columns) {
      next.push(id(a.next[inA * a.classCount + inColumnA]!, b.next[inB * b.classCount + inColumnB]!));
    }
  }
  return { classes, classCount: columns.length, next, accepting, start: 0 };
}

/** Byte classes that fit both automata, and for each the class in `a` and in `b`. */
function commonClasses(a: Dfa, b: Dfa): { classes: Uint8Array; columns: [number, number][] } {
  const classes = new Uint8Array(256);
  const columns: [number, number][] = [];
  const ids = new Map<number, number>();
  for (let byte = 0; byte < 256; byte++) {
    const [inA, inB] = [a.classes[byte]!, b.classes[byte]!];
    let one = ids.get(inA * 256 + inB);
    if (one === undefined) {
      one = columns.push([inA, inB]) - 1;
      ids.set(inA * 256 + inB, one);
    }
    classes[byte] = one;
  }
  return { classes, columns };
}
