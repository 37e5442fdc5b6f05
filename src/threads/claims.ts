/**
 * Which thread does which batch: a shared counter says which one is next, and a thread that is free takes it. None runs far ahead
 * of what has been reported, so memory stays bounded.
 */
import type { Batch } from './serial.ts';

/** Batches that may be done or under way beyond the one to be reported next, for each thread. */
export const AHEAD = 3;

const NEXT = 0;
const REPORTED = 1;
const FIRST_SLOT = 2;

/** What claims are shared by: a number of 32 bits for each of two things, and one for each of `threads`. */
export function createShared(threads: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (FIRST_SLOT + threads))).fill(-1, FIRST_SLOT);
}

/** The batch that the thread of a slot has last tried to take; -1: none. If the thread has died, that batch may be undone. */
export function lastTried(shared: Int32Array, slot: number): number {
  return Atomics.load(shared, FIRST_SLOT + slot);
}

/** Which thread does which batch: numbers that threads share. */
export class Claims {
  readonly shared: Int32Array;
  readonly #batches: readonly Batch[];
  readonly #ahead: number;
  readonly #slot: number | null;

  /** `slot`: the number of the thread that takes batches; null for the main thread. */
  constructor(shared: Int32Array, batches: readonly Batch[], ahead: number, slot: number | null) {
    this.shared = shared;
    this.#slot = slot;
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
      if (batch === undefined) {
        this.#note(-1);
        return null;
      }
      const reported = Atomics.load(this.shared, REPORTED);
      if (next >= reported + this.#ahead) {
        if (!mayBlock) return 'wait';
        Atomics.wait(this.shared, REPORTED, reported);
      } else {
        // Noted before it is taken: a thread can end between the two.
        this.#note(next);
        if (Atomics.compareExchange(this.shared, NEXT, next, next + 1) === next && !batch.serial) return next;
      }
    }
  }

  #note(batch: number): void {
    if (this.#slot !== null) Atomics.store(this.shared, FIRST_SLOT + this.#slot, batch);
  }

  /** How many batches no thread has taken yet. */
  get left(): number {
    return this.#batches.length - Atomics.load(this.shared, NEXT);
  }

  /** All batches before `batch` are reported. */
  report(batch: number): void {
    Atomics.store(this.shared, REPORTED, batch);
    Atomics.notify(this.shared, REPORTED);
  }
}
