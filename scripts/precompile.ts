/**
 * Compiles the bundled entry schema. The build puts the results into the library and beside the command's bundle.
 */
import { KINDS_SECTION } from '../src/accept/acceptor.ts';
import { compileAccept } from '../src/accept/module.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { kindsAsScript, verdictsAsModule } from '../src/schema/standalone.ts';
import { encode } from '../src/wasm/assembler.ts';

export interface Precompiled {
  /** The content of `dist/payload.wasm`, for `readAccept`. */
  readonly accept: Uint8Array;
  /** The content of `dist/payload.kinds.cjs`, for `linkKinds`, before its packages are bundled. */
  readonly kinds: string;
  /** The library's replacement for `src/library/verdicts.ts`. */
  readonly verdicts: string;
}

/** `entry`: absolute path of the bundled entry schema. Throws SchemaError. */
export async function precompile(entry: string): Promise<Precompiled> {
  const set = loadSchemas(entry);
  const { module, kinds } = compileAccept(set, { forced: null, defaults: null });
  return {
    accept: encode({ ...module, note: { name: KINDS_SECTION, text: JSON.stringify(kinds) } }),
    kinds: await kindsAsScript(set),
    verdicts: await verdictsAsModule(set),
  };
}
