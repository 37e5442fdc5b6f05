/**
 * Compiled kinds as the text of a script, for the build. For examining: Ajv's own code without the schemas, which the
 * script is given when it is loaded, so that each error refers to the same subschema objects. For verdicts: Ajv's own
 * code without schemas.
 */
import { _, type Ajv, type Code, stringify } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { createExamineAjv, createVerdictAjv, withErrorsOfContext } from './compile.ts';
import type { LegacySet as SchemaSet } from './legacy.ts';
import { functionNames } from './precompiled.ts';

/** A CommonJS module that exports a `ReadyScript`. Throws SchemaError for a schema that does not compile. */
export async function kindsAsScript(set: SchemaSet): Promise<string> {
  const ajv = await createExamineAjv(set, { code: { source: true } });
  const uris: Record<string, string> = {};
  for (const { name, uri, test } of set.kinds) {
    const names = functionNames(name);
    uris[names.validate] = uri;
    if (test !== null) uris[names.test] = test.uri;
  }
  writeSchemas(ajv, (schema) => _`at(${placeOf(schema, set)})`);
  const code = withErrorsOfContext(standalone.default(ajv, uris));
  return `'use strict';\nmodule.exports = (at, functions) => {\nconst exports = {};\n${code}\nreturn exports;\n};\n`;
}

/**
 * An ES module to replace `src/library/verdicts.ts`: it has the same exports, and imports Ajv's runtime alone. Throws
 * SchemaError for a schema that does not compile.
 */
export async function verdictsAsModule(set: SchemaSet): Promise<string> {
  const ajv = await createVerdictAjv(set, { code: { source: true, esm: true } });
  writeSchemas(ajv, (schema) => stringify(literalsOf(schema) ?? {}));
  const uris: Record<string, string> = {};
  const rows = set.kinds.map(({ name, uri, test }, i) => {
    uris[`validate${i}OfKinds`] = uri;
    if (test !== null) uris[`test${i}OfKinds`] = test.uri;
    const recognise = test === null ? '() => true' : `test${i}OfKinds`;
    return `{ name: ${JSON.stringify(name)}, test: ${recognise}, validate: validate${i}OfKinds },`;
  });
  return `${standalone.default(ajv, uris)}\nexport const VERDICTS = [\n${rows.join('\n')}\n];\n`;
}

/** Makes Ajv write its schemas, which its code refers to in errors, as the code given by `code`. */
function writeSchemas({ scope }: Ajv, code: (schema: unknown) => Code): void {
  const define = scope.value.bind(scope);
  scope.value = (prefix, value) =>
    define(prefix, prefix === 'schema' ? { ...value, code: code(value.ref) } : value);
}

/**
 * The parts of a schema that the code for verdicts refers to: allowed values, at their places. Undefined if there are
 * none.
 */
function literalsOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const inner = Object.entries(schema).map(([key, value]) => {
    return [key, key === 'enum' || key === 'const' ? value : literalsOf(value)] as const;
  });
  const kept = inner.filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function placeOf(schema: unknown, { locations }: SchemaSet): string {
  const place = locations.get(schema as object); // any value: the map has it or not
  if (place === undefined)
    throw new Error(`Ajv refers to a schema that is in no file: ${JSON.stringify(schema)}`);
  return place;
}
