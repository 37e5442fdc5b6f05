/**
 * Matches a text with a nondeterministic automaton, by following all states that its bytes lead to at once: for texts that are
 * too few or too short to make a deterministic automaton for them, and for expressions that have too many states. The time
 * is at most proportional to the product of the lengths of the text and the expression.
 */
import { bytesOf } from './automaton.ts';
import { holds, isWord, type Nfa, type TextBoundary } from './nfa.ts';

/** Like `matches` of a complete automaton. */
export function simulate({ states, start, accept }: Nfa, text: string): boolean {
  const bytes = bytesOf(text);
  /** By state: the place in the text, plus one, at which it was last in `now`, and in `next`. */
  const reached = new Uint32Array(states.length);
  const follows = new Uint32Array(states.length);
  let now = [start];
  // A hot loop. A list grows while it is read.
  for (let i = 0; i <= bytes.length && now.length > 0; i++) {
    const byte = bytes[i] ?? -1;
    const next: number[] = [];
    for (let k = 0; k < now.length; k++) {
      if (now[k] === accept) return true;
      reached[now[k]!] = i + 1;
      const { edges, jumps } = states[now[k]!]!;
      for (const { to, when } of jumps) {
        if (reached[to] === i + 1 || (when !== null && !holds(when, placeAt(bytes, i)))) continue;
        reached[to] = i + 1;
        now.push(to);
      }
      for (const { first, last, to } of edges) {
        if (byte < first || byte > last || follows[to] === i + 1) continue;
        follows[to] = i + 1;
        next.push(to);
      }
    }
    now = next;
  }
  return false;
}

function placeAt(bytes: Uint8Array, at: number): TextBoundary {
  const isWordAt = (index: number): boolean => index >= 0 && index < bytes.length && isWord(bytes[index]!);
  return {
    ...{ start: at === 0, end: at === bytes.length },
    ...{ wordBefore: isWordAt(at - 1), wordAfter: isWordAt(at) },
  };
}
