/**
 * The first payloads of a run with a schema of the user's own: judged, because compiling the schema takes longer than
 * judging a few small payloads (`FIRST` in supply.ts). What is not valid is explained, by the same judge. No payload is judged
 * here that could keep this thread from handling signals.
 */
import { isUtf8 } from 'node:buffer';
import { exactValue } from '../json/decimal.ts';
import { surelyPlain } from '../json/unique-names.ts';
import { keepsRegExp, mayTakeLong } from '../schema/costly.ts';
import { detectedKinds } from '../schema/facts.ts';
import { hasRemarks, type Kind, type SchemaSet } from '../schema/set.ts';
import type { Span } from '../types.ts';
import { Acceptor, type EngineVerdict, type ExamineSettings, type ReadWindow } from './compile/acceptor.ts';
import type { AcceptCode } from './compile/code.ts';
import { Judge, loadJudgeModules } from './judge/judge.ts';
import { FIRST } from './thresholds.ts';
import { OverTime, type RunWithinLimit, unlimited } from './time-limit.ts';

/** `within`: for what may take long. */
type FirstOptions = ExamineSettings & { readonly within: RunWithinLimit };

/** Reads payloads by judging their values, and only one at a time: a run reads nothing. What it does not find valid is unsure. */
class JudgingReader extends Acceptor {
  readonly #first: FirstPayloads;
  readonly #givenKind: string | null;
  /** The kind of the payload that was read last, if it is valid and not yet counted. */
  #kind: string | null = null;

  constructor(first: FirstPayloads, givenKind: string | null, ...given: ConstructorParameters<typeof Acceptor>) {
    super(...given);
    this.#first = first;
    this.#givenKind = givenKind;
  }

  override get isProvisional(): boolean {
    return true;
  }

  override get isOver(): boolean {
    return this.#first.isOver;
  }

  override run(): null {
    return null;
  }

  override read({ bytes }: ReadWindow, span: Span): EngineVerdict {
    this.#kind = this.#first.take(bytes, span, this.#givenKind, this);
    return this.#kind === null ? 'unsure' : 'valid';
  }

  override takeCounts(count: (kind: string, payloads: number) => void): void {
    const kind = this.#kind;
    this.#kind = null;
    if (kind !== null) count(kind, 1);
  }
}

const FEW_STEPS = 1_000_000; // bytes of a payload × nodes of its schemas: to judge each value by each node takes no second

export class FirstPayloads {
  readonly #set: SchemaSet;
  readonly #options: FirstOptions;
  readonly #judge: Judge;
  readonly #code: AcceptCode;
  readonly #memory: WebAssembly.Memory;
  #payloads: number = FIRST.payloads;
  #bytes: number = FIRST.bytes;
  #isGiven = false;
  /** A payload took too long, so the judge must not be used any more, and this thread examines no other. */
  isSlow = false;

  /** `code`: of any module, because each can read any text; `memory`: of the window. */
  private constructor(
    set: SchemaSet,
    options: FirstOptions,
    judge: Judge,
    code: AcceptCode,
    memory: WebAssembly.Memory,
  ) {
    this.#set = set;
    this.#options = options;
    this.#judge = judge;
    this.#code = code;
    this.#memory = memory;
  }

  /** Null: RegExp could take for ever. */
  static async of(
    set: SchemaSet,
    code: AcceptCode,
    memory: WebAssembly.Memory,
    options: FirstOptions,
  ): Promise<FirstPayloads | null> {
    if (keepsRegExp(set)) return null;
    const within = mayTakeLong(set) ? options.within : unlimited;
    return new FirstPayloads(set, { ...options, within }, new Judge(await loadJudgeModules(set)), code, memory);
  }

  /** True once payloads are left to compiled functions. */
  get isOver(): boolean {
    return this.#payloads <= 0 && this.#bytes <= 0;
  }

  /** Reads payloads of a kind (null: of any) until they are too many; null: they are. */
  readerOf(givenKind: string | null): Acceptor | null {
    if (this.isOver) return null;
    return new JudgingReader(this, givenKind, this.#code, this.#memory, this.#options);
  }

  /** The judge, for examine: then no payload is judged here. Null: it was given before. */
  giveJudge(): Judge | null {
    if (this.#isGiven || this.isSlow) return null;
    this.#isGiven = true;
    return this.#judge;
  }

  /** Counts the payload at `span` in the window of `reader`, and returns its kind; null: it is not surely valid. */
  take(bytes: Buffer, { start, end }: Span, givenKind: string | null, reader: Acceptor): string | null {
    const size = end - start;
    const isLeft = this.#isGiven || this.isSlow || this.isOver || size > FIRST.onePayload;
    const kind = isLeft ? null : this.#kind(givenKind);
    const isValid = kind !== null && this.#judgeNow(bytes.subarray(start, end), { start, end }, kind, reader);
    // If one payload is not valid here, the next ones probably are not either.
    this.#payloads = isValid ? this.#payloads - 1 : 0;
    this.#bytes = isValid ? this.#bytes - size : 0;
    return isValid ? kind.name : null;
  }

  /** The only kind that payloads can have; null if an entry schema tells them apart. */
  #kind(givenKind: string | null): Kind | null {
    const { kinds } = this.#set;
    // To judge is to say valid or not, and nothing else.
    if (hasRemarks(this.#set)) return null;
    if (givenKind !== null) return kinds.find(({ name }) => name === givenKind) ?? null;
    const [first, ...others] = detectedKinds(kinds);
    return first?.test === null && others.length === 0 ? first : null;
  }

  #judgeNow(bytes: Buffer, { start, end }: Span, { schema }: Kind, reader: Acceptor): boolean {
    if (!isUtf8(bytes)) return false;
    const text = bytes.toString();
    // Nothing must be reported, whatever the schema.
    if (!surelyPlain(text, this.#options.maxDepth) && !reader.isPlain(start, end)) return false;
    try {
      const judge = this.#judge;
      const within = bytes.length * this.#set.nodes.length > FEW_STEPS ? this.#options.within : unlimited;
      return within(() => judge.judge(judge.stepOf(schema), exactValue(text), { size: bytes.length }));
    } catch (error) {
      this.isSlow = error instanceof OverTime;
      // Examine will find the same: the schema refers to itself without end, or takes too many steps.
      return false;
    }
  }
}
