/**
 * The payloads of a source one by one, each with its verdict: the flow, with an outlet that passes every payload to the
 * caller. The flow continues when the caller requests more than has been found. Promises are created only if it must
 * wait, and one for each call of `next`.
 */

import type { Baseline } from '../report/baseline.ts';
import { type Plan, type Steps, settled } from '../run/check/flow.ts';
import { SourceCheck } from '../run/check/source.ts';
import { gunzipNow } from '../source/gunzip.ts';
import { Turns } from '../source/io.ts';
import { framingOfName } from '../source/path-text.ts';
import { type ByteReader, isGzip, MemoryBytes } from '../source/read-file.ts';
import type { Source } from '../types.ts';
import type { PayloadInput, PayloadResult } from './api.ts';
import { isBytes, type LongCall, openInput } from './inputs.ts';
import type { Lane, Lanes } from './lanes.ts';
import { PayloadOutlet } from './payload-outlet.ts';

/** How a source is read. */
export interface PayloadRun {
  readonly source: Source;
  readonly lanes: Lanes;
  readonly options: Plan;
  /** Its violations are left out. */
  readonly baseline: Baseline | null;
  /** Called first. If the call is stopped, the reason is thrown. */
  readonly begin: () => LongCall;
}

/**
 * The name and the framing of a path, bytes or a stream. `file`: the path, or where bytes or a stream are from; null:
 * not known.
 */
export function sourceOf(input: PayloadInput, file: string | null): Source {
  return {
    name: file ?? (isBytes(input) ? '<bytes>' : '<stream>'),
    path: typeof input === 'string' ? input : null,
    regular: false,
    framing: file === null ? null : framingOfName(file),
    kind: null,
  };
}

/** The check of a source in progress. */
class Checking {
  readonly outlet: PayloadOutlet;
  readonly steps: Steps<number>;
  readonly reader: ByteReader;
  readonly lane: Lane;

  /** `turns`: null if the caller cannot wait. */
  constructor(reader: ByteReader, turns: Turns | null, run: PayloadRun, { stop }: LongCall) {
    const { source, lanes, options, baseline } = run;
    const lane = lanes.take();
    lane.isSync = turns === null;
    lane.window.reset(reader);
    this.lane = lane;
    this.reader = reader;
    const isDue = (): boolean => turns?.isDue === true;
    this.outlet = new PayloadOutlet(lane, baseline, () => stop.signal.aborted, isDue);
    const { outlet } = this;
    const { window, engines } = lane;
    const flow = { window, engines, options, sink: outlet.sink, outlet };
    this.steps = new SourceCheck(source, flow, lane.acceptor(source.kind)).run();
  }
}

/** The payloads of bytes, without waiting. Throws SourceError. */
export function* payloadsNow(bytes: Uint8Array, run: PayloadRun): Generator<PayloadResult> {
  const call = run.begin();
  const { signal } = call.stop;
  // The call cannot be ended while it waits for the caller, so it ends when the signal aborts.
  signal.addEventListener('abort', call.ended);
  let checking: Checking | null = null;
  try {
    signal.throwIfAborted();
    checking = new Checking(new MemoryBytes(isGzip(bytes) ? gunzipNow(bytes) : bytes), null, run, call);
    const { outlet, steps } = checking;
    for (let failure: { readonly error: unknown } | null = null, isOver = false; !isOver; ) {
      try {
        isOver = steps.next().done === true;
      } catch (error) {
        failure = { error };
        isOver = true;
      }
      for (let result = outlet.take(); result !== null; result = outlet.take()) {
        yield result;
        signal.throwIfAborted();
      }
      if (failure !== null) throw failure.error;
    }
  } finally {
    if (checking !== null) run.lanes.giveBack(checking.lane);
    call.ended();
  }
}

/** The prototype of the language's own async generators. */
const ASYNC_ITERATOR = Object.getPrototypeOf(
  Object.getPrototypeOf(async function* () {}.prototype) as object,
) as object;

/** The reason if a run is stopped because the caller wants no more payloads. */
const ENOUGH = Symbol('enough');

/** How many payloads are given between two looks at the clock, if they were accepted together. */
const FEW = 8;

