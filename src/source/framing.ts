/**
 * Cuts a source into payloads, as ranges in the window: one JSON text (or the elements of one top-level array), lines,
 * or JSON texts one after another. It does not check payloads: what it cuts from a malformed text is a guess by
 * brackets and quotes, and `examine` finds what is wrong.
 */

import { SourceError } from '../errors.ts';
import { LINE_FEED, skipSpace, ValueSkipper, withoutSpace } from '../json/skip.ts';
import type { ExpectedSyntax, Framing, Span } from '../json/vocabulary.ts';
import { SPACE_BYTES } from '../limits.ts';
import type { Mode } from '../wasm/layout.ts';
import type { Window } from './window.ts';

/**
 * The result of `next`: a payload in `[start, end)`; a payload at `start` that is too large; a payload whose end may be
 * missing; bytes at `start` that are not allowed between payloads; more bytes are needed; or the end of the source.
 */
export type Cut = 'payload' | 'too-large' | 'cut-off' | 'fault' | 'more' | 'end';

export interface Cutter {
  /**
   * If the cutter is between payloads, moves `window.start` to where the next one may begin, and returns how payloads
   * follow one another. Returns null inside a payload. A caller that reads payloads from there on must call `passed`.
   */
  seek(window: Window): Mode | null;
  /** The caller has read the payloads up to `window.start`. `afterElement`: see `AcceptRun.afterElement`. */
  passed(afterElement: boolean): void;
  /** Cuts the next payload out of the window and moves `window.start` to what must be kept. */
  next(window: Window): Cut;
  /** Indexes into `window.bytes`, valid until the window reads more. */
  readonly start: number;
  readonly end: number;
  /** Bytes of a payload that is too large, which the last call of `next` skipped; null: none. */
  readonly skipped: Span | null;
  /** The rest of a payload that is too large has not been read yet. */
  readonly isSkipping: boolean;
  /** For 'fault': what would be allowed there. */
  readonly expected: ExpectedSyntax;
  /** True if payloads are elements of a top-level array, so that pointers begin with their index. */
  readonly inArray: boolean;
  /** True if payloads after a malformed one are found reliably. */
  readonly resyncs: boolean;
}

export interface CutterOptions {
  readonly maxBytes: number;
  /** A top-level array is itself the payload. */
  readonly whole: boolean;
  /** An array may be the payload or a list of payloads, so it is refused. Absent: false. */
  readonly unclear?: boolean;
}

export function createCutter(framing: Framing, options: CutterOptions): Cutter {
  switch (framing) {
    case 'lines':
      return new SegmentCutter(LINE_FEED, options.maxBytes);
    case 'json':
      return new DocumentCutter(options);
    case 'stream':
      return new StreamCutter(options.maxBytes);
  }
}

const RECORD_SEPARATOR = 0x1e;

/** The first bytes of values whose end can be seen: `{`, `[` and `"`. */
const BRACKETS_AND_QUOTE = [0x7b, 0x5b, 0x22];

/** Payloads that end at a byte that they cannot contain: lines, or the records of RFC 7464. */
class SegmentCutter implements Cutter {
  start = 0;
  end = 0;
  readonly expected = 'a value';
  readonly inArray = false;
  readonly resyncs = true;
  skipped: Span | null = null;
  readonly #delimiter: number;
  readonly #maxBytes: number;
  /** Bytes from `window.start` that contain no delimiter. */
  #searched = 0;
  /** The number of those bytes up to the last one that is not white space. */
  #size = 0;
  isSkipping = false;

  constructor(delimiter: number, maxBytes: number) {
    this.#delimiter = delimiter;
    this.#maxBytes = maxBytes;
  }

  seek(): Mode | null {
    return this.#delimiter === LINE_FEED && this.#searched === 0 && !this.isSkipping ? 'lines' : null;
  }

  passed(): void {}

