/**
 * The end of an entry schema's chain of kinds: a schema that rejects every payload that reaches it. It is `false`, or a
 * member with only those values that earlier tests accept, so that editors can suggest them.
 */
import { isAmong, isJsonObject } from '../json/value.ts';

const ANNOTATIONS: ReadonlySet<string> = new Set(['$comment', 'title', 'description', 'examples']);

/**
 * Whether `end` rejects everything that passes none of `tests`, as far as its text shows that directly. Their numbers are
 * `JsonNumber`s.
 */
export function rejectsTheRest(end: unknown, tests: readonly unknown[]): boolean {
  if (end === false) return true;
  const asked = membersIn(end);
  if (asked === null) return false;
  return [...asked].some(([name, values]) =>
    values.every((value) => tests.some((test) => takes(test, name, value))),
  );
}

/** Whether `test` holds for every object in which the member `name` has this value. */
function takes(test: unknown, name: string, value: unknown): boolean {
  const members = membersIn(test);
  return members !== null && members.size === 1 && isAmong(value, members.get(name) ?? []);
}

/**
 * The values of members that `{"type":"object","required":[…],"properties":{…:{"enum"|"const":…}}}` asks for, by name;
 * null for a schema of another form.
 */
function membersIn(schema: unknown): ReadonlyMap<string, readonly unknown[]> | null {
  if (!isJsonObject(schema)) return null;
  const { type, required, properties, ...others } = schema;
  const isOther = Object.keys(others).some((keyword) => !ANNOTATIONS.has(keyword));
  if (isOther || type !== 'object' || !Array.isArray(required) || !isJsonObject(properties)) return null;
  const members = new Map<string, readonly unknown[]>();
  for (const [name, member] of Object.entries(properties)) {
    if (!isJsonObject(member) || !required.includes(name)) return null;
    const values = Array.isArray(member.enum) ? member.enum : 'const' in member ? [member.const] : null;
    if (values === null || Object.keys(member).some((keyword) => !VALUES.has(keyword))) return null;
    members.set(name, values);
  }
  return required.length === members.size ? members : null;
}

const VALUES: ReadonlySet<string> = new Set([...ANNOTATIONS, 'enum', 'const']);
