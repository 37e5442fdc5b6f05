/**
 * The last payload in a window usually continues after the window. To read more and accept it whole is faster than to
 * cut its beginning first, byte by byte.
 */
import type { Window } from './window.ts';

/** If more bytes than this are left in the window, the payload is cut at once. */
const MOST_BYTES = 1 << 16;

export interface Waits {
  /**
   * True if more bytes should be read before the payload at `window.start` is cut: it was not accepted, and may
   * continue after the window. True once per payload at most, and only for files: other sources may be slow, and their
   * available payloads must be reported.
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
