/**
 * Compiles schemas to modules over bytes: one that accepts payloads, one that also notes violations, and one for payloads
 * that must only be well-formed. Loaded only by runs for which the build has not made them.
 */
import { Unsupported } from '../keywords/keyword-code.ts';
import { defaultTexts } from '../repair/insertion.ts';
import type { DefaultMap } from '../repair/wanted-defaults.ts';
import type { SchemaSet } from '../schema/set.ts';
import { encode, isTooLarge } from '../wasm/encode.ts';
import { AROUND, type Layout } from '../wasm/layout.ts';
import type { AcceptCode, NotingCode } from './compile/code.ts';
import { type AcceptModule, compileAccept } from './compile/module.ts';
import { wellFormedModule } from './compile/well-formed.ts';
import { OverTime, type RunWithinLimit, unlimited } from './time-limit.ts';

/**
 * Accept functions for payloads of the kind `givenKind`, or (null) of any kind. If the code is too large for V8, or takes
 * too long to make, every payload is unsure.
 */
export function compileAcceptCode(
  schemas: SchemaSet,
  givenKind: string | null,
  defaults: DefaultMap | null,
  within: RunWithinLimit = unlimited,
): AcceptCode {
  const texts = defaults === null ? null : defaultTexts(defaults);
  try {
    return within(() => runnable(compileAccept(schemas, { givenKind, defaults: texts })));
  } catch (error) {
    if (!isTooLarge(error) && !(error instanceof OverTime)) throw error;
    return unsureCode(schemas);
  }
}

/** Functions for which every payload is unsure. */
export function unsureCode(schemas: SchemaSet): AcceptCode {
  return runnable(compileAccept({ ...schemas, kinds: [] }, { givenKind: null, defaults: null }));
}

function runnable({ module, reasons: _, unsure: __, ...others }: AcceptModule): AcceptCode {
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

export function compileJson(layout: Layout): AcceptCode {
  return runnable(wellFormedModule(AROUND[layout]));
}

/** Code that also notes violations. Null if the schemas do not allow that, or it takes too long. `givenKind`: see `Engine`. */
export function compileNotingCode(
  set: SchemaSet,
  givenKind: string | null,
  within: RunWithinLimit = unlimited,
): NotingCode | null {
  try {
    const options = { givenKind, defaults: null, notes: true };
    return within(() => runnable(compileAccept(set, options))) as NotingCode; // it was asked for
  } catch (error) {
    if (error instanceof Unsupported || error instanceof OverTime || isTooLarge(error)) return null;
    throw error;
  }
}
