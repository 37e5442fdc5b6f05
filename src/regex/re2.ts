/**
 * The text of a regular expression to an `Expression`, in the dialect of checks: that of RE2, which CEL has.
 * https://github.com/google/re2/wiki/Syntax
 */
import { RE2_REPETITIONS } from '../limits.ts';
import { UnsupportedPattern } from './automaton.ts';
import {
  type CodePoints,
  complement,
  DIGITS,
  foldedSet,
  MAX_CODE_POINT,
  propertySet,
  union,
  WORD,
} from './code-points.ts';
import { type Anchor, choice, type Dialect, type Expression, GROUP_LEVELS, sequence } from './expression.ts';

const range = (first: string, last = first): CodePoints[number] => [first.codePointAt(0)!, last.codePointAt(0)!];
const UPPER = range('A', 'Z');
const LOWER = range('a', 'z');
const ALL: CodePoints = [[0, MAX_CODE_POINT]];
const NOT_LINE_FEED = complement([range('\n')], MAX_CODE_POINT);

/** Of `[[:alpha:]]`. */
const POSIX: ReadonlyMap<string, CodePoints> = new Map([
  ['alnum', [...DIGITS, UPPER, LOWER]],
  ['alpha', [UPPER, LOWER]],
  ['ascii', [range('\0', '\x7f')]],
  ['blank', [range('\t'), range(' ')]],
  ['cntrl', [range('\0', '\x1f'), range('\x7f')]],
  ['digit', DIGITS],
  ['graph', [range('!', '~')]],
  ['lower', [LOWER]],
  ['print', [range(' ', '~')]],
  ['punct', [range('!', '/'), range(':', '@'), range('[', '`'), range('{', '~')]],
  ['space', [range('\t', '\r'), range(' ')]],
  ['upper', [UPPER]],
  ['word', WORD],
  ['xdigit', [...DIGITS, range('A', 'F'), range('a', 'f')]],
]);
const PERL: Readonly<Record<string, CodePoints>> = {
  d: DIGITS,
  s: [range('\t', '\n'), range('\f', '\r'), range(' ')],
  w: WORD,
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };
const ANCHORS: Readonly<Record<string, Anchor>> = { A: 'start', z: 'end', b: 'boundary', B: 'inside' };

