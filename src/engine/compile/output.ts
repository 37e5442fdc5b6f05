/**
 * What a run of a module leaves in the memory: where each accepted payload is, and the output of a module that writes (see
 * `writer.ts`), and what one that notes violations has found.
 */
import type { Span } from '../../types.ts';
import {
  MANY_NOTES,
  MAX_NOTED,
  MAX_NOTES,
  NOTE_BYTES,
  NOTED,
  NOTED_BYTES,
  NOTES,
  SPAN_BYTES,
  SPANS,
  WINDOW,
} from '../../wasm/layout.ts';
import type { AcceptExports, WriterExports } from './code.ts';
import type { NotedKinds } from './notes.ts';

export class AcceptOutput {
  readonly #writer: WriterExports;
  readonly #memory: WebAssembly.Memory;
  /** Address up to which the output was taken; 0 before the first output. */
  #taken = 0;

  constructor(writer: WriterExports, memory: WebAssembly.Memory) {
    this.#writer = writer;
    this.#memory = memory;
  }

  /** Prepares for output at the address `outputAt`. */
  begin(outputAt: number): void {
    const { to, from, upTo } = this.#writer;
    if (this.#taken >= outputAt) return;
    this.#taken = outputAt;
    to.value = outputAt;
    from.value = 0;
    upTo.value = 0;
  }

  /** The output since the last call; if nothing had to be changed, a part of `bytes`. Valid until `drop`. */
  take(bytes: Buffer): Buffer {
    const { finish, to, from, upTo } = this.#writer;
    if (to.value === this.#taken) {
      const unchanged = bytes.subarray(from.value - WINDOW, upTo.value - WINDOW);
      from.value = 0;
      upTo.value = 0;
      return unchanged;
    }
    const end = finish();
    const written = Buffer.from(this.#memory.buffer, this.#taken, end - this.#taken);
    this.#taken = end;
    return written;
  }

  /** Releases the output that was taken. */
  drop(): void {
    this.#taken = 0;
  }
}

export class Spans {
  readonly #memory: WebAssembly.Memory;
  readonly #listEnd: () => number;

  /** `listEnd` gives the address after the last entry. */
  constructor(memory: WebAssembly.Memory, listEnd: () => number) {
    this.#memory = memory;
    this.#listEnd = listEnd;
  }

  get length(): number {
    return (this.#listEnd() - SPANS) / SPAN_BYTES;
  }

  /** Gives, for each payload, its first index in the window and the one after it. */
  each(take: (start: number, end: number) => void): void {
    const view = new DataView(this.#memory.buffer, SPANS, this.#listEnd() - SPANS);
    for (let at = 0; at < view.byteLength; at += SPAN_BYTES)
      take(view.getUint32(at, true) - WINDOW, view.getUint32(at + 4, true) - WINDOW);
  }

  /** From the first payload to the byte after the last one, inclusive, if exactly one byte is between each two. */
  get compact(): Span | null {
    let from = -1;
    let next = -1;
    let isCompact = true;
    this.each((start, end) => {
      if (from < 0) from = start;
      else isCompact &&= start === next;
      next = end + 1;
    });
    return isCompact && from >= 0 ? { start: from, end: next } : null;
  }
}

/** Columns of `rows`: see `NOTES` in `wasm/layout.ts`. Indexes are into the window. */
export const SITE = 0;
/** Start and end of the value that the violation is about. */
export const START = 1;
export const END = 2;
/** By site: the span of a name, or the indexes of two items. */
export const A = 3;
export const B = 4;

/** Columns of `payloads`: see `NOTED` in `wasm/layout.ts`. */
export const PAYLOAD_START = 0;
export const PAYLOAD_END = 1;
export const KIND = 2;
/** An address in the list of notes. */
const NOTES_END = 3;
export const LINE_FEEDS = 4;
export const INDEX = 5;

type NoteExports = Required<Pick<AcceptExports, 'noteOne' | 'notes' | 'noted'>>;

export class NoteList {
  readonly kinds: NotedKinds['kinds'];
  readonly sites: NotedKinds['sites'];
  /** Violations in the payloads that were read last, with the columns `SITE` to `B`. */
  readonly rows: MemoryRows<0 | 1 | 2 | 3 | 4>;
  /** The invalid payloads among those that the last run has read. */
  readonly payloads: MemoryRows<0 | 1 | 2 | 3 | 4 | 5>;

  readonly exports: NoteExports;

  constructor({ kinds, sites }: NotedKinds, exports: AcceptExports, memory: WebAssembly.Memory) {
    this.exports = exports as NoteExports; // a module that notes something has them
    this.kinds = kinds;
    this.sites = sites;
    this.rows = new MemoryRows(memory, NOTES, NOTE_BYTES, MAX_NOTES);
    this.payloads = new MemoryRows(memory, NOTED, NOTED_BYTES, MAX_NOTED);
  }

  showOne(): void {
    this.rows.show((this.exports.notes.value - NOTES) / NOTE_BYTES);
  }

  /** Shows what was noted in a run. It may have stopped inside a payload, whose notes do not count. */
  showRun(): void {
    const count = (this.exports.noted.value - NOTED) / NOTED_BYTES;
    this.payloads.show(count);
    this.rows.show(count === 0 ? 0 : this.rowsEnd(count - 1));
  }

  clear(): void {
    this.payloads.show(0);
    this.rows.show(0);
  }

  /** Whether a run stops because of these lists. */
  get isFull(): boolean {
    return this.payloads.length >= MAX_NOTED || this.rows.length >= MANY_NOTES;
  }

  /** The row after those of the payload with this index in `payloads`. */
  rowsEnd(payload: number): number {
    return (this.payloads.number(payload, NOTES_END) - NOTES) / NOTE_BYTES;
  }
}

/** A list of rows of 32-bit numbers in the memory. */
export class MemoryRows<Column extends number> {
  length = 0;
  #view = new DataView(new ArrayBuffer(0));
  readonly #memory: WebAssembly.Memory;
  readonly #from: number;
  readonly #width: number;
  readonly #most: number;

  constructor(memory: WebAssembly.Memory, from: number, width: number, most: number) {
    this.#memory = memory;
    this.#from = from;
    this.#width = width;
    this.#most = most;
  }

  show(length: number): void {
    const { buffer } = this.#memory;
    // A memory that has grown has a new buffer.
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer, this.#from, this.#most * this.#width);
    this.length = length;
  }

  /** An address, as an index into the window's bytes; a number below `WINDOW` is returned as it is. */
  get(row: number, column: Column): number {
    const value = this.number(row, column);
    return value < WINDOW ? value : value - WINDOW;
  }

  /** A number as it is. */
  number(row: number, column: Column): number {
    return this.#view.getUint32(row * this.#width + 4 * column, true);
  }
}
