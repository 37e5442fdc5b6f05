/**
 * The two engines of a run: *accept*, which is fast and sometimes unsure, and *examine*, which is the truth. Each is made when
 * it is first needed; both can be made again, alike, in another thread.
 */

import { Acceptor } from './accept/acceptor.ts';
import { type AcceptModule, compileAccept } from './accept/module.ts';
import type { Engines } from './check.ts';
import { Examiner } from './examine/examine.ts';
import { compileKinds } from './schema/compile.ts';
import type { SchemaSet } from './schema/load.ts';

export interface EngineOptions {
  readonly maxDepth: number;
  /** Largest payload, in bytes. */
  readonly maxBytes: number;
  readonly redact: boolean;
  /** Judge payloads as they would be with the schema's defaults filled in. */
  readonly withDefaults: boolean;
}

/** Engines over the bytes in `memory`; `forced` of the acceptor is the kind that payloads are said to have, or null. */
export function createEngines(
  schemas: SchemaSet,
  options: EngineOptions,
  memory: WebAssembly.Memory,
): Engines {
  const acceptors = new Map<string | null, Acceptor>();
  let examiner: Promise<Examiner> | null = null;
  return {
    acceptor(forced) {
      let acceptor = acceptors.get(forced);
      if (acceptor === undefined) {
        acceptor = createAcceptor(schemas, forced, options, memory);
        acceptors.set(forced, acceptor);
      }
      return acceptor;
    },
    examiner() {
      examiner ??= compileKinds(schemas).then((kinds) => new Examiner(kinds, schemas.locations, options));
      return examiner;
    },
  };
}

function createAcceptor(
  schemas: SchemaSet,
  forced: string | null,
  options: EngineOptions,
  memory: WebAssembly.Memory,
): Acceptor {
  const code: AcceptModule = compileAccept(schemas, { forced, withDefaults: options.withDefaults });
  return new Acceptor(new WebAssembly.Module(code.bytes), code.kinds, memory, options);
}
