/**
 * Ajv's functions for the bundled schemas, made when the package was built, as a script that takes the schemas. To load
 * and link it takes a few milliseconds; to load Ajv and compile takes a hundred.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { atPointer } from '../json/pointer.ts';
import type { CompiledKind, ValidateFunction } from './compile.ts';
import { FUNCTIONS } from './keyword-functions.ts';
import { legacyOf, type SchemaSet } from './load.ts';

/**
 * The export of the script. It takes the subschema at a place (`content-item.schema.json#/properties/minAge`) and the
 * functions that the code of our keywords calls. It gives the functions by name.
 */
export type KindsScript = (
  at: (place: string) => unknown,
  functions: typeof FUNCTIONS,
) => Readonly<Record<string, ValidateFunction | undefined>>;

/** The names of a kind's functions in the script. */
export function functionNames(kind: string): { readonly test: string; readonly validate: string } {
  return { test: `${kind}?`, validate: kind };
}

/**
 * The kinds of `set`, which must be the set that the script at `path` (absolute) was made from; null if there is no
 * such file, as before the package is built.
 */
export function linkKinds(set: SchemaSet, path: string): CompiledKind[] | null {
  if (!existsSync(path)) return null;
  const link = createRequire(path)(path) as KindsScript; // our own file
  const functions = link((place) => {
    const [name, pointer] = place.split('#', 2);
    return atPointer(legacyOf(set).documents.find((document) => document.name === name)?.schema, pointer!);
  }, FUNCTIONS);
  return set.kinds.map((kind) => {
    const { test, validate } = functionNames(kind.name);
    return { kind, set, test: functions[test] ?? null, validate: functions[validate]! }; // made from the same kinds
  });
}
