/**
 * How the schemas spell their defaults, and in which order they stand: what a filled-in value, once it is only a value, has
 * lost.
 */
import { isSchemaObject, type SchemaObject, type SchemaSet } from '../schema/load.ts';

/** Spells members as the schemas do: looked up by the member's name and its value. */
export interface MemberTexts {
  /** The value as JSON text. */
  text(name: string, value: unknown): string;
  /** Where the first default of that name and value stands among all of them; infinite where there is none. */
  rank(name: string, value: unknown): number;
  /** Whether a schema has a member of this name; what a payload calls its members in any other place is its own affair. */
  knows(name: string): boolean;
}

/** A member's default. */
export interface NamedDefault {
  readonly name: string;
  readonly value: unknown;
  text(): string;
}

/** `defaults`: in the order in which they stand. Of those that have the same name and value, the first one counts. */
export function createMemberTexts(defaults: Iterable<NamedDefault>, names: ReadonlySet<string>): MemberTexts {
  const known = new Map<string, { readonly text: () => string; readonly rank: number }>();
  for (const one of defaults) {
    const key = keyOf(one.name, one.value);
    if (!known.has(key)) known.set(key, { text: () => one.text(), rank: known.size });
  }
  return {
    text: (name, value) => known.get(keyOf(name, value))?.text() ?? JSON.stringify(value),
    rank: (name, value) => known.get(keyOf(name, value))?.rank ?? Number.POSITIVE_INFINITY,
    knows: (name) => names.has(name),
  };
}

function keyOf(name: string, value: unknown): string {
  return JSON.stringify([name, value]);
}

/** The names under which the schemas of `set` stand in the `properties` of others. */
export function memberNames(set: SchemaSet): Map<SchemaObject, string> {
  const names = new Map<SchemaObject, string>();
  for (const schema of set.locations.keys()) {
    const { properties } = schema as SchemaObject;
    if (!isSchemaObject(properties)) continue;
    for (const [name, member] of Object.entries(properties))
      if (isSchemaObject(member)) names.set(member, name);
  }
  return names;
}
