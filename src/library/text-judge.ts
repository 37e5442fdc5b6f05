/**
 * Checks one text after another with the engines; if they are unsure, examine decides. The violations of an invalid text are made
 * when they are first read: results are plain objects with own getters, so that they can be compared, copied and written as JSON.
 */
import type { PayloadBytes } from '../engine/judge/examine.ts';
import type { EngineMaker, TextEngine } from '../engine/text-engine.ts';
import { memoized } from '../json/on-demand.ts';
import type { Violation } from '../types.ts';
import { NO_LEVELS } from '../words/rule-levels.ts';
import type { Verdict } from './api.ts';
import { type OneText, oneText, violationsOf } from './one-text.ts';

type Examine = (text: OneText & Pick<PayloadBytes, 'reader'>) => Verdict;

/** The text must be examined. */
const UNSURE = -1;

export class TextJudge {
  readonly #engines: EngineMaker;
  readonly #examine: Examine;
  /** Number of texts that were put in. */
  #turn = 0;

  constructor(engines: EngineMaker, examine: Examine) {
    this.#engines = engines;
    this.#examine = examine;
  }

  /** Throws a TypeError if the input is neither a string nor bytes. */
  isValid(input: string | Uint8Array): boolean {
    const engine = this.#engines.next();
    this.#turn++;
    const kind = engine === null ? UNSURE : engine.kindOf(input);
    const valid = kind === UNSURE ? this.#judge(engine, input).valid : kind >= 0;
    if (engine?.isLarge) this.close();
    return valid;
  }

  /** Throws a TypeError if the input is neither a string nor bytes. */
  validate(input: string | Uint8Array): Verdict {
    const engine = this.#engines.next();
    this.#turn++;
    const kind = engine === null ? UNSURE : engine.kindOf(input);
    const verdict: Verdict =
      engine !== null && kind >= 0
        ? { valid: true, kind: engine.acceptor.kinds[kind]!, violations: [] }
        : this.#judge(engine, input);
    if (engine?.isLarge) this.close();
    return verdict;
  }

  /** Releases the memory. Later calls allocate it again. */
  close(): void {
    this.#engines.drop();
    this.#turn++;
  }

  #judge(engine: TextEngine | null, input: string | Uint8Array): Verdict {
    if (engine === null || engine.length <= 0) return this.#examine(oneText(input));
    const { bytes, length, start, end } = engine;
    const kind = engine.note();
    if (kind !== undefined) return this.#noted(kind, typeof input === 'string' ? input : engine.text());
    return this.#examine({ bytes: bytes.subarray(0, length), start, end, reader: engine.acceptor });
  }

  /** The verdict on the noted text; `input` must not change. */
  #noted(kind: string | null, input: string | Uint8Array): Verdict {
    const turn = this.#turn;
    return withLazy({ valid: false, kind }, () => ({ violations: this.#violations(input, turn, kind) }), [
      'violations',
    ]);
  }

  #violations(input: string | Uint8Array, turn: number, kind: string | null): readonly Violation[] {
    const engine = this.#engines.next();
    const isThere = this.#turn === turn;
    this.#turn++;
    if (engine === null || !(isThere || (engine.put(input) && engine.note() !== undefined)))
      return this.#examine(oneText(input)).violations;
    const noted = { kind, findings: engine.findings(kind), rules: NO_LEVELS };
    const violations = violationsOf(engine.bytes, noted, engine.acceptor.counter);
    if (engine.isLarge) this.close();
    return violations;
  }
}

/** Its constructor returns the given object, so that a derived class can add private members to any. */
const Given: new (given: object) => object = class {
  constructor(given: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for
    return given;
  }
};

type ViolationMembers = Readonly<Record<string, unknown>>;

class Lazy extends Given {
  #members: ViolationMembers | (() => ViolationMembers);

  constructor(given: object, make: () => ViolationMembers) {
    super(given);
    this.#members = make;
  }

  static read(given: Lazy, name: string): unknown {
    if (typeof given.#members === 'function') given.#members = given.#members();
    return given.#members[name];
  }
}

/** One getter per name, shared by all results: V8 would keep a hidden class for every separate function. */
const getterOf = memoized(
  (name: string): PropertyDescriptor => ({
    enumerable: true,
    configurable: true,
    get(this: Lazy): unknown {
      return Lazy.read(this, name);
    },
  }),
);

/** `result` with members of these names, which `make` returns. It is called at most once, and its data kept until then. */
export function withLazy<Result extends object, More extends object>(
  result: Result,
  make: () => More,
  names: readonly (string & keyof More)[],
): Result & More {
  new Lazy(result, make as () => ViolationMembers);
  for (const name of names) Object.defineProperty(result, name, getterOf(name));
  return result as Result & More; // they were added above
}
