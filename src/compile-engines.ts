/**
 * Schemas to engines: what is loaded only by a run that has to compile something.
 */
import type { AcceptCode } from './accept/acceptor.ts';
import { compileAccept } from './accept/module.ts';
import type { EngineOptions } from './engines.ts';
import { Examiner } from './examine/examine.ts';
import { type DefaultMap, defaultTexts, payloadSpeller } from './fill/defaults.ts';
import { planFills } from './fill/plan.ts';
import { compileFillers, compileKinds } from './schema/compile.ts';
import type { SchemaSet } from './schema/load.ts';
import { encode } from './wasm/assembler.ts';

/** Accept functions for payloads of the kind `forced`, or (null) of any; `defaults` as `EngineOptions` has them. */
export function compileAcceptCode(
  schemas: SchemaSet,
  forced: string | null,
  defaults: DefaultMap | null,
): AcceptCode {
  const texts = defaults === null ? null : defaultTexts(defaults);
  const { module, ...others } = compileAccept(schemas, { forced, defaults: texts });
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

/** Throws SchemaError for a schema that does not compile. */
export async function createExaminer(schemas: SchemaSet, options: EngineOptions): Promise<Examiner> {
  const kinds = await compileKinds(schemas);
  const { defaults } = options;
  if (defaults === null) return new Examiner(kinds, schemas.locations, options);
  const fillers = await compileFillers(schemas);
  const speller = payloadSpeller(schemas, defaults);
  return new Examiner(kinds, schemas.locations, options, {
    fill: (kind, value) => fillers.get(kind)?.(value),
    plan: (bytes, span, before, after) => planFills(bytes, span, before, after, speller),
  });
}
