/**
 * What the check of a source needs, whatever the source: the options of the run, a sink for results, and how the
 * source is cut into payloads, by the options and by what the schema says. Work that may have to wait is a generator
 * that yields what it waits for: the same code runs with promises and, for a source in memory, without them.
 */

import type { SchemaChoice } from '../../engine/accept.ts';
import type { AcceptRun, ExamineSettings } from '../../engine/compile/acceptor.ts';
import type { Engine, EngineName } from '../../engine/engine.ts';
import type { Examined } from '../../engine/judge/examine.ts';
import { skipSpace, withoutSpace } from '../../json/skip.ts';
import type { CutterOptions } from '../../source/framing.ts';
import type { Window } from '../../source/window.ts';
import type { Framing, Source, Span } from '../../types.ts';
import type { Judging } from '../../words/rule-levels.ts';
import type { Outlet, OutletSpec } from '../outlets/outlet.ts';
import type { Sink } from '../outlets/sink.ts';
import type { Relater } from './related-values.ts';

export interface CheckContext {
  /** Reads the bytes of the source. */
  readonly window: Window;
  readonly engine: Engine;
  readonly options: Plan;
  readonly sink: Sink;
  /** Null: results go to the sink only. */
  readonly outlet: Outlet | null;
  /** Finds the values that are compared with those of other payloads. Absent: none are. */
  readonly relater?: Relater | undefined;
  /** Changes what is reported of a payload; `span`: null if it is none. Absent: it is reported as it was examined. */
  readonly settle?: (examined: Examined, span: Span | null) => Examined;
}

/** What is known of a source, or of a range of it, when its payloads are checked. */
export interface Checked {
  /** Line feeds read, if it is a range. */
  readonly lines: number;
  /** A fault in an array or a stream, or another encoding: what follows was not read. */
  readonly unread: boolean;
}

/** Checks all payloads of a source. `engineOf`: makes engines of other schemas, over the same window. */
export type SourceChecker = (source: Source, flow: CheckContext, engineOf: EngineMaker) => Promise<Checked>;

/** `engine`: one that counts the places of the schemas, or a plain one. */
export type EngineMaker = (schemas: SchemaChoice, engine: 'plain' | 'covering') => Promise<Engine>;

/** Whether payloads are judged twice, and what became of them is reported. */
export function comparesTwo({ engine }: Pick<Plan, 'engine'>): boolean {
  return engine === 'compared' || engine === 'ajv';
}

/** The plan of a run: what the settings ask of it, as one plain, frozen object that every thread gets. */
export interface Plan extends ExamineSettings, Judging {
  /** Overrides names and content; null: they decide. */
  readonly framing: Framing | null;
  /** A top-level array is itself the payload. */
  readonly whole: boolean;
  /** Stop at the first invalid payload. */
  readonly bail: boolean;
  /** Code frames are shown; `near`: of pieces of lines only. */
  readonly excerpts: boolean | 'near';
  /** Code frames are needed only of the first violation with its rule, schema and pointer in a part. Absent: false. */
  readonly examples?: boolean;
  /** A report shows the violations in the bytes of their files. Absent: false. */
  readonly inFile?: boolean;
  readonly budget: BudgetData;
  /** When the budget is used up, only verdicts are needed: violations are not even counted. Absent: false. */
  readonly verdicts?: boolean;
  /** True: report each violation, even if many have the same cause, because the baseline needs it. Absent: false. */
  readonly each?: boolean;
  /** Null: only the report is needed. */
  readonly outlet: OutletSpec | null;
  /**
   * What judges payloads. `compared`: another schema as well, and only those are reported that it accepts; `ajv`:
   * another judge as well, and those are reported on which the verdicts differ; `covering`: violations are counted,
   * and the places of the schemas.
   */
  readonly engine: EngineName;
}

/** As a cutter needs it. */
export interface FramingReading extends CutterOptions {
  /** A top-level array is the payload because of the schema. */
  readonly bySchema: boolean;
}

/** What the acceptor has read of a source, so that it need not read that again. */
export interface Read {
  /** The one payload, which is not accepted; null: it is not known. */
  readonly refused: Span | null;
  /** A run over the lines from the window's start on, whose counts are not taken; null: there was none. */
  readonly run: AcceptRun | null;
}

export const NOTHING_READ: Read = { refused: null, run: null };

export function readingOf({ arrays }: Source, { whole, maxBytes }: Plan): FramingReading {
  const bySchema = !whole && arrays === 'payload';
  return { whole: whole || bySchema, unclear: !whole && arrays === 'unclear', maxBytes, bySchema };
}

/** Counts the `json` payload that begins at `start` if it is an array that only its schema makes a payload. */
export function countArray({ bySchema }: FramingReading, { bytes }: Window, start: number, sink: Sink): void {
  if (bySchema && bytes[start] === 0x5b) sink.emit({ type: 'array' });
}

/** The span of what is probably the one payload of a `json` source; null: it is not, or not all is in the window. */
export function wholeSpan(window: Window, { whole, maxBytes }: FramingReading): Span | null {
  if (!window.atEnd) return null;
  const { bytes } = window;
  const start = skipSpace(bytes, window.start, window.end);
  const end = withoutSpace(bytes, start, window.end);
  const isList = bytes[start] === 0x5b && !whole;
  return start === end || isList || end - start > maxBytes ? null : { start, end };
}

/** Yields promises, whose values the caller returns to it, and other values if a step only passes results on. */
export type Steps<T> = Generator<unknown, T, unknown>;

/** Waits for a promise. Any other value is returned at once. */
export function* wait<T>(value: Promise<T> | T): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value; // the caller passes the promise's value to `next`
}

/** Runs all steps. */
export async function runSteps<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    const { value } = step;
    if (!(value instanceof Promise)) step = steps.next(value);
    else step = await settled(steps, value);
  }
  return step.value;
}

/** The next step, after the promise that the last step has yielded. */
export async function settled<T>(steps: Steps<T>, promise: Promise<unknown>): Promise<IteratorResult<unknown, T>> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}

/** Plain data with shared memory, for threads. */
export interface BudgetData {
  /** One shared number: how many more violations are shown. Null: all are. */
  readonly left: Int32Array | null;
  /** True: violations beyond the budget are only counted. False: they are reported without a code frame. */
  readonly countsOthers: boolean;
}

/** All violations are shown. */
export const NO_BUDGET: BudgetData = { left: null, countsOthers: false };

/** The largest shared count: it has 32 bits. No run shows more violations. */
const LARGEST_COUNT = 0x7fff_ffff;

/** Data for a budget of `shown` violations. */
export function budgetOf(shown: number, countsOthers: boolean): BudgetData {
  if (shown > LARGEST_COUNT) return NO_BUDGET;
  return { left: new Int32Array(new SharedArrayBuffer(4)).fill(shown), countsOthers };
}

export class Budget {
  readonly #left: Int32Array | null;
  readonly #countsOthers: boolean;

  constructor({ left, countsOthers }: BudgetData) {
    this.#left = left;
    this.#countsOthers = countsOthers;
  }

  /** Infinity if all violations are shown. It only falls: once it is 0, no later violation in the input is shown. */
  get left(): number {
    return this.#left === null ? Number.POSITIVE_INFINITY : Atomics.load(this.#left, 0);
  }

  /** Call this after `count` violations were reported. */
  take(count: number): void {
    if (this.#left !== null) Atomics.sub(this.#left, 0, count);
  }

  /** How many more violations are reported; the others are only counted. */
  get reportable(): number {
    return this.#countsOthers ? Math.max(0, this.left) : Number.POSITIVE_INFINITY;
  }
}
