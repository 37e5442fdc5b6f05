/**
 * Accept code that grows: members are compiled when a payload has one of their name, because most payloads use few of the
 * members that a large schema has.
 */
import type { Compiled } from '../automaton/matcher.ts';
import type { AcceptCode, GrowingCode, SharedCode } from './code.ts';

/** The part of a text that is searched for names, in bytes. */
const SAMPLE = 1 << 20;
/** How often the code grows by the names in a text. After that it is compiled whole. */
const MOST_STEPS = 2;
/** A longer text has most of the members that a schema of usual size has: then all are compiled at once. */
const SHORT = 1 << 16;

/** The names of members in a JSON text, without those that have escapes. */
const NAMES = /"([^"\\]{0,200})"[\t\n\r ]*:/g;

/** Compiles the code. */
export interface CodeMaker {
  /** True if the schemas have many more members than most texts. */
  readonly isLarge: boolean;
  /** Has the automata of all patterns for which `compile` has made one. */
  readonly automata: ReadonlyMap<string, Compiled>;
  /** Compiles only members with these names, or (null) all. */
  readonly compile: (names: ReadonlySet<string> | null) => AcceptCode;
}

/** The state of code from which another one continues. */
export interface Begun {
  readonly code: AcceptCode | null;
  /** Names of the members in the code; null: all. */
  readonly names: ReadonlySet<string> | null;
}

export class CodeByNames implements GrowingCode {
  readonly #maker: CodeMaker;
  #code: AcceptCode | null;
  #names: Set<string> | null;
  #steps = 0;

  constructor(maker: CodeMaker, { code, names }: Begun = { code: null, names: new Set() }) {
    this.#maker = maker;
    this.#code = code;
    this.#names = names === null ? null : new Set(names);
  }

  get code(): AcceptCode {
    return this.#code ?? this.#grow(null);
  }

  get shared(): SharedCode {
    const { waiting, ...code } = this.code;
    return { code, names: this.#names, patterns: waiting?.sources ?? [], automata: this.#maker.automata };
  }

  codeFor(text: Buffer): AcceptCode {
    return this.#code ?? this.grown(text);
  }

  grown(text: Buffer): AcceptCode {
    const isWorthIt = this.#maker.isLarge || text.length <= SHORT;
    if (this.#names === null || !isWorthIt || this.#steps++ === MOST_STEPS) return this.#grow(null);
    const names = new Set(this.#names);
    for (const [, name] of text.toString('utf8', 0, SAMPLE).matchAll(NAMES)) names.add(name!); // the expression has a group
    // A name with escapes is not found.
    const isMore = this.#code === null || names.size > this.#names.size;
    return this.#grow(isMore ? names : null);
  }

  #grow(names: Set<string> | null): AcceptCode {
    this.#names = names;
    this.#code = this.#maker.compile(names);
    return this.#code;
  }
}
