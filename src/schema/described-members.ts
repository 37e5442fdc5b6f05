/** Members as the schemas describe them, for people: one by its path, or all of a kind. */
import { isNode, madeSchema, type Schema, type SchemaNode } from './node.ts';
import type { Kind } from './set.ts';

/** A member (or an element, or the payload itself) as the schemas describe it. */
export interface Member {
  /** As a person would write it: `coverage/subLocation`, with `*` for items; empty for the payload itself. */
  readonly path: string;
  readonly schema: SchemaNode;
  /** The node and the targets of its references, from which `schema` is made. */
  readonly stated: readonly SchemaNode[];
  readonly required: boolean;
}

/** How deep a schema that refers to itself is followed. */
const MAX_DEPTH = 12;

/** The member of `kind` that `tokens` lead to; null if its schema does not describe it. Any index is `*`. */
export function memberAt(kind: Kind, tokens: readonly string[]): Member | null {
  let member = rootOf(kind);
  for (const token of tokens) {
    const next = member === null ? undefined : childrenOf(member).find(({ path }) => isStep(path, token));
    if (next === undefined) return null;
    member = next;
  }
  return member;
}

/** Every member of `kind`, parents before children, in the schema's order; the payload itself first. */
export function allMembers(kind: Kind): Member[] {
  const root = rootOf(kind);
  const members: Member[] = [];
  const visit = (member: Member, depth: number): void => {
    members.push(member);
    if (depth < MAX_DEPTH) for (const child of childrenOf(member)) visit(child, depth + 1);
  };
  if (root !== null) visit(root, 0);
  return members;
}

function rootOf({ schema }: Kind): Member | null {
  return isNode(schema) ? { path: '', ...described(schema), required: true } : null;
}

/** What is directly inside `member`: its members, or its elements as one child called `*`. */
export function childrenOf({ path, schema }: Member): Member[] {
  const prefix = path === '' ? '' : `${path}/`;
  const { required = [], properties = {}, items } = schema;
  const children = Object.entries(properties).map(
    ([name, child]): Member => ({ path: prefix + name, ...described(child), required: required.includes(name) }),
  );
  if (isNode(items)) children.push({ path: `${prefix}*`, ...described(items), required: false });
  return children;
}

function isStep(path: string, token: string): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last === token || (last === '*' && /^\d+$/.test(token));
}

/** What a schema states about a value, with what its `$ref` leads to. `true` and `false` state nothing. */
function described(first: Schema): Pick<Member, 'schema' | 'stated'> {
  if (!isNode(first)) return { schema: madeSchema({}), stated: [] };
  const stated = [first];
  let schema = first;
  for (let next = first.$ref?.[0]; isNode(next) && stated.length < MAX_DEPTH; next = next.$ref?.[0]) {
    const { $ref: _, id: __, origin: ___, ...beside } = schema;
    stated.push(next);
    // A `$ref` without other keywords gives the target itself, whose place is known.
    schema = Object.keys(beside).length === 0 ? next : { ...next, ...beside };
  }
  return { schema, stated };
}
