/**
 * The part of a source line that a code frame shows.
 */
import { KEPT_BYTES, type Window } from '../input/window.ts';
import { LOOK_BACK } from '../json/syntax-look.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { nearby } from '../report/nearby.ts';
import type { EarlierLine, Excerpt, Finding } from '../types.ts';
import { type Steps, wait } from './steps.ts';

/** Bytes of the line before and after the place. */
const BEFORE = KEPT_BYTES;
const AFTER = 960;

/**
 * Reads until the window contains everything that an excerpt at index `at` shows, so that excerpts do not depend on
 * chunks.
 */
export function* readExcerpt(window: Window, at: number): Steps<void> {
  while (window.end <= at + AFTER && window.bytes.subarray(at, window.end).indexOf(0x0a) < 0) {
    if (!(yield* wait(window.ahead()))) return;
  }
}

/** The line of a finding at `column`, and the line of its cause if that is an earlier one. `isNear`: only a piece of it. */
export function excerptOf(
  { span, earlier }: Pick<Finding, 'span' | 'earlier'>,
  window: Window,
  column: number,
  isNear: boolean,
): Excerpt {
  const excerpt = excerptAt(window, span.start, column, isNear);
  if (earlier === undefined) return excerpt;
  const line = earlierLine(window, earlier.start, span.start);
  return line === null ? excerpt : { ...excerpt, earlier: line };
}

/** The line around index `at` of the window, which is at `column`. */
function excerptAt(window: Window, at: number, column: number, isNear: boolean): Excerpt {
  const { bytes } = window;
  const lowest = Math.min(at, window.base === 0 ? byteOrderMark(bytes) : 0);
  let from = Math.max(lowest, at - BEFORE);
  const lineFeed = bytes.subarray(from, at).lastIndexOf(0x0a);
  if (lineFeed >= 0) from += lineFeed + 1;
  else while (from < at && isContinuation(bytes[from]!)) from++;
  let to = Math.min(window.end, at + AFTER);
  const next = bytes.subarray(at, to).indexOf(0x0a);
  if (next >= 0) to = at + next;
  else while (to < window.end && to > at && isContinuation(bytes[to]!)) to--;
  const before = bytes.toString('utf8', from, at).length;
  const whole = {
    text: bytes.toString('utf8', from, to).replace(/\r$/, ''),
    cutBefore: column > before + 1,
    cutAfter: next < 0 && to < window.end,
  };
  if (!isNear) return { ...whole, column: column - before };
  const { first, ...near } = nearby(whole, Math.min(before, whole.text.length));
  return { ...near, column: column - before + first };
}

/** Bytes of an earlier line before and after the cause: no more than are always in the window. */
const EARLIER = KEPT_BYTES - LOOK_BACK;

/** The line around index `at` of the window, if it is above the line of index `below`; otherwise null. */
function earlierLine({ bytes, base }: Window, at: number, below: number): EarlierLine | null {
  const rest = bytes.subarray(at, below);
  const end = rest.indexOf(0x0a);
  if (end < 0) return null;
  let above = 0;
  for (const byte of rest) if (byte === 0x0a) above++;
  const lowest = base === 0 ? byteOrderMark(bytes) : 0;
  let from = Math.max(lowest, at - EARLIER);
  const lineFeed = bytes.subarray(from, at).lastIndexOf(0x0a);
  if (lineFeed >= 0) from += lineFeed + 1;
  else while (isContinuation(bytes[from]!)) from++;
  let to = at + Math.min(end, EARLIER);
  while (isContinuation(bytes[to]!)) to--;
  return {
    text: bytes.toString('utf8', from, to).replace(/\r$/, ''),
    cutBefore: lineFeed < 0 && base + from > lowest,
    cutAfter: end > EARLIER,
    at: bytes.toString('utf8', from, at).length,
    above,
  };
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
