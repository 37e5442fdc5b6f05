/**
 * Lines and columns for the findings of one payload, slice by slice. Each slice continues where the one before began,
 * so that many slices take no longer than one.
 */
import type { LineTracker, Places } from '../json/lines.ts';

export class SlicePlaces {
  /** At the beginning of the payload. */
  readonly #start: LineTracker;
  /** At the last finding of the slice before. */
  #lines: LineTracker;
  /** Duplicate names refer to names before the slice: at the earliest of the slice before. */
  #early: LineTracker;

  constructor(lines: LineTracker) {
    this.#start = lines;
    this.#lines = lines.fork();
    this.#early = lines.fork();
  }

  /**
   * The places of `offsets` (ascending). The findings of the next slice begin at `next` or later; `bytes[i]` is at
   * offset `base + i`.
   */
  of(offsets: readonly number[], bytes: Uint8Array, base: number, next: number): Places {
    const from = this.#lines.offset;
    const isEarly = (offset: number): boolean => offset < from;
    const late = offsets.filter((offset) => !isEarly(offset));
    const places = this.#lines.fork().places(bytes, base, late);
    this.#lines.advance(bytes, base, next);
    if (late.length === offsets.length) return places;
    const early = this.#earlyOf(offsets.filter(isEarly), bytes, base);
    return { get: (offset) => (isEarly(offset) ? early : places).get(offset) };
  }

  #earlyOf(offsets: readonly number[], bytes: Uint8Array, base: number): Places {
    const [first] = offsets as [number, ...number[]]; // the caller has some
    if (first < this.#early.offset) this.#early = this.#start.fork();
    this.#early.advance(bytes, base, first);
    return this.#early.fork().places(bytes, base, offsets);
  }
}
