/**
 * A set of indexes into one payload's bytes: one bit for each byte.
 */
import type { Span } from '../types.ts';

export class Marks {
  readonly #span: Span;
  #bits: Uint8Array | null = null;

  constructor(span: Span) {
    this.#span = span;
  }

  get isEmpty(): boolean {
    return this.#bits === null;
  }

  /** `index`: in the span. */
  add(index: number): void {
    const { start, end } = this.#span;
    this.#bits ??= new Uint8Array(((end - start) >> 3) + 1);
    const at = index - start;
    this.#bits[at >> 3]! |= 1 << (at & 7);
  }

  has(index: number): boolean {
    const at = index - this.#span.start;
    return this.#bits !== null && (this.#bits[at >> 3]! & (1 << (at & 7))) !== 0;
  }
}
