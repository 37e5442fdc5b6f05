/**
 * The defaults of a set of schemas, with their text from the schema files; and, for `--deep`, the required objects that
 * defaults alone can make.
 */

import { SchemaError } from '../errors.ts';
import { insertionsOf } from '../examine/fill-table.ts';
import { applyEdits } from '../json/edits.ts';
import { locate } from '../json/locate.ts';
import { scan } from '../json/scan.ts';
import {
  type FillModules,
  loadFillModules,
  type SubschemaCheck,
  subschemaChecks,
} from '../schema/compile.ts';
import { isEndless } from '../schema/error.ts';
import { isSchemaObject, type LegacySet, type SchemaObject } from '../schema/legacy.ts';
import { legacyOf, type SchemaSet, withLegacy } from '../schema/load.ts';
import type { Span } from '../types.ts';
import { mustMatch, unwanted, withoutDefaults } from './choose.ts';
import type { DefaultMap } from './default-map.ts';
import { fillEdits } from './edits.ts';
import { createMemberTexts, type MemberTexts, memberNames, namesByPlace } from './member-texts.ts';
import type { Wish } from './wishes.ts';

/** The texts for members that are filled into payloads. */
export function payloadMemberTexts(given: SchemaSet, defaults: DefaultMap): MemberTexts {
  const set = legacyOf(given);
  const names = namesByPlace(set);
  const members = [...defaults].flatMap(([place, text]) => {
    const name = names.get(place);
    return name === undefined ? [] : [{ name, value: JSON.parse(text) as unknown, text: () => text }];
  });
  return createMemberTexts(members, new Set(names.values()));
}

/** The schemas for filling, and the texts of their defaults. */
export interface Defaults {
  /** The given set, or a copy with other defaults. */
  readonly set: SchemaSet;
  readonly texts: DefaultMap;
}

/** The same while the schemas are changed. */
interface OpenDefaults {
  readonly set: LegacySet;
  readonly texts: ReadonlyMap<SchemaObject, string>;
}

/**
 * Reads the defaults of all schemas in `given`. `deep`: every required object that its schema's defaults alone make valid
 * gets a default. `trusted`: the defaults are known to be valid. `wishes`: which of them are wanted; without any, all are.
 * Throws SchemaError for a default that its own schema rejects, and UsageError for a wish that matches none.
 */
export async function readDefaults(
  given: SchemaSet,
  deep: boolean,
  trusted: boolean,
  wishes: readonly Wish[] = [],
): Promise<Defaults> {
  const read = readTexts(legacyOf(given), deep);
  if (isPlain(read, deep, trusted)) return defaultsOf(given, withWishes(read, wishes));
  return defaultsOf(given, checked(read, deep, wishes, await loadFillModules(legacyOf(given))));
}

function defaultsOf(given: SchemaSet, { set, texts }: OpenDefaults): Defaults {
  const byPlace = [...texts].map(([schema, text]) => [set.locations.get(schema)!, text] as const); // all have one
  return { set: withLegacy(given, set), texts: new Map(byPlace) };
}

/** The same at once, with modules that were loaded before; all defaults are wanted. */
export function readDefaultsWith(
  modules: FillModules,
  given: SchemaSet,
  deep: boolean,
  trusted: boolean,
): Defaults {
  const read = readTexts(legacyOf(given), deep);
  return defaultsOf(given, isPlain(read, deep, trusted) ? read : checked(read, deep, [], modules));
}

/** The texts as they are in the files; not yet checked. */
interface ReadTexts extends OpenDefaults {
  readonly texts: Map<SchemaObject, string>;
}

function readTexts(given: LegacySet, deep: boolean): ReadTexts {
  const set = deep || hasListDefaults(given) ? copyOf(given) : given;
  if (set !== given) dropListDefaults(set);
  return { set, texts: ownTexts(set) };
}

/** True if there is nothing to compile. */
function isPlain({ texts }: ReadTexts, deep: boolean, trusted: boolean): boolean {
  return !deep && trusted && [...texts.values()].every(isScalar);
}

function withWishes(read: ReadTexts, wishes: readonly Wish[]): ReadTexts {
  const { set, texts } = read;
  mustMatch(set, wishes);
  for (const schema of unwanted(set, wishes)) texts.delete(schema);
  return read;
}

/** Checks the defaults, and fills in what is missing in them. */
function checked(
  read: ReadTexts,
  deep: boolean,
  wishes: readonly Wish[],
  modules: FillModules,
): OpenDefaults {
  const { set, texts } = read;
  const checksNow = (): SubschemaCheck =>
    subschemaChecks(withoutDefaults(set, unwanted(set, wishes)), modules);
  let checks = checksNow();
  for (
    let made = deep ? addDeepDefaults(set, checks) : [];
    made.length > 0;
    made = addDeepDefaults(set, checks)
  ) {
    for (const schema of made) texts.set(schema, '{}');
    checks = checksNow();
  }
  withWishes(read, wishes);
  return { set, texts: finalTexts(set, texts, checks) };
}

/** A copy whose schemas can be changed. */
function copyOf(set: LegacySet): LegacySet {
  const copy = structuredClone(set);
  // Cloning makes plain arrays of buffers.
  for (const [i, document] of copy.documents.entries()) {
    Object.assign(document, { bytes: set.documents[i]!.bytes });
  }
  return copy;
}

function hasListDefaults({ locations }: LegacySet): boolean {
  return [...locations.keys()].some((schema) => {
    const { items } = schema as SchemaObject;
    return Array.isArray(items) && items.some((item) => isSchemaObject(item) && item.default !== undefined);
  });
}

