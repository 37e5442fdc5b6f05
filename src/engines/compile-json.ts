/**
 * Makes the accept code for payloads that must only be well-formed, where the build has not made it.
 */
import type { AcceptCode } from '../accept/code.ts';
import { AROUND, type Layout } from '../accept/layout.ts';
import { wellFormedModule } from '../accept/well-formed.ts';
import { encode } from '../wasm/encode.ts';

export function compileJson(layout: Layout): AcceptCode {
  const { module, reasons: _, unsure: __, ...others } = wellFormedModule(AROUND[layout]);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}
