/**
 * The two engines of a run: *accept*, which is fast and sometimes unsure, and *examine*, which is the truth. Each is made when
 * it is first needed; both can be made again, alike, in another thread.
 */

import type { AcceptCode } from '../accept/acceptor.ts';
import { Acceptor, readAccept } from '../accept/acceptor.ts';
import type { Engines } from '../check/check.ts';
import type { Examiner } from '../examine/examine.ts';
import type { Choice } from '../fill/choose.ts';
import type { DefaultMap } from '../fill/default-map.ts';
import { unexamined } from '../schema/error.ts';
import type { SchemaSet } from '../schema/load.ts';
import type { DeepExaminer } from './deep-examiner.ts';

export interface EngineOptions {
  readonly maxDepth: number;
  /** Largest payload, in bytes. */
  readonly maxBytes: number;
  readonly redact: boolean;
  /** The defaults with which payloads are judged as if they were filled in; null: as they are. */
  readonly defaults: DefaultMap | null;
  /** Which of them are wanted, where; absent: all. */
  readonly choice?: Choice;
}

/**
 * Engines over the bytes in `memory`; `accept` gives the code for payloads of a forced kind, or (null) for any. `precompiled`: a file with
 * Ajv's functions for the schemas, made when paylint was built; null where there is none.
 */
export function createEngines(
  schemas: SchemaSource,
  options: EngineOptions,
  memory: WebAssembly.Memory,
  accept: AcceptSource,
  precompiled: string | null,
  beforeExamining: () => void = () => {},
): Engines {
  const acceptors = new Map<string | null, Acceptor>();
  let examiner: Promise<Examiner> | null = null;
  let deep: Promise<DeepExaminer> | null = null;
  return {
    async acceptor(forced) {
      let acceptor = acceptors.get(forced);
      if (acceptor === undefined) {
        acceptor = new Acceptor(await accept(forced), memory, options);
        acceptors.set(forced, acceptor);
      }
      return acceptor;
    },
    async examine(payload, forced, hides) {
      if (examiner === null) beforeExamining();
      examiner ??= makeExaminer(schemas, options, precompiled);
      const made = await examiner;
      try {
        const examined = made.tryExamine(payload, forced, hides);
        if (examined !== null) return examined;
      } catch (error) {
        throw unexamined(error);
      }
      deep ??= makeDeepExaminer(schemas, options, precompiled);
      const thread = await deep;
      try {
        return await thread.examine(payload, forced, hides);
      } catch (error) {
        throw unexamined(error);
      }
    },
    async close() {
      await (await deep)?.close();
    },
  };
}

async function makeExaminer(
  schemas: SchemaSource,
  options: EngineOptions,
  precompiled: string | null,
): Promise<Examiner> {
  const { createExaminer } = await import('./examiner.ts');
  return createExaminer(await schemas(), options, precompiled);
}

async function makeDeepExaminer(
  schemas: SchemaSource,
  options: EngineOptions,
  precompiled: string | null,
): Promise<DeepExaminer> {
  const { DeepExaminer } = await import('./deep-examiner.ts');
  return new DeepExaminer({ schemas: await schemas(), engineOptions: options, precompiled });
}

export type AcceptSource = (forced: string | null) => Promise<AcceptCode>;

/** Reads the schemas when they are first asked for: what was compiled beforehand may do without them. */
export type SchemaSource = () => Promise<SchemaSet>;

/**
 * Compiles accept functions when they are first asked for, and remembers them. `precompiled`: a file with the module for payloads of any
 * kind as they are, compiled beforehand; null where there is none. `exact`: every default counts at all places.
 */
export function lazyAccept(
  schemas: SchemaSource,
  defaults: DefaultMap | null,
  precompiled: string | null,
  exact = true,
): AcceptSource {
  const codes = new Map<string | null, Promise<AcceptCode>>();
  return (forced) => {
    let code = codes.get(forced);
    if (code === undefined) {
      code = makeAccept(schemas, defaults, forced === null ? precompiled : null, forced);
      if (!exact) code = code.then((made) => ({ ...made, exactPaths: false }));
      codes.set(forced, code);
    }
    return code;
  };
}

async function makeAccept(
  schemas: SchemaSource,
  defaults: DefaultMap | null,
  precompiled: string | null,
  forced: string | null,
): Promise<AcceptCode> {
  const made = precompiled === null ? null : readAccept(precompiled);
  if (made !== null) return made;
  const { compileAcceptCode } = await import('./compile-accept.ts');
  return compileAcceptCode(await schemas(), forced, defaults);
}
