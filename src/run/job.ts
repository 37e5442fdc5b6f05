/** The input of a run: its sources, schemas and options, and where the pieces of its outlet go. */
import type { SchemaChoice } from '../engine/accept.ts';
import type { AjvSchemas } from '../engine/ajv-judge.ts';
import type { Against } from '../engine/compared.ts';
import type { TallyData } from '../engine/judge/tally.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Before, Failure, PrunedPlace, Source } from '../types.ts';
import type { Plan, SourceChecker } from './check/flow.ts';
import type { Destination } from './outlets/outlet.ts';

export interface Job {
  readonly schemas: SchemaChoice;
  /** Payloads are judged by these as well; the plan names the engine `compared`. */
  readonly against?: Against<SchemaChoice>;
  /** The same for the engine `ajv`. */
  readonly ajv?: AjvSchemas;
  readonly options: Plan;
  /** Checks a source in a way of its own; absent: payload by payload. */
  readonly check?: SourceChecker;
  readonly sources: readonly Source[];
  /** Failures from the search for the sources. */
  readonly failures: readonly Failure[];
  /** The shard as in the summary; absent: the run checks all sources. */
  readonly shard?: string;
  /** Adds up what is counted of the places of the schemas; absent: nothing is counted. */
  readonly coverage?: { add(counted: TallyData, file: string, before: Omit<Before, 'rejects'>): void };
  /** How many members `fill` adds to sources; null: that is not known. Absent: it is not asked. */
  readonly fillable?: (sources: ReadonlySet<Source>) => Promise<number | null>;
  /** A run without payloads is not a failure. */
  readonly mayBeEmpty: boolean;
  /** True: hints are written to standard error. */
  readonly hints: boolean;
  /** Most threads; null: as many as there are cores. */
  readonly threads: number | null;
  /** Where the pieces of the outlet go; null: nothing is written. */
  readonly destination: Destination | null;
  /** Keeps what is removed, before its source is written; absent: nothing does. */
  readonly removed?: RemovedKeeper;
  /** Keeps the events of one source until it is known whether its destination fails; null if it cannot fail. */
  readonly held: (() => EventLog) | null;
}

export interface RemovedKeeper {
  add(place: PrunedPlace): void;
  /** Throws ClosedPipe and WriteError. */
  flush(): Promise<void>;
}

/** Shows the progress of a run. */
export interface Progress {
  /** `payloads` and `bytes` so far. */
  update(payloads: number, bytes: number): void;
  /** Clears the progress line before other text is written, and at the end. */
  clear(): void;
}

export const NO_PROGRESS: Progress = { update() {}, clear() {} };
