/**
 * The texts and the order of the schemas' defaults: a filled-in value has lost both.
 */
import { isSchemaObject, type LegacySet, type SchemaObject } from '../schema/legacy.ts';

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
    text: (name, value) => known.get(keyOf(name, value))?.text() ?? JSON.stringify(value),
    rank: (name, value) => known.get(keyOf(name, value))?.rank ?? Number.POSITIVE_INFINITY,
    knows: (name) => names.has(name),
  };
}

function keyOf(name: string, value: unknown): string {
  return JSON.stringify([name, value]);
}

/** The names of the schemas of `set` in the `properties` of other schemas. */
export function memberNames(set: LegacySet): Map<SchemaObject, string> {
  const names = new Map<SchemaObject, string>();
  for (const schema of set.locations.keys()) {
    const { properties } = schema as SchemaObject;
    if (!isSchemaObject(properties)) continue;
    for (const [name, member] of Object.entries(properties))
      if (isSchemaObject(member)) names.set(member, name);
  }
  return names;
}

/** The same by place of the schemas. */
export function namesByPlace(set: LegacySet): Map<string, string> {
  return new Map([...memberNames(set)].map(([schema, name]) => [set.locations.get(schema)!, name])); // all have one
}
