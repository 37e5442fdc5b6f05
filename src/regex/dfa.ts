/**
 * A deterministic automaton over bytes under construction, the combination of two of them, and its tables for matching.
 */
import { type Automaton, type AutomatonBudget, FAILED, MATCHED, UnsupportedPattern } from './automaton.ts';

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

/** The texts that both `a` and `b` accept (`negate`: that `a` accepts and `b` does not). Throws Unsupported. */
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

/** States are numbered by 16 bits. */
const MAX_STATES = 0xffff;

/**
 * The tables for matching. The states 0 and 1 of `dfa` are DEAD and FOUND (`subsets.ts`); the other accepting ones come next.
 * Throws UnsupportedPattern for more states than 16 bits can number.
 */
export function pack(dfa: Dfa): Automaton {
  const { classCount, next, accepting, start } = dfa;
  const same = mergeStates(dfa);
  const kept = [...accepting.keys()].filter((state) => same[state] === state && state > MATCHED);
  const others = kept.filter((state) => accepting[state]);
  const order = [FAILED, MATCHED, ...others, ...kept.filter((state) => !accepting[state])];
  if (order.length > MAX_STATES) throw new UnsupportedPattern('its automaton would be too large');
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
