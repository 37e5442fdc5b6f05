/**
 * The last payload in a window mostly goes on after it. To read on and accept it whole is faster than to cut its
 * beginning first, byte for byte.
 */
import type { Window } from './window.ts';

/** A longer rest of a window is cut. In bytes. */
const MOST_BYTES = 1 << 16;

export interface Waits {
  /**
   * True if more bytes should be read before the payload at `window.start` is cut: it was not accepted, and may go on
   * after the window. That is so once for each payload, and only in files: other sources may be slow, and what is there
   * must be reported.
   */
  begin(): boolean;
}

export function createWaits(window: Window): Waits {
  let last = -1;
  return {
    begin() {
      const { base, start, end, border } = window;
      if (end - start > MOST_BYTES || base + end >= border || window.atEnd || !window.hasSize) return false;
      if (base + start === last) return false;
      last = base + start;
      return true;
    },
  };
}
