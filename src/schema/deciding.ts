/**
 * The members of a payload that decide its kind, by the tests of the entry schema.
 */
import { isSchemaObject, type Kind, type Schema } from './load.ts';

/** By member that the tests look at: the values that decide a kind; none if the member only has to be there. */
export function lookedAt(kinds: readonly Kind[]): ReadonlyMap<string, readonly unknown[]> {
  const members = new Map<string, unknown[]>();
  for (const kind of kinds) {
    for (const [name, values] of membersOf(kind.test?.schema ?? true)) {
      members.set(name, [...(members.get(name) ?? []), ...values]);
    }
  }
  return members;
}

/** The members with values. If a payload without a kind has such a member, its value is not one of these. */
export function decidingMembers(kinds: readonly Kind[]): string[] {
  return [...lookedAt(kinds)].filter(([, values]) => values.length > 0).map(([name]) => name);
}

/** The members that a test requires or gives values for. */
function membersOf(test: Schema): Map<string, unknown[]> {
  const members = new Map<string, unknown[]>();
  if (!isSchemaObject(test)) return members;
  const properties = isSchemaObject(test.properties) ? Object.entries(test.properties) : [];
  for (const [name, schema] of properties) {
    if (!isSchemaObject(schema)) continue;
    const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
    members.set(name, values);
  }
  for (const name of Array.isArray(test.required) ? test.required : []) {
    if (!members.has(String(name))) members.set(String(name), []);
  }
  return members;
}