/** What RE2 lacks, and what to write. */
const LACKS: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/y, 'RE2 does not look ahead or behind: write a second matches beside it, with && or !'],
  [/\\(?:[1-9](?![0-7])|k[<{'])|\(\?P[=>]/y, 'RE2 does not refer back to a group: write out what it may match'],
  [/\(\?>/y, 'RE2 has no atomic groups: write (?:…)'],
  [/\(\?#/y, 'RE2 has no comments: write them beside the check'],
  [/\\Z/y, 'RE2 has no \\Z: write \\z for the end of the text'],
  [/\\h/y, 'RE2 has no \\h: write [ \\t]'],
];

const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;
const PROPERTY = /\\([pP])(?:(\w)|\{(\^?)([A-Za-z_]+)\})/y;
const CATEGORY = /^(?:C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
/** What RE2 has not in `C`: code points that are not assigned. */
const OTHERS = '[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}]';

/** Throws UnsupportedPattern: its message is a clause about the expression. */
export const parseRe2: Dialect = (source) => new Re2Reader(source).whole();

class Re2Reader {
  readonly #source: string;
  #at = 0;
  #flags = '';
  readonly #names = new Set<string>();

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Expression {
    const { expression } = this.#choice(0);
    return this.#at === this.#source.length ? expression : this.#fail('a group is closed that was not opened');
  }

  #fail(text: string): never {
    throw new UnsupportedPattern(text);
  }

  /** Reads what the pattern, which is sticky, matches here; null: it does not. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  /** Up to the end, or to the bracket that closes the group. `most`: the product of nested counts in it. */
  #choice(depth: number): CountedExpression {
    if (depth > GROUP_LEVELS) this.#fail('its groups are too deeply nested');
    const flags = this.#flags;
    const options = [this.#sequence(depth)];
    while (this.#take(/\|/y) !== null) options.push(this.#sequence(depth));
    this.#flags = flags;
    const expression = choice(options.map((one) => one.expression));
    return { expression, most: Math.max(...options.map(({ most }) => most)) };
  }

  #sequence(depth: number): CountedExpression {
    const parts: CountedExpression[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!)) {
      for (const [pattern, text] of LACKS) if (this.#take(pattern) !== null) this.#fail(text);
      if (this.#takeFlags(/\(\?([imsU]*)(?:(-)([imsU]+))?\)/y)) continue;
      const [, literal] = this.#take(/\\Q(.*?)(?:\\E|$)/sy) ?? [];
      const last = parts.at(-1);
      const repeated = last === undefined || literal !== undefined ? null : this.#repeated(last);
      if (literal !== undefined)
        parts.push(...Array.from(literal, (one) => ({ expression: this.#set([range(one)]), most: 1 })));
      else if (repeated !== null) parts[parts.length - 1] = repeated;
      else parts.push(this.#term(depth));
    }
    const most = Math.max(1, ...parts.map((part) => part.most));
    return { expression: sequence(parts.map(({ expression }) => expression)), most };
  }

  #takeFlags(pattern: RegExp): boolean {
    const [all, on = '', , off = ''] = this.#take(pattern) ?? [];
    if (all === undefined) return false;
    if (all === '(?)') this.#fail('a group of flags has none');
    this.#flags = [...this.#flags, ...on].filter((flag) => !off.includes(flag)).join('');
    return true;
  }

  #term(depth: number): CountedExpression {
    if (this.#source[this.#at] === '(') return this.#group(depth);
    if (this.#take(/[*+?]/y) !== null || this.#take(COUNT) !== null) this.#fail('there is nothing to repeat');
    return { expression: this.#one(), most: 1 };
  }

  #group(depth: number): CountedExpression {
    const flags = this.#flags;
    const [, name] = this.#take(/\(\?P?<(\w+)>/y) ?? [];
    if (name !== undefined && this.#names.has(name)) this.#fail('two groups have the same name');
    if (name !== undefined) this.#names.add(name);
    else if (!this.#takeFlags(/\(\?([imsU]*)(?:(-)([imsU]+))?:/y)) {
      if (this.#take(/\(\?/y) !== null) this.#fail('RE2 has no such group');
      this.#at++;
    }
    const group = this.#choice(depth + 1);
    if (this.#take(/\)/y) === null) this.#fail('a group is not closed');
    this.#flags = flags;
    return group;
  }

  /** A character, a class or an anchor. */
  #one(): Expression {
    const isByLine = this.#flags.includes('m');
    if (this.#take(/\^/y) !== null) return { type: 'anchor', kind: isByLine ? 'lineStart' : 'start' };
    if (this.#take(/\$/y) !== null) return { type: 'anchor', kind: isByLine ? 'lineEnd' : 'end' };
    const [, anchor] = this.#take(/\\([AzbB])/y) ?? [];
    if (anchor !== undefined) return { type: 'anchor', kind: ANCHORS[anchor]! };
    if (this.#take(/\./y) !== null) return { type: 'set', set: this.#flags.includes('s') ? ALL : NOT_LINE_FEED };
    if (this.#take(/\[/y) !== null) return { type: 'set', set: this.#class() };
    const set = this.#named();
    return set === null ? this.#set([this.#character()].map((point) => [point, point])) : { type: 'set', set };
  }

  #set(points: CodePoints): Expression {
    return { type: 'set', set: this.#folded(points) };
  }

  /** Null: there is no repetition here. */
  #repeated({ expression, most }: CountedExpression): CountedExpression | null {
    const [sign] = this.#take(/[*+?]/y) ?? [];
    const [, least, comma, last] = (sign === undefined ? this.#take(COUNT) : null) ?? [];
    if (sign === undefined && least === undefined) return null;
    this.#take(/\?/y); // laziness
    if (this.#take(/[*+?]/y) !== null || this.#take(COUNT) !== null)
      this.#fail('a repetition is repeated: write (?:…) around the first one');
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const max = last ? Number(last) : sign === '?' ? 1 : sign || comma ? Number.POSITIVE_INFINITY : min;
    if (min > max) this.#fail('the most of a repetition is below the least');
    const count = Math.max(1, least === undefined ? 1 : max === Number.POSITIVE_INFINITY ? min : max);
    if (count * most > RE2_REPETITIONS)
      this.#fail(`RE2 repeats at most ${RE2_REPETITIONS} times: write the number with size()`);
    return { expression: { type: 'repeat', part: expression, min, max }, most: count * most };
  }

  /** After the bracket that opens it. */
  #class(): CodePoints {
    const isNegated = this.#take(/\^/y) !== null;
    const points: CodePoints[number][] = [];
    for (let isFirst = true; isFirst || this.#source[this.#at] !== ']'; isFirst = false) {
      const set = this.#posix() ?? this.#named();
      if (set !== null) points.push(...set);
      else {
        const from = this.#classCharacter();
        const to = this.#take(/-(?!\])/y) === null ? from : this.#classCharacter();
        if (from > to) this.#fail('a range of a class goes backwards');
        points.push(...this.#folded([[from, to]]));
      }
    }
    this.#at++;
    return isNegated ? complement(union(points), MAX_CODE_POINT) : union(points);
  }

  #classCharacter(): number {
    if (this.#at >= this.#source.length) this.#fail('a class is not closed');
    return this.#character();
  }

  /** Null: there is no `[:name:]` here. */
  #posix(): CodePoints | null {
    const [, not, name] = this.#take(/\[:(\^?)(.*?):\]/sy) ?? [];
    if (name === undefined) return null;
    const set = POSIX.get(name) ?? this.#fail(`there is no class [:${name}:]`);
    return this.#complementIf(not === '^', set);
  }

  /** The set of an escape that names one; null: there is none here. */
  #named(): CodePoints | null {
    const [, letter] = this.#take(/\\([dswDSW])/y) ?? [];
    if (letter !== undefined) return this.#complementIf(letter < 'a', PERL[letter.toLowerCase()]!);
    const [, sign, category, not, name = category] = this.#take(PROPERTY) ?? [];
    if (name === undefined) return null;
    return this.#complementIf((sign === 'P') !== (not === '^'), this.#property(name));
  }

  #property(name: string): CodePoints {
    if (name === 'Any') return ALL;
    if (name === 'C') return propertySet(OTHERS);
    try {
      return propertySet(CATEGORY.test(name) ? `\\p{${name}}` : `\\p{Script=${name}}`);
    } catch {
      return this.#fail(
        `there is no class \\p{${name}}: RE2 has general categories, such as Lu, and scripts, such as Greek`,
      );
    }
  }

  #complementIf(isNegated: boolean, set: CodePoints): CodePoints {
    const folded = this.#folded(set);
    return isNegated ? complement(union(folded), MAX_CODE_POINT) : folded;
  }

  /** With the flag `i`, also the other cases. */
  #folded(set: CodePoints): CodePoints {
    if (!this.#flags.includes('i')) return set;
    const hex = (point: number): string => `\\u{${point.toString(16)}}`;
    return foldedSet(`[${set.map(([first, last]) => `${hex(first)}-${hex(last)}`).join('')}]`);
  }

  /** The code point of a character, or of an escape of one. */
  #character(): number {
    const [, braced, plain, octal] =
      this.#take(/\\(?:x\{([\da-fA-F]+)\}|x([\da-fA-F]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2}))/y) ?? [];
    const point = octal === undefined ? Number.parseInt(braced ?? plain ?? '', 16) : Number.parseInt(octal, 8);
    if (point > MAX_CODE_POINT) this.#fail('an escape is beyond Unicode');
    if (!Number.isNaN(point)) return point;
    const [, control] = this.#take(/\\([atnvfr])/y) ?? [];
    if (control !== undefined) return CONTROLS[control]!;
    const [, escaped] = this.#take(/\\([!-/:-@[-`{-~])/y) ?? [];
    const [character] = escaped === undefined ? (this.#take(/[^\\]/suy) ?? []) : [escaped];
    return character?.codePointAt(0) ?? this.#fail(`RE2 has no escape ${this.#source.slice(this.#at, this.#at + 2)}`);
  }
}

/** An expression, and how often one part of it is repeated at most, by counts inside of counts. */
interface CountedExpression {
  readonly expression: Expression;
  readonly most: number;
}
