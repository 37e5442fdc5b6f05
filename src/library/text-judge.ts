/**
 * Judges one text after another with the engines, in a memory of its own: an accepted text costs no object but its result, and the violations of another
 * one are made when they are read. What the engines are unsure of is left to examine.
 */
import { Acceptor, UNSURE } from '../accept/acceptor.ts';
import type { AcceptCode, GrowingCode } from '../accept/code.ts';
import { type NoteCode, Noter } from '../accept/noter.ts';
import type { PayloadBytes } from '../examine/examine.ts';
import { NoteTaker } from '../examine/noted.ts';
import { environmentFault } from '../input/environment.ts';
import { skipSpace, withoutSpace } from '../json/space.ts';
import { byteOrderMark } from '../json/utf8.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Limits, Violation } from '../types.ts';
import type { Verdict } from './api.ts';
import { invalidResult } from './lazy-violations.ts';
import { type OneText, oneText, TEXT_NAME, violationsOf } from './one-text.ts';
import { TextMemory } from './text-memory.ts';

/** What judges, and how it is made. */
export interface TextJudgeParts {
  readonly set: SchemaSet;
  readonly limits: Limits;
  /** Texts that are examined before code is made for them. */
  readonly first: number;
  readonly accept: () => AcceptCode | GrowingCode;
  /** Null: there is none, yet; it is asked again. */
  readonly notes: () => NoteCode | null;
  /** The verdict of examine. */
  readonly examine: (text: OneText & Pick<PayloadBytes, 'isPlain'>) => Verdict;
  /** Violations that are noted are what `examine` would give. */
  readonly takesNotes: boolean;
}

/** A larger memory is let go after the text that needed it, in bytes. */
const KEPT = 8 << 20;

interface Engine {
  readonly memory: TextMemory;
  readonly acceptor: Acceptor;
  taker: NoteTaker | null;
}

/** Where the text is that was put in last. */
interface Place {
  length: number;
  start: number;
  end: number;
}

export class TextJudge {
  readonly #parts: TextJudgeParts;
  /** Null: there is none yet. */
  #engine: Engine | null = null;
  /** Texts that are still to be examined; infinite if this Node has no WebAssembly, or no memory for it. */
  #left: number;
  /** Counts what was put in. */
  #turn = 0;
  readonly #place: Place = { length: 0, start: 0, end: 0 };

  constructor(parts: TextJudgeParts) {
    this.#parts = parts;
    this.#left = parts.first;
  }

  /** Throws a TypeError for what is neither a string nor bytes. */
  isValid(input: string | Uint8Array): boolean {
    const engine = this.#ready();
    const kind = engine === null ? UNSURE : this.#kindOf(engine, input);
    const valid = kind === UNSURE ? this.#judge(engine, input).valid : kind >= 0;
    this.#release();
    return valid;
  }

  /** Throws a TypeError for what is neither a string nor bytes. */
  validate(input: string | Uint8Array): Verdict {
    const engine = this.#ready();
    const kind = engine === null ? UNSURE : this.#kindOf(engine, input);
    const verdict: Verdict =
      engine !== null && kind >= 0
        ? { valid: true, kind: engine.acceptor.kinds[kind]!, violations: [] }
        : this.#judge(engine, input);
    this.#release();
    return verdict;
  }

  /** Lets the memory go. What is asked for later makes another. */
  close(): void {
    this.#engine = null;
    this.#turn++;
  }

  /** Null: the text must be examined. */
  #ready(): Engine | null {
    if (this.#engine !== null) return this.#engine;
    if (this.#left-- > 0) return null;
    try {
      const memory = new TextMemory();
      const acceptor = new Acceptor(this.#parts.accept(), memory.memory, this.#parts.limits);
      this.#engine = { memory, acceptor, taker: null };
    } catch (error) {
      if (environmentFault(error) === null) throw error;
      this.#left = Number.POSITIVE_INFINITY;
    }
    return this.#engine;
  }

  /** As `Acceptor.kindOfText` says it. */
  #kindOf(engine: Engine, input: string | Uint8Array): number {
    if (!this.#put(engine, input)) return UNSURE;
    const { start, end } = this.#place;
    return engine.acceptor.kindOfText(engine.memory.bytes, start, end);
  }

  /** Puts the text into the memory; false if the engines cannot judge it. */
  #put({ memory }: Engine, input: string | Uint8Array): boolean {
    const place = this.#place;
    this.#turn++;
    place.length = memory.put(input);
    if (place.length <= 0) return false;
    const { bytes } = memory;
    place.start = skipSpace(bytes, byteOrderMark(bytes), place.length);
    place.end = withoutSpace(bytes, place.start, place.length);
    return place.end > place.start && place.end - place.start <= this.#parts.limits.maxBytes;
  }

  /** Judges a text that was not accepted. */
  #judge(engine: Engine | null, input: string | Uint8Array): Verdict {
    const { length, start, end } = this.#place;
    if (engine === null || length <= 0) return this.#parts.examine(oneText(input, TEXT_NAME));
    const kind = this.#note(engine);
    // The caller may change bytes before it asks for violations.
    if (kind !== undefined)
      return this.#noted(kind, typeof input === 'string' ? input : engine.memory.copy(length));
    const bytes = engine.memory.bytes.subarray(0, length);
    const isPlain = (): boolean => engine.acceptor.isPlain(start, end);
    return this.#parts.examine({ bytes, start, end, file: TEXT_NAME, isPlain });
  }

  /** Notes what is wrong with the text in the memory. The kind; undefined if only examine can say what is wrong. */
  #note(engine: Engine): string | null | undefined {
    const { set, limits, notes, takesNotes } = this.#parts;
    const { start, end } = this.#place;
    if (!takesNotes || end - start > limits.maxBytes) return undefined;
    if (engine.taker === null) {
      const code = notes();
      if (code === null) return undefined;
      const noter = new Noter(code, engine.memory.memory, limits, engine.acceptor);
      engine.taker = new NoteTaker(noter, { set, redact: limits.redact });
    }
    return engine.taker.find({ bytes: engine.memory.bytes, span: { start, end }, isUtf8: true });
  }

  /** The verdict on the text that was noted. */
  #noted(kind: string | null, input: string | Uint8Array): Verdict {
    const turn = this.#turn;
    return invalidResult(kind, { violations: () => this.#violations(input, turn, kind) });
  }

  /** The violations of the text that was noted in this turn. */
  #violations(input: string | Uint8Array, turn: number, kind: string | null): readonly Violation[] {
    const engine = this.#ready();
    if (engine === null) return this.#parts.examine(oneText(input, TEXT_NAME)).violations;
    if (this.#turn !== turn && !(this.#put(engine, input) && this.#note(engine) !== undefined))
      return this.#parts.examine(oneText(input, TEXT_NAME)).violations;
    const { start, end } = this.#place;
    const { bytes } = engine.memory;
    const findings = engine.taker!.findings({ bytes, span: { start, end } });
    const text = { bytes, start, end, file: TEXT_NAME };
    const violations = violationsOf(text, { kind, findings }, engine.acceptor.counter);
    this.#release();
    return violations;
  }

  #release(): void {
    if (this.#engine !== null && this.#engine.memory.bytes.length > KEPT) this.close();
  }
}
