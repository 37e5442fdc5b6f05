/**
 * The texts and the order of the schemas' defaults: a filled-in value has lost both.
 */

import type { DefaultTexts } from '../accept/context.ts';
import { writtenText } from '../json/value.ts';
import { isNode, type SchemaNode } from '../schema/node.ts';
import type { DefaultMap } from './wanted-defaults.ts';

/** Gives the texts of members as in the schemas: looked up by the member's name and its value. */
export interface MemberTexts {
  /** The value as JSON text. */
  text(name: string, value: unknown): string;
  /** The position of the first default with that name and value among all of them; infinite if there is none. */
  rank(name: string, value: unknown): number;
  /** Whether a schema has a member with this name. Other names come from the payload. */
  knows(name: string): boolean;
}

/** A member's default. */
export interface NamedDefault {
  readonly name: string;
  readonly value: unknown;
  text(): string;
}

/** `defaults`: in file order. Of those with the same name and value, the first one counts. */
export function createMemberTexts(defaults: Iterable<NamedDefault>, names: ReadonlySet<string>): MemberTexts {
  const known = new Map<string, { readonly text: () => string; readonly rank: number }>();
  for (const one of defaults) {
    const key = keyOf(one.name, one.value);
    if (!known.has(key)) known.set(key, { text: () => one.text(), rank: known.size });
  }
  return {
    text: (name, value) => known.get(keyOf(name, value))?.text() ?? writtenText(value),
    rank: (name, value) => known.get(keyOf(name, value))?.rank ?? Number.POSITIVE_INFINITY,
    knows: (name) => names.has(name),
  };
}

function keyOf(name: string, value: unknown): string {
  return writtenText([name, value]);
}

/** The names that the schemas of members have in the `properties` of others, by their places. */
export function memberNames(nodes: readonly SchemaNode[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { properties = {} } of nodes)
    for (const [name, member] of Object.entries(properties))
      if (isNode(member)) names.set(member.origin.place, name);
  return names;
}

/** Looks up defaults where Ajv does: in the member's own subschema, not after its `$ref`. */
export function defaultTexts(defaults: DefaultMap): DefaultTexts {
  return {
    textOf({ properties }, name) {
      const member =
        properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return (isNode(member) ? defaults.get(member.origin.place) : undefined) ?? null;
    },
  };
}
