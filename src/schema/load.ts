/** Schema files to kinds: reads the schema that the caller names and local files it refers to, and resolves them. */
import { basename, dirname } from 'node:path';
import { withDecimals } from '../json/decimal.ts';
import { atPointer, escapeToken, parsePointer } from '../json/pointer.ts';
import { isAmong, isJsonObject } from '../json/value.ts';
import { REFERENCES_IN_A_ROW } from '../limits.ts';
import { decodedFragment, splitFragment } from '../source/path-text.ts';
import type { RawObject, RawSchema, Resource, SchemaDocument, SchemaPlace } from './document.ts';
import { linksOf, loopIn } from './facts.ts';
import { faultAt } from './faults.ts';
import { isNode, type Schema, type SchemaNode } from './node.ts';
import { Graph } from './resolve.ts';
import { type ResourceOptions, Resources } from './resources.ts';
import type { Kind, SchemaSet, SchemaSource } from './set.ts';
import { waysFor } from './ways.ts';

export interface LoadedKind extends Kind {
  readonly document: SchemaDocument;
}

export interface LoadedSchemas extends SchemaSet {
  readonly kinds: readonly LoadedKind[];
  /** The file of the schema that the caller named. */
  readonly entry: SchemaDocument;
  /** The schema that the caller named: the whole file, or what is at a fragment of it. */
  readonly root: Root;
  readonly documents: readonly SchemaDocument[];
  /** Absolute paths of all files that were read, including those that were only searched. */
  readonly paths: readonly string[];
  /** The schema objects of the files, with their places. */
  readonly places: ReadonlyMap<object, SchemaPlace>;
  readonly unused: () => readonly SchemaNode[];
}

export interface Root {
  readonly schema: RawSchema;
  readonly resource: Resource;
  /** File and fragment. */
  readonly place: string;
  readonly isFile: boolean;
}

/**
 * Loads the schema in the file at `path` (absolute, perhaps with a fragment: see `splitFragment`) and the files it
 * refers to. `more`: files, or schemas in files, that are kinds that are not detected. `beforeLarge`: called once if
 * the files together are large. Throws SchemaError.
 */
export function loadSchemas(
  path: string,
  options: ResourceOptions = {},
  more: readonly string[] = [],
  beforeLarge?: () => void,
): LoadedSchemas {
  return reloadSchemas({ path, options, more }, beforeLarge);
}

/** Loads a set, perhaps again, from files that were read before. */
export function reloadSchemas(given: SchemaSource, beforeLarge?: () => void): LoadedSchemas {
  const { path, options } = given;
  const { onlyFiles } = options;
  const isGiven = (one: string): boolean => options.files?.has(one) === true;
  const split = (one: string): NamedSchema =>
    isGiven(one) ? { file: one, fragment: null } : splitFragment(one, onlyFiles ? isGiven : undefined);
  const named = split(path);
  const resources = new Resources(dirname(named.file), options, beforeLarge);
  try {
    const loaded = loadWith(resources, named, given.more.map(split), given);
    resources.refuse();
    return loaded;
  } catch (error) {
    throw resources.inContext(error);
  }
}

interface NamedSchema {
  readonly file: string;
  /** Null: all of the file. */
  readonly fragment: string | null;
}

function loadWith(
  resources: Resources,
  { file, fragment }: NamedSchema,
  more: readonly NamedSchema[],
  given: SchemaSource,
): LoadedSchemas {
  const { options, assertsFormats } = given;
  const entry = resources.file(file);
  const others = more.map((one) => ({ ...one, root: rootOf(one, resources) }));
  const root = rootOf({ file, fragment }, resources);
  resources.readReferences([root.schema, ...others.map(({ root }) => root.schema)]);
  const graph = new Graph(resources);
  const kinds = fragment === null ? kindsOf(entry, resources, graph) : [kindAt(fragment, root, entry, graph)];
  for (const other of others) kinds.push(kindOfOther(other, kinds, resources, graph));
  const nodes = [...graph.nodes];
  refuseEndless(kinds.flatMap(({ schema, test }) => [schema, test ?? true]).filter(isNode), nodes);
  const { documents, places, metas, known } = resources;
  const read = [...documents, ...metas.values()];
  const files = new Map(read.map((document) => [document.path, document.bytes]));
  const formats = {
    ...(assertsFormats === false ? { assertsFormats } : {}),
    ...(options.formats === undefined ? {} : { formats: options.formats }),
  };
  const source = { ...given, options: { ...options, found: known.found, files } };
  const paths = [...new Set([...files.keys(), ...known.searched])];
  const unused = (): readonly SchemaNode[] => unusedNodes(resources, graph, nodes.length);
  const found = { entry: entry.document, root, documents, paths, places };
  return { ...found, kinds, nodes, unused, source, ...formats };
}

