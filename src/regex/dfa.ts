/** A deterministic automaton over bytes under construction, the combination of two, and its tables for matching. */
import { memoized } from '../json/on-demand.ts';
import { type Automaton, type AutomatonBudget, FAILED, MATCHED } from './automaton.ts';

export interface Dfa extends Pick<Automaton, 'classes' | 'classCount' | 'start'> {
  /** The next state: at `state * classCount + class`. */
  readonly next: ArrayLike<number>;
  /** Whether a text may end in a state: one for each. */
  readonly accepting: readonly boolean[];
}

/** The texts that both `a` and `b` accept (`negate`: that `a` accepts and `b` does not). Throws Unsupported. */
export function intersect(a: Dfa, b: Dfa, negate: boolean, budget: AutomatonBudget): Dfa {
  const { classes, columns } = commonClasses(a, b);
  const size = b.accepting.length;
  const pairs: [number, number][] = [];
  /** The number of the pair of the states `key / size` and `key % size`. */
  const id = memoized((key: number): number => {
    const count = pairs.push([Math.floor(key / size), key % size]);
    budget.checkStates(count);
    budget.spend(columns.length);
    return count - 1;
  });
  id(a.start * size + b.start);
  const next: number[] = [];
  const accepting: boolean[] = [];
  for (const [inA, inB] of pairs) {
    accepting.push(a.accepting[inA]! && b.accepting[inB] !== negate);
    for (const [inColumnA, inColumnB] of columns) {
      next.push(id(a.next[inA * a.classCount + inColumnA]! * size + b.next[inB * b.classCount + inColumnB]!));
    }
  }
  return { classes, classCount: columns.length, next, accepting, start: 0 };
}

/** Byte classes that fit both automata, and for each the class in `a` and in `b`. */
function commonClasses(a: Dfa, b: Dfa): { classes: Uint8Array; columns: [number, number][] } {
  const columns: [number, number][] = [];
  const numberOf = memoized((pair: number) => columns.push([pair >> 8, pair & 0xff]) - 1);
  return { classes: a.classes.map((inA, byte) => numberOf((inA << 8) | b.classes[byte]!)), columns };
}

/** The tables for matching: first `FAILED` and `MATCHED`, then other accepting states. */
export function pack(dfa: Dfa): Automaton {
  const { classCount, next, accepting, start } = dfa;
  const same = mergeStates(dfa);
  const representatives = [...accepting.keys()].filter((state) => same[state] === state && state > MATCHED);
  const others = representatives.filter((state) => accepting[state]);
  const order = [FAILED, MATCHED, ...others, ...representatives.filter((state) => !accepting[state])];
  const numbers = new Uint16Array(accepting.length);
  for (const [number, state] of order.entries()) numbers[state] = number;
  const { classes, columns } = mergeClasses(dfa);
  const transitions = new Uint16Array(order.length * columns.length);
  let at = 0;
  for (const state of order)
    for (const one of columns) transitions[at++] = numbers[same[next[state * classCount + one]!]!]!;
  const lastAccepting = MATCHED + others.length;
  return { classes, classCount: columns.length, transitions, start: numbers[same[start]!]!, lastAccepting };
}

/** More of them find few states. */
const MOST_ROUNDS = 10;

/**
 * By state: one that accepts the same texts, perhaps itself. States are compared by where their bytes lead, the last ones
 * first: those that follow on them are merged then. What is in a loop is not merged.
 */
function mergeStates({ classCount, next, accepting }: Dfa): Int32Array {
  const same = Int32Array.from(accepting.keys());
  const order = [FAILED, MATCHED, ...[...same.slice(MATCHED + 1)].reverse()];
  let count = order.length;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const known = new Map<string, number>();
    for (const state of order) {
      if (same[state] !== state) continue;
      let key = accepting[state] ? '+' : '';
      for (let at = state * classCount; at < (state + 1) * classCount; at++)
        key += String.fromCharCode(same[next[at]!]!);
      same[state] = known.get(key) ?? state;
      known.set(key, same[state]!);
    }
    for (const state of order) same[state] = same[same[state]!]!;
    if (known.size === count) break;
    count = known.size;
  }
  return same;
}

/** Merges classes that lead to the same states from every state. `columns`: an old class for each new one. */
function mergeClasses({ classes, classCount, next }: Dfa): { classes: Uint8Array; columns: number[] } {
  const columns: number[] = [];
  const isSame = (one: number, other: number): boolean => {
    for (let at = 0; at < next.length; at += classCount) if (next[at + one] !== next[at + other]) return false;
    return true;
  };
  const merged = Array.from({ length: classCount }, (_, one) => {
    const known = columns.findIndex((other) => isSame(one, other));
    return known < 0 ? columns.push(one) - 1 : known;
  });
  return { classes: classes.map((one) => merged[one]!), columns };
}
