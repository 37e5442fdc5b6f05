/**
 * Runs a module of noting functions over the memory of a window: one payload at a time.
 */
import { isUtf8 } from 'node:buffer';
import { isStackOverflow } from '../schema/error.ts';
import type { Span } from '../types.ts';
import { MAX_DEPTH, MAX_NOTES, NOTE_BYTES, NOTE_TABLES, NOTES, WINDOW } from '../wasm/layout.ts';
import { useTables } from './acceptor.ts';
import type { NoteSite } from './notes.ts';

/** The exports of a module made by `compileNotes`. */
interface Exports {
  readonly noted: (start: number, end: number) => number;
  readonly notes: { readonly value: number };
  readonly maxDepth: { value: number };
}

/** A compiled module of noting functions. */
export interface NoteCode {
  readonly module: WebAssembly.Module;
  readonly kinds: readonly string[];
  readonly sites: readonly NoteSite[];
  readonly tables: Uint8Array;
}

export class Noter {
  readonly sites: readonly NoteSite[];
  /** What `find` has found. */
  readonly rows = new NoteRows();
  readonly #kinds: readonly string[];
  readonly #memory: WebAssembly.Memory;
  readonly #tables: Uint8Array;
  readonly #exports: Exports;

  constructor({ module, kinds, sites, tables }: NoteCode, memory: WebAssembly.Memory, maxDepth: number) {
    this.sites = sites;
    this.#kinds = kinds;
    this.#memory = memory;
    this.#tables = tables;
    // The types are those that our own module declares.
    this.#exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    this.#exports.maxDepth.value = Math.min(maxDepth, MAX_DEPTH);
  }

  /**
   * The kind of the payload in `bytes[start, end)` of the window, if it is certain what is wrong with it; else null. The
   * violations are in `rows` until the next call. `isKnownUtf8`: the bytes are known to be UTF-8.
   */
  find(bytes: Buffer, { start, end }: Span, isKnownUtf8: boolean): string | null {
    if (!isKnownUtf8 && !isUtf8(bytes.subarray(start, end))) return null;
    useTables(this.#memory, this.#tables, NOTE_TABLES);
    const number = this.#run(WINDOW + start, WINDOW + end);
    this.rows.read(this.#memory, (this.#exports.notes.value - NOTES) / NOTE_BYTES);
    return number === 0 ? null : this.#kinds[number - 1]!;
  }

  #run(start: number, end: number): number {
    try {
      return this.#exports.noted(start, end);
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
      return 0;
    }
  }
}

/** The list of notes in the memory. Its columns are those of `Records`; places are indexes into the window's bytes. */
export class NoteRows {
  length = 0;
  #view = new DataView(new ArrayBuffer(0));

  /** Shows the first `length` rows of the memory's list. */
  read({ buffer }: WebAssembly.Memory, length: number): void {
    // A memory that has grown has a new buffer.
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer, NOTES, MAX_NOTES * NOTE_BYTES);
    this.length = length;
  }

  get(row: number, column: Column): number {
    const value = this.#view.getUint32(row * NOTE_BYTES + 4 * column, true);
    return column === 0 || value < WINDOW ? value : value - WINDOW;
  }
}

/** The site, the start and the end of the value, and of the name that the violation is about. */
type Column = 0 | 1 | 2 | 3 | 4;
