/**
 * The text of a regular expression to an `Expression`. One reader has the grammar of all dialects; each adds what it writes in
 * another way. That of schemas is here: ECMA-262 (section 22.2.1) with the flag `u`. RegExp says whether such a source is valid.
 */
import { UnsupportedPattern } from './automaton.ts';
import {
  type CodePoints,
  complement,
  DIGITS,
  folded,
  foldedSet,
  LINE_TERMINATORS,
  propertySet,
  SPACE,
  union,
  WORD,
} from './code-points.ts';
import { type Anchor, choice, type Dialect, type Expression, partsOf, sequence } from './expression.ts';

/** Nesting depth of groups. The code that reads the tree is recursive. */
const GROUP_LEVELS = 200;
const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;

/** Reads a source from its start to its end. All regular expressions that are given to it are sticky. */
export abstract class PatternReader {
  /** What cannot be read, and why: a clause about the expression. */
  protected abstract readonly lacks: readonly (readonly [RegExp, string])[];
  /** Those of `\d`, `\s` and `\w`. */
  protected abstract readonly sets: Readonly<Record<string, CodePoints>>;
  /** What `.` does not match, without the flag `s`. */
  protected abstract readonly lineEnds: CodePoints;
  /** The most repetitions of a part, by counts within counts. */
  protected readonly mostRepetitions: number = Number.POSITIVE_INFINITY;
  /** A class cannot be empty, so a bracket that comes first is a character of it. */
  protected readonly bracketMayBeFirst: boolean = false;
  /** Letters. With `u`, `i` folds as RegExp does with both. */
  protected flags: string;
  readonly #source: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.flags = flags;
  }

  /** What the source says. Throws UnsupportedPattern. */
  whole(): Expression {
    const expression = this.#choice(0);
    return this.#at === this.#source.length ? expression : this.fail('a group is closed that was not opened');
  }

  /** Null: there is none here, as below. */
  protected abstract anchor(): Anchor | null;
  /** The beginning of a group. `=` or `!`: a text that must follow, or must not. */
  protected abstract opening(): string | undefined;
  protected abstract property(): CodePoints | null;
  /** The code point of a character, or of an escape of one. */
  protected abstract character(): number;
  /** What stands for several parts of a sequence, or for none. */
  protected parts(): readonly Expression[] | null {
    return null;
  }

  protected fail(reason: string): never {
    throw new UnsupportedPattern(reason);
  }

  /** Reads what the pattern matches here; null: it does not. */
  protected take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  /** With the flag `i`, also the other cases. */
  protected folded(set: CodePoints): CodePoints {
    return this.flags.includes('i') ? folded(set, this.flags.includes('u')) : set;
  }

  /** Up to the end, or to the bracket that closes the group. */
  #choice(depth: number): Expression {
    if (depth > GROUP_LEVELS) this.fail('its groups are too deeply nested');
    const options = [this.#sequence(depth)];
    while (this.take(/\|/y) !== null) options.push(this.#sequence(depth));
    return choice(options);
  }

  #sequence(depth: number): Expression {
    const parts: Expression[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!)) {
      for (const [pattern, reason] of this.lacks) if (this.take(pattern) !== null) this.fail(reason);
      const last = parts.at(-1);
      const several = this.parts();
      const repeated = several === null && last !== undefined ? this.#repeated(last) : null;
      if (repeated !== null) parts[parts.length - 1] = repeated;
      else parts.push(...(several ?? [this.#term(depth)]));
    }
    return sequence(parts);
  }

  #term(depth: number): Expression {
    if (this.#source[this.#at] === '(') return this.#group(depth);
    if (this.take(/[*+?]/y) !== null || this.take(COUNT) !== null) this.fail('there is nothing to repeat');
    const kind = this.anchor();
    return kind === null ? { type: 'set', set: this.#set() } : { type: 'anchor', kind };
  }

  #group(depth: number): Expression {
    const { flags } = this;
    const look = this.opening();
    const part = this.#choice(depth + 1);
    if (this.take(/\)/y) === null) this.fail('a group is not closed');
    this.flags = flags;
    return look === undefined ? part : { type: 'look', part, negate: look === '!' };
  }

  #repeated(part: Expression): Expression | null {
    const [sign] = this.take(/[*+?]/y) ?? [];
    const [, least, comma, last] = (sign === undefined ? this.take(COUNT) : null) ?? [];
    if (sign === undefined && least === undefined) return null;
    this.take(/\?/y); // laziness
    if (this.take(/[*+?]/y) !== null || this.take(COUNT) !== null)
      this.fail('a repetition is repeated: write (?:…) around the first one');
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const max = last ? Number(last) : sign === '?' ? 1 : sign || comma ? Number.POSITIVE_INFINITY : min;
    if (min > max) this.fail('the most of a repetition is below the least');
    const repeated: Expression = { type: 'repeat', part, min, max };
    if (repetitions(repeated) > this.mostRepetitions)
      this.fail(`RE2 repeats at most ${this.mostRepetitions} times: write the number with size()`);
    return repeated;
  }

  /** One of a set of characters. */
  #set(): CodePoints {
    if (this.take(/\./y) !== null) return complement(this.flags.includes('s') ? [] : this.lineEnds);
    if (this.take(/\[/y) !== null) return this.#class();
    return this.#named() ?? this.folded([this.character()].map((point) => [point, point]));
  }

  /** After the bracket that opens it. */
  #class(): CodePoints {
    const isNegated = this.take(/\^/y) !== null;
    const named: CodePoints[number][] = [];
    const ranges: CodePoints[number][] = [];
    for (let isFirst = this.bracketMayBeFirst; isFirst || this.#source[this.#at] !== ']'; isFirst = false) {
      if (this.#at >= this.#source.length) this.fail('a class is not closed');
      const set = this.#named();
      if (set === null) ranges.push(this.#range());
      else named.push(...set);
    }
    this.#at++;
    const points = [...named, ...this.folded(union(ranges))];
    return isNegated ? complement(points) : union(points);
  }

  #range(): CodePoints[number] {
    const from = this.character();
    if (this.take(/-(?!\])/y) === null) return [from, from];
    if (this.#at >= this.#source.length) this.fail('a class is not closed');
    const to = this.character();
    return from > to ? this.fail('a range of a class goes backwards') : [from, to];
  }

  #named(): CodePoints | null {
    const [, letter] = this.take(/\\([dswDSW])/y) ?? [];
    if (letter === undefined) return this.property();
    return complementIf(letter < 'a', this.folded(this.sets[letter.toLowerCase()]!));
  }
}

