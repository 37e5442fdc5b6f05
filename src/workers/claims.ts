/**
 * Who does which batch: a shared counter says which one is next, and whoever is free takes it. Nobody runs far ahead of what has
 * been reported, so memory stays bounded.
 */
import type { Batch } from './plan.ts';

/** Batches that may be done or under way beyond the one to be reported next, for each thread. */
export const AHEAD = 3;

const NEXT = 0;
const REPORTED = 1;

/** Who does which batch: two numbers that threads share. */
export class Claims {
  readonly shared: Int32Array;
  readonly #batches: readonly Batch[];
  readonly #ahead: number;

  constructor(shared: Int32Array, batches: readonly Batch[], ahead: number) {
    this.shared = shared;
    this.#batches = batches;
    this.#ahead = ahead;
  }

  /**
   * Takes the next batch that is not serial; null where there is none left. Where it would be too far ahead, blocks until it is
   * not (no thing for the main thread to do) or answers 'wait'.
   */
  take(mayBlock: boolean): number | 'wait' | null {
    for (;;) {
      const next = Atomics.load(this.shared, NEXT);
      const batch = this.#batches[next];
      if (batch === undefined) return null;
      const reported = Atomics.load(this.shared, REPORTED);
      if (next >= reported + this.#ahead) {
        if (!mayBlock) return 'wait';
        Atomics.wait(this.shared, REPORTED, reported);
      } else if (Atomics.compareExchange(this.shared, NEXT, next, next + 1) === next && !batch.serial)
        return next;
    }
  }

  /** How many batches nobody has taken yet. */
  get left(): number {
    return this.#batches.length - Atomics.load(this.shared, NEXT);
  }

  /** All batches before `batch` are reported. */
  report(batch: number): void {
    Atomics.store(this.shared, REPORTED, batch);
    Atomics.notify(this.shared, REPORTED);
  }
}
