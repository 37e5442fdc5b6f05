/**
 * How the memory that accept functions work in is laid out, and the conventions that all of them share.
 *
 * Every function that reads a value takes its address and answers with the address after it, or 0 for "unsure". The bytes behind
 * the window are zero for `PADDING` bytes, so that every loop over white space, digits or text stops there by itself.
 * WebAssembly memory is little-endian on every host, and a typed array has the byte order of the host: outside the functions,
 * numbers of more than one byte are read and written through a DataView.
 */

/** Payloads accepted, by kind: one i32 each. */
export const COUNTS = 0;
export const MAX_KINDS = 64;

/** The names that no schema knows, of all open objects: a stack of (address, length). */
export const NAMES = 1024;
/** More unknown names than this in all open objects together: unsure. */
export const MAX_NAMES = 1024;

/** Objects that lack members with a default: a list of entries, for those who fill. */
export const NOTES = NAMES + MAX_NAMES * 8 + 1024;
/** An entry: address of the last member's name, address of the closing bracket, object's number, and the mask of what is missing. */
export const NOTE_BYTES = 24;
export const MAX_NOTES = 2560;
/** From so many entries on, a run stops between payloads to have them read; one payload may add the rest. */
export const MANY_NOTES = 2048;

/** Where a window's bytes may begin; what is before is the functions' own. */
export const WINDOW = NOTES + MAX_NOTES * NOTE_BYTES + 1024;

/** Zero bytes that must follow the window's last byte. */
export const PADDING = 64;

/** Deeper values are for `examine`, whatever `--max-depth` allows: these functions call themselves. */
export const MAX_DEPTH = 128;

/** How payloads follow one another. In lines, a line feed inside a payload is not white space. */
export const MODES = { lines: 0, array: 1, stream: 2 } as const;
export type Mode = keyof typeof MODES;
