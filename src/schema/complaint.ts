/**
 * Messages for schemas that cannot be used, with the place. Ajv's own messages have no place, or there is none.
 */
import type { ErrorObject } from 'ajv';
import { sentence } from '../keywords/facts.ts';
import { jsonText } from '../words/escape.ts';
import { jsonType } from '../words/found.ts';
import { isSchemaObject, type LegacySet } from './legacy.ts';
import { olderForm } from './near-draft.ts';
import { type AjvError, schemaFacts } from './schema-facts.ts';

/** `/properties/x/type: expected one of …, found "nmber"`: an error of the meta-schema. */
export function metaComplaint(errors: readonly ErrorObject[]): string {
  // The deepest error. The others only repeat it from outside.
  const [error] = [...errors].sort((a, b) => b.instancePath.length - a.instancePath.length);
  if (error === undefined) return ': it does not fit its meta-schema';
  const { instancePath, data } = error;
  const facts = schemaFacts(error as AjvError, data); // of the meta-schemas, which have only these keywords
  const text = jsonText(data);
  const found = { type: jsonType(data), text: text.length > 80 ? `${text.slice(0, 80)}…` : text, size: 0 };
  const keyword = instancePath.slice(instancePath.lastIndexOf('/') + 1);
  return `${instancePath}: ${sentence(facts, found)}${olderForm(keyword, data, false)}`;
}

/** `s.json#/properties/x/pattern: …`: why Ajv could not compile a schema of `set`. Without a place if none is found. */
export function compileComplaint(cause: Error, set: LegacySet): string | null {
  const missing = 'missingRef' in cause && typeof cause.missingRef === 'string' ? cause.missingRef : null;
  for (const [schema, place] of set.locations) {
    if (!isSchemaObject(schema)) continue;
    const { $ref } = schema;
    if (missing !== null && typeof $ref === 'string' && missing.endsWith($ref)) {
      return `${place}/$ref: the $ref "${$ref}" leads to nothing`;
    }
  }
  return null;
}
