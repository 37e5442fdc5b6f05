/**
 * A nondeterministic automaton to a deterministic one with all its states.
 */
import type { Budget } from './budget.ts';
import type { Dfa } from './dfa.ts';
import type { Nfa } from './nfa.ts';
import { START, Subsets } from './subsets.ts';

/** The automaton of the texts that `nfa` matches. Throws Unsupported. */
export function determinise(nfa: Nfa, budget: Budget): Dfa {
  const subsets = new Subsets(nfa, budget);
  const next: number[] = [];
  const accepting: boolean[] = [];
  for (let id = 0; id < subsets.size; id++) {
    accepting.push(subsets.accepts(id));
    for (const to of subsets.row(id)) next.push(to);
  }
  const { classes, classCount } = subsets;
  return { classes, classCount, next, accepting, start: START };
}
