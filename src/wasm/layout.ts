/**
 * The layout of the memory that accept functions work in, and the conventions that they share.
 *
 * Every function that reads a value takes the value's address and returns the address after it, 0 for "unsure", or 1
 * for "surely invalid". The window is followed by `PADDING` zero bytes, so that every loop over white space, digits or
 * text ends there without a check. WebAssembly memory is little-endian on every host, and a typed array has the byte
 * order of the host. So code outside the module reads and writes numbers of more than one byte with a DataView.
 *
 * And how payloads of any kind are laid out when they are written.
 */

/** Payloads accepted, by kind: one i32 each. */
export const COUNTS = 0;
export const MAX_KINDS = 64;

/** The kind that a payload probably has, by a hash of its first bytes: one byte each. */
export const GUESSES = COUNTS + 4 * MAX_KINDS;
/** A power of two. */
export const MANY_GUESSES = 512;

/** Names in open objects that no schema describes: a stack of (address, length). */
export const NAMES = 1024;
/** With more names than this on the stack, a payload is unsure. */
export const MAX_NAMES = 1024;

/** Gaps: objects with missing members that have a default. A list of entries, for filling. */
export const GAPS = NAMES + MAX_NAMES * 8 + 1024;
/** Addresses of the last member's name and of the closing bracket, the object's number, the mask of missing members. */
export const GAP_BYTES = 24;
export const MAX_GAPS = 2560;
/** With this many entries, a run stops between payloads so that they can be read. One payload may add the rest. */
export const MANY_GAPS = 2048;

/** The items of an array that must differ: a list of entries, with the hash and the address of an item. */
export const HASHES = GAPS + MAX_GAPS * GAP_BYTES + 1024;
export const HASH_BYTES = 16;
/** An array with more items is unsure. */
export const MAX_HASHES = 2048;

/** What is wrong with a payload: a list of rows of five 32-bit numbers, see `engine/compile/output.ts`. */
export const NOTES = HASHES + MAX_HASHES * HASH_BYTES;
export const NOTE_BYTES = 20;
/** With more violations, a payload is unsure. */
export const MAX_NOTES = 1024;

/** A string without its escapes: its bytes in UTF-8. */
export const SCRATCH = NOTES + MAX_NOTES * NOTE_BYTES;
export const SCRATCH_BYTES = 1 << 14;

/**
 * Payloads whose violations a run has noted: a list of rows of six 32-bit numbers. A row has the start and the end of the
 * payload, its kind, the end of its notes, and the numbers of its line and of the payload, from 0 since the run began.
 */
export const NOTED = SCRATCH + SCRATCH_BYTES;
export const NOTED_BYTES = 24;
/** With this many, or with this many notes, a run stops so that they can be read. */
export const MAX_NOTED = 512;
export const MANY_NOTES = 768;

/** The places of the payloads that a run has accepted, unless they are lines: first addresses and those after them. */
export const SPANS = NOTED + MAX_NOTED * NOTED_BYTES;
export const SPAN_BYTES = 8;
/** With this many entries, a run stops so that they can be read. */
export const MAX_SPANS = 2048;

/** The texts of the names with escapes on the stack of names. */
export const NAME_TEXTS = SPANS + MAX_SPANS * SPAN_BYTES;
export const NAME_TEXT_BYTES = 1 << 14;

/** The number of payloads that were read, an i64. It tells which entries of `ENDS` belong to the current payload. */
export const PAYLOADS_READ = NAME_TEXTS + NAME_TEXT_BYTES;
/** The ends of objects and arrays that were skipped: entries by the low bits of the start address. */
export const ENDS = PAYLOADS_READ + 16;
/** An entry: the number of the payload, the address, and the one after the end. */
export const END_BYTES = 16;
export const MAX_ENDS = 256;

/** The tables of patterns. The addresses that a schema does not need are never touched, so they take no memory. */
export const TABLES = ENDS + MAX_ENDS * END_BYTES;
export const TABLE_BYTES = 1 << 20;

/** The first address of a window's bytes. The addresses before it belong to the functions. */
export const WINDOW = TABLES + TABLE_BYTES;
/** Pages of 64 KiB up to the first address of the window, including it. */
export const PAGES = Math.ceil(WINDOW / 65_536);

/** Zero bytes that must follow the window's last byte. */
export const PADDING = 64;

/** Deeper values are examined, whatever `--max-depth` is, because these functions are recursive. */
export const MAX_DEPTH = 128;

/**
 * How payloads follow one another. In lines, a line feed inside a payload is not white space. `noted`: lines, and the
 * violations of those that are not accepted are noted, if the module has the functions for it.
 */
export const MODES = { lines: 0, array: 1, stream: 2, noted: 3 } as const;
export type Mode = keyof typeof MODES;

/** The kind of payloads that must only be well-formed. */
export const ANY_JSON = 'json';

/** The byte written before each text and the byte written after it; 0: none. One of them is 0. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/** One per line, or elements of an array, each after a comma. */
export const LAYOUTS = ['lines', 'array', 'pretty array'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** What accept writes around each payload; null: it writes nothing, because each payload must be formatted. */
export const AROUND: Readonly<Record<Layout, Around | null>> = {
  lines: { before: 0, after: 0x0a },
  array: { before: 0x2c, after: 0 },
  'pretty array': null,
};
