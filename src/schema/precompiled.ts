/**
 * What Ajv made of the bundled schemas when the package was built: its own functions, as a script that waits for the schemas. To load
 * and link it takes a few milliseconds; to load Ajv and have it compile takes a hundred.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CompiledKind, ValidateFunction } from './compile.ts';
import { FUNCTIONS } from './keyword-functions.ts';
import { atPointer, type SchemaSet } from './load.ts';

/**
 * What the script exports: given the subschema at a place (`content-item.schema.json#/properties/minAge`) and what the code of our
 * keywords calls, the functions by name.
 */
export type ReadyScript = (
  at: (place: string) => unknown,
  functions: typeof FUNCTIONS,
) => Readonly<Record<string, ValidateFunction | undefined>>;

/** The names under which the script has the functions of a kind. */
export function readyNames(kind: string): { readonly test: string; readonly validate: string } {
  return { test: `${kind}?`, validate: kind };
}

/**
 * The kinds of `set`, which must be the set that the script at `path` (absolute) was made of; null where there is no such file, as
 * where the package has not been built.
 */
export function linkKinds(set: SchemaSet, path: string): CompiledKind[] | null {
  if (!existsSync(path)) return null;
  const link = createRequire(path)(path) as ReadyScript; // our own file
  const functions = link((place) => {
    const [name, pointer] = place.split('#', 2);
    return atPointer(set.documents.find((document) => document.name === name)?.schema, pointer!);
  }, FUNCTIONS);
  return set.kinds.map((kind) => {
    const { test, validate } = readyNames(kind.name);
    return { kind, set, test: functions[test] ?? null, validate: functions[validate]! }; // it was made of the same kinds
  });
}
