/**
 * An expression to a nondeterministic automaton over bytes: Thompson's construction, with UTF-8 spelled out.
 *
 * An edge takes a byte; a jump takes none and may require an anchor. The automaton searches: it matches a text if the
 * expression matches any part of it.
 */
import { entryOf, memoized } from '../json/on-demand.ts';
import { type AutomatonBudget, UnsupportedPattern } from './automaton.ts';
import { type ByteRanges, byteRanges, type CodePoints, MAX_CODE_POINT, WORD } from './code-points.ts';
import type { Dfa } from './dfa.ts';
import { type Anchor, contains, type Expression, type Repeat } from './expression.ts';

export interface State {
  /** Each takes a byte from `first` to `last`. */
  readonly edges: { readonly first: number; readonly last: number; readonly to: number }[];
  /** Each takes no byte. `when`: its condition; null if it has none. */
  readonly jumps: { readonly to: number; readonly when: Anchor | null }[];
}

export interface Nfa {
  readonly states: readonly State[];
  readonly start: number;
  /** The accepting state: the text matches, whatever follows. */
  readonly accept: number;
}

const LINE_FEED = 0x0a;
/** A byte of each sort that conditions tell apart: in `\w`, the end of a line, and any other. */
export const SORTS: readonly number[] = [0, 0x61, LINE_FEED];

/** Of a byte: its number in `SORTS`. */
export function sortOf(byte: number): number {
  return isWord(byte) ? 1 : byte === LINE_FEED ? 2 : 0;
}

function isWord(byte: number | null): boolean {
  return byte !== null && WORD.some(([first, last]) => byte >= first && byte <= last);
}

/** Whether each condition holds between two bytes; null: the text begins or ends there. */
export function conditionsAt(before: number | null, after: number | null): Readonly<Record<Anchor, boolean>> {
  const boundary = isWord(before) !== isWord(after);
  const lines = { lineStart: before === null || before === LINE_FEED, lineEnd: after === null || after === LINE_FEED };
  return { start: before === null, end: after === null, ...lines, boundary, inside: !boundary };
}

/** The rest of an expression for which there is an automaton already. It is matched up to the end of the text. */
export interface Rest {
  readonly type: 'rest';
  readonly dfa: Dfa;
}

/** Sets of states are used as keys: one UTF-16 code unit per state, each passed as an argument (`subsets.ts`). */
const MAX_STATES = 30_000;

/** The automaton that searches for any of `options`, each of which is a sequence. Throws UnsupportedPattern. */
export function toNfa(options: readonly (readonly (Expression | Rest)[])[], budget: AutomatonBudget): Nfa {
  const builder = new Builder(budget);
  const search = builder.state();
  // Between two bytes of a character, `\B` could hold; an edge cannot be taken there, none begins with such a byte.
  const isInside = (one: Expression): boolean => one.type === 'anchor' && one.kind === 'inside';
  if (options.flat().some((part) => part.type === 'rest' || contains(part, isInside)))
    builder.take([[0, MAX_CODE_POINT]], search, search);
  else builder.edge(search, 0, 255, search);
  const accept = builder.state();
  for (const parts of options) {
    let at = builder.state();
    builder.jump(search, at);
    for (const part of parts) at = builder.add(part, at);
    builder.jump(at, accept);
  }
  return { states: builder.states, start: search, accept };
}

class Builder {
  readonly states: State[] = [];
  readonly #budget: AutomatonBudget;
  readonly #sequences = memoized(byteRanges);
  /** States inside a character, by their target: `to`, first and last byte. */
  readonly #inside = new Map<number, number>();

  constructor(budget: AutomatonBudget) {
    this.#budget = budget;
  }

  state(): number {
    if (this.states.length >= MAX_STATES) throw new UnsupportedPattern('it has too many parts');
    this.#budget.spend(1);
    return this.states.push({ edges: [], jumps: [] }) - 1;
  }

  jump(from: number, to: number, when: Anchor | null = null): void {
    this.states[from]!.jumps.push({ to, when });
  }

  /** From `from` to `to` with any one code point of `set`. */
  take(set: CodePoints, from: number, to: number): void {
    for (const sequence of this.#sequences(set)) this.#takeBytes(sequence, from, to);
  }

  #takeBytes(sequence: ByteRanges, from: number, to: number): void {
    for (let i = sequence.length - 1; i > 0; i--) {
      const [first, last] = sequence[i]!;
      const target = to;
      to = entryOf(this.#inside, (target * 256 + first) * 256 + last, () => {
        const inside = this.state();
        this.edge(inside, first, last, target);
        return inside;
      });
    }
    this.edge(from, sequence[0]![0], sequence[0]![1], to);
  }

  edge(from: number, first: number, last: number, to: number): void {
    this.#budget.spend(1);
    this.states[from]!.edges.push({ first, last, to });
  }

  /** Adds `part` after the state `at` and returns the state after it. */
  add(part: Expression | Rest, at: number): number {
    switch (part.type) {
      case 'set': {
        const to = this.state();
        this.take(part.set, at, to);
        return to;
      }
      case 'sequence':
        for (const one of part.parts) at = this.add(one, at);
        return at;
      case 'choice': {
        const to = this.state();
        for (const option of part.parts) this.jump(this.add(option, this.#after(at)), to);
        return to;
      }
      case 'repeat':
        return this.#repeat(part, at);
      case 'anchor':
        return this.#after(at, part.kind);
      case 'look':
        throw new UnsupportedPattern('it looks ahead inside a group or a repetition');
      case 'rest':
        return this.#embed(part.dfa, at);
    }
  }

  #after(at: number, when: Anchor | null = null): number {
    const to = this.state();
    this.jump(at, to, when);
    return to;
  }

  #repeat({ part, min, max }: Repeat, at: number): number {
    for (let i = 0; i < min; i++) {
      this.#budget.spend(1); // also for an empty part
      at = this.add(part, at);
    }
    if (max === Number.POSITIVE_INFINITY) {
      const again = this.#after(at);
      this.jump(this.add(part, again), again);
      return this.#after(again);
    }
    const to = this.state();
    for (let i = min; i < max; i++) {
      this.jump(at, to);
      at = this.add(part, this.#after(at));
    }
    this.jump(at, to);
    return to;
  }

  /** Adds the states of `dfa` after the state `at`. In its accepting states the text must end. */
  #embed({ classes, classCount, next, accepting, start }: Dfa, at: number): number {
    const states = Array.from(accepting, () => this.state());
    const to = this.state();
    for (const [i, from] of states.entries()) {
      if (accepting[i]) this.jump(from, to, 'end');
      for (let first = 0; first < 256; ) {
        const target = next[i * classCount + classes[first]!]!;
        let last = first;
        while (last < 255 && next[i * classCount + classes[last + 1]!] === target) last++;
        this.edge(from, first, last, states[target]!);
        first = last + 1;
      }
    }
    this.jump(at, states[start]!);
    return to;
  }
}
