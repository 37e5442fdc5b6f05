/**
 * What a module that notes violations leaves in the memory: a row for each violation, and one for each invalid payload.
 */
import { MANY_NOTES, MAX_NOTED, MAX_NOTES, NOTE_BYTES, NOTED, NOTED_BYTES, NOTES, WINDOW } from '../wasm/layout.ts';
import type { AcceptExports } from './code.ts';
import type { NotedKinds } from './notes.ts';

/** The site, the start and the end of the value, and of the name that the violation is about: the columns of `Records`. */
export type NoteColumn = 0 | 1 | 2 | 3 | 4;

/** See `NOTED` in `engine/wasm/layout.ts`. */
export type NotedColumn = 0 | 1 | 2 | 3 | 4 | 5;
export const PAYLOAD_START = 0;
export const PAYLOAD_END = 1;
export const KIND = 2;
/** An address in the list of notes. */
const NOTES_END = 3;
export const LINE_FEEDS = 4;
export const INDEX = 5;

export class NoteList {
  readonly kinds: NotedKinds['kinds'];
  readonly sites: NotedKinds['sites'];
  /** Violations in the payloads that were read last. */
  readonly rows: MemoryRows<NoteColumn>;
  /** The invalid payloads among those that the last run has read. */
  readonly payloads: MemoryRows<NotedColumn>;

  constructor({ kinds, sites }: NotedKinds, memory: WebAssembly.Memory) {
    this.kinds = kinds;
    this.sites = sites;
    this.rows = new MemoryRows(memory, NOTES, NOTE_BYTES, MAX_NOTES);
    this.payloads = new MemoryRows(memory, NOTED, NOTED_BYTES, MAX_NOTED);
  }

  /** Shows what was noted of one payload. */
  showOne({ notes }: NoteExports): void {
    this.rows.show((notes.value - NOTES) / NOTE_BYTES);
  }

  /** Shows what was noted in a run. It may have stopped inside a payload, whose notes do not count. */
  showRun({ noted }: NoteExports): void {
    const count = (noted.value - NOTED) / NOTED_BYTES;
    this.payloads.show(count);
    this.rows.show(count === 0 ? 0 : this.rowsEnd(count - 1));
  }

  /** Nothing was noted. */
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

/** The exports of a module that notes violations. */
export type NoteExports = Required<Pick<AcceptExports, 'noteOne' | 'notes' | 'noted'>>;

/** Null: the module notes nothing. */
export function noteExportsOf({ noteOne, notes, noted }: AcceptExports): NoteExports | null {
  return noteOne && notes && noted ? { noteOne, notes, noted } : null;
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

  /** Shows the first `length` rows. */
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