function rootOf({ file, fragment }: NamedSchema, resources: Resources): Root {
  const resource = resources.file(file);
  if (fragment !== null) return pointedAt(fragment, resource, resources);
  return { schema: resource.root, resource, place: `${resource.document.name}#`, isFile: true };
}

/** The schema at a fragment of the file. Throws SchemaError if there is none. */
function pointedAt(fragment: string, entry: Resource, resources: Resources): Root {
  const { document, anchors } = entry;
  const given = decodedFragment(fragment);
  const isFound = given.startsWith('/') || anchors.has(given);
  const text = (isFound ? null : pointerOfAnchor(given, document.schema)) ?? given;
  const place = `${document.name}#${given}`;
  const reference = { keyword: waysFor(resources.options).schema, text: `#${encodeURI(text)}`, place };
  const { schema, resource } = resources.find(reference, entry);
  return { schema, resource, place, isFile: false };
}

/** Members that hold data, in which nothing is an anchor. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/**
 * Where the only schema with this `$anchor` is, at a place that no keyword leads to (`components` of OpenAPI), or in a schema
 * with an `$id` of its own; null: there is none, or several.
 */
function pointerOfAnchor(anchor: string, root: unknown): string | null {
  const found: string[] = [];
  const open: [value: unknown, pointer: string][] = [[root, '']];
  for (const [value, pointer] of open) {
    if (typeof value !== 'object' || value === null) continue;
    if ((value as RawObject).$anchor === anchor) found.push(pointer);
    for (const [name, inner] of Object.entries(value))
      if (!DATA.has(name)) open.push([inner, `${pointer}/${escapeToken(name)}`]);
  }
  return found.length === 1 ? found[0]! : null;
}

/** Its name is the last token of the pointer, or the anchor. */
function kindAt(fragment: string, { schema, resource }: Root, entry: Resource, graph: Graph): LoadedKind {
  const text = decodedFragment(fragment);
  const name = text.startsWith('/') ? parsePointer(text).at(-1)! : text;
  return { name, document: entry.document, schema: graph.resolve(schema, resource, [entry, resource]), test: null };
}

/** `used`: the number of nodes in the graph that the kinds lead to. */
function unusedNodes(resources: Resources, graph: Graph, used: number): readonly SchemaNode[] {
  const known = new Set(graph.nodes.map(({ origin }) => origin.place));
  for (const [schema, { resource, pointer }] of resources.places) {
    const raw = schema as RawObject; // all are schemas
    if (raw.default !== undefined && !known.has(`${resource.document.name}#${pointer}`))
      resources.readReferences([raw]);
    graph.resolve(raw, resource, [resource]);
  }
  resources.refuse();
  return graph.nodes.slice(used);
}

/** The schema as its file writes it: for people, who know their own keywords. */
export function asWritten(schema: Schema, { documents }: LoadedSchemas): RawSchema {
  if (typeof schema === 'boolean') return schema;
  const { place } = schema.origin;
  const document = documents.find(({ name }) => place.startsWith(`${name}#`));
  // a node has a place, or is made
  return (document && atPointer(document.schema, place.slice(document.name.length + 1))) as RawSchema;
}

