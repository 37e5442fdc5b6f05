/**
 * The payloads of a source one by one: the flow, with an outlet that passes each to the caller. It continues when the
 * caller requests more than has been found. Promises are created only if it must wait, and one for each call of `next`.
 */
import type { Acceptor } from '../engine/compile/acceptor.ts';
import type { Engine } from '../engine/engine.ts';
import type { InstanceEngines } from '../engine/instance.ts';
import { synchronously } from '../json/on-demand.ts';
import { lineAt, skipSpace, withoutSpace } from '../json/skip.ts';
import { violationAt } from '../log/violation-table.ts';
import type { Baseline } from '../report/baseline.ts';
import { type Checked, type Plan, type Steps, settled } from '../run/check/flow.ts';
import { SourceCheck } from '../run/check/source.ts';
import type { AcceptedRun, CheckedPayload, Outlet } from '../run/outlets/outlet.ts';
import type { Sink } from '../run/outlets/sink.ts';
import { gunzipNow } from '../source/gunzip.ts';
import { Turns } from '../source/io.ts';
import { framingOfName } from '../source/path-text.ts';
import { type ByteReader, isGzip, MemoryBytes } from '../source/read-file.ts';
import { Window } from '../source/window.ts';
import type { Framing, Source, Span, Violation } from '../types.ts';
import type { PayloadInput, PayloadResult } from './api.ts';
import { isBytes, type LongCall, openInput } from './inputs.ts';
import { failed } from './one-text.ts';

/** A larger memory is released together with the source that needed it. In bytes. */
const KEPT = 8 << 20;

/** Windows with the engine that works in their memory: each for one source at a time, an unused one is kept for the next. */
export class SourceWorkspaces {
  readonly #engines: InstanceEngines;
  #idle: SourceWorkspace | null = null;

  constructor(engines: InstanceEngines) {
    this.#engines = engines;
  }

  take(): SourceWorkspace {
    const workspace = this.#idle ?? new SourceWorkspace(this.#engines);
    this.#idle = null;
    return workspace;
  }

  giveBack(workspace: SourceWorkspace): void {
    if (workspace.window.bytes.length <= KEPT) this.#idle = workspace;
  }

  clear(): void {
    this.#idle = null;
  }
}

class SourceWorkspace {
  readonly window = new Window();
  readonly engine: Engine;
  /** True: the caller cannot wait, so all payloads are examined here. */
  isSync = false;

  constructor(engines: InstanceEngines) {
    this.engine = engines.overSources(this.window.memory, () => this.isSync);
  }

  reader(kind: string | null): Acceptor {
    return synchronously(this.engine.reader(kind));
  }
}

export interface PayloadRun {
  readonly source: Source;
  readonly workspaces: SourceWorkspaces;
  readonly options: Plan;
  /** Its violations are left out. */
  readonly baseline: Baseline | null;
  /** Called first. If the call is stopped, the reason is thrown. */
  readonly begin: () => LongCall;
}

/** `file`: the path, or where bytes or a stream are from; null: not known. */
export function sourceOf(input: PayloadInput, file: string | null): Source {
  return {
    name: file ?? (isBytes(input) ? '<bytes>' : '<stream>'),
    path: typeof input === 'string' ? input : null,
    regular: false,
    framing: file === null ? null : framingOfName(file),
    kind: null,
  };
}

/** `turns`: null if the caller cannot wait. */
function checkingOf(reader: ByteReader, turns: Turns | null, run: PayloadRun, { stop }: LongCall) {
  const { source, workspaces, options, baseline } = run;
  const workspace = workspaces.take();
  workspace.isSync = turns === null;
  workspace.window.reset(reader);
  const isDue = (): boolean => turns?.isDue === true;
  const outlet = new PayloadOutlet(workspace, baseline, () => stop.signal.aborted, isDue);
  const { window, engine } = workspace;
  const flow = { window, engine, options, sink: outlet.sink, outlet };
  const steps: Steps<Checked> = new SourceCheck(source, flow, workspace.reader(source.kind)).run();
  return { reader, workspace, outlet, steps };
}

