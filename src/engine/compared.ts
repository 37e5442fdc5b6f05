/**
 * An engine that judges each payload by two schemas in one pass. A payload that is not accepted by both is explained
 * here: the result has what a change of the schema does to it, and the violations of the new schema if it broke.
 */

import { type Soon, soon } from '../json/on-demand.ts';
import type { Outcome, Span } from '../types.ts';
import type { Mode } from '../wasm/layout.ts';
import type { Judging } from '../words/rule-levels.ts';
import type { Schemas } from './accept.ts';
import {
  Acceptor,
  type AcceptRun,
  type AcceptWindow,
  type AllowedGaps,
  type EngineVerdict,
  type ExamineSettings,
  partOf,
  type ReadWindow,
} from './compile/acceptor.ts';
import type { Engine, EngineWorld } from './engine.ts';
import type { PayloadBytes } from './judge/examine.ts';
import { examinedAs, judged } from './judge/judged.ts';
import { plainEngine } from './plain.ts';

export interface Against<Named = Schemas> {
  readonly schemas: Named;
  readonly kinds: readonly string[];
}

/** The engine of `schemas`, the new ones, that asks `against` as well. */
export function comparedEngine(
  schemas: Schemas,
  against: Against,
  ...others: [ExamineSettings & Judging, WebAssembly.Memory, EngineWorld]
): Engine {
  const [limits, memory, world] = others;
  // The first payloads are not judged apart: two schemas are compared for many payloads.
  const old = plainEngine({ ...against.schemas, interpreted: false }, ...others);
  // A kind that only the new schema has is told apart by the old one as it can.
  const oldKind = (givenKind: string | null): string | null =>
    givenKind !== null && against.kinds.includes(givenKind) ? givenKind : null;
  const readers = new Map<string | null, ComparedReader>();
  const own = plainEngine({ ...schemas, interpreted: false }, limits, memory, {
    ...world,
    readerOf: (code, givenKind) =>
      soon(old.reader(oldKind(givenKind)), (oldReader) => {
        const reader = new ComparedReader(oldReader, code, memory, limits);
        readers.set(givenKind, reader);
        return reader;
      }),
  });
  const knowsInvalid = Object.values(limits.rules).every((level) => level === 'error');
  const isValidByOld = (payload: PayloadBytes, givenKind: string | null): Soon<boolean> => {
    const reader = readers.get(givenKind);
    const verdict = reader?.verdictByOld(payload, payload.span) ?? 'unsure';
    if (verdict === 'valid') return true;
    if (verdict === 'invalid' && knowsInvalid) return false;
    const { reader: _, ...bare } = payload;
    const asked = reader === undefined ? bare : { ...bare, reader: reader.old };
    return soon(old.explain(asked, oldKind(givenKind), true), (examined) => judged(examined, limits).valid);
  };
  return {
    reader: own.reader,
    explain: (payload, givenKind, countsOnly) =>
      soon(isValidByOld(payload, givenKind), (wasValid) => {
        const kind = readers.get(givenKind)?.kindByNew(payload, payload.span) ?? null;
        if (kind !== null) return examinedAs({ kind, outcome: wasValid ? 'valid' : 'healed' });
        return soon(own.explain(payload, givenKind, countsOnly || !wasValid), (examined) => ({
          ...examined,
          outcome: outcomeOf(wasValid, judged(examined, limits).valid),
        }));
      }),
    async close() {
      await old.close();
      await own.close();
    },
  };
}

function outcomeOf(wasValid: boolean, isValid: boolean): Outcome {
  if (isValid) return wasValid ? 'valid' : 'healed';
  return wasValid ? 'broken' : 'invalid';
}

/**
 * Reads payloads by two schemas: runs the code of the older one first, then the newer code over the payloads that it
 * accepted. Both work in one memory. What it says of a payload depends on its bytes alone.
 */
class ComparedReader extends Acceptor {
  readonly #old: Acceptor;
  /** Offsets in the source between which the old schema accepts all payloads. */
  #known: Span = { start: 0, end: 0 };

  /** `code`, `memory`, `limits`: see `Acceptor`; `old`: of the schema to compare with, in the same memory. */
  constructor(old: Acceptor, ...given: ConstructorParameters<typeof Acceptor>) {
    super(...given);
    this.#old = old;
  }

  override reset(): void {
    super.reset();
    this.#old.reset();
    this.#known = { start: 0, end: 0 };
  }

  override run(window: AcceptWindow, mode: Mode): AcceptRun | null {
    const { base, start } = window;
    // Of what the old schema accepts, the new one may note what is wrong: these payloads are broken.
    const oldMode = mode === 'noted' ? 'lines' : mode;
    const isFull = !this.#isKnown(base + start, base + start) && this.#runOld(window, oldMode);
    const end = Math.min(window.end, this.#known.end - base);
    if (end <= start) {
      this.notes?.clear();
      return { stop: start, lineFeeds: 0, afterElement: false, full: false };
    }
    // `end` is the first byte of the next payload, so nothing beyond it is read.
    const run = super.run(end === window.end ? window : { ...partOf(window, start, end), atEnd: false }, mode);
    return run && { ...run, full: run.full || (isFull && run.stop === end) };
  }

  /** By both schemas: what only one of them rejects is unsure. */
  override read(window: ReadWindow, span: Span, allowed?: AllowedGaps): EngineVerdict {
    // What is known may be of another source, which has ended.
    this.#known = { start: 0, end: 0 };
    const byOld = this.#readOld(window, span);
    return byOld === 'valid' && super.read(window, span, allowed) === 'valid' ? 'valid' : 'unsure';
  }

  /** What is certain about the payload in `span` by the old schema alone. */
  verdictByOld(window: Pick<AcceptWindow, 'bytes' | 'base'>, span: Span): EngineVerdict {
    if (this.explainsAll) return 'unsure';
    const { base } = window;
    return this.#isKnown(base + span.start, base + span.end) ? 'valid' : this.#readOld(window, span);
  }

  #readOld(window: ReadWindow, span: Span): EngineVerdict {
    const verdict = this.#old.read(window, span);
    this.#old.forget();
    return verdict;
  }

  /** The kind of the payload in `span` if it is surely valid by the new schema; else null. */
  kindByNew(window: ReadWindow, span: Span): string | null {
    return !this.explainsAll && super.read(window, span) === 'valid' ? this.takeKind() : null;
  }

  get old(): Acceptor {
    return this.#old;
  }

  /** Runs the old code from the window's start on. Returns whether a list is full; the lists are for the new schema. */
  #runOld(window: AcceptWindow, mode: Mode): boolean {
    const { base, start } = window;
    const run = this.#old.run(window, mode);
    this.#old.forget();
    this.#known = { start: base + start, end: base + (run?.stop ?? start) };
    return run?.full === true;
  }

  #isKnown(from: number, to: number): boolean {
    return this.#known.start <= from && from < this.#known.end && to <= this.#known.end;
  }
}
