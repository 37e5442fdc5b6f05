/**
 * Compiles a regular expression to an automaton that matches exactly the texts that RegExp matches, or gives the reason
 * why there is none. For few or short texts, and for expressions with too many states, all states of the nondeterministic
 * automaton are followed at once: that takes time proportional to the product of the lengths of text and expression.
 */
import {
  AUTOMATON_LIMITS,
  type Automaton,
  AutomatonBudget,
  type AutomatonLimits,
  bytesOf,
  matches,
  QUICK,
  UnsupportedPattern,
} from './automaton.ts';
import { type Dfa, intersect, pack } from './dfa.ts';
import { contains, type Dialect, type Expression, sequence, simplify, withoutMost } from './expression.ts';
import { conditionsAt, type Nfa, type Rest, toNfa } from './nfa.ts';
import { parse } from './parse.ts';
import { determinise } from './subsets.ts';

export type CompiledPattern =
  | { readonly automaton: Automaton; readonly reason: null }
  /** `reason`: a clause about the expression, such as "it looks behind". */
  | { readonly automaton: null; readonly reason: string };

/** Matches texts, or gives the reason why only RegExp can. */
export type Matcher =
  /** `reason`: why RegExp matches long texts; null: it is not needed. */
  | { readonly matches: (text: string) => boolean; readonly reason: string | null }
  | { readonly matches: null; readonly reason: string };

/** The automaton for `new RegExp(source, 'u')`. Throws SyntaxError for an invalid expression. */
export function compileAutomaton(source: string): CompiledPattern {
  const budget = new AutomatonBudget(AUTOMATON_LIMITS);
  const automaton = orReason(() => pack(determinise(search(simplify(parse(source)), budget), budget)));
  return typeof automaton === 'string' ? { automaton: null, reason: automaton } : { automaton, reason: null };
}

/** Texts of fewer code units are short. */
const LONG_STRING = 10_000;

/**
 * When a table of states is made, which takes longer than to simulate a few short texts: by the number of code units that
 * were simulated, the limits that it must keep. So an expression with many states has a table only if it is used often.
 */
const TABLES: readonly (readonly [simulated: number, limits: AutomatonLimits])[] = [
  [2000, QUICK],
  [20_000, AUTOMATON_LIMITS],
];

interface MatcherOptions {
  readonly dialect?: Dialect;
  readonly tables?: typeof TABLES;
}

/**
 * A function with the results of `new RegExp(source, 'u').test`, in time linear in the text. Texts are simulated until a
 * table is worth it, see `TABLES`. Throws SyntaxError for an invalid expression.
 */
export function compileMatcher(source: string, { dialect = parse, tables = TABLES }: MatcherOptions = {}): Matcher {
  const make = (change: (expression: Expression) => Expression): Matcher => {
    const nfa = orReason(() => search(change(simplify(dialect(source))), new AutomatonBudget(AUTOMATON_LIMITS)));
    return typeof nfa === 'string' ? { matches: null, reason: nfa } : { matches: matcherOf(nfa, tables), reason: null };
  };
  const all = make((expression) => expression);
  if (all.matches !== null || dialect !== parse) return all;
  const { matches } = make((expression) => withoutMost(expression, LONG_STRING));
  if (matches === null) return all;
  const regExp = new RegExp(source, 'u');
  return { matches: (text) => (text.length < LONG_STRING ? matches(text) : regExp.test(text)), reason: all.reason };
}

/** What `make` returns, or the reason why there is none. */
function orReason<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    if (error instanceof UnsupportedPattern) return error.message;
    throw error;
  }
}

function matcherOf(nfa: Nfa, [...left]: typeof TABLES): (text: string) => boolean {
  let table: Automaton | null = null;
  let simulated = 0;
  return (text) => {
    simulated += text.length;
    for (let next = left[0]; table === null && next !== undefined && simulated > next[0]; next = left[0]) {
      left.shift();
      const made = orReason(() => pack(determinise(nfa, new AutomatonBudget(next[1]))));
      if (typeof made !== 'string') table = made;
    }
    return table === null ? simulate(nfa, text) : matches(table, text);
  };
}

/** The texts that match in any part. Throws UnsupportedPattern. */
function search(expression: Expression, budget: AutomatonBudget): Nfa {
  return toNfa(
    expand([expression], budget).map((parts) => withoutLook(parts, budget)),
    budget,
  );
}

/** The texts that match from their start. Throws UnsupportedPattern. */
function whole(parts: readonly Expression[], budget: AutomatonBudget): Dfa {
  return determinise(search(sequence([{ type: 'anchor', kind: 'start' }, ...parts]), budget), budget);
}

/**
 * A lookahead and everything after it, up to the end of the text, as an automaton of its own: the texts that match the
 * part after the lookahead and that match the lookahead's expression (or do not match, if it is negative).
 */
function withoutLook(parts: readonly Expression[], budget: AutomatonBudget): readonly (Expression | Rest)[] {
  const at = parts.findIndex(({ type }) => type === 'look');
  const lookahead = parts[at];
  if (lookahead?.type !== 'look') return parts;
  const before = parts.slice(0, at);
  const after = parts.slice(at + 1);
  // Matched by itself, the rest is at the start of a text.
  const anchored = before.length > 0 && before.every((part) => part.type === 'anchor' && part.kind === 'start');
  const looksBack = (part: Expression): boolean => part.type === 'anchor' && part.kind !== 'end';
  if (!anchored && [lookahead.part, ...after].some((part) => contains(part, looksBack)))
    throw new UnsupportedPattern('it looks ahead for something that depends on what is before');
  const dfa = intersect(whole(after, budget), whole([lookahead.part], budget), lookahead.negate, budget);
  return [...before, { type: 'rest', dfa }];
}

/** The sequences that `parts` can be: one per way through the groups that contain a lookahead. */
function expand(parts: readonly Expression[], budget: AutomatonBudget): Expression[][] {
  budget.spend(parts.length);
  const at = parts.findIndex((part) => 'parts' in part && contains(part, ({ type }) => type === 'look'));
  const group = parts[at];
  if (group === undefined || !('parts' in group)) return [[...parts]];
  const ways = group.type === 'choice' ? group.parts.map((one) => [one]) : [group.parts];
  return ways.flatMap((way) => expand([...parts.slice(0, at), ...way, ...parts.slice(at + 1)], budget));
}

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
        if (reached[to] === i + 1 || (when !== null && !conditionsAt(bytes[i - 1] ?? null, bytes[i] ?? null)[when]))
          continue;
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
