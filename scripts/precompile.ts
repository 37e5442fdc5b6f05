/**
 * Compiles the bundled door's accept functions, for the build to put beside the bundle.
 */
import { KINDS_SECTION } from '../src/accept/acceptor.ts';
import { compileAccept } from '../src/accept/module.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { encode } from '../src/wasm/assembler.ts';

/** The content of `dist/payload.wasm`, as `readAccept` reads it. `door`: absolute path of the bundled door. */
export function precompile(door: string): Uint8Array {
  const { module, kinds } = compileAccept(loadSchemas(door), { forced: null, defaults: null });
  return encode({ ...module, note: { name: KINDS_SECTION, text: JSON.stringify(kinds) } });
}
