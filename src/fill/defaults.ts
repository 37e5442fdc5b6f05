/**
 * The defaults of a set of schemas, spelled as their files spell them; and, for `--deep`, which required objects
 * the defaults alone can make.
 */
import type { DefaultTexts } from '../accept/compile.ts';
import { locate } from '../json/locate.ts';
import { type SubschemaCheck, subschemaChecks } from '../schema/compile.ts';
import { SchemaError } from '../schema/error.ts';
import { isSchemaObject, type SchemaObject, type SchemaSet } from '../schema/load.ts';

/** By schema object: the JSON text of its `default`. Plain data, for threads. */
export type DefaultMap = ReadonlyMap<SchemaObject, string>;

/** Looks defaults up where Ajv does: in the subschema of the member itself, not behind its `$ref`. */
export function defaultTexts(defaults: DefaultMap): DefaultTexts {
  return {
    textOf({ properties }, name) {
      if (!isSchemaObject(properties) || !Object.hasOwn(properties, name)) return null;
      const member = properties[name];
      return (isSchemaObject(member) ? defaults.get(member) : undefined) ?? null;
    },
  };
}

/**
 * Reads the defaults of all schemas in `set`. `deep`: gives a default to every required object that its schema's defaults
 * alone make valid, which `set` then has as well. `trusted`: the defaults are known to fit their schemas. Throws SchemaError for
 * a default that its own schema does not allow.
 */
export async function readDefaults(set: SchemaSet, deep: boolean, trusted: boolean): Promise<DefaultMap> {
  const texts = ownTexts(set);
  if (!deep && trusted && [...texts.values()].every(isScalar)) return texts;
  let checks = await subschemaChecks(set);
  for (let made = deep ? deepen(set, checks) : []; made.length > 0; made = deepen(set, checks)) {
    for (const schema of made) texts.set(schema, '{}');
    checks = await subschemaChecks(set);
  }
  const filled = new Map<SchemaObject, string>();
  for (const [schema, text] of texts) filled.set(schema, finalText(schema, text, checks, set));
  return filled;
}

function isScalar(text: string): boolean {
  return !/^[[{]/.test(text);
}

/** The defaults that stand in the files. */
function ownTexts(set: SchemaSet): Map<SchemaObject, string> {
  const texts = new Map<SchemaObject, string>();
  for (const { name, bytes } of set.documents) {
    const here = [...set.locations].filter(
      ([schema, place]) => place.startsWith(`${name}#`) && (schema as SchemaObject).default !== undefined,
    );
    const pointers = new Map(
      here.map(([schema, place]) => [schema, `${place.slice(name.length + 1)}/default`]),
    );
    const places = locate(bytes, 0, bytes.length, pointers.values());
    for (const [schema, pointer] of pointers) {
      const span = places.get(pointer)?.value;
      if (span !== undefined) texts.set(schema as SchemaObject, bytes.toString('utf8', span.start, span.end));
    }
  }
  return texts;
}

/** Gives `{}` as default to required objects that it makes valid, defaults within it filled in; answers which. */
function deepen(set: SchemaSet, checks: SubschemaCheck): SchemaObject[] {
  const made: SchemaObject[] = [];
  for (const schema of set.locations.keys()) {
    const { required, properties } = schema as SchemaObject;
    if (!Array.isArray(required) || !isSchemaObject(properties)) continue;
    for (const name of required) {
      const member = Object.hasOwn(properties, String(name)) ? properties[String(name)] : undefined;
      if (!isSchemaObject(member) || member.default !== undefined || !checks(member, {}).valid) continue;
      (member as { default?: unknown }).default = {}; // the set is this run's own
      made.push(member);
    }
  }
  return made;
}

/** The text to insert: as the file spells it, unless defaults within it are missing. */
function finalText(schema: SchemaObject, text: string, checks: SubschemaCheck, set: SchemaSet): string {
  const value: unknown = structuredClone(schema.default);
  const { valid, value: filled } = checks(schema, value);
  if (!valid) {
    const place = set.locations.get(schema) ?? 'the schema';
    throw new SchemaError(`${place}/default: the schema does not allow its own default`);
  }
  const same = JSON.stringify(filled) === JSON.stringify(schema.default);
  return same ? text : JSON.stringify(filled);
}
