/**
 * Where a node of the resolved schema leads, by all of its keywords; and whether nodes lead back to themselves.
 */
import { keywordsOfForm } from './dialect.ts';
import { isNode, type Schema, type SchemaMap, type SchemaNode } from './node.ts';

const LISTS = keywordsOfForm('schemas');
const MAPS = keywordsOfForm('schemas by name', 'schemas by pattern');
const SINGLE = keywordsOfForm('schema');

/** The nodes that a node applies to the value or to what is in it. */
export function linksOf(node: SchemaNode): SchemaNode[] {
  const lists = LISTS.flatMap((keyword): readonly Schema[] => node[keyword] ?? []);
  const maps = MAPS.flatMap((keyword) => Object.values<Schema>(node[keyword] ?? ({} as SchemaMap)));
  return [...lists, ...maps, ...SINGLE.map((keyword) => node[keyword])].filter(isNode);
}

/** The nodes that a node applies, or could apply, to the value itself. */
export function linksInPlace(node: SchemaNode): SchemaNode[] {
  const { $ref = [], allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = node;
  const branches = [node.if, node.then, node.else];
  return [...$ref, ...allOf, ...anyOf, ...oneOf, ...Object.values(dependentSchemas), ...branches].filter(
    isNode,
  );
}

/** Names of `properties` in all schemas that apply, or could apply, to the same object. */
export function namesInPlace(root: SchemaNode): ReadonlySet<string> {
  const nodes = new Set([root]);
  const names = new Set<string>();
  for (const node of nodes) {
    for (const name of Object.keys(node.properties ?? {})) names.add(name);
    for (const inner of linksInPlace(node)) nodes.add(inner);
  }
  return names;
}

/**
 * True if applying the nodes can take more of the stack for deeper payloads: one leads back to itself, or compares
 * items of any depth.
 */
export function isRecursive(nodes: readonly SchemaNode[]): boolean {
  const done = new Set<SchemaNode>();
  const open = new Set<SchemaNode>();
  // With a list of its own, because a chain may be longer than the stack.
  const path: { readonly node: SchemaNode; readonly next: SchemaNode[] }[] = [];
  const enter = (node: SchemaNode): void => {
    open.add(node);
    path.push({ node, next: linksOf(node) });
  };
  for (const root of nodes) {
    if (root.uniqueItems === true) return true;
    if (!done.has(root)) enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.next.pop();
      if (next === undefined) {
        open.delete(top.node);
        done.add(top.node);
        path.pop();
      } else if (open.has(next)) return true;
      else if (!done.has(next)) enter(next);
    }
  }
  return false;
}