  next(window: Window): Cut {
    const { bytes } = window;
    this.skipped = null;
    for (;;) {
      // The search ends at the window's end, because much unused memory may follow after a large payload.
      let stop = bytes.subarray(0, window.end).indexOf(this.#delimiter, window.start + this.#searched);
      if (stop < 0) {
        if (!window.atEnd) return this.#wait(window);
        stop = window.end;
      }
      const from = skipSpace(bytes, window.start, stop);
      const skipped = this.isSkipping;
      const last = stop === window.end;
      if (skipped) this.skipped = { start: window.start, end: stop };
      window.start = last ? stop : stop + 1;
      this.#searched = 0;
      this.isSkipping = false;
      if (from < stop && !skipped) return this.#segment(bytes, from, stop);
      if (last) return 'end';
    }
  }

  #segment(bytes: Uint8Array, from: number, stop: number): Cut {
    this.start = from;
    this.end = withoutSpace(bytes, from, stop);
    if (this.end - from > this.#maxBytes) return 'too-large';
    // RFC 7464, section 2.4: a number, `true`, `false` or `null` is whole only if white space follows.
    const isRecordToEnd = this.#delimiter === RECORD_SEPARATOR && this.end === stop;
    return isRecordToEnd && !BRACKETS_AND_QUOTE.includes(bytes[from]!) ? 'cut-off' : 'payload';
  }

  /** The segment continues after the window: asks for more bytes, unless the segment is too large already. */
  #wait(window: Window): Cut {
    if (this.isSkipping) {
      this.skipped = { start: window.start, end: window.end };
      window.start = window.end;
    } else window.start = skipSpace(window.bytes, window.start, window.end);
    const to = withoutSpace(window.bytes, window.start + this.#searched, window.end) - window.start;
    if (to > this.#searched || this.#searched === 0) this.#size = to;
    this.#searched = window.end - window.start;
    if (this.#size <= this.#maxBytes && this.#searched <= this.#maxBytes + SPACE_BYTES) return 'more';
    this.isSkipping = true;
    this.start = window.start;
    this.end = window.end;
    window.start = window.end;
    this.#searched = 0;
    return 'too-large';
  }
}

/** Cuts one value at a time, whatever its layout, and skips one that is too large. */
class ValueCutter {
  start = 0;
  end = 0;
  skipped: Span | null = null;
  protected readonly maxBytes: number;
  readonly #skipper = new ValueSkipper();
  /** Bytes of the value that were walked already; -1 if no value has begun. */
  #walked = -1;
  #tooLarge = false;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** The rest of a value that is too large has not been read yet. */
  get isSkipping(): boolean {
    return this.#tooLarge;
  }

  /** True between the beginning of a value and its end. */
  protected get begun(): boolean {
    return this.#walked >= 0;
  }

  /** Cuts the value at `window.start`. 'end': the end of a value that was too large and was skipped. */
  protected cut(window: Window): Cut {
    if (this.#walked < 0) {
      this.#skipper.reset();
      this.#walked = 0;
    }
    let after = this.#skipper.run(window.bytes, window.start + this.#walked, window.end);
    if (after < 0 && window.atEnd) after = window.end;
    const size = (after < 0 ? window.end : after) - window.start;
    if (!this.#tooLarge && size > this.maxBytes) {
      this.#tooLarge = true;
      this.start = window.start;
      this.end = after < 0 ? window.end : withoutSpace(window.bytes, window.start, after);
      this.#pass(window, after);
      return 'too-large';
    }
    if (this.#tooLarge) this.skipped = { start: window.start, end: window.start + size };
    if (after < 0) {
      if (this.#tooLarge) this.#pass(window, after);
      else this.#walked = size;
      return 'more';
    }
    this.start = window.start;
    this.end = after;
    window.start = after;
    this.#walked = -1;
    const passed = this.#tooLarge;
    this.#tooLarge = false;
    return passed ? 'end' : 'payload';
  }

  /** Drops the bytes of a value that is too large. The skipper keeps its state. */
  #pass(window: Window, after: number): void {
    window.start = after < 0 ? window.end : after;
    this.#walked = after < 0 ? 0 : -1;
    if (after >= 0) this.#tooLarge = false;
  }
}

const UNCLEAR_ARRAY =
  'the schema may be about this array or about each of its elements; --whole checks the array, --input json the elements';

/** One JSON text; a top-level array is a list of payloads unless `whole`. Throws SourceError if an array could be either. */
class DocumentCutter extends ValueCutter implements Cutter {
  readonly resyncs = false;
  expected: ExpectedSyntax = 'a value';
  inArray = false;
  #state: 'begin' | 'first' | 'element' | 'after' | 'done' | 'stopped' = 'begin';
  readonly #options: CutterOptions;

  constructor(options: CutterOptions) {
    super(options.maxBytes);
    this.#options = options;
  }

  seek(window: Window): Mode | null {
    while (this.#state !== 'stopped' && !this.begun) {
      window.start = skipSpace(window.bytes, window.start, window.end);
      if (window.start === window.end) return null;
      const outcome = this.#punctuation(window);
      if (outcome !== 'again') return outcome === 'value' && this.inArray ? 'array' : null;
    }
    return null;
  }

  passed(afterElement: boolean): void {
    this.#state = afterElement ? 'after' : 'element';
  }

  next(window: Window): Cut {
    this.skipped = null;
    for (;;) {
      if (this.#state === 'stopped') return 'end';
      if (!this.begun) {
        window.start = skipSpace(window.bytes, window.start, window.end);
        if (window.start === window.end) {
          if (!window.atEnd) return 'more';
          return this.#state === 'done' ? 'end' : this.#fault(window);
        }
        const outcome = this.#punctuation(window);
        if (outcome === 'again') continue;
        if (outcome === 'fault') return this.#fault(window);
      }
      const cut = this.cut(window);
      if (!this.begun) this.#state = this.inArray ? 'after' : 'done';
      if (cut !== 'end') return cut;
    }
  }

  /** Handles the byte at `window.start`, which is not white space, between payloads. */
  #punctuation(window: Window): 'again' | 'fault' | 'value' {
    const byte = window.bytes[window.start]!;
    switch (this.#state) {
      case 'begin':
        if (byte !== 0x5b || this.#options.whole) return this.#expectValue(byte);
        if (this.#options.unclear) throw new SourceError(UNCLEAR_ARRAY);
        this.inArray = true;
        return this.#move(window, 'first');
      case 'first':
        if (byte === 0x5d) return this.#move(window, 'done');
        this.expected = 'a value or "]"';
        return startsValue(byte) ? 'value' : 'fault';
      case 'element':
        return this.#expectValue(byte);
      case 'after':
        if (byte === 0x5d) return this.#move(window, 'done');
        if (byte === 0x2c) return this.#move(window, 'element');
        this.expected = '"," or "]"';
        return 'fault';
      default:
        this.expected = 'the end';
        return 'fault';
    }
  }

  #expectValue(byte: number): 'value' | 'fault' {
    this.expected = 'a value';
    return startsValue(byte) ? 'value' : 'fault';
  }

  #move(window: Window, state: 'first' | 'element' | 'done'): 'again' {
    window.start++;
    this.#state = state;
    return 'again';
  }

  #fault(window: Window): 'fault' {
    if (window.start === window.end) this.expected = EXPECTED_AT_END[this.#state] ?? 'a value';
    this.start = window.start;
    this.end = window.start;
    this.#state = 'stopped';
    return 'fault';
  }
}

const EXPECTED_AT_END: Readonly<Record<string, ExpectedSyntax>> = { first: 'a value or "]"', after: '"," or "]"' };

/** True for any byte except punctuation that cannot begin a value. `examine` reports a wrong word. */
function startsValue(byte: number): boolean {
  return byte !== 0x2c && byte !== 0x3a && byte !== 0x5d && byte !== 0x7d;
}

/** JSON texts one after another. From the first record separator on (RFC 7464), payloads end at separators. */
class StreamCutter extends ValueCutter implements Cutter {
  readonly inArray = false;
  readonly expected = 'a value';
  #records: SegmentCutter | null = null;
  #stopped = false;

  get resyncs(): boolean {
    return this.#records !== null;
  }

  override get isSkipping(): boolean {
    return this.#records?.isSkipping ?? super.isSkipping;
  }

  seek(): Mode | null {
    return this.#records === null && !this.#stopped && !this.begun ? 'stream' : null;
  }

  passed(): void {}

  next(window: Window): Cut {
    this.skipped = null;
    for (;;) {
      if (this.#stopped) return 'end';
      if (this.#records !== null) return this.#nextRecord(window, this.#records);
      if (!this.begun) {
        window.start = skipSpace(window.bytes, window.start, window.end);
        if (window.start === window.end) return window.atEnd ? 'end' : 'more';
        const byte = window.bytes[window.start]!;
        if (byte === RECORD_SEPARATOR) {
          window.start++;
          this.#records = new SegmentCutter(RECORD_SEPARATOR, this.maxBytes);
          continue;
        }
        if (!startsValue(byte)) {
          this.#stopped = true;
          this.start = window.start;
          this.end = window.start;
          return 'fault';
        }
      }
      const cut = this.cut(window);
      if (cut !== 'end') return cut;
    }
  }

  #nextRecord(window: Window, records: SegmentCutter): Cut {
    const cut = records.next(window);
    this.start = records.start;
    this.end = records.end;
    // The first record may come after a value that was skipped.
    this.skipped ??= records.skipped;
    return cut;
  }
}
