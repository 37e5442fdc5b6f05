/**
 * What decides the kind of a payload, by the tests of the entry schema.
 */

import { exactValue } from './exact.ts';
import { isNode, type Schema, type SchemaNode } from './node.ts';
import type { Kind } from './set.ts';

/** The kinds that can be detected. */
export function detectedKinds(kinds: readonly Kind[]): readonly Kind[] {
  return kinds.filter(({ test }) => test !== false);
}

/**
 * The members that the tests look at, with the values that decide a kind; an empty list: the member only has to be
 * present. `valuesOf`: the values of `const` or `enum` of a node.
 */
export function lookedAt(
  kinds: readonly Kind[],
  valuesOf: ValuesOf = doublesOf,
): ReadonlyMap<string, readonly unknown[]> {
  const members = new Map<string, unknown[]>();
  for (const kind of kinds) {
    for (const [name, values] of membersOf(kind.test ?? true, valuesOf)) {
      members.set(name, [...(members.get(name) ?? []), ...values]);
    }
  }
  return members;
}

/** The members with values. In a payload of no kind, such a member has none of these values. */
export function decidingMembers(kinds: readonly Kind[]): string[] {
  return [...lookedAt(kinds)].filter(([, values]) => values.length > 0).map(([name]) => name);
}

type ValuesOf = (node: SchemaNode) => readonly unknown[];

function doublesOf(node: SchemaNode): readonly unknown[] {
  return node.enum ?? ('const' in node ? [node.const] : []);
}

/** Numbers that a double cannot hold are `Decimal`s. */
export function exactValuesOf(node: SchemaNode): readonly unknown[] {
  if (node.enum !== undefined) return exactValue(node, 'enum') as readonly unknown[]; // a list in the file
  return 'const' in node ? [exactValue(node, 'const')] : [];
}

/** The members that a test requires or gives values for. */
function membersOf(test: Schema, valuesOf: ValuesOf): Map<string, readonly unknown[]> {
  const members = new Map<string, readonly unknown[]>();
  if (!isNode(test)) return members;
  for (const [name, schema] of Object.entries(test.properties ?? {}))
    if (isNode(schema)) members.set(name, valuesOf(schema));
  for (const name of test.required ?? []) if (!members.has(name)) members.set(name, []);
  return members;
}
