/**
 * Reads payloads for a run with checks: valid is what its schema accepts and every check holds for, so that only payloads
 * with something to report are explained.
 */
import { lineAt } from '../json/skip.ts';
import type { Kind } from '../schema/set.ts';
import type { Span } from '../types.ts';
import { MANY_GAPS, type Mode } from '../wasm/layout.ts';
import {
  Acceptor,
  type AcceptRun,
  type AcceptWindow,
  type AllowedGaps,
  type EngineVerdict,
  type ReadWindow,
} from './compile/acceptor.ts';
import type { PayloadChecker } from './judge/repaired.ts';

/** Bytes that are read at once: larger payloads are left to the examination, and a run stops so that other work can be done. */
const AT_ONCE = 1 << 17;

/** The checks of a run, and the kinds of its schemas. */
export interface Checking {
  readonly checker: PayloadChecker;
  readonly kinds: readonly Kind[];
}

export class CheckedReader extends Acceptor {
  readonly #checker: PayloadChecker;
  readonly #mostBytes: number;
  /** By the numbers of the code. */
  readonly #kinds: readonly Kind[];

  constructor({ checker, kinds }: Checking, ...[code, memory, limits]: ConstructorParameters<typeof Acceptor>) {
    super(code, memory, { ...limits, checks: [] });
    this.#checker = checker;
    this.#mostBytes = Math.min(AT_ONCE, limits.maxBytes);
    this.#kinds = this.kinds.map((name) => kinds.find((kind) => kind.name === name)!); // the code is of these kinds
  }

  override read(window: ReadWindow, span: Span, allowed?: AllowedGaps): EngineVerdict {
    const { gaps } = this;
    const verdict = span.end - span.start > this.#mostBytes ? 'unsure' : super.read(window, span, allowed);
    if (verdict !== 'valid' || this.#hold(window.bytes, span)) return verdict;
    this.takeBack(gaps);
    return 'unsure';
  }

  /** Reads lines, one after another; what is not in lines the caller cuts out. */
  override run(window: AcceptWindow, mode: Mode): AcceptRun | null {
    const { bytes, start, end, atEnd } = window;
    if (mode !== 'lines' || start === end || this.output !== null || !this.isText(window)) return null;
    const text = { bytes, isUtf8: true } as const;
    const most = Math.min(end, start + AT_ONCE);
    let lineFeeds = 0;
    let stop = start;
    while (stop < most && this.gaps < MANY_GAPS) {
      const line = lineAt(bytes, stop, end);
      if (!line.isWhole && !atEnd) break;
      if (line.start < line.end && this.read(text, line) !== 'valid') break;
      stop = line.next;
      if (line.isWhole) lineFeeds++;
    }
    return { stop, lineFeeds, afterElement: false, full: stop < end && (stop >= most || this.gaps >= MANY_GAPS) };
  }

  #hold(bytes: Buffer, span: Span): boolean {
    try {
      return this.#checker.holdFor(this.#kinds[this.lastKind]!, bytes, span);
    } catch {
      return false; // the examination finds the same
    }
  }
}
