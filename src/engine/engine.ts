/**
 * What judges payloads: an engine reads them from the bytes of a window and explains those that it does not accept. It is made by
 * supply.ts, with the schemas and the memory of one window; what judges otherwise (two schemas, coverage, Ajv) is an engine
 * around another one.
 *
 *     const reader = await engine.reader(source.kind);
 *     const run = reader.run(window, 'lines');                // valid payloads, up to one that is not surely valid
 *     if (reader.read(window, span) !== 'valid')              // one payload: valid, surely invalid, or unsure
 *       report(await engine.explain(payload, source.kind, false));
 */

import type { Soon } from '../json/on-demand.ts';
import type { Acceptor } from './compile/acceptor.ts';
import type { Examined, PayloadBytes } from './judge/examine.ts';
import type { TallyData } from './judge/tally.ts';

export interface Engine {
  /**
   * Reads payloads of a kind (null: of the kinds in the entry schema) in the memory of the window. `areFew`: the source has few
   * payloads as far as is known, so that nothing should be compiled for them: then the reader may be provisional.
   */
  readonly reader: (givenKind: string | null, areFew?: boolean) => Soon<Acceptor>;
  /**
   * Finds all that is wrong with a payload that is not accepted. It is not asked about those whose violations a run notes, unless
   * the reader `explainsAll`. `countsOnly`: violations are only counted, if that is less work.
   * Throws Unexamined and Interrupted.
   */
  readonly explain: (payload: PayloadBytes, givenKind: string | null, countsOnly: boolean) => Soon<Examined>;
  /** Takes what was counted of the places of the schemas since the last call; null: nothing. Absent: nothing is counted. */
  readonly counted?: () => TallyData | null;
  /** Ends the threads that the engine has started. */
  readonly close: () => Promise<void>;
}

/** The engine that a plan names. */
export type EngineName = 'plain' | 'compared' | 'covering' | 'ajv';

/** What an engine uses of the world around it. */
export interface EngineWorld {
  /** Called once, before more than a few payloads are explained. */
  readonly beforeMuchWork?: (work: 'payloads') => void;
  /** Ends an examination that takes too long, if it runs in a thread of its own: then `explain` throws Interrupted. */
  readonly interrupt?: AbortSignal | null;
}
