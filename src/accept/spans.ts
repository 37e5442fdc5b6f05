/**
 * The list of places that a run of a module leaves in the memory: where each accepted payload is in the window.
 */
import type { Span } from '../types.ts';
import { SPAN_BYTES, SPANS, WINDOW } from '../wasm/layout.ts';

export class Spans {
  readonly #memory: WebAssembly.Memory;
  readonly #listEnd: () => number;

  /** `listEnd` gives the address after the last entry. */
  constructor(memory: WebAssembly.Memory, listEnd: () => number) {
    this.#memory = memory;
    this.#listEnd = listEnd;
  }

  get length(): number {
    return (this.#listEnd() - SPANS) / SPAN_BYTES;
  }

  /** Gives, for each payload, its first index in the window and the one after it. */
  each(take: (start: number, end: number) => void): void {
    const view = new DataView(this.#memory.buffer, SPANS, this.#listEnd() - SPANS);
    for (let at = 0; at < view.byteLength; at += SPAN_BYTES)
      take(view.getUint32(at, true) - WINDOW, view.getUint32(at + 4, true) - WINDOW);
  }

  /**
   * The range from the first payload to the byte after the last one, inclusive, if exactly one byte is between each
   * two; otherwise null.
   */
  get compact(): Span | null {
    let from = -1;
    let next = -1;
    let isCompact = true;
    this.each((start, end) => {
      if (from < 0) from = start;
      else isCompact &&= start === next;
      next = end + 1;
    });
    return isCompact && from >= 0 ? { start: from, end: next } : null;
  }
}
