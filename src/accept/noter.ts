/**
 * Runs a module of noting functions over the memory of a window: for one payload, or for one line after another.
 */
import { isUtf8 } from 'node:buffer';
import { isStackOverflow } from '../schema/error.ts';
import type { SchemaObject } from '../schema/load.ts';
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
import { type AcceptWindow, useTables } from './acceptor.ts';
import { acceptSections, readModule } from './code-file.ts';
import type { NoteSite } from './notes.ts';

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

/** A site as the file has it: the place of its schema, and the rest. */
type StoredSite = readonly [schema: string, keyword: string, missing: string | null, pointer: string | null];

/** The sections of a notes file, for `encode`. `locations`: of the schemas. */
export function noteSections(
  { kinds, sites, tables }: Omit<NoteCode, 'module'>,
  locations: ReadonlyMap<object, string>,
): Record<string, Uint8Array> {
  const stored = sites.map(
    ({ schema, keyword, missing, pointer }): StoredSite => [
      locations.get(schema)!, // all schemas of the set have one
      keyword,
      missing,
      pointer,
    ],
  );
  return { ...acceptSections(kinds, tables), [SITES_SECTION]: Buffer.from(JSON.stringify(stored)) };
}

/** The functions in the file at `path`, written when the package was built from the same schemas; null if there is no such file. */
export function readNotes(path: string, locations: ReadonlyMap<object, string>): NoteCode | null {
  const file = readModule(path);
  if (file === null) return null;
  const schemas = new Map([...locations].map(([schema, place]) => [place, schema]));
  const stored = JSON.parse(file.section(SITES_SECTION).toString()) as StoredSite[]; // our own file
  const sites = stored.map(([place, keyword, missing, pointer]) => {
    const schema = schemas.get(place) as SchemaObject; // the file was made from these schemas
    return { schema, keyword, missing, pointer };
  });
  return { ...file, sites };
}

/** What a run over lines has read. */
export interface NotedLines {
  /** Index in the window at which it stopped: before a payload that is unsure, or anywhere between payloads. */
  readonly stop: number;
  /** Line feeds in the bytes that were read. */
  readonly lineFeeds: number;
}

export class Noter {
  readonly sites: readonly NoteSite[];
  readonly kinds: readonly string[];
  /** What is wrong with the payloads that were read last. */
  readonly rows: MemoryRows<NoteColumn>;
  /** The payloads that `lines` has read. */
  readonly payloads: MemoryRows<NotedColumn>;
  readonly #memory: WebAssembly.Memory;
  readonly #tables: Uint8Array;
  readonly #exports: Exports;

  /** `limits`: the deepest nesting and the most bytes of a payload. */
  constructor(
    { module, kinds, sites, tables }: NoteCode,
    memory: WebAssembly.Memory,
    limits: { readonly maxDepth: number; readonly maxBytes: number },
  ) {
    this.sites = sites;
    this.kinds = kinds;
    this.rows = new MemoryRows(memory, NOTES, NOTE_BYTES, MAX_NOTES);
    this.payloads = new MemoryRows(memory, NOTED, NOTED_BYTES, MAX_NOTED);
    this.#memory = memory;
    this.#tables = tables;
    // The types are those that our own module declares.
    this.#exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    this.#exports.maxDepth.value = Math.min(limits.maxDepth, MAX_DEPTH);
    this.#exports.maxBytes.value = Math.min(limits.maxBytes, 0x7fff_ffff);
  }

  /**
   * The number of the kind of the payload in `bytes[start, end)` of the window, an index into `kinds`; `kinds.length` if
   * it has none. It is -1 if it is not certain what is wrong with the payload. The violations are in `rows` until the
   * next call. `isKnownUtf8`: the bytes are known to be UTF-8.
   */
  find(bytes: Buffer, { start, end }: Span, isKnownUtf8: boolean): number {
    if (!isKnownUtf8 && !isUtf8(bytes.subarray(start, end))) return -1;
    useTables(this.#memory, this.#tables, NOTE_TABLES);
    const number = this.#orStop(
      () => this.#exports.one(WINDOW + start, WINDOW + end),
      () => 0,
    );
    this.rows.read((this.#exports.notes.value - NOTES) / NOTE_BYTES);
    return number - 1;
  }

  /**
   * Reads payloads, one per line, from `window.start` on, as far as it is certain what is wrong with each. They are in `payloads`, their
   * violations in `rows`, until the next call. The bytes must be UTF-8.
   */
  lines({ start, end, atEnd }: Pick<AcceptWindow, 'start' | 'end' | 'atEnd'>): NotedLines {
    useTables(this.#memory, this.#tables, NOTE_TABLES);
    const { lines, payloadStart, noted, lineFeeds } = this.#exports;
    const stop = this.#orStop(
      () => lines(WINDOW + start, WINDOW + end, atEnd ? 1 : 0),
      () => payloadStart.value,
    );
    const count = (noted.value - NOTED) / NOTED_BYTES;
    this.payloads.read(count);
    this.rows.read(count === 0 ? 0 : this.rowsEnd(count - 1));
    return { stop: stop - WINDOW, lineFeeds: lineFeeds.value };
  }

  /** The row after those of a payload. */
  rowsEnd(payload: number): number {
    return (this.payloads.number(payload, NOTES_END) - NOTES) / NOTE_BYTES;
  }

  #orStop(run: () => number, otherwise: () => number): number {
    try {
      return run();
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
      return otherwise();
    }
  }
}

/** The site, the start and the end of the value, and of the name that the violation is about: the columns of `Records`. */
export type NoteColumn = 0 | 1 | 2 | 3 | 4;

/** See `NOTED` in `wasm/layout.ts`. */
export type NotedColumn = 0 | 1 | 2 | 3 | 4 | 5;
export const PAYLOAD_START = 0;
export const PAYLOAD_END = 1;
export const KIND = 2;
/** An address in the list of notes. */
const NOTES_END = 3;
export const LINE_FEEDS = 4;
export const LINE_START = 5;

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

  /** A place, as an index into the window's bytes; a number below `WINDOW` as it is. */
  get(row: number, column: Column): number {
    const value = this.number(row, column);
    return value < WINDOW ? value : value - WINDOW;
  }

  /** A number as it is. */
  number(row: number, column: Column): number {
    return this.#view.getUint32(row * this.#width + 4 * column, true);
  }
}
