/**
 * Finds what schemas contain for a place in a payload, without validating it: all schemas that may apply there, in any
 * alternative, and the smallest value that they describe.
 */
import { jsonEqual } from '../json/value.ts';
import { sizeKeywords } from '../schema/dialect.ts';
import { exactValue } from '../schema/exact.ts';
import { IN_PLACE, linksOf } from '../schema/facts.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';

/** Deeper objects of the smallest value are empty. */
const MAX_DEPTH = 8;

/** The schemas and all others that apply to the same value, perhaps only in one alternative. */
export function inPlace(schemas: readonly Schema[]): SchemaNode[] {
  const found = new Set<SchemaNode>();
  const visit = (node: SchemaNode): void => {
    if (found.has(node)) return;
    found.add(node);
    for (const next of linksOf(node, APPLIED)) visit(next);
  };
  for (const schema of schemas) if (isNode(schema)) visit(schema);
  return [...found];
}

/** What only decides whether others apply is not meant to be fulfilled. */
const APPLIED = IN_PLACE.filter((keyword) => keyword !== 'if');

/** The schemas for what is at `path` in a value of `schema`. */
export function schemasAt(schema: Schema, path: readonly (string | number)[]): SchemaNode[] {
  let nodes = inPlace([schema]);
  for (const step of path) nodes = inPlace(nodes.flatMap((node) => childrenAt(node, step)));
  return nodes;
}

function childrenAt(
  { properties = {}, additionalProperties, prefixItems = [], items }: SchemaNode,
  step: string | number,
): Schema[] {
  if (typeof step === 'number') {
    const item = prefixItems[step] ?? items;
    return item === undefined ? [] : [item];
  }
  if (Object.hasOwn(properties, step)) return [properties[step]!];
  return additionalProperties === undefined ? [] : [additionalProperties];
}

/** Values that the schemas name, the most probable first, each once. */
export function namedValues(nodes: readonly SchemaNode[]): unknown[] {
  const all = [
    ...nodes.flatMap((node) => ('default' in node ? [exactValue(node, 'default')] : [])),
    ...nodes.flatMap((node) => ('const' in node ? [exactValue(node, 'const')] : [])),
    ...nodes.flatMap((node) => (exactValue(node, 'enum') ?? []) as readonly unknown[]), // a list in the file
    ...nodes.flatMap(({ examples }) => (Array.isArray(examples) ? (examples as unknown[]) : [])),
  ];
  return all.filter((value, i) => all.findIndex((other) => jsonEqual(other, value)) === i);
}

/** The types that the schemas allow; empty: they do not restrict it. */
export function typesOf(nodes: readonly SchemaNode[]): ReadonlySet<string> {
  return new Set(nodes.flatMap(({ type = [] }) => type));
}

/** A value with as few members as the schemas require. It may be invalid: not all keywords are considered. */
export function smallestValue(schemas: readonly Schema[], depth = 0): unknown {
  const nodes = inPlace(schemas);
  const types = typesOf(nodes);
  const isObject = types.has('object') || nodes.some(({ required = [] }) => required.length > 0);
  const [named] = namedValues(nodes);
  if (named !== undefined && !isObject) return named;
  if (isObject) return smallestObject(nodes, depth);
  if (types.has('array')) return smallestArray(nodes, depth);
  if (types.has('number') || types.has('integer'))
    return Math.max(0, ...nodes.map(({ minimum = 0 }) => Math.ceil(minimum)));
  if (types.has('boolean')) return false;
  if (types.has('null')) return null;
  const { least } = sizeKeywords('string');
  return 'x'.repeat(Math.max(0, ...nodes.map((node) => node[least] ?? 0)));
}

function smallestObject(nodes: readonly SchemaNode[], depth: number): Record<string, unknown> {
  const required = new Set(depth < MAX_DEPTH ? nodes.flatMap((node) => node.required ?? []) : []);
  return Object.fromEntries(
    [...required].map((name) => {
      const children = nodes.flatMap((node) => childrenAt(node, name));
      return [name, smallestValue(children, depth + 1)];
    }),
  );
}

function smallestArray(nodes: readonly SchemaNode[], depth: number): unknown[] {
  const length = Math.max(0, ...nodes.map(({ minItems = 0 }) => minItems));
  if (depth >= MAX_DEPTH || length > 10) return [];
  return Array.from({ length }, (_, i) =>
    smallestValue(
      nodes.flatMap((node) => childrenAt(node, i)),
      depth + 1,
    ),
  );
}
