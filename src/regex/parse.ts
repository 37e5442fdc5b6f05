/**
 * The text of a regular expression with the flag `u` to an `Expression` (ECMA-262, section 22.2.1): a tree with few kinds of
 * nodes, without groups and laziness, which do not decide what matches. RegExp says whether it is valid, so only valid
 * expressions are read here.
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

/** Nesting depth of groups. The code that reads the tree is recursive. */
const MAX_DEPTH = 200;

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
export function parse(source: string): Expression {
  new RegExp(source, 'u');
  return new TokenReader(source.match(TOKENS) ?? []).choice(0);
}

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

/** Conditions at a position. `inside` is `\B`. */
export type Anchor = 'start' | 'end' | 'boundary' | 'inside';

export type Expression =
  | { readonly type: 'set'; readonly set: CodePoints }
  | { readonly type: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly type: 'choice'; readonly options: readonly Expression[] }
  /** `max` may be Infinity. */
  | { readonly type: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number }
  | { readonly type: 'anchor'; readonly kind: Anchor }
  /** The text after it must match `part`, or must not. */
  | { readonly type: 'look'; readonly part: Expression; readonly negate: boolean };

export type Repeat = Extract<Expression, { readonly type: 'repeat' }>;
export type Lookahead = Extract<Expression, { readonly type: 'look' }>;

/** A sequence, or the expression itself if there is only one. */
export function sequence(parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0]! : { type: 'sequence', parts };
}

/** A choice, or the expression itself if there is only one. */
export function choice(options: readonly Expression[]): Expression {
  return options.length === 1 ? options[0]! : { type: 'choice', options };
}

/** Whether `test` is true for `expression` or anything in it. */
export function contains(expression: Expression, test: (one: Expression) => boolean): boolean {
  if (test(expression)) return true;
  switch (expression.type) {
    case 'sequence':
      return expression.parts.some((part) => contains(part, test));
    case 'choice':
      return expression.options.some((option) => contains(option, test));
    case 'repeat':
    case 'look':
      return contains(expression.part, test);
    default:
      return false;
  }
}

/** The expression with `change` done to each of its parts. */
function mapped(expression: Expression, change: (part: Expression) => Expression): Expression {
  switch (expression.type) {
    case 'sequence':
      return { ...expression, parts: expression.parts.map(change) };
    case 'choice':
      return { ...expression, options: expression.options.map(change) };
    case 'repeat':
    case 'look':
      return { ...expression, part: change(expression.part) };
    default:
      return expression;
  }
}

/**
 * An expression that matches the same texts. Lookaheads for one character before one, such as `(?!\.)\w`, become a set:
 * most inside of groups are of this kind. Repetitions of repetitions, such as `(a{1,9}){1,9}`, become one.
 */
export function simplify(expression: Expression): Expression {
  const one = mapped(expression, simplify);
  if (one.type === 'sequence') return { ...one, parts: withoutLooks(one.parts) };
  return one.type === 'repeat' ? joined(one) : one;
}

/** One repetition, if its part can occur any number of times between the least and the most. */
function joined(outer: Repeat): Expression {
  const inner = outer.part;
  if (inner.type !== 'repeat' || outer.max === 0 || inner.max === 0) return outer;
  // With `min` and with `min + 1` repetitions, the ranges of counts must not leave a gap.
  const most = outer.min === 0 ? 0 : outer.min * inner.max;
  if (outer.max > outer.min && (outer.min + 1) * inner.min > most + 1) return outer;
  return { ...inner, min: outer.min * inner.min, max: outer.max * inner.max };
}

/** Matches the same texts of fewer than `length` UTF-16 code units: without upper limits that these cannot reach. */
export function withoutMost(expression: Expression, length: number): Expression {
  const one = mapped(expression, (part) => withoutMost(part, length));
  return one.type === 'repeat' && one.max >= length ? { ...one, max: Number.POSITIVE_INFINITY } : one;
}

function withoutLooks(parts: readonly Expression[]): Expression[] {
  const out: Expression[] = [];
  // Backwards, so that several lookaheads before one character are rewritten.
  for (const part of [...parts].reverse()) {
    const next = out[0];
    if (part.type === 'look' && part.part.type === 'set' && next?.type === 'set') {
      const seen = part.negate ? complement(part.part.set, MAX_CODE_POINT) : part.part.set;
      out[0] = { type: 'set', set: common(next.set, seen) };
    } else out.unshift(part);
  }
  return out;
}

function common(a: CodePoints, b: CodePoints): CodePoints {
  const outside = [...complement(a, MAX_CODE_POINT), ...complement(b, MAX_CODE_POINT)];
  return complement(union(outside), MAX_CODE_POINT);
}
