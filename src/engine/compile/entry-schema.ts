/**
 * Tells the kinds apart while reading. A guard holds what a payload must fulfil, in addition to its kind's schema, so that the
 * entry schema's tests give this kind and no other. It supports tests for the presence of members and for their values.
 */
import { Unsupported } from '../../keywords/keyword-code.ts';
import { isNode, type Schema, type SchemaNode } from '../../schema/node.ts';
import type { Kind } from '../../schema/set.ts';
import { type Guard, type GuardMember, NO_GUARD } from './context.ts';

/** A test of the entry schema: required members, and allowed values by member. */
interface KindTest {
  readonly required: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** The guard for `kinds[index]`: its own test passes and no earlier test does. Throws Unsupported. */
export function guardOf(kinds: readonly Kind[], index: number): Guard {
  const own = kinds[index]!;
  if (own.test === null) return NO_GUARD;
  const test = takeApart(own.test);
  const members = new Map<string, GuardMember>();
  for (const name of new Set([...test.required, ...test.values.keys()])) {
    const allowed = test.values.get(name) ?? null;
    members.set(name, { allowed, forbidden: [], required: test.required.has(name), absent: false });
  }
  for (const earlier of kinds.slice(0, index)) {
    if (earlier.test === null) throw new Unsupported('an earlier kind takes every payload');
    rule(takeApart(earlier.test), members);
  }
  return { object: true, members };
}

/** True if a payload that fails the guard of a kind is surely of another one: each test has one condition. */
export function areExact(kinds: readonly Kind[]): boolean {
  return kinds.every(({ test }) => {
    if (test === null) return kinds.length === 1;
    const { required, values } = takeApart(test);
    return required.size === 1 && [...values.keys()].every((name) => required.has(name));
  });
}

/** Adds a condition to `members` that makes `test` fail. */
function rule(test: KindTest, members: Map<string, GuardMember>): void {
  // A required member with certain values: it may be missing or have another value.
  const [kindCondition] = [...test.values].filter(([name]) => test.required.has(name));
  if (kindCondition !== undefined) {
    const [name, values] = kindCondition;
    const member = members.get(name) ?? { allowed: null, forbidden: [], required: false, absent: false };
    const allowed = member.allowed?.filter((text) => !values.includes(text)) ?? null;
    const forbidden = member.allowed === null ? [...member.forbidden, ...values] : member.forbidden;
    members.set(name, { ...member, allowed, forbidden });
    return;
  }
  const name = [...test.required].find((required) => !members.get(required)?.required);
  if (name === undefined) {
    throw new Unsupported('the test of an earlier kind cannot be ruled out');
  }
  members.set(name, { allowed: null, forbidden: [], required: false, absent: true });
}

/** Reads `{"type":"object","required":[…],"properties":{…:{"enum"|"const":…}}}`. Throws Unsupported for any other test. */
function takeApart(schema: Schema): KindTest {
  const refuse = (): never => {
    throw new Unsupported("the entry schema's test is not only of members and their values");
  };
  if (!isNode(schema)) return refuse();
  const { type, required = [], properties = {} } = schema;
  if (type !== 'object' || hasOthers(schema, ['type', 'required', 'properties'])) return refuse();
  const values = new Map<string, readonly string[]>();
  for (const [name, member] of Object.entries(properties)) {
    if (!isNode(member)) return refuse();
    const { enum: list, const: single } = member;
    if (hasOthers(member, ['enum', 'const']) || (list === undefined) === (single === undefined)) return refuse();
    const texts = list ?? [single];
    if (!texts.every((text) => typeof text === 'string')) return refuse();
    values.set(name, texts);
  }
  return { required: new Set(required), values };
}

function hasOthers(schema: SchemaNode, keywords: readonly string[]): boolean {
  const own = ['id', 'origin', ...keywords];
  return Object.keys(schema).some((keyword) => !own.includes(keyword));
}
