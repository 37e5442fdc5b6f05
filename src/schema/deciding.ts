/**
 * What decides the kind of a payload, by the tests of the entry schema.
 */

import { isNode, oncePer, type Schema, type SchemaNode } from './node.ts';
import type { Kind } from './set.ts';

/** The kinds that can be detected. */
export function detectedKinds(kinds: readonly Kind[]): readonly Kind[] {
  return kinds.filter(({ test }) => test !== false);
}

/**
 * The members that the tests look at, with the values that decide a kind; an empty list: the member only has to be
 * present. `valuesOf` is that of `facts.ts` if numbers that a double cannot hold must be `Decimal`s.
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
export const decidingMembers = oncePer((kinds: readonly Kind[]): readonly string[] =>
  [...lookedAt(kinds)].filter(([, values]) => values.length > 0).map(([name]) => name),
);

/** The values by which a kind is detected. */
export function decidingValues(kind: Kind): unknown[] {
  return [...lookedAt([kind]).values()].flat();
}

type ValuesOf = (node: SchemaNode) => readonly unknown[] | null;

const doublesOf: ValuesOf = (node) => node.enum ?? ('const' in node ? [node.const] : null);

/** The members that a test requires or gives values for. */
function membersOf(test: Schema, valuesOf: ValuesOf): Map<string, readonly unknown[]> {
  const members = new Map<string, readonly unknown[]>();
  if (!isNode(test)) return members;
  for (const [name, schema] of Object.entries(test.properties ?? {}))
    if (isNode(schema)) members.set(name, valuesOf(schema) ?? []);
  for (const name of test.required ?? []) if (!members.has(name)) members.set(name, []);
  return members;
}
