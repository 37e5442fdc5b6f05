/**
 * Compiles the bundled door, for the build to put what comes of it into the library and beside the command's bundle.
 */
import { KINDS_SECTION } from '../src/accept/acceptor.ts';
import { compileAccept } from '../src/accept/module.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { kindsAsScript, verdictsAsModule } from '../src/schema/standalone.ts';
import { encode } from '../src/wasm/assembler.ts';

export interface Precompiled {
  /** The content of `dist/payload.wasm`, as `readAccept` reads it. */
  readonly accept: Uint8Array;
  /** That of `dist/payload.kinds.cjs`, as `linkKinds` reads it, before its packages are bundled. */
  readonly kinds: string;
  /** What the library has in place of `src/library/verdicts.ts`. */
  readonly verdicts: string;
}

/** `door`: absolute path of the bundled door. Throws SchemaError. */
export async function precompile(door: string): Promise<Precompiled> {
  const set = loadSchemas(door);
  const { module, kinds } = compileAccept(set, { forced: null, defaults: null });
  return {
    accept: encode({ ...module, note: { name: KINDS_SECTION, text: JSON.stringify(kinds) } }),
    kinds: await kindsAsScript(set),
    verdicts: await verdictsAsModule(set),
  };
}
