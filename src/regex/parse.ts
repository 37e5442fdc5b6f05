/**
 * The text of a regular expression to an `Expression`, in the dialect of schemas: that of ECMA-262 (section 22.2.1),
 * with the flag `u`. RegExp says whether it is valid, so only valid expressions are read here.
 */
import { memoized } from '../json/on-demand.ts';
import { UnsupportedPattern } from './automaton.ts';
import {
  type CodePoints,
  complement,
  DIGITS,
  foldedSet,
  LINE_TERMINATORS,
  MAX_CODE_POINT,
  plainFoldedSet,
  propertySet,
  SPACE,
  union,
  WORD,
} from './code-points.ts';
import { choice, type Dialect, type Expression, GROUP_LEVELS, sequence } from './expression.ts';

/** What follows the backslash of an escape. Two escapes of surrogates are one character. */
const ESCAPE = String.raw`x..|u[dD][89abAB]..\\u[dD][c-fC-F]..|u\{[^}]*\}|u....|[pP]\{[^}]*\}|c.|k<[^>]*>|[1-9]\d*|.`;
/** A class; an escape; the beginning of a group; a quantifier; any other character. */
const SYNTAX = new RegExp(
  String.raw`\[(?:\\.|[^\]\\])*\]|\\(?:${ESCAPE})|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|.`,
  'gsu',
);
/** In a class: an escape, or any other character. */
const ATOMS = new RegExp(String.raw`\\(?:${ESCAPE})|.`, 'gsu');

/** Throws UnsupportedPattern, and SyntaxError for a source that `new RegExp(source, 'u')` rejects. */
export const parse: Dialect = (source) => expressionOf(source, '');

/**
 * The dialect of a RegExp that has these flags: `s`, and `i` as it means with or without `u`; `d`, `g` and `y` do not
 * matter to whether a text matches. Throws UnsupportedPattern for others that do.
 */
export function parserFor(flags: string): Dialect {
  return (source) => expressionOf(source, flags);
}

function expressionOf(source: string, flags: string): Expression {
  if (flags.includes('v')) throw new UnsupportedPattern('it has the flag v: write it with the flag u');
  new RegExp(source, 'u');
  return new TokenReader(source.match(SYNTAX) ?? [], flags).choice(0);
}

class TokenReader {
  readonly #tokens: readonly string[];
  readonly #flags: string;
  #at = 0;
  /** One set per notation, so that the results for a set are computed once. */
  readonly #oneOf = memoized((token: string): Expression => ({ type: 'set', set: this.#setOf(token) }));

  constructor(tokens: readonly string[], flags: string) {
    this.#tokens = tokens;
    this.#flags = flags;
  }

