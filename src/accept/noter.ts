/**
 * Runs a module of noting functions over the memory of a window: for one payload, or for one line after another.
 */
import { isUtf8 } from 'node:buffer';
import { isStackOverflow } from '../errors.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Span } from '../types.ts';
import {
  MAX_DEPTH,
  MAX_NOTED,
  MAX_NOTES,
  NOTE_BYTES,
  NOTE_TABLES,
  NOTED,
  NOTED_BYTES,
  NOTES,
  WINDOW,
} from '../wasm/layout.ts';
import { type Acceptor, type AcceptWindow, useTables } from './acceptor.ts';
import type { LineReader } from './code.ts';
import { acceptSections, readModule } from './code-file.ts';
import type { NoteSite } from './context.ts';

/** The exports of a module made by `compileNotes`. */
interface Exports {
  readonly one: (start: number, end: number) => number;
  readonly lines: (start: number, end: number, final: number) => number;
  readonly notes: { readonly value: number };
  readonly noted: { readonly value: number };
  readonly lineFeeds: { readonly value: number };
  readonly payloadStart: { readonly value: number };
  readonly maxDepth: { value: number };
  readonly maxBytes: { value: number };
}

/** A compiled module of noting functions. */
export interface NoteCode {
  readonly module: WebAssembly.Module;
  readonly kinds: readonly string[];
  readonly sites: readonly NoteSite[];
  readonly tables: Uint8Array;
}

/** The custom section of a notes file with its sites, beside those of an accept file. */
const SITES_SECTION = 'sites';

/** A site as the file has it: the number of its schema in the graph, and the rest. */
type StoredSite = readonly [schema: number, keyword: string, missing: string | null, pointer: string | null];

/** The sections of a notes file, for `encode`. */
export function noteSections({ kinds, sites, tables }: Omit<NoteCode, 'module'>): Record<string, Uint8Array> {
  const stored = sites.map(
    ({ schema, keyword, missing, pointer }): StoredSite => [schema.id, keyword, missing, pointer],
  );
  return { ...acceptSections(kinds, tables), [SITES_SECTION]: Buffer.from(JSON.stringify(stored)) };
}

/**
 * The functions in the file at `path`, written when the package was built from the same schemas; null if there is no
 * such file.
 */
export function readNotes(path: string, { nodes }: Pick<SchemaSet, 'nodes'>): NoteCode | null {
  const file = readModule(path);
  if (file === null) return null;
  const stored = JSON.parse(file.section(SITES_SECTION).toString()) as StoredSite[]; // our own file
  // The file was made from these schemas.
  const sites = stored.map(([id, keyword, missing, pointer]) => ({
    schema: nodes[id]!,
    keyword,
    missing,
    pointer,
  }));
  return { ...file, sites };
}

/** The result of a run over lines. */
export interface NotedLines {
  /** Index in the window at which it stopped: before a payload that is unsure, or anywhere between payloads. */
  readonly stop: number;
  /** Line feeds in the bytes that were read. */
  readonly lineFeeds: number;
}

export class Noter {
  readonly sites: readonly NoteSite[];
  readonly kinds: readonly string[];
  /** Violations in the payloads that were read last. */
  readonly rows: MemoryRows<NoteColumn>;
  /** The payloads that `lines` has read. */
  readonly payloads: MemoryRows<NotedColumn>;
  readonly #memory: WebAssembly.Memory;
  readonly #tables: Uint8Array;
  readonly #module: WebAssembly.Module;
  readonly #limits: NoterLimits;
  readonly #acceptor: Acceptor;
  #made: Running | null = null;

  /** `acceptor`: reads the valid payloads among the lines. It works in the same memory. */
  constructor(
    { module, kinds, sites, tables }: NoteCode,
    memory: WebAssembly.Memory,
    limits: NoterLimits,
    acceptor: Acceptor,
  ) {
    this.sites = sites;
    this.kinds = kinds;
    this.rows = new MemoryRows(memory, NOTES, NOTE_BYTES, MAX_NOTES);
    this.payloads = new MemoryRows(memory, NOTED, NOTED_BYTES, MAX_NOTED);
    this.#memory = memory;
    this.#tables = tables;
    this.#module = module;
    this.#limits = limits;
    this.#acceptor = acceptor;
  }

