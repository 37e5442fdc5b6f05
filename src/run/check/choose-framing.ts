/** Chooses the framing by the name or the first bytes. It reads no more than needed: the source may be slow. */
import { scan } from '../../json/scan.ts';
import { LINE_FEED, lineAt } from '../../json/skip.ts';
import { byteOrderMark } from '../../json/utf8.ts';
import { FRAMING_BYTES } from '../../limits.ts';
import {
  beginsWithLines,
  detectFraming,
  framingAfterLines,
  isFullObject,
  plainlyOther,
  settledFraming,
} from '../../source/detect-framing.ts';
import type { Window } from '../../source/window.ts';
import type { Framing, Source, Span } from '../../types.ts';
import { type Steps, wait } from './flow.ts';

/** Number of bytes by which the encoding is detected. */
const MARK_BYTES = 4;

/** Chooses at the beginning of a source. After the choice of lines, a later line may show that the framing is another. */
export class FramingChoice {
  readonly #window: Window;
  /** The framing by the option or the name; null: it must be detected. */
  readonly #named: Framing | null;
  /** The framing is only by the source's name, and the content may have another. */
  readonly #compares: boolean;
  framing: Framing = 'json';
  /** All lines so far hold one text each. Later lines may still show that the framing is `stream`. */
  mayBeStream = false;

  /** `given`: the framing that the user has chosen for all sources. */
  constructor(source: Source, window: Window, given: Framing | null) {
    const inTheMiddle = window.base > 0;
    this.#window = window;
    this.#named = inTheMiddle ? 'lines' : (given ?? source.framing);
    this.#compares = this.#named !== null && !inTheMiddle && given === null && window.size !== null;
  }

  /** Reads the bytes that the choice and the encoding need, to the beginning of the window. */
  *read(): Steps<void> {
    yield* this.#readMark();
    if (this.#named === null) yield* this.#readHead();
    else if (this.#compares) {
      // Or up to a failure of the source: the payloads before it are still checked.
      while (this.#window.end - this.#window.start < FRAMING_BYTES && (yield* wait(this.#window.ahead())));
    }
  }

  /** Chooses by the bytes read; the window's start is after any byte order mark. */
  choose(): void {
    const { bytes, start, end } = this.#window;
    // The framing is detected by the same bytes, whatever the chunks.
    const head = bytes.subarray(start, Math.min(end, FRAMING_BYTES));
    this.mayBeStream = this.#named === null && settledFraming(head) === null && beginsWithLines(head);
    if (this.mayBeStream) this.framing = 'lines';
    else this.framing = this.#named ?? detectFraming(head, this.#isComplete);
  }

  /** The framing that the content clearly has, if its name says another: that is the cause of all violations. */
  get other(): Framing | null {
    if (this.#named === null || !this.#compares) return null;
    const { bytes, start, end } = this.#window;
    const head = bytes.subarray(start, Math.min(end, start + FRAMING_BYTES));
    return plainlyOther(this.#named, head, this.#isComplete);
  }

  /** The head is all of the source. */
  get #isComplete(): boolean {
    return this.#window.atEnd && this.#window.end <= FRAMING_BYTES;
  }

  /** The lines in `span` hold one text each. If one of them is an object with members, the framing is `lines`. */
  passLines({ start, end }: Span): void {
    const { bytes, base } = this.#window;
    const to = Math.min(end, FRAMING_BYTES - base);
    for (let at = start; at < to; ) {
      const line = lineAt(bytes, at, to);
      this.mayBeStream &&= line.start === to || !isFullObject(bytes, line.start, end);
      if (!this.mayBeStream || !line.isWhole) return;
      at = line.next;
    }
  }

  /**
   * Looks at the line in `span`, after lines that held one text each. Returns true if it does not hold exactly one:
   * then `decide` chooses again, and the line must be cut again.
   */
  endsLines({ start, end }: Span): boolean {
    const { bytes, base } = this.#window;
    this.mayBeStream = false;
    if (base + start >= FRAMING_BYTES) return false;
    const isLine = scan(bytes, start, end, Number.POSITIVE_INFINITY).fault === null;
    this.mayBeStream = isLine && !isFullObject(bytes, start, end);
    return !isLine;
  }

  /** Chooses by the bytes from the window's start on, after lines. */
  *decide(): Steps<void> {
    this.framing = yield* this.#readOddLine(FRAMING_BYTES - (this.#window.base + this.#window.start));
  }

  /** Reads the bytes that show the encoding: two are enough if both are ASCII. */
  *#readMark(): Steps<void> {
    const window = this.#window;
    const isAscii = (index: number): boolean => window.bytes[index]! > 0 && window.bytes[index]! < 0x80;
    const shows = ({ start, end }: Span): boolean =>
      end - start >= MARK_BYTES || (end - start >= 2 && isAscii(start) && isAscii(start + 1));
    while (!shows(window) && (yield* wait(window.more())));
  }

  /** Reads ahead to detect the framing: no more than needed, because the source may be slow. */
  *#readHead(): Steps<void> {
    const window = this.#window;
    for (let seen = window.start; ; ) {
      const { bytes, start, end } = window;
      const hasLine = bytes.subarray(seen, end).includes(LINE_FEED);
      seen = end;
      if (end - start >= FRAMING_BYTES || window.atEnd) return;
      const marked = bytes.subarray(start, end);
      const head = marked.subarray(byteOrderMark(marked));
      if (hasLine && (settledFraming(head) !== null || beginsWithLines(head))) return;
      if (!(yield* wait(window.ahead()))) return;
    }
  }

  /** The framing by the next `most` bytes, of which no more are read than needed. */
  *#readOddLine(most: number): Steps<Framing> {
    const window = this.#window;
    for (;;) {
      const { bytes, start, end } = window;
      const rest = bytes.subarray(start, Math.min(end, start + most));
      const isWhole = window.atEnd && end - start <= most;
      const framing = framingAfterLines(rest, isWhole);
      if (framing !== null) return framing;
      if (isWhole || rest.length === most) return 'stream';
      if (!(yield* wait(window.ahead())) && !window.atEnd) return 'stream';
    }
  }
}
