/**
 * Finds schemas that can never be applied, because they lead back to themselves for the same value, such as `{"$ref":
 * "#"}`. A schema that refers to itself for a member or an item is recursive, which is allowed. If a condition must
 * hold on the way back, the schema is refused only when a payload reaches it. The same is true of a schema that only
 * some payloads reach, unless references alone lead back.
 */
import { SchemaError } from '../errors.ts';
import { linksOf } from './facts.ts';
import type { SchemaNode } from './node.ts';

/** Longest chain of schemas for the same value. */
const MAX_HOPS = 500;

/**
 * Throws SchemaError for a node that leads back to itself whatever the value is, or through too many others. From each
 * of `nodes`, only references are followed; from `roots`, all keywords that apply to every payload.
 */
export function refuseEndless(roots: readonly SchemaNode[], nodes: readonly SchemaNode[]): void {
  measureAll(roots, appliedAlways);
  const referring = nodes.filter(({ $ref }) => $ref !== undefined);
  measureAll(referring, (node) => linksOf(node, ['$ref']));
}

/** The nodes that a node applies to the value itself. */
type Next = (node: SchemaNode) => SchemaNode[];

function measureAll(nodes: readonly SchemaNode[], nextOf: Next): void {
  /** By node: the longest chain from it; 0 while that is not known. */
  const lengths = new Map<SchemaNode, number>();
  for (const node of nodes) measure(node, nextOf, lengths);
}

/** Visits the nodes with an explicit list, because a chain may be longer than the stack. */
function measure(root: SchemaNode, nextOf: Next, lengths: Map<SchemaNode, number>): void {
  const path: { readonly node: SchemaNode; readonly next: SchemaNode[]; longest: number }[] = [];
  const enter = (node: SchemaNode): void => {
    lengths.set(node, 0);
    path.push({ node, next: nextOf(node), longest: 0 });
  };
  if (!lengths.has(root)) enter(root);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const next = top.next.pop();
    if (next === undefined) {
      const length = top.longest + 1;
      if (length > MAX_HOPS)
        throw new SchemaError(
          `${top.node.origin.place}: more than ${MAX_HOPS} references follow one another`,
        );
      lengths.set(top.node, length);
      path.pop();
      const outer = path.at(-1);
      if (outer !== undefined) outer.longest = Math.max(outer.longest, length);
      continue;
    }
    const known = lengths.get(next);
    if (known === 0) throw new SchemaError(`${next.origin.place}: refers to itself without end`);
    if (known === undefined) enter(next);
    else top.longest = Math.max(top.longest, known);
  }
}

/** The nodes that a node applies whatever the value is. */
function appliedAlways(node: SchemaNode): SchemaNode[] {
  return linksOf(node, ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if']);
}