function kindsOf(entry: Resource, resources: Resources, graph: Graph): LoadedKind[] {
  const { document } = entry;
  // Draft-04 and draft-06 have no `if`.
  const branches = Object.hasOwn(entry.keywords, 'if') ? entryBranches(document) : [];
  if (branches.length === 0) {
    const schema = graph.resolve(entry.root, entry, [entry]);
    return [{ name: stem(document.path), document, schema, test: null }];
  }
  const kinds = branches.map(({ test, pointer, ref, title }): LoadedKind => {
    const place = `${document.name}#${pointer}/then/$ref`;
    const target = resources.find({ keyword: '$ref', text: ref, place }, entry);
    return {
      name: title ?? stem(target.resource.document.path),
      document: target.resource.document,
      schema: graph.resolve(target.schema, target.resource, [entry, target.resource]),
      test: graph.resolve(test, entry, [entry]),
    };
  });
  const names = kinds.map((kind) => kind.name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw faultAt(`${document.name}#`, `two kinds are called "${twice}"; give each "then" a title`);
  return kinds;
}

/** The kind of payloads that are assigned to a schema: its name is one that none of `others` has, or its place. */
function kindOfOther(
  { file, fragment, root }: NamedSchema & { readonly root: Root },
  others: readonly LoadedKind[],
  resources: Resources,
  graph: Graph,
): LoadedKind {
  const resource = resources.file(file);
  const { document } = resource;
  if (fragment !== null) return { ...kindAt(fragment, root, resource, graph), name: root.place, test: false };
  const isTaken = others.some(({ name }) => name === stem(file));
  const name = isTaken ? document.name : stem(file);
  return { name, document, schema: graph.resolve(resource.root, resource, [resource]), test: false };
}

interface EntryBranch {
  readonly test: RawSchema;
  /** Pointer in the entry schema to the schema with the `if`. */
  readonly pointer: string;
  readonly ref: string;
  readonly title: string | null;
}

/**
 * The branches of the `if`/`then`/`else` chain of an entry schema; empty if the schema is not one. The chain ends with an
 * `else` that rejects the rest, has no other assertions, and each `then` is only a `$ref`. Otherwise the kinds could
 * give other results than the whole schema.
 */
function entryBranches({ schema, numbers }: SchemaDocument): EntryBranch[] {
  const branches: EntryBranch[] = [];
  const tests: unknown[] = [];
  let pointer = '';
  let link: unknown = schema;
  // With its numbers as they are written.
  let written = numbers === null ? schema : withDecimals(schema, numbers);
  for (; isJsonObject(link) && isJsonObject(link.then); link = link.else) {
    const allowed = pointer === '' ? ENTRY_KEYWORDS : LINK_KEYWORDS;
    if (hasOthers(link, allowed) || hasOthers(link.then, THEN_KEYWORDS)) return [];
    const { $ref, title } = link.then;
    if (link.if === undefined || typeof $ref !== 'string') return [];
    const test = link.if as RawSchema; // its form was checked
    branches.push({ test, pointer, ref: $ref, title: typeof title === 'string' ? title : null });
    pointer += '/else';
    const { if: exactTest, else: rest } = written as RawObject; // it has the members of the link
    tests.push(exactTest);
    written = rest;
  }
  return branches.length > 0 && rejectsTheRest(written, tests) ? branches : [];
}

function hasOthers(schema: RawObject, allowed: ReadonlySet<string>): boolean {
  return Object.keys(schema).some((keyword) => !allowed.has(keyword));
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['$comment', 'title', 'description', 'examples']);
const THEN_KEYWORDS = new Set([...ANNOTATIONS, '$ref']);
const LINK_KEYWORDS = new Set([...ANNOTATIONS, 'if', 'then', 'else']);
const ENTRY_KEYWORDS = new Set([...LINK_KEYWORDS, '$schema', '$id', '$defs', 'definitions']);

function stem(path: string): string {
  return basename(path).replace(/(\.schema)?\.json$/i, '');
}

/**
 * Whether `end`, the end of an entry schema's chain of kinds, rejects everything that passes none of `tests`, as far
 * as its text shows that directly: it is `false`, or a member with only those values that earlier tests accept, so
 * that editors can suggest them. Their numbers are `JsonNumber`s.
 */
function rejectsTheRest(end: unknown, tests: readonly unknown[]): boolean {
  if (end === false) return true;
  const asked = membersIn(end);
  if (asked === null) return false;
  return [...asked].some(([name, values]) => values.every((value) => tests.some((test) => takes(test, name, value))));
}

/** Whether `test` holds for every object in which the member `name` has this value. */
function takes(test: unknown, name: string, value: unknown): boolean {
  const members = membersIn(test);
  return members !== null && members.size === 1 && isAmong(value, members.get(name) ?? []);
}

/** The values that a test asks for, by member; null: it is not of members with `enum` or `const` only. */
function membersIn(schema: unknown): ReadonlyMap<string, readonly unknown[]> | null {
  if (!isJsonObject(schema)) return null;
  const { type, required, properties, ...others } = schema;
  if (hasOthers(others, ANNOTATIONS) || type !== 'object' || !Array.isArray(required) || !isJsonObject(properties))
    return null;
  const members = new Map<string, readonly unknown[]>();
  for (const [name, member] of Object.entries(properties)) {
    if (!isJsonObject(member) || !required.includes(name)) return null;
    const values = Array.isArray(member.enum) ? member.enum : 'const' in member ? [member.const] : null;
    if (values === null || hasOthers(member, VALUES)) return null;
    members.set(name, values);
  }
  return required.length === members.size ? members : null;
}

const VALUES = new Set([...ANNOTATIONS, 'enum', 'const']);

/**
 * Throws SchemaError for a node that leads back to itself for the same value, whatever the value is, such as `{"$ref":
 * "#"}`, or through too many others. From each of `nodes`, only references are followed; from `roots`, all keywords that
 * apply to every payload. If a condition must hold on the way back, the schema is refused only when a payload reaches it.
 */
function refuseEndless(roots: readonly SchemaNode[], nodes: readonly SchemaNode[]): void {
  refuseLoops(roots, (node) => linksOf(node, ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if']));
  const referring = nodes.filter(({ $ref }) => $ref !== undefined);
  refuseLoops(referring, (node) => linksOf(node, ['$ref']));
}

function refuseLoops(nodes: readonly SchemaNode[], nextOf: (node: SchemaNode) => SchemaNode[]): void {
  const loop = loopIn(nodes, nextOf, ({ origin }, longest) => {
    if (longest > REFERENCES_IN_A_ROW)
      throw faultAt(origin.place, `more than ${REFERENCES_IN_A_ROW} references follow one another`);
  });
  if (loop !== null) throw faultAt(loop.origin.place, 'refers to itself without end');
}
