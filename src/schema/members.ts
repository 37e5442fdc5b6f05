/**
 * Looks things up in schemas without compiling them: the description of a member, and the members with a certain
 * keyword.
 */
import { isSchemaObject, type Kind, type SchemaObject, type SchemaSet } from './load.ts';
import { resolveRef } from './refs.ts';

/** A member (or an element, or the payload itself) as the schemas describe it. */
export interface Member {
  /**
   * From the kind on, as a person would write it: `coverage/subLocation`, with `*` for items; empty for the payload
   * itself.
   */
  readonly path: string;
  readonly schema: SchemaObject;
  /** Whether its object must have it. */
  readonly required: boolean;
}

/** How deep a schema that refers to itself is followed. */
const MAX_DEPTH = 12;

/** The member of `kind` that `tokens` lead to; null if its schema does not describe it. Any index is `*`. */
export function memberAt(set: SchemaSet, kind: Kind, tokens: readonly string[]): Member | null {
  let member = rootOf(set, kind);
  for (const token of tokens) {
    const next =
      member === null ? undefined : childrenOf(set, member).find(({ path }) => isStep(path, token));
    if (next === undefined) return null;
    member = next;
  }
  return member;
}

/** Every member of `kind`, parents before children, in the schema's order; the payload itself first. */
export function allMembers(set: SchemaSet, kind: Kind): Member[] {
  const root = rootOf(set, kind);
  const members: Member[] = [];
  const visit = (member: Member, depth: number): void => {
    members.push(member);
    if (depth < MAX_DEPTH) for (const child of childrenOf(set, member)) visit(child, depth + 1);
  };
  if (root !== null) visit(root, 0);
  return members;
}

function rootOf(set: SchemaSet, kind: Kind): Member | null {
  if (!isSchemaObject(kind.schema)) return null;
  return { path: '', schema: followRefs(set, kind.schema), required: true };
}

/** What is directly inside `member`: its members, or its elements as one child called `*`. */
export function childrenOf(set: SchemaSet, { path, schema }: Member): Member[] {
  const prefix = path === '' ? '' : `${path}/`;
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const children: Member[] = [];
  if (isSchemaObject(schema.properties)) {
    for (const [name, child] of Object.entries(schema.properties)) {
      const described = isSchemaObject(child) ? followRefs(set, child) : {};
      children.push({ path: prefix + name, schema: described, required: required.includes(name) });
    }
  }
  if (isSchemaObject(schema.items)) {
    children.push({ path: `${prefix}*`, schema: followRefs(set, schema.items), required: false });
  }
  return children;
}

function isStep(path: string, token: string): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last === token || (last === '*' && /^\d+$/.test(token));
}

/** The schema that a `$ref` leads to, with the keywords beside the `$ref` added. */
function followRefs(set: SchemaSet, schema: SchemaObject): SchemaObject {
  let result = schema;
  for (let hops = 0; typeof schema.$ref === 'string' && hops < MAX_DEPTH; hops++) {
    const target = resolveRef(set, schema);
    if (!isSchemaObject(target)) break;
    const { $ref: _, ...beside } = result;
    schema = target;
    // A mere reference gives the target object itself, whose place is known.
    result = Object.keys(beside).length === 0 ? target : { ...target, ...beside };
  }
  return result;
}

/** The values of members by which the entry schema detects a kind. */
export function valuesOf({ test }: Kind): unknown[] {
  if (test === null || !isSchemaObject(test.schema) || !isSchemaObject(test.schema.properties)) return [];
  return Object.values(test.schema.properties).flatMap((member) => {
    if (!isSchemaObject(member)) return [];
    return Array.isArray(member.enum) ? member.enum : [member.const];
  });
}
