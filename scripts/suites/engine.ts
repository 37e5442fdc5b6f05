/**
 * The parts of paylint that a suite tests by themselves: a schema file to the two engines, and one value to their
 * verdicts. scripts/suites/json-schema-test-suite.js bundles this file, because the oldest supported Node does not run
 * TypeScript.
 */
import { Acceptor } from '../../src/engine/compile/acceptor.ts';
import { compileAccept } from '../../src/engine/compile/module.ts';
import { Examiner } from '../../src/engine/judge/examine.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { ResourceOptions } from '../../src/schema/resources.ts';
import { asserting } from '../../src/schema/set.ts';
import { Window } from '../../src/source/window.ts';
import { encode } from '../../src/wasm/encode.ts';
import { judgedKinds } from '../judged-kinds.ts';

export { SchemaError } from '../../src/errors.ts';
export { locate } from '../../src/json/locate.ts';

export type Verdict = 'valid' | 'invalid';

export interface Checker {
  /** The verdict of the full check. */
  readonly examine: (value: Buffer) => Verdict;
  /** True if the fast engine is sure that the value is valid. */
  readonly accept: (value: Buffer) => boolean;
}

const LIMITS = { maxDepth: 1000, maxBytes: 1 << 20 };

/** Compiles the schema in a file. Rejects with a SchemaError. */
export async function createChecker(
  schemaFile: string,
  options: ResourceOptions,
  { assertsFormats }: { readonly assertsFormats: boolean },
): Promise<Checker> {
  const loaded = loadSchemas(schemaFile, options);
  const set = asserting(loaded, assertsFormats);
  const examiner = new Examiner(await judgedKinds(set), { ...LIMITS, redact: false });
  const window = new Window();
  const { module, ...code } = compileAccept(set, { givenKind: null, defaults: null });
  const acceptor = new Acceptor({ ...code, module: new WebAssembly.Module(encode(module)) }, window.memory, LIMITS);
  return {
    examine(value) {
      const payload = { bytes: value, span: { start: 0, end: value.length }, base: 0, ending: 'text' } as const;
      return examiner.examine(payload, null).findings.length === 0 ? 'valid' : 'invalid';
    },
    accept(value) {
      window.bytes.fill(0);
      window.bytes.set(value);
      return acceptor.read(window, { start: 0, end: value.length }) === 'valid';
    },
  };
}
