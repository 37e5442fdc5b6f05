/**
 * Compiles the bundled door, for the build to put what comes of it beside the bundle.
 */
import { KINDS_SECTION } from '../src/accept/acceptor.ts';
import { compileAccept } from '../src/accept/module.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { kindsAsScript } from '../src/schema/standalone.ts';
import { encode } from '../src/wasm/assembler.ts';

/**
 * The content of `dist/payload.wasm`, as `readAccept` reads it, and of `dist/payload.kinds.cjs`, as `linkKinds` does, before its packages
 * are bundled. `door`: absolute path of the bundled door.
 */
export async function precompile(door: string): Promise<{ accept: Uint8Array; kinds: string }> {
  const set = loadSchemas(door);
  const { module, kinds } = compileAccept(set, { forced: null, defaults: null });
  return {
    accept: encode({ ...module, note: { name: KINDS_SECTION, text: JSON.stringify(kinds) } }),
    kinds: await kindsAsScript(set),
  };
}
