/**
 * All that a run is told: its sources, schemas and options, and where what it makes goes.
 */
import type { RunOptions } from '../check/run-options.ts';
import type { Schemas } from '../engines/engines.ts';
import type { Destination } from '../outlet/destination.ts';
import type { Failure, Source } from '../types.ts';
import type { HeldEvents } from './held-events.ts';

export interface Job {
  readonly sources: readonly Source[];
  /** What went wrong while the sources were looked for. */
  readonly failures: readonly Failure[];
  readonly schemas: Schemas;
  readonly options: RunOptions;
  /** Notes are written to standard error. */
  readonly notes: boolean;
  /** How many threads may work; null: as many as there are cores. */
  readonly threads: number | null;
  /** Where the pieces of the outlet go; null without an outlet. */
  readonly destination: Destination | null;
  /** Keeps the events of a source until it is known whether its destination fails; null if it cannot. */
  readonly held: HeldEvents | null;
}

/** Shows how far the run is. */
export interface Progress {
  /** `payloads` and `bytes` so far. */
  update(payloads: number, bytes: number): void;
  /** Makes way for text that is about to be written. */
  clear(): void;
  end(): void;
}
