/**
 * Compares automata with RegExp: the same result for every text, by every function that can match it. An expression that is
 * valid only without the flag `u` is compared with RegExp without it, too.
 */
import { matches, matchesBytes } from '../../src/regex/automaton.ts';
import { type CompiledPattern, compileAutomaton, compileMatcher } from '../../src/regex/matcher.ts';
import { toRegExp } from '../../src/schema/regexp.ts';
import { type Random, seeded } from '../mutations/mutate.ts';
import { walk } from './walk.ts';

export type Compile = (source: string) => CompiledPattern;

/** What was compared, and what differed. */
export interface Counts {
  patterns: number;
  /** By reason, the patterns without an automaton. */
  readonly unsupported: Map<string, number>;
  pairs: number;
  matched: number;
  /** `source, text: results`. */
  readonly wrong: string[];
}

export function newTally(): Counts {
  return { patterns: 0, unsupported: new Map(), pairs: 0, matched: 0, wrong: [] };
}

/** Texts per pattern that are made from its automaton. */
const WALKS = 8;
/** Their length in characters. Longer ones could keep RegExp busy. */
const WALK_LENGTH = 14;

/** Without the flag `u`, a character can be two, or half of one. */
const SURROGATE = /[\ud800-\udfff]/;
const HAS_OTHER_MEANING = /[\ud800-\udfff]|\\[pPu]/;

/** True for an expression that is valid only without the flag `u`, and has no part that means something else with it. */
function isRewritten(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return false;
  } catch {
    return !HAS_OTHER_MEANING.test(source);
  }
}

/** Compares the expression for `texts`, and for texts made from its automaton, and adds the result to `tally`. */
export function compare(
  source: string,
  texts: readonly string[],
  tally: Counts,
  { seed = 1, compile = compileAutomaton as Compile } = {},
): void {
  const regExp = toRegExp(source);
  const old = isRewritten(source) ? new RegExp(source) : null;
  const { automaton, reason } = compile(regExp.source);
  tally.patterns++;
  if (automaton === null) {
    tally.unsupported.set(reason, (tally.unsupported.get(reason) ?? 0) + 1);
    return;
  }
  const random = seeded(seed);
  // A planted fault is in the tables.
  const simulated = compile === compileAutomaton ? compileMatcher(regExp.source, { tables: [] }).matches : null;
  for (const text of [
    ...texts,
    ...Array.from({ length: WALKS }, () => nearby(walk(automaton, 1 + random(WALK_LENGTH), random), texts, random)),
  ]) {
    const expected = matchesBySpecification(regExp, text);
    tally.pairs++;
    if (expected) tally.matched++;
    const answers: [string, boolean][] = [['table', matches(automaton, text)]];
    if (old !== null && !SURROGATE.test(text)) answers.push(['RegExp without u', old.test(text)]);
    if (simulated !== null) answers.push(['simulated', simulated(text)]);
    if (text.isWellFormed()) {
      // Surrounded by bytes that must not be read.
      const bytes = Buffer.from(`a${text}a`);
      answers.push(['bytes', matchesBytes(automaton, bytes, 1, bytes.length - 1)]);
    }
    for (const [who, answer] of answers) {
      if (answer === expected) continue;
      tally.wrong.push(`${JSON.stringify(source)}, ${JSON.stringify(text)}: ${who} said ${answer}`);
    }
  }
}

/**
 * The result of `regExp.test(text)` by ECMA-262 (RegExpBuiltinExec, AdvanceStringIndex): with the flag `u`, no match
 * begins between the two surrogates of a character. V8 tries there as well, so it finds `\B` in "a😀b".
 */
function matchesBySpecification(regExp: RegExp, text: string): boolean {
  const found = regExp.exec(text);
  if (found === null || !regExp.unicode || !isInside(text, found.index)) return found !== null;
  const sticky = new RegExp(regExp.source, 'uy');
  for (let at = 0; at <= text.length; at++) {
    sticky.lastIndex = at;
    if (!isInside(text, at) && sticky.test(text)) return true;
  }
  return false;
}

/** Whether the index is between the two surrogates of a character. */
function isInside(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

/** `text`, or a change of it: with a piece of another text before, after or inside. */
function nearby(text: string, texts: readonly string[], random: Random): string {
  const other = texts[random(Math.max(1, texts.length))] ?? '';
  const at = random(text.length + 1);
  switch (random(6)) {
    case 0:
      return text + other.slice(0, 1);
    case 1:
      return other.slice(-1) + text;
    case 2:
      return text.slice(0, at) + text.slice(at + 1);
    case 3:
      return text.slice(0, at) + other.slice(0, 1) + text.slice(at + 1);
    default:
      return text;
  }
}
