/**
 * Packs a minimal deterministic automaton into the tables used for matching. States are numbered so that the two final
 * states, and the accepting ones, are known by number.
 */
import { type Automaton, FAILED, MATCHED } from './automaton.ts';
import type { Dfa } from './dfa.ts';
import { Unsupported } from './unsupported.ts';

/** States are numbered by 16 bits. */
const MAX_STATES = 0xffff;

/** Throws Unsupported for more states than 16 bits can number. */
export function pack(dfa: Dfa): Automaton {
  const { classes, classCount, next, accepting, start } = dfa;
  const order = inOrder(dfa);
  if (order.length > MAX_STATES) throw new Unsupported('its automaton would be too large');
  const numbers = new Int32Array(accepting.length);
  for (let number = 0; number < order.length; number++)
    if (order[number]! >= 0) numbers[order[number]!] = number;
  const transitions = new Uint16Array(order.length * classCount);
  for (let number = 0, at = 0; number < order.length; number++) {
    const from = order[number]! * classCount;
    for (let one = 0; one < classCount; one++)
      transitions[at++] = from < 0 ? number : numbers[next[from + one]!]!;
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
  return [
    ...order,
    ...others.filter((state) => accepting[state]),
    ...others.filter((state) => !accepting[state]),
  ];
}

/** Whether every byte leads back to `state`. */
function isLast({ classCount, next }: Dfa, state: number): boolean {
  for (let one = 0; one < classCount; one++) if (next[state * classCount + one] !== state) return false;
  return true;
}
