/**
 * A whole source at once: most small files are one payload, and valid.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import type { Window } from '../input/window.ts';
import { skipSpace, withoutSpace } from '../json/space.ts';
import type { CheckOptions } from './check.ts';

/**
 * True if all of a source in `json` framing is at hand, and is one payload that the acceptor is sure of. `complete`: it must not
 * miss a member that has a default.
 */
export function acceptWhole(
  window: Window,
  acceptor: Acceptor,
  options: CheckOptions,
  complete: boolean,
): boolean {
  const { bytes, start, end, atEnd } = window;
  if (!atEnd) return false;
  const from = skipSpace(bytes, start, end);
  const to = withoutSpace(bytes, from, end);
  const isList = bytes[from] === 0x5b && !options.whole;
  return from < to && !isList && to - from <= options.maxBytes && acceptor.one(window, from, to, complete);
}
