/**
 * The two engines of a run: *accept*, which is fast and sometimes unsure, and *examine*, which decides. Each is made at
 * its first use. Both can be made again in another thread.
 */

import { Acceptor } from '../accept/acceptor.ts';
import { EnvironmentError, Interrupted } from '../errors.ts';
import type { Examined, Examiner, PayloadBytes } from '../examine/examine.ts';
import type { NoteTaker } from '../examine/noted.ts';
import { threadScript } from '../package.ts';
import { unexamined } from '../schema/error.ts';
import type { Limits, Span } from '../types.ts';
import type { LoadSchemas, Schemas } from './accept.ts';
import type { DeepExaminer } from './deep.ts';
import type { FirstLook, FirstPayloads } from './first-payloads.ts';
import { NoteTakers } from './notes.ts';
import { atLeisure, OverTime, type Within, withinTime } from './time-limit.ts';

export interface Engines {
  /** For payloads of a forced kind, or (null) of the kinds in the entry schema. */
  readonly acceptor: (forced: string | null) => Promise<Acceptor>;
  /** What is known of one of the first payloads, for which no functions are worth to be compiled yet. Absent: they are there, or every payload needs them. */
  readonly first?: (bytes: Buffer, span: Span, forced: string | null) => Promise<FirstLook>;
  /** `hides`: violations are only counted, if that is less work. Throws Unexamined. */
  readonly examine: (payload: PayloadBytes, forced: string | null, hides: boolean) => Promise<Examined>;
  /**
   * What takes notes of the violations in payloads in the window; null if there is none. The first few payloads are left to `examine`: to
   * compile the functions takes longer. `hides`: violations are only counted.
   */
  readonly notes: (forced: string | null, hides: boolean) => Promise<NoteTaker | null> | NoteTaker | null;
  /** Ends the threads that the engines have started. */
  readonly close: () => Promise<void>;
}

/** Payloads with more bytes can take longer than a second to examine. */
const LARGE = 2 << 20;
/** Bytes of the heap that the examination of a byte can take. */
const HEAP_SHARE = 150;
/** Payloads with fewer bytes have room in every heap. */
const SMALL = 1 << 17;

/**
 * Engines over the bytes in `memory`. `beforeMuchWork` is called once, before the first payload is examined.
 * `interrupt` ends an examination that takes too long, if it runs in a thread of its own: then `examine` throws
 * Interrupted.
 */