/** The check of a source in progress. */
type Checking = ReturnType<typeof checkingOf>;

/** The payloads of bytes, without waiting. Throws SourceError. */
export function* payloadsNow(bytes: Uint8Array, run: PayloadRun): Generator<PayloadResult> {
  const call = run.begin();
  const { signal } = call.stop;
  // The call cannot be ended while it waits for the caller, so it ends when the signal aborts.
  signal.addEventListener('abort', call.ended);
  let checking: Checking | null = null;
  try {
    signal.throwIfAborted();
    checking = checkingOf(new MemoryBytes(isGzip(bytes) ? gunzipNow(bytes) : bytes), null, run, call);
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
    if (checking !== null) run.workspaces.giveBack(checking.workspace);
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
const PAYLOADS_PER_READING = 8;

/** The payloads of a source. It is opened when the first payload is requested. */
export class PayloadIterator implements AsyncIterator<PayloadResult, undefined, void> {
  readonly #input: PayloadInput;
  readonly #run: PayloadRun;
  #call: LongCall | null = null;
  #checking: Checking | null = null;
  #turns: Turns | null = null;
  #given = 0;
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
    const value = this.#busy === null && !this.#countsToTurn() ? this.#take() : null;
    return value === null ? this.#inTurn(() => this.#advance()) : Promise.resolve({ done: false, value });
  }

  return(): Promise<IteratorResult<PayloadResult, undefined>> {
    this.#isOver = true;
    this.#call?.stop.abort(ENOUGH);
    return this.#inTurn(() => this.#end());
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  #take(): PayloadResult | null {
    return this.#checking === null || this.#isStopped ? null : this.#checking.outlet.take();
  }

  /** Counts a payload. True if a turn is due. Every eighth call reads the clock: that takes a twentieth of a payload. */
  #countsToTurn(): boolean {
    if (++this.#given < PAYLOADS_PER_READING) return false;
    this.#given = 0;
    return this.#turns?.isDue === true;
  }

  get #isStopped(): boolean {
    return this.#call?.stop.signal.aborted === true;
  }

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

  async #step(): Promise<void> {
    this.#call ??= this.#begin();
    if (this.#isStopped) return;
    if (this.#checking === null) {
      const reader = await openInput(this.#input, this.#run.source, this.#call.stop.signal);
      this.#turns = new Turns({ now: () => performance.now(), interrupt: this.#call.stop.signal });
      this.#checking = checkingOf(reader, this.#turns, this.#run, this.#call);
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

  async #close(): Promise<void> {
    const checking = this.#checking;
    this.#isOver = true;
    this.#checking = null;
    if (checking !== null) {
      checking.steps.return({ lines: 0, unread: false });
      await checking.reader.close();
      await checking.workspace.engine.close();
      this.#run.workspaces.giveBack(checking.workspace);
    }
    this.#call?.ended();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

interface Accepted {
  /** The first index and the end index of each payload, one after another. */
  readonly spans: readonly number[];
  /** One kind for all payloads, or a list with the kind of each. */
  readonly kinds: string | readonly string[];
  readonly index: number;
}

/** Lets the caller take all results before the window is changed. */
const HAND_OVER: readonly undefined[] = [undefined];

export class PayloadOutlet implements Outlet {
  readonly sink: Sink;
  readonly #window: Window;
  #framing: Framing = 'json';
  #index = 0;
  #violations: Violation[] = [];
  #span: Span | null = null;
  /** Results that the caller has not taken yet, in order, from `#next` on. */
  #queue: (PayloadResult | Accepted)[] = [];
  #next = 0;
  /** Number of payloads already taken from the first entry of the queue. */
  #taken = 0;

  /** `stopped`: the caller wants no more payloads. `isDue`: the check must be left before the next one is examined. */
  constructor(workspace: SourceWorkspace, baseline: Baseline | null, stopped: () => boolean, isDue: () => boolean) {
    this.#window = workspace.window;
    this.sink = {
      violation: (statement, place) => {
        const violation = violationAt(place, statement);
        if (baseline?.knows(violation) !== true) this.#violations.push(violation);
        return false;
      },
      emit: (found) => {
        if (found.type === 'fault') this.#add(failed(found.fault.message ?? found.fault.stack ?? 'unknown'));
        if (found.type !== 'payload') return;
        const violations = this.#violations;
        const isKnown = baseline !== null && violations.every(({ severity }) => severity === 'warning');
        this.#add({ valid: found.valid || isKnown, kind: found.kind, violations });
      },
      flush() {},
      get stopped() {
        return stopped();
      },
      get isDue() {
        return isDue();
      },
    };
  }

  /** The next result; null if there is none yet. The caller must take all results before the check continues. */
  take(): PayloadResult | null {
    const first = this.#queue[this.#next];
    if (first === undefined) {
      if (this.#next > 0) this.#queue = [];
      this.#next = 0;
      return null;
    }
    if (!('spans' in first)) {
      this.#next++;
      return first;
    }
    const result = this.#resultOf(first, this.#taken++);
    if (2 * this.#taken === first.spans.length) {
      this.#taken = 0;
      this.#next++;
    }
    return result;
  }

  #resultOf({ spans, kinds, index }: Accepted, i: number): PayloadResult {
    const kind = typeof kinds === 'string' ? kinds : kinds[i]!;
    const text = this.#window.bytes.toString('utf8', spans[2 * i]!, spans[2 * i + 1]!);
    return { index: index + i, valid: true, kind, violations: [], text };
  }

  begin(framing: Framing): void {
    this.#framing = framing;
  }

  accepted({ span, payloads, kind, acceptor }: AcceptedRun): Iterable<void> | undefined {
    acceptor.dropGaps();
    if (payloads === 0) return undefined;
    const spans = this.#spansOf(span, acceptor);
    const kinds = kind ?? kindsOf(spans, this.#window.bytes, acceptor);
    this.#queue.push({ spans, kinds, index: this.#index });
    this.#index += payloads;
    return HAND_OVER;
  }

  #spansOf({ start, end }: Span, acceptor: Acceptor): number[] {
    const { bytes } = this.#window;
    const spans: number[] = [];
    if (acceptor.spans.length > 0) acceptor.spans.each((from, to) => spans.push(from, to));
    else if (this.#framing === 'lines') {
      for (let line = lineAt(bytes, start, end); line.start < end; line = lineAt(bytes, line.next, end))
        if (line.start < line.end) spans.push(line.start, line.end);
    } else {
      const from = skipSpace(bytes, start, end);
      spans.push(from, withoutSpace(bytes, from, end));
    }
    return spans;
  }

  payload({ span, open }: CheckedPayload): undefined {
    this.#span = open ? null : span;
  }

  #add(verdict: Omit<PayloadResult, 'index' | 'text'>): void {
    const { bytes } = this.#window;
    const { start, end } = this.#span ?? { start: 0, end: 0 };
    const from = skipSpace(bytes, start, end);
    const text = bytes.toString('utf8', from, withoutSpace(bytes, from, end));
    this.#queue.push({ index: this.#index++, ...verdict, text });
    this.#violations = [];
    this.#span = null;
  }
}

function kindsOf(spans: readonly number[], bytes: Buffer, acceptor: Acceptor): string[] {
  const kinds: string[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    acceptor.read({ bytes, isUtf8: true }, { start: spans[i]!, end: spans[i + 1]! });
    kinds.push(acceptor.kinds[acceptor.lastKind]!); // it was accepted, so it has a kind
  }
  // They were counted before.
  acceptor.takeCounts(() => {});
  return kinds;
}
