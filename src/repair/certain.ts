/**
 * The schemas that certainly apply to a value, once the conditions are judged: only they fill in members, and only they
 * remove some. Alternatives, `not`, `if`, `contains` and `propertyNames` are not among them.
 */
import { entryOf } from '../json/on-demand.ts';
import { linksOf } from '../schema/facts.ts';
import type { Schema, SchemaNode } from '../schema/node.ts';

const CERTAIN = [
  ...(['$ref', 'then', 'else', 'allOf', 'dependentSchemas', 'properties', 'patternProperties'] as const),
  ...(['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems', 'prefixItems'] as const),
];

/** The schemas that a node applies to the value or to what is in it, not as an alternative nor as a test. */
export function certainIn(node: SchemaNode): SchemaNode[] {
  return linksOf(node, CERTAIN);
}

/** Those of `nodes` that lead to one for which `holds` is true, themselves included. */
export function leadingTo(holds: (node: SchemaNode) => boolean, nodes: readonly SchemaNode[]): Set<Schema> {
  const before = new Map<SchemaNode, SchemaNode[]>();
  for (const node of nodes) for (const next of certainIn(node)) entryOf(before, next, () => []).push(node);
  const found = new Set<SchemaNode>(nodes.filter(holds));
  for (const node of found) for (const one of before.get(node) ?? []) found.add(one);
  return found;
}
