/**
 * The two engines of a run: *accept*, which is fast and sometimes unsure, and *examine*, which decides. Each is made at
 * its first use. Both can be made again in another thread.
 */
import { once } from '../json/on-demand.ts';
import { jsonFile, threadScript } from '../package.ts';
import type { Limits } from '../types.ts';
import { lazyNoting, type Schemas } from './accept.ts';
import { Acceptor, asksEach } from './compile/acceptor.ts';
import { type AcceptCode, readAccept } from './compile/code.ts';
import { createExamining, type Examining } from './examining.ts';
import type { FirstPayloads } from './first.ts';
import type { Examined, PayloadBytes } from './judge/examine.ts';
import type { Judge } from './judge/judge.ts';
import type { NoteTaker } from './judge/noted.ts';
import { type BeginNoting, type Soon, soon } from './supply.ts';
import { type RunWithinLimit, unlimited, withinTime } from './time-limit.ts';

export interface Engines {
  /** For payloads of a givenKind kind, or (null) of the kinds in the entry schema. */
  readonly acceptor: (givenKind: string | null) => Soon<Acceptor>;
  /** For the first payloads, before functions are compiled. Absent: not needed; null: they cannot be judged in this thread. */
  readonly first?: () => Promise<FirstPayloads | null>;
  /** `countsOnly`: violations are only counted, if that is less work. Throws Unexamined. */
  readonly examine: (payload: PayloadBytes, givenKind: string | null, countsOnly: boolean) => Soon<Examined>;
  /**
   * What reads the violations that the acceptor notes from now on; null if it notes none. Call it for each payload that is
   * not accepted: the first ones are left to `examine`. `countsOnly`: violations are only counted.
   */
  readonly notes: (givenKind: string | null, countsOnly: boolean) => Soon<NoteTaker | null>;
  /** Ends the threads that the engines have started. */
  readonly close: () => Promise<void>;
}

/** Questions for the violations of ten payloads: notes are asked first, then examine. */
const FEW = 20;
const LARGE = 1 << 16;

export interface EngineHooks {
  /** Called once, before more than a few payloads are examined. */
  readonly beforeMuchWork?: (work: 'payloads') => void;
  /** Ends an examination that takes too long, if it runs in a thread of its own: then `examine` throws Interrupted. */
  readonly interrupt?: AbortSignal | null;
  /** Examines payloads before other means are made for it; null: it leaves a payload to these. Throws Unexamined. */
  readonly examineHere?: (payload: PayloadBytes, givenKind: string | null, countsOnly: boolean) => Examined | null;
  /** Makes the acceptor of a kind; absent: the plain one. */
  readonly acceptorOf?: (code: AcceptCode, givenKind: string | null) => Soon<Acceptor>;
}

/** Engines over the bytes in `memory`. */
export function createEngines(
  schemas: Schemas,
  limits: Limits,
  memory: WebAssembly.Memory,
  { beforeMuchWork = () => {}, interrupt = null, examineHere, acceptorOf }: EngineHooks = {},
): Engines {
  const acceptors = new Map<string | null, Acceptor>();
  const { interpreted = false, load, defaults } = schemas;
  const { texts, fixes, prunes } = defaults;
  const takesNotes = !asksEach(limits) && !limits.syntaxOnly && texts === null && prunes !== 'payloads';
  const takers = new Map<string | null, NoteTaker>();
  const acceptorFor = (givenKind: string | null): Soon<Acceptor> =>
    acceptors.get(givenKind) ??
    soon(schemas.accept(givenKind), (code) =>
      soon(acceptorOf?.(code, givenKind) ?? new Acceptor(code, memory, limits), (acceptor) => {
        acceptors.set(givenKind, acceptor);
        return acceptor;
      }),
    );
  // Most runs compile nothing, so it is not checked in advance whether there is a script for threads.
  const within: RunWithinLimit = (work) =>
    (interrupt === null || threadScript() === null ? unlimited : withinTime)(work);
  const noting = schemas.noting ?? lazyNoting(schemas, within);
  const beginNoting = (givenKind: string | null, begin: BeginNoting): Soon<NoteTaker> =>
    soon(acceptorFor(givenKind), (acceptor) => {
      const taker = begin(acceptor, limits.redact);
      takers.set(givenKind, taker);
      return taker;
    });
  let examining: Examining | null = null;
  let first: FirstPayloads | null = null;
  const makeFirst = once(async () => {
    const code = readAccept(jsonFile('lines'));
    if (code === null) return null;
    const [{ FirstPayloads }, set] = await Promise.all([import('./first.ts'), load()]);
    first = await FirstPayloads.of(set, code, memory, { ...limits, within });
    return first;
  });
  const prepare = once(() => beforeMuchWork('payloads'));
  let questions = 0;
  const ask = (bytes: number): void => {
    if (++questions >= FEW || bytes > LARGE) prepare();
  };
  return {
    ...(interpreted && !asksEach(limits) ? { first: makeFirst } : {}),
    acceptor: acceptorFor,
    examine(payload, givenKind, countsOnly) {
      const examined = examineHere?.(payload, givenKind, countsOnly) ?? null;
      if (examined !== null) return examined;
      ask(payload.span.end - payload.span.start);
      const judge = (): Judge | null => first?.giveJudge() ?? null;
      examining ??= createExamining(schemas, limits, { within, interrupt, judge, isSlow: first?.isSlow === true });
      return examining.examine(payload, givenKind, countsOnly);
    },
    notes(givenKind, countsOnly) {
      ask(0);
      // Noted violations do not show what `fill` would insert.
      if (!takesNotes || (fixes !== undefined && !countsOnly)) return null;
      return takers.get(givenKind) ?? soon(noting(givenKind), (begin) => begin && beginNoting(givenKind, begin));
    },
    close: async () => examining?.close(),
  };
}
