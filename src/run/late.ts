/**
 * What is known of a source while it is read, and until its destination is done with it. Sources that were read to
 * their end but whose output was put off by the destination wait, with their reports, in their order.
 */

import type { Source } from '../types.ts';
import type { Left } from '../write/outlets/outlet.ts';
import { Sums } from './counts.ts';
import type { HeldEvents } from './held-events.ts';

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

/** What is known of a source while it is read, and until its destination is done with it. */
export class SourceResults {
  readonly source: Source;
  /** Its events, if its destination may still fail; null: they are reported at once. */
  readonly held: HeldEvents | null;
  /** Violations among the held events that will be shown. */
  shown = 0;
  readonly sums = new Sums();
  /** Members filled in, by pointer. */
  readonly patterns = new Map<string, number>();
  /** Payloads and lines in its finished parts. */
  before = { payloads: 0, lines: 0 };
  opened = false;
  /** It could not be read to its end. */
  failed = false;

  constructor(source: Source, held: HeldEvents | null) {
    this.source = source;
    this.held = held;
  }
}
