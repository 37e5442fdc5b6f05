/**
 * Byte offsets to lines and columns. A line ends with LF (so CRLF works; a lone CR does not end a line). Columns are
 * UTF-16 code units, as in editors and by default in SARIF. A byte order mark has no column.
 */

/** 1-based line, 1-based column in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The places of some offsets. */
export interface Places {
  /** `offset`: one of those for which they were made. */
  get(offset: number): Place;
}

/** Counts in long texts, faster than byte by byte. Indexes are into the bytes passed to `advance`. */
export interface TextCounter {
  lineFeeds(start: number, end: number): number;
  /** UTF-16 code units of the characters that begin in [start, end); -1 if there is a line feed. */
  codeUnits(start: number, end: number): number;
}

/** From this number of bytes on, a counter is faster. */
const LONG = 128;

/** Follows a source from its beginning, never backwards. The bytes may be dropped once they are counted. */
export class LineTracker {
  /** Byte offset in the source up to which lines are counted. */
  #offset: number;
  line = 1;
  column = 1;
  readonly #counter: TextCounter | null;

  /** `offset`: where the first column is, after any byte order mark. */
  constructor(offset: number, counter: TextCounter | null = null) {
    this.#offset = offset;
    this.#counter = counter;
  }

  /** Another tracker at the same place, which can run ahead of this one. */
  fork(): LineTracker {
    const fork = new LineTracker(this.#offset, this.#counter);
    fork.line = this.line;
    fork.column = this.column;
    return fork;
  }

  /** Jumps to the beginning of a line at source offset `to`; the caller has counted `lineFeeds` up to there. */
  jump(to: number, lineFeeds: number): void {
    this.line += lineFeeds;
    this.column = 1;
    this.#offset = to;
  }

  /** Counts up to source offset `to`; `bytes[i]` is the byte at source offset `base + i`. */
  advance(bytes: Uint8Array, base: number, to: number): void {
    if (this.#counter !== null && to - this.#offset >= LONG) this.#leap(this.#counter, bytes, base, to);
    else this.#walk(bytes, base, to);
  }

  #leap(counter: TextCounter, bytes: Uint8Array, base: number, to: number): void {
    const start = this.#offset - base;
    const end = to - base;
    // Most long texts are on one line, or have many line feeds, of which one is found soon.
    const units = counter.codeUnits(start, end);
    if (units < 0) {
      this.line += counter.lineFeeds(start, end);
      this.column = 1 + counter.codeUnits(bytes.lastIndexOf(0x0a, end - 1) + 1, end);
    } else this.column += units;
    this.#offset = to;
  }

  #walk(bytes: Uint8Array, base: number, to: number): void {
    let { line, column } = this;
    for (let i = this.#offset - base, end = to - base; i < end; i++) {
      const byte = bytes[i]!;
      if (byte === 0x0a) {
        line++;
        column = 1;
      } else if (byte < 0x80) column++;
      // A lead byte counts for its character: one code unit, two from U+10000 on. Continuation bytes do not count.
      else if (byte >= 0xc0) column += byte >= 0xf0 ? 2 : 1;
    }
    this.line = line;
    this.column = column;
    if (to > this.#offset) this.#offset = to;
  }

  /** The place of `offset`, after it has counted up to there. */
  at(bytes: Uint8Array, base: number, offset: number): Place {
    this.advance(bytes, base, offset);
    return { line: this.line, column: this.column };
  }

  /**
   * The places of `offsets`: ascending, none before the last counted one. There may be hundreds of thousands: arrays of
   * numbers take a fifth of a map's memory.
   */
  places(bytes: Uint8Array, base: number, offsets: readonly number[]): Places {
    const columns: number[] = [];
    const lines = offsets.map((offset) => {
      this.advance(bytes, base, offset);
      columns.push(this.column);
      return this.line;
    });
    const placeAt = (i: number): Place => ({ line: lines[i]!, column: columns[i]! });
    return { get: (offset) => placeAt(firstFrom(offsets, offset)) };
  }
}

/** Index of the first of ascending numbers that is at least `least`; their count if none is. */
export function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
