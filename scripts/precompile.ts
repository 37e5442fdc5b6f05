/**
 * Compiles the bundled door's accept functions, for the build to put beside the bundle.
 */
import { acceptFile } from '../src/accept/code.ts';
import { loadSchemas } from '../src/schema/load.ts';

/** The content of `dist/payload.wasm`. `door`: absolute path of the bundled door. */
export function precompile(door: string): Uint8Array {
  return acceptFile(loadSchemas(door));
}