/** The payloads of a source. It is opened when the first payload is requested. */
export class PayloadIterator implements AsyncIterator<PayloadResult, undefined, void> {
  readonly #input: PayloadInput;
  readonly #run: PayloadRun;
  /** Null: it has not begun. */
  #call: LongCall | null = null;
  #checking: Checking | null = null;
  #turns: Turns | null = null;
  /** Payloads given without a look at the clock. */
  #given = 0;
  /** Nothing more is found. */
  #isOver = false;
  #failure: { readonly error: unknown } | null = null;
  /** The work in progress; null: none. Each call waits for the calls before it. */
  #busy: Promise<unknown> | null = null;

  static {
    Object.setPrototypeOf(PayloadIterator.prototype, ASYNC_ITERATOR);
  }

  constructor(input: PayloadInput, run: PayloadRun) {
    this.#input = input;
    this.#run = run;
  }

  next(): Promise<IteratorResult<PayloadResult, undefined>> {
    const value = this.#busy === null && !this.#isTurnDue ? this.#take() : null;
    return value === null ? this.#inTurn(() => this.#advance()) : Promise.resolve({ done: false, value });
  }

  /** Ends the run and closes the source. */
  return(): Promise<IteratorResult<PayloadResult, undefined>> {
    this.#isOver = true;
    this.#call?.stop.abort(ENOUGH);
    return this.#inTurn(() => this.#end());
  }

  /** The same, but rejects with the error. */
  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  /** The next result that is available; null: there is none. */
  #take(): PayloadResult | null {
    return this.#checking === null || this.#isStopped ? null : this.#checking.outlet.take();
  }

  /** Looks at the clock seldom: that takes a twentieth of a payload. */
  get #isTurnDue(): boolean {
    if (++this.#given < FEW) return false;
    this.#given = 0;
    return this.#turns?.isDue === true;
  }

  get #isStopped(): boolean {
    return this.#call?.stop.signal.aborted === true;
  }

  /** Runs `work` after all earlier calls. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#busy === null ? work() : this.#busy.then(work, work);
    this.#busy = result;
    const free = (): void => {
      if (this.#busy === result) this.#busy = null;
    };
    result.then(free, free);
    return result;
  }

  async #advance(): Promise<IteratorResult<PayloadResult, undefined>> {
    for (;;) {
      if (this.#turns?.isDue) await this.#turns.turn();
      const value = this.#take();
      if (value !== null) return { done: false, value };
      if (this.#isOver || this.#isStopped) return this.#end();
      await this.#step().catch((error: unknown) => {
        this.#failure = { error };
        this.#isOver = true;
      });
    }
  }

  /** Continues the check until there may be results. */
  async #step(): Promise<void> {
    this.#call ??= this.#begin();
    if (this.#isStopped) return;
    if (this.#checking === null) {
      const reader = await openInput(this.#input, this.#run.source, this.#call.stop.signal);
      this.#turns = new Turns({ now: () => performance.now(), interrupt: this.#call.stop.signal });
      this.#checking = new Checking(reader, this.#turns, this.#run, this.#call);
    }
    const { steps } = this.#checking;
    let step = steps.next();
    while (step.value instanceof Promise) step = await settled(steps, step.value);
    this.#isOver = step.done === true;
  }

  #begin(): LongCall {
    const call = this.#run.begin();
    call.stop.signal.addEventListener('abort', () => void this.#inTurn(() => this.#close()));
    return call;
  }

  /** Throws the error that ended the run, once, unless it ended normally. */
  async #end(): Promise<IteratorResult<PayloadResult, undefined>> {
    await this.#close();
    const stopped = this.#call?.stop.signal;
    const failure = stopped?.aborted
      ? stopped.reason === ENOUGH
        ? null
        : { error: stopped.reason as unknown }
      : this.#failure;
    this.#call = null;
    this.#failure = null;
    if (failure !== null) throw failure.error;
    return { done: true, value: undefined };
  }

  /** Closes what is open. */
  async #close(): Promise<void> {
    const checking = this.#checking;
    this.#isOver = true;
    this.#checking = null;
    if (checking !== null) {
      checking.steps.return(0);
      await checking.reader.close();
      await checking.lane.engines.close();
      this.#run.lanes.giveBack(checking.lane);
    }
    this.#call?.ended();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
