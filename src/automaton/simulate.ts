/**
 * Matches a text with a nondeterministic automaton, by following all states that its bytes lead to at once: for texts that are
 * too few or too short to make a deterministic automaton for them, and for expressions that have too many states. The time
 * is at most proportional to the product of the lengths of the text and the expression.
 */
import { bytesOf } from './automaton.ts';
import { holds, isWord, type Nfa } from './nfa.ts';

/** Like `matches` of a complete automaton. */
export function simulate({ states, start, accept }: Nfa, text: string): boolean {
  const bytes = bytesOf(text);
  /** By state: the last place in the text, plus one, at which it was reached. */
  const reached = new Uint32Array(states.length);
  let now = [start];
  for (let i = 0; i <= bytes.length && now.length > 0; i++) {
    const [wordBefore, wordAfter] = [i > 0 && isWord(bytes[i - 1]!), i < bytes.length && isWord(bytes[i]!)];
    const place = { start: i === 0, end: i === bytes.length, wordBefore, wordAfter };
    const next: number[] = [];
    // The list grows while the loop runs.
    for (const state of now) {
      if (state === accept) return true;
      const { edges, jumps } = states[state]!;
      for (const { to, when } of jumps) {
        if (reached[to] === i + 1 || (when !== null && !holds(when, place))) continue;
        reached[to] = i + 1;
        now.push(to);
      }
      const byte = bytes[i] ?? -1;
      for (const { first, last, to } of edges) if (byte >= first && byte <= last) next.push(to);
    }
    now = [];
    for (const to of next) {
      if (reached[to] === i + 2) continue;
      reached[to] = i + 2;
      now.push(to);
    }
  }
  return false;
}
