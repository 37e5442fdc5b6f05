/**
 * The two engines of a run: *accept*, which is fast and sometimes unsure, and *examine*, which is the truth. Each is made when
 * it is first needed; both can be made again, alike, in another thread.
 */

import { type AcceptCode, Acceptor } from './accept/acceptor.ts';
import { compileAccept } from './accept/module.ts';
import type { Engines } from './check.ts';
import { Examiner } from './examine/examine.ts';
import { compileKinds } from './schema/compile.ts';
import type { SchemaSet } from './schema/load.ts';
import { encode } from './wasm/assembler.ts';

export interface EngineOptions {
  readonly maxDepth: number;
  /** Largest payload, in bytes. */
  readonly maxBytes: number;
  readonly redact: boolean;
  /** Judge payloads as they would be with the schema's defaults filled in. */
  readonly withDefaults: boolean;
}

/** Engines over the bytes in `memory`; `accept` gives the code for payloads of a forced kind, or (null) for any. */
export function createEngines(
  schemas: SchemaSet,
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
      examiner ??= compileKinds(schemas).then((kinds) => new Examiner(kinds, schemas.locations, options));
      return examiner;
    },
  };
}

export type AcceptSource = (forced: string | null) => AcceptCode;

/** Compiles accept functions when they are first asked for, and remembers them. */
export function lazyAccept(schemas: SchemaSet, withDefaults: boolean): AcceptSource {
  const codes = new Map<string | null, AcceptCode>();
  return (forced) => {
    let code = codes.get(forced);
    if (code === undefined) {
      const { module, kinds } = compileAccept(schemas, { forced, withDefaults });
      code = { module: new WebAssembly.Module(encode(module)), kinds };
      codes.set(forced, code);
    }
    return code;
  };
}