  /** The module, linked to the code that accept has now. */
  #running(): Running {
    useTables(this.#memory, this.#tables, NOTE_TABLES);
    const reader = this.#acceptor.lineReader();
    if (this.#made?.reader === reader) return this.#made;
    const env = { memory: this.#memory, run: reader.run, 'accepted line feeds': reader.lineFeeds };
    // The types are those that our own module declares.
    const exports = new WebAssembly.Instance(this.#module, { env }).exports as unknown as Exports;
    exports.maxDepth.value = Math.min(this.#limits.maxDepth, MAX_DEPTH);
    exports.maxBytes.value = Math.min(this.#limits.maxBytes, 0x7fff_ffff);
    this.#made = { exports, reader };
    return this.#made;
  }

  /**
   * The number of the kind of the payload in `bytes[start, end)` of the window, an index into `kinds`; `kinds.length` if
   * it has none. It is -1 if it is not certain what is wrong with the payload. The violations are in `rows` until the
   * next call. `isKnownUtf8`: the bytes are known to be UTF-8.
   */
  find(bytes: Buffer, { start, end }: Span, isKnownUtf8: boolean): number {
    if (!isKnownUtf8 && !isUtf8(bytes.subarray(start, end))) return -1;
    const { exports } = this.#running();
    let number = 0;
    try {
      number = exports.one(WINDOW + start, WINDOW + end);
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
    }
    this.rows.read((exports.notes.value - NOTES) / NOTE_BYTES);
    return number - 1;
  }

  /**
   * Reads payloads, one per line, from `window.start` on, as far as it is certain what is wrong with each. Accept
   * counts those that it accepts; the others are in `payloads`, their violations in `rows`, until the next call. The
   * bytes must be UTF-8.
   */
  lines({ start, end, atEnd }: Pick<AcceptWindow, 'start' | 'end' | 'atEnd'>): NotedLines {
    const running = this.#running();
    const { lines, noted, lineFeeds } = running.exports;
    let read: NotedLines;
    try {
      const stop = lines(WINDOW + start, WINDOW + end, atEnd ? 1 : 0);
      read = { stop: stop - WINDOW, lineFeeds: lineFeeds.value };
    } catch (error) {
      if (!isStackOverflow(error) && running.reader.wanted.value === 0) throw error;
      read = stoppedAt(running);
    }
    const count = (noted.value - NOTED) / NOTED_BYTES;
    this.payloads.read(count);
    this.rows.read(count === 0 ? 0 : this.rowsEnd(count - 1));
    return read;
  }

  /** The row after those of a payload. */
  rowsEnd(payload: number): number {
    return (this.payloads.number(payload, NOTES_END) - NOTES) / NOTE_BYTES;
  }
}

/** The deepest nesting and the most bytes of a payload. */
interface NoterLimits {
  readonly maxDepth: number;
  readonly maxBytes: number;
}

interface Running {
  readonly exports: Exports;
  /** What the module runs for valid payloads. */
  readonly reader: LineReader;
}

/** The result if one of the two modules stopped during a payload: the run ended before that payload. */
function stoppedAt({ exports, reader }: Running): NotedLines {
  const noting = exports.payloadStart.value;
  const accepting = reader.payloadStart.value;
  // If accept stopped later than the noter, it passed more lines. It counts from 0 in each call.
  const passed = accepting > noting ? reader.lineFeeds.value : 0;
  return { stop: Math.max(noting, accepting) - WINDOW, lineFeeds: exports.lineFeeds.value + passed };
}

/** The site, the start and the end of the value, and of the name that the violation is about: the columns of `Records`. */
export type NoteColumn = 0 | 1 | 2 | 3 | 4;

/** See `NOTED` in `wasm/layout.ts`. */
export type NotedColumn = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export const PAYLOAD_START = 0;
export const PAYLOAD_END = 1;
export const KIND = 2;
/** An address in the list of notes. */
const NOTES_END = 3;
export const LINE_FEEDS = 4;
export const LINE_START = 5;
export const ACCEPTED_BEFORE = 6;

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
  read(length: number): void {
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
