/**
 * The piece of a source line that a code frame shows.
 */
import { KEPT_BYTES, type Window } from '../input/window.ts';
import { byteOrderMark } from '../json/utf8.ts';
import type { Excerpt } from '../types.ts';

/** Bytes of the line that an excerpt shows before and after the place. */
const BEFORE = KEPT_BYTES;
const AFTER = 960;

/** Reads on until everything is in the window that an excerpt at index `at` shows: excerpts are the same whatever the chunks. */
export async function readExcerpt(window: Window, at: number): Promise<void> {
  while (window.end <= at + AFTER && window.bytes.subarray(at, window.end).indexOf(0x0a) < 0) {
    if (!(await window.ahead())) return;
  }
}

/** The line around index `at` of the window, which has `column`. */
export function excerptAt(window: Window, at: number, column: number): Excerpt {
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
  return {
    text: bytes.toString('utf8', from, to).replace(/\r$/, ''),
    column: column - before,
    cutBefore: column > before + 1,
    cutAfter: next < 0 && to < window.end,
  };
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
