/**
 * The text of a regular expression to an `Expression`, in the dialect of checks: that of RE2, which CEL has.
 * https://github.com/google/re2/wiki/Syntax
 */
import { RE2_REPETITIONS } from '../limits.ts';
import { type CodePoints, DIGITS, MAX_CODE_POINT, propertySet, range, WORD } from './code-points.ts';
import type { Anchor, Dialect, Expression } from './expression.ts';
import { complementIf, PatternReader } from './parse.ts';

const UPPER = range('A', 'Z');
const LOWER = range('a', 'z');

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
const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };
const ANCHORS: Readonly<Record<string, Anchor>> = { '\\A': 'start', '\\z': 'end', '\\b': 'boundary', '\\B': 'inside' };

/** What RE2 lacks, and what to write. */
const LACKS: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/y, 'RE2 does not look ahead or behind: write a second matches beside it, with && or !'],
  [/\\(?:[1-9](?![0-7])|k[<{'])|\(\?P[=>]/y, 'RE2 does not refer back to a group: write out what it may match'],
  [/\(\?>/y, 'RE2 has no atomic groups: write (?:…)'],
  [/\(\?#/y, 'RE2 has no comments: write them beside the check'],
  [/\\Z/y, 'RE2 has no \\Z: write \\z for the end of the text'],
  [/\\h/y, 'RE2 has no \\h: write [ \\t]'],
];

const PROPERTY = /\\([pP])(?:(\w)|\{(\^?)([A-Za-z_]+)\})/y;
const CATEGORY = /^(?:C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
/** What RE2 has not in `C`: code points that are not assigned. */
const OTHERS = '[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}]';

/** Throws UnsupportedPattern: its message is a clause about the expression. */
export const parseRe2: Dialect = (source) => new Re2Reader(source, 'u').whole();

class Re2Reader extends PatternReader {
  protected readonly lacks = LACKS;
  protected readonly sets = { d: DIGITS, s: [range('\t', '\n'), range('\f', '\r'), range(' ')], w: WORD };
  protected readonly lineEnds = [range('\n')];
  protected override readonly mostRepetitions = RE2_REPETITIONS;
  protected override readonly bracketMayBeFirst = true;
  readonly #names = new Set<string>();

  protected anchor(): Anchor | null {
    const [token] = this.take(/[$^]|\\[AzbB]/y) ?? [];
    const isByLine = this.flags.includes('m');
    if (token === '^') return isByLine ? 'lineStart' : 'start';
    if (token === '$') return isByLine ? 'lineEnd' : 'end';
    return token === undefined ? null : ANCHORS[token]!;
  }

  /** Flags, or a text that is quoted. */
  protected override parts(): readonly Expression[] | null {
    if (this.#takeFlags(/\(\?([imsU]*)(?:(-)([imsU]+))?\)/y)) return [];
    const [, literal] = this.take(/\\Q(.*?)(?:\\E|$)/sy) ?? [];
    if (literal === undefined) return null;
    return Array.from(literal, (one) => ({ type: 'set', set: this.folded([range(one)]) }));
  }

  #takeFlags(pattern: RegExp): boolean {
    const [all, on = '', , off = ''] = this.take(pattern) ?? [];
    if (all === undefined) return false;
    if (all === '(?)') this.fail('a group of flags has none');
    this.flags = [...this.flags, ...on].filter((flag) => !off.includes(flag)).join('');
    return true;
  }

  protected opening(): undefined {
    const [, name] = this.take(/\(\?P?<(\w+)>/y) ?? [];
    if (name === undefined) {
      if (this.#takeFlags(/\(\?([imsU]*)(?:(-)([imsU]+))?:/y)) return;
      if (this.take(/\(\?/y) !== null) this.fail('RE2 has no such group');
      this.take(/\(/y);
    } else if (this.#names.has(name)) this.fail('two groups have the same name');
    else this.#names.add(name);
  }

  /** `\pL`, `\p{Greek}`, or `[:alpha:]`, which only a class has. */
  protected property(): CodePoints | null {
    const [, not, posix] = this.take(/\[:(\^?)(.*?):\]/sy) ?? [];
    if (posix !== undefined) {
      const set = POSIX.get(posix) ?? this.fail(`there is no class [:${posix}:]`);
      return complementIf(not === '^', this.folded(set));
    }
    const [, sign, category, no, name = category] = this.take(PROPERTY) ?? [];
    if (name === undefined) return null;
    return complementIf((sign === 'P') !== (no === '^'), this.folded(this.#propertyNamed(name)));
  }

  #propertyNamed(name: string): CodePoints {
    if (name === 'Any') return [[0, MAX_CODE_POINT]];
    if (name === 'C') return propertySet(OTHERS);
    try {
      return propertySet(CATEGORY.test(name) ? `\\p{${name}}` : `\\p{Script=${name}}`);
    } catch {
      return this.fail(
        `there is no class \\p{${name}}: RE2 has general categories, such as Lu, and scripts, such as Greek`,
      );
    }
  }

  protected character(): number {
    const [, braced, plain, octal] =
      this.take(/\\(?:x\{([\da-fA-F]+)\}|x([\da-fA-F]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2}))/y) ?? [];
    const point = octal === undefined ? Number.parseInt(braced ?? plain ?? '', 16) : Number.parseInt(octal, 8);
    if (point > MAX_CODE_POINT) this.fail('an escape is beyond Unicode');
    if (!Number.isNaN(point)) return point;
    const [, control] = this.take(/\\([atnvfr])/y) ?? [];
    if (control !== undefined) return CONTROLS[control]!;
    const [, escaped] = this.take(/\\([!-/:-@[-`{-~])/y) ?? [];
    const character = escaped ?? this.take(/[^\\]/suy)?.[0];
    return character?.codePointAt(0) ?? this.fail(`RE2 has no escape ${this.take(/.{1,2}/sy)![0]}`);
  }
}
