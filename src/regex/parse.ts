/**
 * The text of a regular expression to an `Expression`, in the dialect of schemas: that of ECMA-262 (section 22.2.1), with the flag
 * `u`. RegExp says whether it is valid, so only valid expressions are read here.
 */
import { memoized } from '../json/on-demand.ts';
import { UnsupportedPattern } from './automaton.ts';
import {
  type CodePoints,
  complement,
  DIGITS,
  LINE_TERMINATORS,
  MAX_CODE_POINT,
  propertySet,
  SPACE,
  union,
  WORD,
} from './code-points.ts';
import { choice, type Dialect, type Expression, MAX_DEPTH, sequence } from './expression.ts';

/** What follows the backslash of an escape. Two escapes of surrogates are one character. */
const ESCAPE = String.raw`x..|u[dD][89abAB]..\\u[dD][c-fC-F]..|u\{[^}]*\}|u....|[pP]\{[^}]*\}|c.|k<[^>]*>|[1-9]\d*|.`;
/** A class; an escape; the beginning of a group; a quantifier; any other character. */
const TOKENS = new RegExp(
  String.raw`\[(?:\\.|[^\]\\])*\]|\\(?:${ESCAPE})|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|.`,
  'gsu',
);
/** In a class: an escape, or any other character. */
const ATOMS = new RegExp(String.raw`\\(?:${ESCAPE})|.`, 'gsu');

/** Throws UnsupportedPattern, and SyntaxError for a source that `new RegExp(source, 'u')` rejects. */
export const parse: Dialect = (source) => {
  new RegExp(source, 'u');
  return new TokenReader(source.match(TOKENS) ?? []).choice(0);
};

class TokenReader {
  readonly #tokens: readonly string[];
  #at = 0;
  /** One set per notation, so that the results for a set are computed once. */
  readonly #oneOf = memoized((token: string): Expression => ({ type: 'set', set: union(pointsOf(token)) }));

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  /** Up to the end, or to the bracket that closes the group. */
  choice(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new UnsupportedPattern('its groups are too deeply nested');
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
    if (Object.hasOwn(ANCHORS, token)) return ANCHORS[token]!;
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
const CHARACTERS: Readonly<Record<string, number>> = { 0: 0, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

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
  if (numbers === null) return CHARACTERS[letter] ?? token.codePointAt(1)!;
  return String.fromCodePoint(...numbers.map((number) => Number.parseInt(number, 16))).codePointAt(0)!;
}
