/**
 * Judges the first payloads of a run without code for accept, because compiling takes longer than judging a few small
 * payloads. It uses the judge of examine, without the automata of patterns and the judges of formats. It is loaded only
 * for schemas of the user's own.
 */
import { isUtf8 } from 'node:buffer';
import { Acceptor } from '../accept/acceptor.ts';
import { readAccept } from '../accept/code-file.ts';
import { matchesSimple } from '../accept/simple-patterns.ts';
import { type Formats, NO_FORMATS } from '../examine/judge/formats.ts';
import { type CompilePattern, Judge } from '../examine/judge/judge.ts';
import type { JudgeModules } from '../examine/judged-kinds.ts';
import { formatNamed, necessaryPattern, sufficientPattern } from '../formats/format-table.ts';
import { exactValue, isNumber } from '../json/decimal.ts';
import { surelyPlain } from '../json/unique-names.ts';
import { jsonFile } from '../package.ts';
import { detectedKinds } from '../schema/deciding.ts';
import type { Kind, SchemaSet } from '../schema/set.ts';
import type { Limits, Span } from '../types.ts';
import { FEW_BYTES, SHORT } from './first-sizes.ts';

/** The number of payloads that are judged. If they are small, more are, until they have `FEW_BYTES` bytes together. */
const FEW = 4;
/** Longer texts are not compared with the patterns of formats. */
const MOST_CHARACTERS = 300;

/** Thrown if more modules are needed to judge a value. */
class Unsure extends Error {
  override readonly name = 'Unsure';
}

function unsure(): never {
  throw new Unsure();
}

/** Judges by the patterns of the formats. */
const PATTERNS: Formats = {
  format(name) {
    const known = formatNamed(name);
    if (known === null) return null;
    if (known.type === 'number') return (value) => !isNumber(value) || unsure();
    const judge = known.judge?.test;
    if (judge !== undefined) return (value) => typeof value !== 'string' || judge(value as never);
    const [sufficient, necessary] = [sufficientPattern(known), necessaryPattern(known)];
    if (sufficient === null) return null;
    const regExp = new RegExp(sufficient, 'u');
    return (value) => {
      if (typeof value !== 'string') return true;
      if (value.length > MOST_CHARACTERS) return unsure();
      return regExp.test(value) || (sufficient === necessary ? false : unsure());
    };
  },
};

export class FirstPayloads {
  readonly #set: SchemaSet;
  readonly #limits: Limits;
  readonly #memory: WebAssembly.Memory;
  #left = FEW;
  #bytes = FEW_BYTES;
  #made: Acceptor | null = null;
  readonly #judge: Judge;
  #isGiven = false;
  /** Compiles patterns, once examine has the judge; null: it has not, or no schema has a pattern. */
  #compile: CompilePattern | null = null;

  /** `memory`: of the window. */
  constructor(set: SchemaSet, limits: Limits, memory: WebAssembly.Memory) {
    this.#set = set;
    this.#judge = new Judge({
      formats: set.assertsFormats === false ? NO_FORMATS : PATTERNS,
      pattern: (pattern) => this.#matcher(pattern),
    });
    this.#limits = limits;
    this.#memory = memory;
  }

  /** True once payloads are left to compiled functions. */
  get isOver(): boolean {
    return this.#left <= 0 && this.#bytes <= 0;
  }

  /**
   * The kind of the payload at `span` in the bytes of the window; null: it is not surely valid. `forced`: see
   * `Engines`.
   */
  look(bytes: Buffer, { start, end }: Span, forced: string | null): string | null {
    const size = end - start;
    const kind = this.isOver || size > SHORT ? null : this.#kind(forced);
    const isValid = kind !== null && this.#isValid(bytes, { start, end }, kind);
    // If one payload is not valid here, the next ones probably are not either.
    this.#left = isValid ? this.#left - 1 : 0;
    this.#bytes = isValid ? this.#bytes - size : 0;
    return isValid ? kind.name : null;
  }

  /**
   * The judge with the steps that it has made, for examine, which has what matches all texts: then no payload is judged
   * here. Null: formats are judged in another way here, or the judge is in use, because it keeps the numbers of sites.
   */
  judgeWith({ formats, pattern }: JudgeModules): Judge | null {
    if (formats !== null || this.#isGiven) return null;
    this.#isGiven = true;
    this.#left = 0;
    this.#bytes = 0;
    this.#compile = pattern;
    return this.#judge;
  }

  #matcher(pattern: string): (text: string) => boolean {
    let matches: ((text: string) => boolean) | null = null;
    return (text) => {
      if (this.#compile === null) return matchesSimple(pattern, text) ?? unsure();
      matches ??= this.#compile(pattern);
      return matches(text);
    };
  }

  /** The only kind that payloads can have; null if an entry schema tells them apart. */
  #kind(forced: string | null) {
    const { kinds } = this.#set;
    if (forced !== null) return kinds.find(({ name }) => name === forced) ?? null;
    const [first, ...others] = detectedKinds(kinds);
    return first?.test === null && others.length === 0 ? first : null;
  }

  #isValid(bytes: Buffer, { start, end }: Span, { schema }: Kind): boolean {
    if (!isUtf8(bytes.subarray(start, end))) return false;
    const text = bytes.toString('utf8', start, end);
    const isPlain = surelyPlain(text, this.#limits.maxDepth) || this.#isPlain(start, end);
    if (!isPlain) return false;
    try {
      return this.#judge.judge(this.#judge.stepOf(schema), exactValue(text), { size: end - start });
    } catch {
      // Unsure, or examine will find the same: the schema refers to itself without end, or takes too many steps.
      return false;
    }
  }

  /** True for a JSON text in which nothing must be reported, whatever the schema. */
  #isPlain(start: number, end: number): boolean {
    return this.scanner?.isPlain(start, end) === true;
  }

  /**
   * An acceptor that is never sure of a payload: to examine a few payloads takes less time than to compile functions.
   * Null: its file is missing.
   */
  get scanner(): Acceptor | null {
    if (this.#made === null) {
      // Any module can read any text.
      const code = readAccept(jsonFile('lines'));
      if (code !== null) this.#made = new Acceptor(code, this.#memory, { ...this.#limits, advice: true });
    }
    return this.#made;
  }
}
