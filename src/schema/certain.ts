/**
 * Tells without Ajv that Ajv compiles a set of schemas, so that most runs do not need to load it. It knows only what is
 * common: for anything else it says no, and Ajv decides.
 *
 * The files must match their meta-schema, which is not checked here. Then Ajv 8 throws only for
 *
 * - keywords that it has beside those of the draft, or that it asserts in ways of its own: see `RARE`;
 * - patterns that are not regular expressions;
 * - references that lead nowhere, or only to one another. Ajv reads URIs and pointers in its own way, so only those
 *   with plain characters are certain;
 * - anchors, and an `$id` at a place where no schema is: Ajv finds them in any object, even in data;
 * - two schemas with the same URI, or one with that of a meta-schema;
 * - subschemas at places that the meta-schema does not check, if a reference leads there;
 * - schemas so deep that the stack is full, see `MAX_DEPTH`.
 */
import {
  type Dialect,
  isSchemaObject,
  META_SCHEMAS,
  type Schema,
  type SchemaObject,
  type SchemaSet,
} from './load.ts';
import { resolveRef } from './refs.ts';
import { regExpFault } from './regexp.ts';
import { subschemasOf } from './subschemas.ts';

/**
 * - `id` and `$async` are refused by Ajv, `nullable` if there is no `type`.
 * - `formatMinimum` and its like need `format`, and come from ajv-formats.
 * - The dynamic references are refused in some forms: see `recursionOf` for the one that is certain. `$recursiveRef` and
 *   anchors are not, `discriminator` depends on an option.
 */
const RARE: ReadonlySet<string> = new Set([
  ...['id', '$async', 'nullable', 'discriminator'],
  ...['formatMinimum', 'formatMaximum', 'formatExclusiveMinimum', 'formatExclusiveMaximum'],
  ...['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor', '$anchor'],
]);

/** Keywords that may have subschemas which the meta-schema of the draft does not check. */
const UNCHECKED: Readonly<Record<Dialect, readonly string[]>> = {
  'draft-07': ['prefixItems', 'dependentSchemas', 'contentSchema'],
  '2019-09': ['prefixItems'],
  '2020-12': ['additionalItems'],
};

/** Objects whose members are schemas or names: a member `$id` is not the keyword. Ajv skips these. */
const MAPS = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);
/** Keywords that Ajv takes for names of schemas, in any object. */
const NAMES = ['$id', '$anchor', '$dynamicAnchor'];

/**
 * Levels of subschemas and references. Ajv compiles a reference inside the schema that has it. In Node's default stack
 * it can go about 500 levels deep.
 */
const MAX_DEPTH = 200;

/** Most references that lead directly to one another. */
const MOST_HOPS = 50;
/** Keywords that hold schemas for others to refer to. */
const DEFINITIONS = new Set(['$defs', 'definitions']);

/** The parts of a path. */
const SEGMENTS = '(?:\\/(?:[\\w.~@+,=-]|%20)*)*';
/** The URI of a file. */
const PLAIN_URI = new RegExp(`^(?:https?:\\/\\/[a-z0-9.-]+|file:\\/\\/(?:\\/[A-Za-z]:)?)${SEGMENTS}$`);
/** What a copy of a meta-schema is called when it is loaded. */
const COPY = /^https?:\/\/json-schema\.org\/[\w/-]+\?copy=\d+$/;
/** A percent-encoded character that is no control character and none of `#`, `%`, `/` and `?`. */
const ENCODED = '%(?:2[0-246-9a-eA-E]|3[0-9a-eA-E]|[4-6][0-9a-fA-F]|7[0-9a-eA-E])';
/** A reference to a file, a place in it, or both. */
const PLAIN_REFERENCE = new RegExp(
  `^(?!$)(?:https?:\\/\\/[a-z0-9.-]+)?(?:[\\w.@+,=-][\\w.~@+,=-]*)?${SEGMENTS}(?:#(?:\\/(?:[\\w!"$&'()*+,.:;<=>@|-]|~[01]|${ENCODED})+)*)?$`,
);

/** True if Ajv surely compiles all kinds of the set, whose files match the meta-schema of its draft. */
export function surelyCompiles(set: SchemaSet): boolean {
  const walk = new Walk(set);
  return (
    hasPlainUris(set) &&
    set.documents.every(({ schema }) => hasPlainDialect(schema, set) && walk.isCertain(schema)) &&
    set.kinds.every(({ schema }) => walk.isCertain(schema)) &&
    set.documents.every(({ schema }) => namedInside(schema).every((one) => walk.isEmbedded(one)))
  );
}

/** `$schema` may name another draft in a file that is not the first. */
function hasPlainDialect(schema: unknown, { dialect }: SchemaSet): boolean {
  if (!isSchemaObject(schema) || schema.$schema === undefined) return true;
  return schema.$schema === META_SCHEMAS[dialect] || schema.$schema === `${META_SCHEMAS[dialect]}#`;
}

/** All schemas must have different URIs, and other ones than the meta-schemas. */
function hasPlainUris(set: SchemaSet): boolean {
  const { documents, kinds, identifiers } = set;
  const files = documents.flatMap(({ uri, aliases }) => [uri, ...aliases]);
  const named = recursionOf(set);
  const targets = [...identifiers.targets].filter(
    ([uri, target]) => named === null || target !== named.root || !uri.endsWith(`#${named.name}`),
  );
  const all = [...files, ...targets.map(([uri]) => uri)];
  return (
    new Set(all).size === all.length &&
    all.every((uri) => COPY.test(uri) || (PLAIN_URI.test(uri) && !uri.includes('json-schema.org'))) &&
    kinds.every(({ uri, document }) => uri === document.uri || isPlainPlace(uri, document.uri))
  );
}