function isScalar(text: string): boolean {
  return !/^[[{]/.test(text);
}

/** Only members are filled in. Ajv would also add elements if `items` is a list, and holes before them. */
function dropListDefaults(set: LegacySet): void {
  for (const schema of set.locations.keys()) {
    const { items } = schema as SchemaObject;
    if (!Array.isArray(items)) continue;
    for (const item of items) if (isSchemaObject(item)) delete (item as { default?: unknown }).default; // the set is a copy
  }
}

/** The texts of the defaults in the files. */
function ownTexts(set: LegacySet): Map<SchemaObject, string> {
  const texts = new Map<SchemaObject, string>();
  const having = [...set.locations.keys()].filter((schema) => (schema as SchemaObject).default !== undefined);
  for (const { schema, bytes, span } of placesOf(having as SchemaObject[], '/default', set)) {
    const { notes } = scan(bytes, span.start, span.end, Number.POSITIVE_INFINITY);
    if (notes.length > 0) throw refusal(schema, set, 'it has a duplicate name');
    texts.set(schema, bytes.toString('utf8', span.start, span.end));
  }
  return texts;
}

interface SchemaPlace {
  readonly schema: SchemaObject;
  /** Of the file. */
  readonly bytes: Buffer;
  readonly span: Span;
}

/** The place in the files of each of `schemas`, or of what is `below` it; in file order. */
function placesOf(schemas: Iterable<SchemaObject>, below: string, set: LegacySet): SchemaPlace[] {
  const places: SchemaPlace[] = [];
  const wanted = [...schemas].map((schema) => ({ schema, place: set.locations.get(schema) ?? '' }));
  for (const { name, bytes } of set.documents) {
    const here = wanted.flatMap(({ schema, place }) =>
      place.startsWith(`${name}#`) ? [{ schema, pointer: `${place.slice(name.length + 1)}${below}` }] : [],
    );
    const found = locate(
      bytes,
      0,
      bytes.length,
      here.map(({ pointer }) => pointer),
    );
    const inDocument = here.flatMap(({ schema, pointer }) => {
      const span = found.get(pointer)?.value;
      return span === undefined ? [] : [{ schema, bytes, span }];
    });
    places.push(...inDocument.sort((a, b) => a.span.start - b.span.start));
  }
  return places;
}

/** Values of every type but an object. */
const NO_OBJECTS = [null, true, 1, 'text', []];

/** Gives `{}` as a default to required objects that are valid with the defaults in them. Returns those. */
function addDeepDefaults(set: LegacySet, checks: SubschemaCheck): SchemaObject[] {
  const made: SchemaObject[] = [];
  for (const schema of set.locations.keys()) {
    const { required, properties } = schema as SchemaObject;
    if (!Array.isArray(required) || !isSchemaObject(properties)) continue;
    for (const name of required.map(String)) {
      const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isSchemaObject(member) || member.default !== undefined || name in Object.prototype) continue;
      // An object is not made if the schema allows another type.
      if (!isValid(checks, member, {}) || NO_OBJECTS.some((value) => isValid(checks, member, value)))
        continue;
      (member as { default?: unknown }).default = {}; // the set is a copy
      made.push(member);
    }
  }
  return made;
}

/** Objects that contain one another without end are never valid. */
function isValid(checks: SubschemaCheck, schema: SchemaObject, value: unknown): boolean {
  try {
    return checks(schema, structuredClone(value)).valid;
  } catch (error) {
    if (isEndless(error)) return false;
    throw error;
  }
}

/**
 * The texts to insert: as in the files, with missing members in them filled in. Members of the same name and value have
 * the same text everywhere, because a value does not tell where it came from.
 */
function finalTexts(
  set: LegacySet,
  texts: ReadonlyMap<SchemaObject, string>,
  checks: SubschemaCheck,
): ReadonlyMap<SchemaObject, string> {
  const order = placesOf(texts.keys(), '', set).map(({ schema }) => schema);
  const values = new Map(order.map((schema) => [schema, filledDefault(schema, checks, set)]));
  const names = memberNames(set);
  const final = new Map<SchemaObject, string>();
  const textOf = (schema: SchemaObject): string => {
    const text =
      final.get(schema) ?? withMissing(texts.get(schema)!, schema.default, values.get(schema), memberTexts);
    final.set(schema, text);
    return text;
  };
  const members = order.flatMap((schema) => {
    const name = names.get(schema);
    return name === undefined ? [] : [{ name, value: values.get(schema), text: () => textOf(schema) }];
  });
  const memberTexts = createMemberTexts(members, new Set(names.values()));
  return new Map(
    order.map((schema) => {
      const name = names.get(schema);
      return [schema, name === undefined ? textOf(schema) : memberTexts.text(name, values.get(schema))];
    }),
  );
}

/** The text of `before` with the members that `after` has in addition. */
function withMissing(text: string, before: unknown, after: unknown, memberTexts: MemberTexts): string {
  const bytes = Buffer.from(text);
  const fills = fillEdits(bytes, { start: 0, end: bytes.length }, before, after, memberTexts);
  return Buffer.from(applyEdits(bytes, 0, 0, bytes.length, insertionsOf(fills))).toString();
}

/** The default of `schema` with defaults in it filled in. */
function filledDefault(schema: SchemaObject, checks: SubschemaCheck, set: LegacySet): unknown {
  try {
    const { valid, value } = checks(schema, structuredClone(schema.default));
    if (valid) return value;
  } catch (error) {
    if (!isEndless(error)) throw error;
    throw refusal(schema, set, 'with the defaults within it, it has no end');
  }
  throw refusal(schema, set, 'the schema does not allow its own default');
}

function refusal(schema: SchemaObject, set: LegacySet, why: string): SchemaError {
  return new SchemaError(`${set.locations.get(schema) ?? 'the schema'}/default: ${why}`);
}
