/**
 * The acceptor by which `convert` writes payloads that were accepted without being written: those of a certain kind.
 */
import { Acceptor } from '../accept/acceptor.ts';
import type { AcceptCode } from '../accept/code.ts';
import type { Window } from '../input/window.ts';
import type { WriterFor } from './convert.ts';

const NO_LIMITS = { maxDepth: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/** Makes the acceptor at its first use: a thread has one window. */
export function writerFor(code: AcceptCode): WriterFor {
  let made: { readonly window: Window; readonly acceptor: Acceptor } | null = null;
  return (window) => {
    if (made?.window !== window) made = { window, acceptor: new Acceptor(code, window.memory, NO_LIMITS) };
    return made.acceptor;
  };
}
