/**
 * The two engines of a run: *accept*, which is fast and sometimes unsure, and *examine*, which is the truth. Each is made when
 * it is first needed; both can be made again, alike, in another thread.
 */

import { type AcceptCode, Acceptor } from './accept/acceptor.ts';
import { compileAcceptCode, readAccept } from './accept/code.ts';
import type { Engines } from './check.ts';
import { Examiner } from './examine/examine.ts';
import { type DefaultMap, defaultTexts } from './fill/defaults.ts';
import { createSpeller, planFills } from './fill/plan.ts';
import { compileFillers, compileKinds } from './schema/compile.ts';
import type { SchemaSet } from './schema/load.ts';

export interface EngineOptions {
  readonly maxDepth: number;
  /** Largest payload, in bytes. */
  readonly maxBytes: number;
  readonly redact: boolean;
  /** The defaults with which payloads are judged as if they were filled in; null: as they are. */
  readonly defaults: DefaultMap | null;
}

/** Engines over the bytes in `memory`; `accept` gives the code for payloads of a forced kind, or (null) for any. */
export function createEngines(
  schemas: SchemaSource,
  options: EngineOptions,
  memory: WebAssembly.Memory,
  accept: AcceptSource,
): Engines {
  const acceptors = new Map<string | null, Acceptor>();
  let examiner: Promise<Examiner> | null = null;
  return {
    acceptor(forced) {
      let acceptor = acceptors.get(forced);
      if (acceptor === undefined) {
        acceptor = new Acceptor(accept(forced), memory, options);
        acceptors.set(forced, acceptor);
      }
      return acceptor;
    },
    examiner() {
      examiner ??= createExaminer(schemas(), options);
      return examiner;
    },
  };
}

export type AcceptSource = (forced: string | null) => AcceptCode;

/** Reads the schemas when they are first asked for: what was compiled beforehand may do without them. */
export type SchemaSource = () => SchemaSet;

/**
 * Compiles accept functions when they are first asked for, and remembers them. `ready`: a file with the module for payloads of any
 * kind as they are, compiled beforehand; null where there is none.
 */
export function lazyAccept(
  schemas: SchemaSource,
  defaults: DefaultMap | null,
  ready: string | null,
): AcceptSource {
  const codes = new Map<string | null, AcceptCode>();
  const texts = defaults === null ? null : defaultTexts(defaults);
  return (forced) => {
    let code = codes.get(forced);
    if (code === undefined) {
      code =
        (forced === null && ready !== null ? readAccept(ready) : null) ??
        compileAcceptCode(schemas(), { forced, defaults: texts });
      codes.set(forced, code);
    }
    return code;
  };
}

async function createExaminer(schemas: SchemaSet, options: EngineOptions): Promise<Examiner> {
  const kinds = await compileKinds(schemas);
  const { defaults } = options;
  if (defaults === null) return new Examiner(kinds, schemas.locations, options);
  const fillers = await compileFillers(schemas);
  const spell = createSpeller(schemas.locations.keys(), defaultTexts(defaults));
  return new Examiner(kinds, schemas.locations, options, {
    fill: (kind, value) => fillers.get(kind)?.(value),
    plan: (bytes, span, before, after) => planFills(bytes, span, before, after, spell),
  });
}
