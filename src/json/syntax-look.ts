/**
 * The place at which a text stops being JSON, and helpers for the rules that name the cause (`syntax-cause.ts`): they
 * read a bounded number of bytes before and after that place.
 */
import { isSpace, skipSpace } from './space.ts';
import { byteOrderMark } from './utf8.ts';
import type { Expected, Span, SyntaxCause } from './vocabulary.ts';

/** Where a scan failed. Indexes into `bytes`. */
export interface SyntaxFault {
  readonly bytes: Buffer;
  /** Offset in the source of `bytes[0]`. */
  readonly base: number;
  /** `bytes[from, to)` is the faulty text, as far as it is available. */
  readonly from: number;
  readonly to: number;
  /** Bytes of the source up to here may be read as well; absent: up to `to`. */
  readonly lookTo?: number;
  /** The byte at which parsing failed; `to` or more: the text ends too early. */
  readonly at: number;
  readonly expected: Expected;
}

/** Bytes that are read before and after the place. */
export const LOOK_BACK = 400;
export const LOOK_AHEAD = 960;

/** The fault, with the facts that every rule needs. */
export interface Look extends SyntaxFault {
  /** The byte at `at`. */
  readonly byte: number;
  /** The word or character at `at`. */
  readonly word: Span;
  readonly text: string;
}

/** A cause with the end of what was found; null: another rule must name it. */
export type Rule = (
  look: Look,
) => { readonly cause: SyntaxCause; readonly end?: number; readonly earlier?: Span } | null;

/** True if there is nothing but white space, and a byte order mark, before `at` in the source. */
export function startsSource({ bytes, base }: SyntaxFault, at: number): boolean {
  if (base > 0 || at > LOOK_BACK) return false;
  return skipSpace(bytes, byteOrderMark(bytes), at) >= at;
}

/** The beginning of the source up to `to`, if the fault lies in its first line; else null. */
export function firstLines({ bytes, base, at, to }: Look): string | null {
  if (base > 0 || at > LOOK_BACK) return null;
  const start = skipSpace(bytes, byteOrderMark(bytes), at);
  if (bytes.subarray(start, at).includes(LINE_FEED)) return null;
  return bytes.toString('latin1', start, to);
}

export const LINE_FEED = 0x0a;

export function wantsValue({ expected }: Look): boolean {
  return expected.startsWith('a value') || LITERALS.has(expected);
}

export const LITERALS: ReadonlySet<string> = new Set(['"true"', '"false"', '"null"']);

export function wantsName({ expected }: Look): boolean {
  return expected.startsWith('a member name');
}

export function wantsComma({ expected }: Look): boolean {
  return expected.startsWith('","');
}

/** Where the line of the fault begins; null: before the bytes that may be read. */
export function lineStart({ bytes, from, at }: Look): number | null {
  const feed = bytes.subarray(from, at).lastIndexOf(LINE_FEED);
  if (feed >= 0) return from + feed + 1;
  return at - from < LOOK_BACK ? skipSpace(bytes, from + (from === 0 ? byteOrderMark(bytes) : 0), at) : null;
}

/** The end of the line from `at` on, or of the range. */
export function lineEnd({ bytes, at, to }: Look): number {
  const feed = bytes.subarray(at, to).indexOf(LINE_FEED);
  let end = feed < 0 ? to : at + feed;
  while (end > at && isSpace(bytes[end - 1]!)) end--;
  return end;
}