export function createEngines(
  schemas: Schemas,
  limits: Limits,
  memory: WebAssembly.Memory,
  beforeMuchWork: () => void = () => {},
  interrupt: AbortSignal | null = null,
): Engines {
  const acceptors = new Map<string | null, Acceptor>();
  let examiner: Promise<Examiner> | null = null;
  let deep: Promise<DeepExaminer> | null = null;
  let habits: Promise<Habits> | null = null;
  /** An examination has taken too long: no other one is tried in this thread. */
  let isSlow = false;
  const { texts, fixes } = schemas.defaults;
  const takesNotes = !limits.advice && !limits.syntaxOnly && texts === null;
  const acceptorFor = async (forced: string | null): Promise<Acceptor> => {
    let acceptor = acceptors.get(forced);
    if (acceptor === undefined) {
      acceptor = new Acceptor(await schemas.accept(forced), memory, limits);
      acceptors.set(forced, acceptor);
    }
    return acceptor;
  };
  // Most runs compile nothing, and need not know whether there is a script for threads.
  const within: Within = (work) =>
    (interrupt === null || threadScript() === null ? atLeisure : withinTime)(work);
  const takers = takesNotes ? new NoteTakers({ ...schemas, within }, limits, memory, acceptorFor) : null;
  let prepared = false;
  const prepare = (): void => {
    if (!prepared) beforeMuchWork();
    prepared = true;
  };
  const examineApart = async (
    payload: PayloadBytes,
    forced: string | null,
    hides: boolean,
  ): Promise<Examined> => {
    deep ??= makeDeepExaminer(schemas, limits);
    return unlessInterrupted((await deep).examine(payload, forced, hides), interrupt);
  };
  const { interpreted = false, load } = schemas;
  /** Null: this thread has no room or no time for it. */
  const examineHere = async (
    payload: PayloadBytes,
    forced: string | null,
    hides: boolean,
  ): Promise<Examined | null> => {
    const timed = (await habits)?.mayTakeLong ? within : atLeisure;
    try {
      examiner ??= makeExaminer(schemas, limits);
      const made = await examiner;
      return timed(() => made.tryExamine(payload, forced, hides));
    } catch (error) {
      if (!(error instanceof OverTime)) throw error;
      isSlow = true;
      examiner = null;
      return null;
    }
  };
  return {
    ...(interpreted && !limits.advice ? { first: firstPayloads(load, limits, memory) } : {}),
    acceptor: acceptorFor,
    async examine(payload, forced, hides) {
      prepare();
      habits ??= schemas.precompiled === null ? habitsOf(schemas.load) : Promise.resolve(QUICK);
      const size = payload.span.end - payload.span.start;
      // A thread that waits for RegExp, or examines many megabytes, handles no signal.
      const isLarge = (interrupt !== null && size > LARGE) || (size > SMALL && (await exceedsHeap(size)));
      const isApart = (isLarge || isSlow || (await habits).mayBlock) && threadScript() !== null;
      try {
        const examined = isApart ? null : await examineHere(payload, forced, hides);
        return examined ?? (await examineApart(payload, forced, hides));
      } catch (error) {
        throw error instanceof Interrupted ? error : unexamined(error);
      }
    },
    notes(forced, hides) {
      prepare();
      // What `fill` would insert is not noted.
      return fixes === undefined || hides ? (takers?.next(forced) ?? null) : null;
    },
    async close() {
      await (await deep)?.close();
    },
  };
}

function firstPayloads(
  load: LoadSchemas,
  limits: Limits,
  memory: WebAssembly.Memory,
): NonNullable<Engines['first']> {
  let made: Promise<FirstPayloads> | null = null;
  const make = async (): Promise<FirstPayloads> => {
    const [{ FirstPayloads }, set] = await Promise.all([import('./first-payloads.ts'), load()]);
    return new FirstPayloads(set, limits, memory);
  };
  return async (bytes, span, forced) => {
    made ??= make();
    return (await made).look(bytes, span, forced);
  };
}

/** Whether the heap may have no room for a payload of `size` bytes. A thread then ends with an error; the process would abort. */
async function exceedsHeap(size: number): Promise<boolean> {
  const { getHeapStatistics } = await import('node:v8');
  return size * HEAP_SHARE > getHeapStatistics().heap_size_limit;
}

/** How long the schemas can take to apply. */
interface Habits {
  /** A text can make patterns take exponential time. */
  readonly mayBlock: boolean;
  /** See `schema/costly.ts`. */
  readonly mayTakeLong: boolean;
}

const QUICK: Habits = { mayBlock: false, mayTakeLong: false };

async function habitsOf(schemas: LoadSchemas): Promise<Habits> {
  const [{ keepsRegExp, mayTakeLong }, set] = await Promise.all([import('../schema/costly.ts'), schemas()]);
  return { mayBlock: keepsRegExp(set), mayTakeLong: mayTakeLong(set) };
}

/** Resolves like `promise`, but throws Interrupted as soon as the signal aborts. */
function unlessInterrupted<T>(promise: Promise<T>, signal: AbortSignal | null): Promise<T> {
  if (signal === null) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Interrupted(signal));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function makeExaminer({ load, defaults }: Schemas, limits: Limits): Promise<Examiner> {
  const { createExaminer } = await import('./examiner.ts');
  return createExaminer({ set: await load(), defaults }, limits);
}

async function makeDeepExaminer({ load, defaults }: Schemas, limits: Limits): Promise<DeepExaminer> {
  const { DeepExaminer } = await import('./deep.ts');
  const script = threadScript();
  if (script === null)
    throw new EnvironmentError('it is nested so deep that it needs a thread, and a bundle has none');
  return new DeepExaminer(script, { set: await load(), defaults }, limits);
}
