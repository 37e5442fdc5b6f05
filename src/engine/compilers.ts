/**
 * Compiles schemas to modules over bytes: one that accepts payloads, one that also notes violations, and one for payloads
 * that must only be well-formed. Loaded only by runs for which the build has not made them.
 */

import { defaultTexts } from '../fill/insertion.ts';
import type { DefaultMap } from '../fill/wanted-defaults.ts';
import { Unsupported } from '../keywords/keyword-code.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { AcceptCode, NotingCode } from './compile/code.ts';
import { type AcceptOptions, compileAccept } from './compile/module.ts';
import { wellFormedModule } from './compile/well-formed.ts';
import { OverTime, type RunWithinLimit, unlimited } from './time-limit.ts';
import { encode, isTooLarge } from './wasm/encode.ts';
import { AROUND, type Layout } from './wasm/layout.ts';

/** Accept functions for payloads of the kind `givenKind`, or (null) of any kind. `defaults`: see `EngineOptions`. */
export function compileAcceptCode(
  schemas: SchemaSet,
  givenKind: string | null,
  defaults: DefaultMap | null,
  within: RunWithinLimit = unlimited,
): AcceptCode {
  const texts = defaults === null ? null : defaultTexts(defaults);
  return compiled(schemas, { givenKind, defaults: texts }, within);
}

/** If the code is too large for V8, or takes too long to make, every payload is unsure. */
function compiled(schemas: SchemaSet, options: AcceptOptions, within: RunWithinLimit): AcceptCode {
  try {
    return within(() => compiledAll(schemas, options));
  } catch (error) {
    if (!isTooLarge(error) && !(error instanceof OverTime)) throw error;
    return compiledAll(schemas, { ...options, givenKind: null, only: NO_KIND });
  }
}

/** Functions for which every payload is unsure. */
export function unsureCode(schemas: SchemaSet): AcceptCode {
  return compiledAll(schemas, { givenKind: null, defaults: null, only: NO_KIND });
}

const NO_KIND = '';

function compiledAll(schemas: SchemaSet, options: AcceptOptions): AcceptCode {
  const { module, reasons: _, unsure: __, ...others } = compileAccept(schemas, options);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

export function compileJson(layout: Layout): AcceptCode {
  const { module, reasons: _, unsure: __, ...others } = wellFormedModule(AROUND[layout]);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

/** Code that also notes violations. Null if the schemas do not allow that, or it takes too long. `givenKind`: see `Engines`. */
export function compileNotingCode(
  set: SchemaSet,
  givenKind: string | null,
  within: RunWithinLimit = unlimited,
): NotingCode | null {
  try {
    return within(() => compiledAll(set, { givenKind, defaults: null, notes: true })) as NotingCode; // it was asked for
  } catch (error) {
    if (error instanceof Unsupported || error instanceof OverTime || isTooLarge(error)) return null;
    throw error;
  }
}
