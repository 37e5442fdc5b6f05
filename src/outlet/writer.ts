/**
 * The acceptor by which `convert` writes payloads that were accepted without being written: those of a certain kind.
 */
import { Acceptor } from '../accept/acceptor.ts';
import { writerCode } from '../engines/syntax-accept.ts';
import type { Window } from '../input/window.ts';
import { aroundOf, type WriterFor } from './convert.ts';
import type { ConvertSpec } from './outlet.ts';

const NO_LIMITS = { maxDepth: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/** Makes the acceptor at its first use: a thread has one window. */
export function writerFor(spec: ConvertSpec): WriterFor {
  let made: { readonly window: Window; readonly acceptor: Acceptor } | null = null;
  return (window) => {
    if (made?.window !== window) {
      const code = writerCode(aroundOf(spec)!); // laid out payloads need none
      made = { window, acceptor: new Acceptor(code, window.memory, NO_LIMITS) };
    }
    return made.acceptor;
  };
}
