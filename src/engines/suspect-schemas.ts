/**
 * Schemas with which a payload may take long to examine.
 */
import { isSchemaObject, type SchemaSet } from '../schema/load.ts';

/** Subschemas that are surely compiled in less than a second. */
const FEW = 1000;

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
/** Keywords that apply a schema to a value to which another one is applied. */
const BRANCHES = [
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'dependencies'],
  ...['contains', 'patternProperties', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems'],
];

/**
 * True if the schemas are many, or if they may be applied to a value more often than once for each level of it: several branches can refer to the
 * same schema.
 */
export function mayTakeLong({ locations }: SchemaSet): boolean {
  if (locations.size > FEW) return true;
  const schemas = [...locations.keys()].filter(isSchemaObject);
  const uses = (names: readonly string[]): boolean =>
    schemas.some((schema) => names.some((name) => Object.hasOwn(schema, name)));
  return uses(REFERENCES) && uses(BRANCHES);
}
