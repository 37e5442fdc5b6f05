/**
 * Guesses where elements of a large top-level array begin, without reading the bytes before them: it searches for the
 * text between the first two elements. The guess may be wrong. So it is only used if another reader arrives at the same
 * place.
 */
import { fstatSync, openSync, readSync } from 'node:fs';
import { skipValue } from '../json/skip.ts';
import { skipSpace } from '../json/space.ts';
import type { FileState } from './byte-reader.ts';
import { isSameFile, Range, type RangeReader } from './range.ts';
import { closeRead } from './read-file.ts';
import { sourceError } from './system-errors.ts';

/** The bytes from the end of an element to the first name in the next one, which begins at the index `at` of them. */
export interface Between {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** A range of a file in which elements begin. */
export interface ElementRange {
  readonly from: number;
  readonly to: number;
  readonly file: FileState;
  readonly between: Between;
}

/** Longer texts are not searched for. In bytes. */
const MOST_BETWEEN = 1024;

/**
 * The bytes between the element at index `start` and the next one; null if these are not objects or arrays, or not both
 * in `bytes[start, end)`.
 */
export function betweenElements(bytes: Buffer, start: number, end: number): Between | null {
  const after = skipValue(bytes, start, end);
  const comma = skipSpace(bytes, after, end);
  if (after <= start || !isBracket(bytes[start]!) || bytes[comma] !== 0x2c) return null;
  const next = skipSpace(bytes, comma + 1, end);
  if (next >= end || !isBracket(bytes[next]!)) return null;
  const name = skipSpace(bytes, next + 1, end);
  const to = bytes[name] === 0x22 ? skipValue(bytes, name, end) : name;
  if (to < 0 || to >= end || to - after > MOST_BETWEEN) return null;
  return { bytes: Uint8Array.from(bytes.subarray(after - 1, to)), at: next - (after - 1) };
}

function isBracket(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

/** Most bytes that are searched from one place. */
const MOST_SEARCHED = 1 << 18;
/** Buffer for a search, which first reads only a few bytes. */
const FIRST = Buffer.alloc(1 << 12);
const NEXT_BYTES = 1 << 16;

/**
 * The offset of an element that begins in [from, to) of a file, or shortly after it; null if none was found. Throws the
 * errors of the file system.
 */
export function elementIn(fd: number, from: number, to: number, { bytes, at }: Between): number | null {
  let room = FIRST;
  const last = Math.min(to, from + MOST_SEARCHED) + bytes.length - 1;
  for (let offset = from; offset + bytes.length <= last; room = Buffer.allocUnsafe(NEXT_BYTES)) {
    const count = readSync(fd, room, 0, Math.min(room.length, last - offset), offset);
    if (count < bytes.length) return null;
    const found = room.subarray(0, count).indexOf(bytes);
    if (found >= 0) return offset + found + at;
    offset += count - bytes.length + 1;
  }
  return null;
}

/**
 * Opens the elements that begin in a range: up to the first element that begins in the next range of this size. Null if
 * none is found. Throws SourceError.
 */
export function openElements(path: string, { from, to, file, between }: ElementRange): RangeReader | null {
  let fd: number | null = null;
  try {
    fd = openSync(path, 'r');
    const start = isSameFile(fstatSync(fd), file) ? elementIn(fd, from, to, between) : null;
    if (start === null) {
      closeRead(fd);
      return null;
    }
    const end = to >= file.size ? file.size : (elementIn(fd, to, 2 * to - from, between) ?? to);
    return new Range(fd, start, Math.max(start, end));
  } catch (error) {
    if (fd !== null) closeRead(fd);
    throw sourceError(error);
  }
}
