/**
 * Compiles schemas to accept functions: loaded only by runs without precompiled ones.
 */
import type { AcceptCode } from '../accept/acceptor.ts';
import { compileAccept } from '../accept/module.ts';
import type { DefaultMap } from '../fill/default-map.ts';
import { defaultTexts } from '../fill/default-texts.ts';
import type { SchemaSet } from '../schema/load.ts';
import { encode } from '../wasm/encode.ts';

/** Accept functions for payloads of the kind `forced`, or (null) of any kind. `defaults`: see `EngineOptions`. */
export function compileAcceptCode(
  schemas: SchemaSet,
  forced: string | null,
  defaults: DefaultMap | null,
): AcceptCode {
  const texts = defaults === null ? null : defaultTexts(defaults);
  const options = { forced, defaults: texts, patternsWait: true };
  const { module, reasons: _, unsure: __, ...others } = compileAccept(schemas, options);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}