  #setOf(token: string): CodePoints {
    if (token === '.' && this.#flags.includes('s')) return [[0, MAX_CODE_POINT]];
    // Most characters have no other case, which is quickly said of those of ASCII.
    if (/^(?:\.|[^a-z\\[\x80-\u{10ffff}])$/iu.test(token) || !this.#flags.includes('i')) return union(pointsOf(token));
    if (/^\\[k1-9]/.test(token)) throw new UnsupportedPattern('it refers back to a group');
    // Without the flag `u`, fewer characters are cases of one another.
    return this.#flags.includes('u') || /\\[pPu]\{/.test(token) ? foldedSet(token) : plainFoldedSet(token);
  }

  #anchor(token: string): Expression {
    const isOfLines = token === '^' || token === '$';
    if (isOfLines && this.#flags.includes('m')) throw new UnsupportedPattern('it has the flag m, and looks for lines');
    if (!isOfLines && /(?=.*i)(?=.*u)/.test(this.#flags))
      throw new UnsupportedPattern('it looks for words with the flags i and u: write it without the flag u');
    return ANCHORS[token]!;
  }

  /** Up to the end, or to the bracket that closes the group. */
  choice(depth: number): Expression {
    if (depth > GROUP_LEVELS) throw new UnsupportedPattern('its groups are too deeply nested');
    const options = [this.#sequence(depth)];
    while (this.#tokens[this.#at] === '|') {
      this.#at++;
      options.push(this.#sequence(depth));
    }
    return choice(options);
  }

  #sequence(depth: number): Expression {
    const parts: Expression[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined && !/^[|)]/.test(token); ) {
      this.#at++;
      parts.push(this.#quantified(this.#term(token, depth)));
      token = this.#tokens[this.#at];
    }
    return sequence(parts);
  }

  #term(token: string, depth: number): Expression {
    if (Object.hasOwn(ANCHORS, token)) return this.#anchor(token);
    if (!token.startsWith('(')) return this.#oneOf(token);
    if (/^\(\?<[=!]/.test(token)) throw new UnsupportedPattern('it looks behind');
    if (/^\(\?[a-z-]+:/.test(token)) throw new UnsupportedPattern('it changes flags for a group');
    const part = this.choice(depth + 1);
    this.#at++; // the closing bracket
    return /^\(\?[=!]/.test(token) ? { type: 'look', part, negate: token === '(?!' } : part;
  }

  #quantified(part: Expression): Expression {
    const [, sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/.exec(this.#tokens[this.#at] ?? '') ?? [];
    if (sign === undefined && least === undefined) return part;
    this.#at++;
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const max = most ? Number(most) : sign === '?' ? 1 : sign || comma ? Number.POSITIVE_INFINITY : min;
    return { type: 'repeat', part, min, max };
  }
}

const ANCHORS: Readonly<Record<string, Expression>> = {
  '^': { type: 'anchor', kind: 'start' },
  $: { type: 'anchor', kind: 'end' },
  '\\b': { type: 'anchor', kind: 'boundary' },
  '\\B': { type: 'anchor', kind: 'inside' },
};

/** The escapes of sets, and of characters, by the letter after the backslash. */
const SETS: Readonly<Record<string, CodePoints>> = { d: DIGITS, s: SPACE, w: WORD };
const ESCAPED_CHARACTERS: Readonly<Record<string, number>> = { 0: 0, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** The code points of a token for one character, in any order. */
function pointsOf(token: string): CodePoints {
  if (token === '.') return complement(LINE_TERMINATORS, MAX_CODE_POINT);
  return token.startsWith('[') ? pointsOfClass(token) : pointsOfAtom(token);
}

/** Those of an escape, or of any other character. */
function pointsOfAtom(token: string): CodePoints {
  const letter = token.startsWith('\\') ? token.charAt(1) : '';
  if (/[pP]/.test(letter)) return propertySet(token);
  const set = SETS[letter.toLowerCase()];
  if (set !== undefined) return letter in SETS ? set : complement(set, MAX_CODE_POINT);
  const point = pointOf(token);
  return [[point, point]];
}

function pointsOfClass(token: string): CodePoints {
  const isNegated = token.startsWith('[^');
  const atoms = token.slice(isNegated ? 2 : 1, -1).match(ATOMS) ?? [];
  if (atoms.some((atom) => /^\\[pP]/.test(atom))) return propertySet(token);
  const points: (readonly [number, number])[] = [];
  for (let i = 0; i < atoms.length; i++) {
    const [from, hyphen, to] = atoms.slice(i, i + 3);
    const isRange = hyphen === '-' && to !== undefined;
    points.push(...(isRange ? [[pointOf(from!), pointOf(to)] as const] : pointsOfAtom(from!)));
    if (isRange) i += 2;
  }
  return isNegated ? complement(union(points), MAX_CODE_POINT) : points;
}

/** The code point of a character or an escape of one. */
function pointOf(token: string): number {
  if (!token.startsWith('\\')) return token.codePointAt(0)!;
  const letter = token.charAt(1);
  if (/[k1-9]/.test(letter)) throw new UnsupportedPattern('it refers back to a group');
  if (letter === 'c') return token.charCodeAt(2) % 32;
  const numbers = /[xu]/.test(letter) ? token.match(/[\da-f]+/gi)! : null;
  if (numbers === null) return ESCAPED_CHARACTERS[letter] ?? token.codePointAt(1)!;
  return String.fromCodePoint(...numbers.map((number) => Number.parseInt(number, 16))).codePointAt(0)!;
}
