/** A shared counter gives free threads the next batch. None runs far ahead of the reports: memory is bounded. */
import type { Mark } from '../../engine/marked.ts';

/** Batches per thread that may be in progress or done before the next one is reported. */
export const AHEAD = 3;

const NEXT = 0;
const REPORTED = 1;
const FIRST_SLOT = 2;

/** What each thread publishes: its batch, the part in it, and the payload that it examines (-1: none), with its line. */
const BATCH = 0;
const PART = 1;
const PAYLOAD = 2;
const LINE = 3;
const FIELDS = 4;

/** The shared memory of the claims: 32 bits for each of two counters, and for what each of `threads` publishes. */
export function createShared(threads: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (FIRST_SLOT + FIELDS * threads))).fill(-1, FIRST_SLOT);
}

/**
 * The batch that the thread of a slot last tried to take; -1: none. If the thread has died, that batch may be undone.
 */
export function lastTried(shared: Int32Array, slot: number): number {
  return Atomics.load(shared, FIRST_SLOT + FIELDS * slot + BATCH);
}

/** The payload that a thread examines: its part in the batch, its index in the part, and its line there, from 1. */
export interface AtWork {
  readonly part: number;
  readonly payload: number;
  readonly line: number;
}

/** Null if no thread examines a payload of `batch`. */
export function workOn(batch: number, shared: Int32Array): AtWork | null {
  for (let at = FIRST_SLOT; at < shared.length; at += FIELDS) {
    const payload = Atomics.load(shared, at + PAYLOAD);
    if (Atomics.load(shared, at + BATCH) !== batch || payload < 0) continue;
    return { part: Atomics.load(shared, at + PART), payload, line: Atomics.load(shared, at + LINE) };
  }
  return null;
}

/** Also records which part of a batch is checked. */
export interface ProgressMark extends Mark {
  part(index: number): void;
}

/** Publishes the work of the thread of a slot, in case it never ends. */
export function progressMark(shared: Int32Array, slot: number): ProgressMark {
  const at = FIRST_SLOT + FIELDS * slot;
  return {
    part: (part) => Atomics.store(shared, at + PART, part),
    examines(payload, line) {
      Atomics.store(shared, at + LINE, line);
      Atomics.store(shared, at + PAYLOAD, payload);
    },
    examined: () => Atomics.store(shared, at + PAYLOAD, -1),
  };
}

/** What the threads of a run share: plain data. */
export interface Shares {
  /** See `createShared`. */
  readonly shared: Int32Array;
  /** By batch, 1 if it is serial. */
  readonly serial: Uint8Array;
  /** Batches that may be in progress or done before the next one is reported. */
  readonly ahead: number;
}

/** Takes batches, through memory that threads share. */
export class Claims {
  readonly #shares: Shares;
  readonly #slot: number | null;

  /** `slot`: the number of the thread that takes batches; null for the main thread. */
  constructor(shares: Shares, slot: number | null) {
    this.#shares = shares;
    this.#slot = slot;
  }

  /**
   * Takes the next batch that is not serial; null if there is none left. If it is too far ahead, blocks until it is not
   * (the main thread must not), or returns 'wait'.
   */
  take(mayBlock: boolean): number | 'wait' | null {
    const { shared, serial, ahead } = this.#shares;
    for (;;) {
      const next = Atomics.load(shared, NEXT);
      if (next >= serial.length) {
        this.#record(-1);
        return null;
      }
      const reported = Atomics.load(shared, REPORTED);
      if (next >= reported + ahead) {
        if (!mayBlock) return 'wait';
        Atomics.wait(shared, REPORTED, reported);
      } else {
        // Stored before it is taken, because a thread can end between the two.
        this.#record(next);
        const isTaken = Atomics.compareExchange(shared, NEXT, next, next + 1) === next;
        if (isTaken && serial[next] === 0) return next;
      }
    }
  }

  #record(batch: number): void {
    if (this.#slot !== null) Atomics.store(this.#shares.shared, FIRST_SLOT + FIELDS * this.#slot + BATCH, batch);
  }

  /** Number of batches that no thread has taken yet. */
  get left(): number {
    return this.#shares.serial.length - Atomics.load(this.#shares.shared, NEXT);
  }

  /** Call this when all batches before `batch` are reported. */
  report(batch: number): void {
    Atomics.store(this.#shares.shared, REPORTED, batch);
    Atomics.notify(this.#shares.shared, REPORTED);
  }
}
