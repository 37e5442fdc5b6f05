/**
 * The guards' functions as the text of a module, for the build: Ajv's own code without the schemas.
 */
import { type Ajv, stringify } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { namesOf, verdictAjv } from '../src/library/verdict-ajv.ts';
import type { LoadedSchemas } from '../src/schema/load.ts';

/** An ES module to replace `src/library/verdicts.ts`: it has the same exports, and imports Ajv's runtime alone. */
export function verdictsAsModule(set: LoadedSchemas): string {
  const ajv = verdictAjv(set, { code: { source: true, esm: true } });
  writeSchemas(ajv);
  const names: Record<string, string> = {};
  const rows = set.kinds.map((kind, i) => {
    const { validate, test } = namesOf(kind);
    names[`validate${i}OfKinds`] = validate;
    if (test !== null) names[`test${i}OfKinds`] = test;
    const recognise = test === null ? '() => true' : `test${i}OfKinds`;
    return `{ name: ${JSON.stringify(kind.name)}, test: ${recognise}, validate: validate${i}OfKinds },`;
  });
  return `${standalone.default(ajv, names)}\nexport const VERDICTS = [\n${rows.join('\n')}\n];\n`;
}

/** Makes Ajv write its schemas, which its code refers to in errors, without what verdicts do not need. */
function writeSchemas({ scope }: Ajv): void {
  const define = scope.value.bind(scope);
  scope.value = (prefix, value) => {
    const isSchema = prefix === 'schema';
    return define(prefix, isSchema ? { ...value, code: stringify(literalsOf(value.ref) ?? {}) } : value);
  };
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
