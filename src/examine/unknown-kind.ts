/**
 * A payload of no kind: what the tests of the door looked at, what stood there, and what was probably meant.
 */
import { isSchemaObject, type Kind, type Schema } from '../schema/load.ts';
import type { Finding, Span } from '../types.ts';
import { quote } from '../words/escape.ts';
import { foundText } from '../words/message.ts';
import { nearMiss } from '../words/near.ts';
import { builtin } from './findings.ts';
import { jsonType } from './schema-findings.ts';

/** By member that the door's tests look at: the values some kind is known by, none where it only has to be there. */
type Looked = ReadonlyMap<string, readonly unknown[]>;

/** The finding for `value`, which passes the test of none of `kinds`. */
export function unknownKind(kinds: readonly Kind[], value: unknown, span: Span, redact: boolean): Finding {
  const members = lookedAt(kinds);
  const params = { kinds: kinds.map((kind) => kind.name), members: [...members.keys()] };
  if (!isSchemaObject(value)) {
    const found = foundText({ type: jsonType(value), text: null, size: 0 });
    return builtin(
      'unknown-kind',
      span,
      `this is of no known kind: expected an object, found ${found}`,
      params,
    );
  }
  const seen = [...members].map(([name, values]) => {
    const shown = quote(name);
    if (!Object.hasOwn(value, name)) return `there is no ${shown}`;
    if (redact || values.length === 0) return `${shown} is of no known value`;
    const member = value[name];
    return `${shown} is ${typeof member === 'string' ? quote(member) : foundText({ type: jsonType(member), text: null, size: 0 })}`;
  });
  const message = `this is of no known kind: ${seen.join(', ') || 'no test of the door fits'}`;
  return { ...builtin('unknown-kind', span, message, params), suggestion: suggest(members, value) };
}

function lookedAt(kinds: readonly Kind[]): Looked {
  const members = new Map<string, unknown[]>();
  for (const kind of kinds) {
    for (const [name, values] of membersOf(kind.test?.schema ?? true)) {
      members.set(name, [...(members.get(name) ?? []), ...values]);
    }
  }
  return members;
}

/** The members a test requires or gives values for. */
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

/** A value near one that a kind is known by, or else a name near a member that is missing. */
function suggest(members: Looked, value: Readonly<Record<string, unknown>>): string | null {
  for (const [name, values] of members) {
    const member = value[name];
    const words = values.filter((word) => typeof word === 'string');
    const near = typeof member === 'string' ? nearMiss(member, words) : null;
    if (near !== null) return near;
  }
  for (const name of members.keys()) {
    if (!Object.hasOwn(value, name) && nearMiss(name, Object.keys(value)) !== null) return name;
  }
  return null;
}