export function complementIf(isNegated: boolean, set: CodePoints): CodePoints {
  return isNegated ? complement(set) : set;
}

/** Of the part in it that is repeated most, by counts within counts. */
function repetitions(expression: Expression): number {
  const inside = partsOf(expression).reduce((most, part) => Math.max(most, repetitions(part)), 1);
  if (expression.type !== 'repeat') return inside;
  const { min, max } = expression;
  return inside * Math.max(1, max === Number.POSITIVE_INFINITY ? min : max);
}

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
  return new EcmaReader(source, flags).whole();
}

const ANCHORS: Readonly<Record<string, Anchor>> = { '^': 'start', $: 'end', '\\b': 'boundary', '\\B': 'inside' };
const CONTROLS: Readonly<Record<string, number>> = { 0: 0, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

class EcmaReader extends PatternReader {
  protected readonly lacks = [
    [/\(\?<[=!]/y, 'it looks behind'],
    [/\(\?[a-z-]+:/y, 'it changes flags for a group'],
    [/\\[k1-9]/y, 'it refers back to a group'],
  ] as const;
  protected readonly sets = { d: DIGITS, s: SPACE, w: WORD };
  protected readonly lineEnds = LINE_TERMINATORS;

  protected anchor(): Anchor | null {
    const [token] = this.take(/[$^]|\\[bB]/y) ?? [];
    if (token === undefined) return null;
    const isOfLines = token === '^' || token === '$';
    if (isOfLines && this.flags.includes('m')) this.fail('it has the flag m, and looks for lines');
    if (!isOfLines && this.flags.includes('i') && this.flags.includes('u'))
      this.fail('it looks for words with the flags i and u: write it without the flag u');
    return ANCHORS[token]!;
  }

  protected opening(): string | undefined {
    return this.take(/\((?:\?(?:([=!])|:|<[^>]*>))?/y)![1]; // a bracket is there
  }

  protected property(): CodePoints | null {
    const [token] = this.take(/\\[pP]\{[^}]*\}/y) ?? [];
    return token === undefined ? null : this.flags.includes('i') ? foldedSet(token) : propertySet(token);
  }

  protected character(): number {
    const [, control] = this.take(/\\c(.)/y) ?? [];
    if (control !== undefined) return control.charCodeAt(0) % 32;
    // Two escapes of surrogates are one character.
    const escaped = this.take(/\\(?:x(..)|u\{([^}]*)\}|u(d[89ab]..)\\u(d[c-f]..)|u(....))/iy);
    const units = escaped?.slice(1).filter((digits) => digits !== undefined) ?? [];
    if (units.length > 0) return String.fromCodePoint(...units.map((one) => Number.parseInt(one, 16))).codePointAt(0)!;
    const [character, letter] = this.take(/\\(.)|./suy)!; // a character is there
    return letter === undefined ? character.codePointAt(0)! : (CONTROLS[letter] ?? letter.codePointAt(0)!);
  }
}
