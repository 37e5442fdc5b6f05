/**
 * Accepts a whole source at once: most small files are one valid payload.
 */
import type { Acceptor, AllowedGaps } from '../accept/acceptor.ts';
import type { Window } from '../input/window.ts';
import { skipSpace, withoutSpace } from '../json/space.ts';
import type { Span } from '../types.ts';
import type { Reading } from './reading.ts';

/**
 * The span of the one payload of a source in `json` framing, if the whole source is in the window and the acceptor is
 * sure of it; otherwise null. `gaps`: which it may have.
 */
export function acceptWhole(
  window: Window,
  acceptor: Acceptor,
  reading: Reading,
  gaps: AllowedGaps,
): Span | null {
  const span = wholeSpan(window, reading);
  return span !== null && acceptor.one(window, span.start, span.end, gaps) ? span : null;
}

/**
 * The span of what is probably the one payload of a source in `json` framing; null if it is surely not one, or not all
 * is in the window.
 */
export function wholeSpan(window: Window, { whole, maxBytes }: Reading): Span | null {
  if (!window.atEnd) return null;
  const { bytes } = window;
  const start = skipSpace(bytes, window.start, window.end);
  const end = withoutSpace(bytes, start, window.end);
  const isList = bytes[start] === 0x5b && !whole;
  return start === end || isList || end - start > maxBytes ? null : { start, end };
}
