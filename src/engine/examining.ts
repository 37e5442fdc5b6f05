/** Examines payloads in this thread, or in one of its own if they may need too much time, stack or heap. */
import { CallerFault, EnvironmentError, Interrupted, unexamined } from '../errors.ts';
import { once } from '../json/on-demand.ts';
import { threadScript } from '../package.ts';
import { isLocal } from '../schema/set.ts';
import type { LoadSchemas, Schemas } from './accept.ts';
import type { ExamineSettings } from './compile/acceptor.ts';
import type { DeepExaminer } from './deep.ts';
import type { Examined, Examiner, PayloadBytes } from './judge/examine.ts';
import type { Judge } from './judge/judge.ts';
import { OverTime, type RunWithinLimit, unlimited } from './time-limit.ts';

/** Payloads with more bytes can take longer than a second to examine. */
const LARGE = 2 << 20;
/** Bytes of the heap that examining one byte can take. */
const HEAP_SHARE = 150;
/** Payloads with fewer bytes fit into every heap. */
const SMALL = 1 << 17;

/** See `Engine.explain`. */
type Question = readonly [payload: PayloadBytes, givenKind: string | null, countsOnly: boolean];

interface ExaminingTools {
  readonly within: RunWithinLimit;
  readonly interrupt: AbortSignal | null;
  readonly judge: () => Judge | null;
  /** Judging took too long before, so this thread examines no payload. */
  readonly isSlow: boolean;
}

export interface Examining {
  /** Throws Unexamined and Interrupted. */
  examine(...question: Question): Promise<Examined>;
  close(): Promise<void>;
}

/** `within`: for an examination that may take long; `interrupt`: see `EngineWorld`; `judge`: one that was made before. */
export function createExamining(schemas: Schemas, limits: ExamineSettings, tools: ExaminingTools): Examining {
  const { within, interrupt, judge } = tools;
  const costs = once(() => (schemas.precompiled === null ? costsOf(schemas.load) : Promise.resolve(QUICK)));
  let examiner: Promise<Examiner> | null = null;
  let deep: Promise<DeepExaminer> | null = null;
  /** An examination took too long, so this thread examines no other payload. */
  let { isSlow } = tools;
  /** Null: this thread has no room or no time for it. */
  const examineHere = async (question: Question, limit: RunWithinLimit): Promise<Examined | null> => {
    try {
      examiner ??= makeExaminer(schemas, limits, judge());
      const made = await examiner;
      return limit(() => made.tryExamine(...question));
    } catch (error) {
      if (!(error instanceof OverTime)) throw error;
      isSlow = true;
      examiner = null;
      return null;
    }
  };
  return {
    async examine(...question) {
      const { start, end } = question[0].span;
      const size = end - start;
      // A thread that runs RegExp, or examines many megabytes, handles no signal.
      const isLarge = (interrupt !== null && size > LARGE) || (size > SMALL && (await exceedsHeap(size)));
      const { mayBlock, mayTakeLong, isLocal } = await costs();
      const isApart = (isLarge || isSlow || mayBlock) && !isLocal && threadScript() !== null;
      try {
        if (interrupt?.aborted) throw new Interrupted(interrupt);
        const examined = isApart ? null : await examineHere(question, mayTakeLong ? within : unlimited);
        if (examined !== null) return examined;
        deep ??= makeDeepExaminer(schemas, limits);
        return await unlessInterrupted((await deep).examine(...question), interrupt);
      } catch (error) {
        throw error instanceof Interrupted ? error : unexamined(error);
      }
    },
    async close() {
      const made = await deep?.catch(() => null); // the failure was reported with the payload
      await made?.close();
    },
  };
}

/** Whether a payload of `size` bytes may not fit into the heap: then a process aborts, and a thread only ends. */
async function exceedsHeap(size: number): Promise<boolean> {
  const { getHeapStatistics } = await import('node:v8');
  return size * HEAP_SHARE > getHeapStatistics().heap_size_limit;
}

/** How long it can take to apply the schemas. */
interface Costs {
  /** Some texts can make a pattern take exponential time. */
  readonly mayBlock: boolean;
  /** See `schema/costly.ts`. */
  readonly mayTakeLong: boolean;
  /** Functions of the caller judge, which run in this thread only. */
  readonly isLocal: boolean;
}

const QUICK: Costs = { mayBlock: false, mayTakeLong: false, isLocal: false };

async function costsOf(schemas: LoadSchemas): Promise<Costs> {
  const [{ keepsRegExp, mayTakeLong }, set] = await Promise.all([import('../schema/costly.ts'), schemas()]);
  const isHere = isLocal(set);
  return { mayBlock: keepsRegExp(set), mayTakeLong: !isHere && mayTakeLong(set), isLocal: isHere };
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

async function makeExaminer(
  { load, defaults }: Schemas,
  limits: ExamineSettings,
  judge: Judge | null,
): Promise<Examiner> {
  const { createExaminer } = await import('./examiner.ts');
  return createExaminer({ set: await load(), defaults }, limits, judge);
}

async function makeDeepExaminer({ load, defaults }: Schemas, limits: ExamineSettings): Promise<DeepExaminer> {
  const { DeepExaminer } = await import('./deep.ts');
  const script = threadScript();
  if (script === null) throw new EnvironmentError('it is nested so deep that it needs a thread, and a bundle has none');
  const set = await load();
  if (isLocal(set))
    throw new CallerFault('it is nested so deep that it needs a thread, where functions of the caller cannot run');
  return new DeepExaminer(script, { set, defaults }, limits);
}
