/**
 * Accepts payloads that are valid by two schemas: runs the code of the older one first, then the newer code over the
 * payloads that it accepted. Both work in one memory. What it says of a payload depends on its bytes alone.
 */
import type { Span } from '../../json/vocabulary.ts';
import type { Mode } from '../wasm/layout.ts';
import { Acceptor, type AcceptRun, type AcceptWindow, type AllowedGaps, type EngineVerdict } from './acceptor.ts';

export class ComparedAcceptor extends Acceptor {
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
    // What is behind the end is another payload, which is not read: the end is at its first byte.
    const run = super.run(end === window.end ? window : within(window, end), mode);
    return run && { ...run, full: run.full || (isFull && run.stop === end) };
  }

  override one(window: AcceptWindow, start: number, end: number, allowed?: AllowedGaps): boolean {
    // What is known may be of another source, which has ended.
    this.#known = { start: 0, end: 0 };
    return this.verdictByOld(window, { start, end }) === 'valid' && super.one(window, start, end, allowed);
  }

  /** What is certain about the payload in `span` by the old schema. */
  verdictByOld({ bytes, base }: Pick<AcceptWindow, 'bytes' | 'base'>, { start, end }: Span): EngineVerdict {
    if (this.#isKnown(base + start, base + end)) return 'valid';
    const verdict = this.#old.verdict({ bytes }, start, end);
    this.#old.forget();
    return verdict;
  }

  /** The kind of the payload in `span` if it is surely valid by the new schema; else null. */
  kindByNew(window: Pick<AcceptWindow, 'bytes'>, { start, end }: Span): string | null {
    return this.verdict(window, start, end) === 'valid' ? this.takeKind() : null;
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

function within(window: AcceptWindow, end: number): AcceptWindow {
  const { memory, bytes, start, base, outputAt } = window;
  return { memory, bytes, start, end, base, atEnd: false, outputAt };
}
