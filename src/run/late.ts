/**
 * Sources that were read to their end but whose output was put off by the destination. Their reports wait, in their
 * order.
 */
import type { Left } from '../outlet/destination.ts';
import type { Source } from '../types.ts';
import type { Sums } from './counts.ts';
import type { HeldEvents } from './held-events.ts';

/** A source that was read, with its report, which waits for the destination. */
export interface ReadSource {
  readonly source: Source;
  readonly sums: Sums;
  /** Members filled in, by pointer. */
  readonly patterns: Map<string, number>;
  /** Null: its events are reported already. */
  readonly held: HeldEvents | null;
  /** Violations among the held events that will be shown. */
  readonly shown: number;
  /** It could not be read to its end. */
  readonly failed: boolean;
  /** Notes and failures that are reported before the rest. */
  readonly said: readonly (() => void)[];
}

interface Late extends ReadSource {
  /** Null until its destination is done with it. */
  readonly left: Left | null;
}

/** Most sources that wait, and most characters of their events, roughly. */
const MOST = 1000;
const MOST_WEIGHT = 2 << 20;

/** In milliseconds. */
const LONGEST_WAIT = 200;

export class LateSources {
  #sources: Late[] = [];
  #weight = 0;
  /** When the first of them began to wait. */
  #since = 0;

  get isEmpty(): boolean {
    return this.#sources.length === 0;
  }

  /** More must not wait. */
  get isFull(): boolean {
    return this.#sources.length >= MOST || this.#weight >= MOST_WEIGHT;
  }

  /** Whether the first of them has waited for long enough. `now`: in milliseconds. */
  isDue(now: number): boolean {
    return !this.isEmpty && now - this.#since > LONGEST_WAIT;
  }

  /** `left` null: its destination has put it off. */
  add(read: ReadSource, left: Left | null, now: number): void {
    if (this.isEmpty) this.#since = now;
    this.#sources.push({ ...read, left });
    this.#weight += read.held?.weight ?? 0;
  }

  /** Takes all sources, in their order, each with its result. `settled`: the results of those that were put off. */
  take(settled: readonly Left[]): readonly (readonly [read: ReadSource, left: Left])[] {
    const results = settled.values();
    const taken = this.#sources.map((late) => [late, late.left ?? results.next().value!] as const); // one for each put off
    this.#sources = [];
    this.#weight = 0;
    return taken;
  }
}
