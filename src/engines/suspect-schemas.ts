/**
 * Schemas with which a payload may take long to examine.
 */
import type { SchemaSet } from '../schema/load.ts';
import { keywordValue } from '../schema/node.ts';

/** Nodes of schemas that are surely fast. */
const FEW = 1000;

/** Keywords that apply a schema to a value to which another one is applied. */
const BRANCHES = [
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'contains'],
  ...['patternProperties', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems'],
];

/**
 * True if the schemas are many, or if they may be applied to a value more often than once for each level of it: several branches can refer to the
 * same schema.
 */
export function mayTakeLong({ nodes }: SchemaSet): boolean {
  if (nodes.length > FEW) return true;
  const uses = (names: readonly string[]): boolean =>
    nodes.some((node) => names.some((name) => keywordValue(node, name) !== undefined));
  return uses(['$ref']) && uses(BRANCHES);
}