function isPlainPlace(uri: string, base: string): boolean {
  return uri.startsWith(`${base}#`) && PLAIN_REFERENCE.test(uri.slice(base.length));
}

/** The objects inside `value`, wherever they are, with a member that Ajv takes for a name of a schema. */
function namedInside(value: unknown, found: object[] = []): readonly object[] {
  if (typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) {
    for (const item of value) addNamed(item, found);
    return found;
  }
  for (const name of Object.keys(value)) {
    const member = (value as SchemaObject)[name];
    if (typeof member !== 'object' || member === null) continue;
    const isMap = MAPS.has(name) && isSchemaObject(member);
    if (isMap && !NAMES.some((key) => typeof member[key] === 'string')) namedInside(member, found);
    else addNamed(member, found);
  }
  return found;
}

function addNamed(value: unknown, found: object[]): void {
  if (isSchemaObject(value)) {
    const { $id, $anchor, $dynamicAnchor } = value;
    if ($id !== undefined || $anchor !== undefined || $dynamicAnchor !== undefined) found.push(value);
  }
  namedInside(value, found);
}

/** What a file that refers to itself calls itself: the name in `$dynamicAnchor` of the whole. */
interface Recursion {
  readonly root: SchemaObject;
  readonly name: string;
}

/** Null unless there is one file with one kind, and no other schema in it has a name: then Ajv finds the whole by it. */
function recursionOf({ entry: { schema }, documents, kinds, dialect }: SchemaSet): Recursion | null {
  if (!isSchemaObject(schema) || dialect !== '2020-12') return null;
  const isAlone = documents.length === 1 && kinds.length === 1 && kinds[0]!.schema === schema;
  const { $dynamicAnchor: name } = schema;
  if (!isAlone || typeof name !== 'string' || !/^[A-Za-z]\w*$/.test(name)) return null;
  return namedInside(schema).length === 0 ? { root: schema, name } : null;
}

/** Whether a rare keyword of `schema` belongs to a recursion that is certain. */
function isRecursive(schema: SchemaObject, keyword: string, recursion: Recursion | null): boolean {
  if (recursion === null) return false;
  if (keyword === '$dynamicAnchor') return schema === recursion.root;
  return keyword === '$dynamicRef' && schema.$dynamicRef === `#${recursion.name}`;
}

function isPlain(schema: SchemaObject, recursion: Recursion | null): boolean {
  const { format, pattern, patternProperties } = schema;
  for (const keyword of Object.keys(schema))
    if (RARE.has(keyword) && !isRecursive(schema, keyword, recursion)) return false;
  // Ajv looks the format up in an object.
  if (typeof format === 'string' && format in Object.prototype) return false;
  const names = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : [];
  const patterns = typeof pattern === 'string' ? [pattern, ...names] : names;
  return patterns.every((source) => regExpFault(source) === null);
}

class Walk {
  readonly #set: SchemaSet;
  readonly #recursion: Recursion | null;
  /** The subschemas at the places that the meta-schema checks. */
  readonly #checked = new Set<object>();
  /** Those that Ajv compiles. */
  readonly #used = new Set<object>();

  constructor(set: SchemaSet) {
    this.#set = set;
    this.#recursion = recursionOf(set);
    for (const { schema } of set.documents) this.#add(schema);
  }

  #add(schema: unknown): void {
    if (!isSchemaObject(schema)) return;
    this.#checked.add(schema);
    const unchecked = UNCHECKED[this.#set.dialect];
    for (const [[keyword], inner] of subschemasOf(schema))
      if (!unchecked.includes(String(keyword))) this.#add(inner);
  }

  /** Whether an object with a member such as `$id` is a schema that Ajv finds by it. */
  isEmbedded(schema: object): boolean {
    if (!isSchemaObject(schema) || !this.#checked.has(schema)) return false;
    const { bases, targets } = this.#set.identifiers;
    const tokens = this.#set.locations.get(schema)!.split('/'); // it was loaded
    return (
      typeof schema.$id === 'string' &&
      (COPY.test(schema.$id) || PLAIN_REFERENCE.test(schema.$id)) &&
      targets.get(bases.get(schema) ?? '') === schema &&
      !tokens.includes('prefixItems') &&
      !MAPS.has(tokens.at(-1)!)
    );
  }

  /** Whether a schema, all in it, and all that they refer to, is certain. `depth`: the levels around it. */
  isCertain(schema: unknown, depth = 0): boolean {
    if (!isSchemaObject(schema) || this.#used.has(schema)) return true;
    this.#used.add(schema);
    if (depth > MAX_DEPTH || !this.#checked.has(schema) || !isPlain(schema, this.#recursion)) return false;
    for (const [[keyword], inner] of subschemasOf(schema))
      if (!DEFINITIONS.has(String(keyword)) && !this.isCertain(inner, depth + 1)) return false;
    if (schema.$ref === undefined || this.#isOfDraft(schema)) return true;
    if (typeof schema.$ref !== 'string' || !PLAIN_REFERENCE.test(schema.$ref) || this.#isLoop(schema))
      return false;
    const target = resolveRef(this.#set, schema);
    return target !== undefined && this.isCertain(target, depth + 2);
  }

  /** Whether references lead only to one another. */
  #isLoop(schema: SchemaObject): boolean {
    let next: Schema | undefined = schema;
    for (let hops = 0; isSchemaObject(next) && next.$ref !== undefined; hops++) {
      if (hops > MOST_HOPS) return true;
      next = resolveRef(this.#set, next);
    }
    return false;
  }

  /** Ajv has the meta-schema of the draft. */
  #isOfDraft({ $ref }: SchemaObject): boolean {
    const uri = META_SCHEMAS[this.#set.dialect];
    return $ref === uri || $ref === `${uri}#`;
  }
}
