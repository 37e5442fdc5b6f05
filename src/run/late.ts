/**
 * Sources that were read to their end but whose output was put off by the destination. Their reports wait, in their
 * order.
 */
import type { Left } from '../outlet/destination.ts';
import type { SourceResults } from './source-results.ts';

interface Late<Result = Left | null> {
  readonly results: SourceResults;
  /** Notes and failures that are reported before the rest. */
  readonly said: readonly (() => void)[];
  /** Null until its destination is done with it. */
  readonly left: Result;
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

  add(late: Late, now: number): void {
    if (this.isEmpty) this.#since = now;
    this.#sources.push(late);
    this.#weight += late.results.held?.weight ?? 0;
  }

  /** Takes all sources, in their order, each with its result. `settled`: the results of those that were put off. */
  take(settled: readonly Left[]): readonly Late<Left>[] {
    const lefts = settled.values();
    const taken = this.#sources.map((late) => ({ ...late, left: late.left ?? lefts.next().value! })); // one for each put off
    this.#sources = [];
    this.#weight = 0;
    return taken;
  }
}
