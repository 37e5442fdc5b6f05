/**
 * Which members or items of a value the keywords of a schema evaluate: the annotations of JSON Schema, which
 * `unevaluatedProperties` and `unevaluatedItems` need. They are collected only when one of these two is judged, so
 * other schemas have no extra cost.
 *
 * Subschemas that always apply to the value itself count even if they fail: then the value is invalid anyway. Those of
 * `anyOf`, `oneOf`, `if` and `contains` count if the value matches them.
 */
import type { JsonObject } from '../../json/value.ts';
import { isNode, type Schema, type SchemaNode } from '../../schema/node.ts';
import type { Step, StepContext } from './walk.ts';

type Key = string | number;

/** A set of names or indexes, or one that contains all of them. */
interface Keys {
  has(key: Key): boolean;
}
const ALL: Keys = { has: () => true };

/** The names or indexes in `value` that are evaluated by the keywords of the node, but for `unevaluated…`. */
export function evaluatedIn(making: StepContext, value: JsonObject | readonly unknown[]): Keys {
  const { walk, stepOf } = making;
  const keys = new Set<Key>();
  const seen = new Set([making.node]);
  let isAll = false;
  // Once all are evaluated, nothing is added anyway.
  const matches = (schema: Schema): boolean => !isAll && walk.test(stepOf(schema, ''), value);
  const collect = (schema: Schema | undefined): void => {
    if (!isNode(schema) || isAll || seen.has(schema)) return;
    seen.add(schema);
    const { unevaluatedProperties, unevaluatedItems } = schema;
    if ((isList(value) ? unevaluatedItems : unevaluatedProperties) !== undefined) isAll = true;
    else collectBeside(schema);
  };
  const collectBeside = (node: SchemaNode): void => {
    walk.count(node);
    const own = isList(value) ? itemsOf(node, value, making) : membersOf(node, value, making);
    if (own === null) isAll = true;
    else for (const key of own) keys.add(key);
    for (const [name, schema] of Object.entries(node.dependentSchemas ?? {}))
      if (Object.hasOwn(value, name)) collect(schema);
    for (const schema of [...(node.$ref ?? []), ...(node.allOf ?? [])]) collect(schema);
    for (const schema of [...(node.anyOf ?? []), ...(node.oneOf ?? [])])
      if (isNode(schema) && matches(schema)) collect(schema);
    if (node.if === undefined) return;
    for (const schema of matches(node.if) ? [node.if, node.then] : [node.else]) collect(schema);
  };
  collectBeside(making.node);
  return isAll ? ALL : keys;
}

function isList(value: JsonObject | readonly unknown[]): value is readonly unknown[] {
  return Array.isArray(value);
}

/** What the keywords of a node that lead to members evaluate; null: all. */
function membersOf(node: SchemaNode, object: JsonObject, { pattern }: StepContext): Iterable<Key> | null {
  const { properties = {}, patternProperties = {}, additionalProperties } = node;
  if (additionalProperties !== undefined) return null;
  const patterns = Object.keys(patternProperties).map(pattern);
  return Object.keys(object).filter(
    (name) => Object.hasOwn(properties, name) || patterns.some((matches) => matches(name)),
  );
}

function itemsOf(node: SchemaNode, array: readonly unknown[], { walk, stepOf }: StepContext): Iterable<Key> | null {
  const { prefixItems = [], items, contains, containsIsSilent = false } = node;
  if (items !== undefined) return null;
  const indexes = [...prefixItems.keys()];
  if (contains === undefined || containsIsSilent) return indexes;
  const step = stepOf(contains, '');
  const isMatch: Step = (item) => walk.test(step, item);
  return [...indexes, ...[...array.keys()].filter((i) => walk.visit(isMatch, i, array[i]))];
}
