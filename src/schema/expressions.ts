/**
 * The regular expressions of schemas. A wrong one is refused when the schema is loaded, whatever depends on it: Ajv does
 * not look at the expression of a subschema that accepts everything.
 */
import { SchemaError } from '../errors.ts';
import { escapeToken } from '../json/pointer.ts';
import { regExpFault } from './regexp.ts';
import { isSchemaObject, type SchemaObject } from './subschemas.ts';

/** Throws SchemaError for the first `pattern`, or name in `patternProperties`, that is not a regular expression. */
export function refuseWrongExpressions(locations: ReadonlyMap<object, string>): void {
  for (const [schema, place] of locations) {
    const { pattern, patternProperties } = schema as SchemaObject; // the keys are subschemas
    if (typeof pattern === 'string') refuse(pattern, `${place}/pattern`);
    if (!isSchemaObject(patternProperties)) continue;
    for (const name of Object.keys(patternProperties))
      refuse(name, `${place}/patternProperties/${escapeToken(name)}`);
  }
}

function refuse(expression: string, place: string): void {
  const fault = regExpFault(expression);
  if (fault !== null) throw new SchemaError(`${place}: ${fault}`);
}
