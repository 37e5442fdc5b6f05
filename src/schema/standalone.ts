/**
 * Compiled kinds as the text of a script, for the build: Ajv's own code, but for the schemas, which it is given again when it is
 * loaded. So each error still names the subschema that it comes from.
 */
import { _ } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { createExamineAjv } from './compile.ts';
import type { SchemaSet } from './load.ts';
import { readyNames } from './ready.ts';

/** A CommonJS module that exports a `ReadyScript`. Throws SchemaError for a schema that does not compile. */
export async function kindsAsScript(set: SchemaSet): Promise<string> {
  const ajv = await createExamineAjv(set, { code: { source: true } });
  const uris: Record<string, string> = {};
  for (const { name, uri, test } of set.kinds) {
    const names = readyNames(name);
    uris[names.validate] = uri;
    if (test !== null) uris[names.test] = test.uri;
  }
  const { scope } = ajv;
  const define = scope.value.bind(scope);
  scope.value = (prefix, value) =>
    define(prefix, prefix === 'schema' ? { ...value, code: _`at(${placeOf(value.ref, set)})` } : value);
  const code = standalone.default(ajv, uris);
  return `'use strict';\nmodule.exports = (at) => {\nconst exports = {};\n${code}\nreturn exports;\n};\n`;
}

function placeOf(schema: unknown, { locations }: SchemaSet): string {
  const place = locations.get(schema as object); // whatever it is, it is in the map or not
  if (place === undefined)
    throw new Error(`Ajv refers to a schema that is in no file: ${JSON.stringify(schema)}`);
  return place;
}
