/**
 * The names and values that the schemas allow at an offset of a text that may be half-written, and whole payloads where
 * one may begin: by all schemas that may apply there, in any alternative. Nothing is validated.
 */
import { findNodeAtLocation, getLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { escapeToken } from '../json/pointer.ts';
import { isJsonObject, jsonEqual, writtenText } from '../json/value.ts';
import { schemasFor } from '../schema/described-members.ts';
import { sizeKeywords } from '../schema/dialect.ts';
import { exactValue } from '../schema/exact.ts';
import { valuesOf as exactValuesOf, IN_PLACE, linksOf, lookedAt } from '../schema/facts.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';
import type { Kind } from '../schema/set.ts';
import type { Completion, CompletionItem } from './api.ts';

export interface Completing {
  /** The kinds to choose from: all that are detected, or the one that is given. */
  readonly kinds: readonly Kind[];
  /** The kind of a payload; null if it has none yet. */
  readonly kindOf: (payload: unknown) => string | null;
  readonly isValid: (payload: string) => boolean;
  /** A top-level array is a list of payloads. */
  readonly hasLists: boolean;
}

/** `offset`: in UTF-16 code units, within the text. */
export function completionAt(text: string, offset: number, instance: Completing): Completion {
  const place = lookAt(text, offset);
  if (place === null) return { kind: null, pointer: '', offset, length: 0, items: [] };
  const { path, start, end } = place;
  const isInList = instance.hasLists && Array.isArray(place.valueAt([])) && typeof path[0] === 'number';
  const root = isInList ? path.slice(0, 1) : [];
  const inPayload = path.slice(root.length);
  const payload = place.valueAt(root);
  const kind = payload === undefined ? null : instance.kindOf(payload);
  const items =
    inPayload.length === 0 && !place.isName
      ? payloadsOf(instance)
      : kindsAt(instance.kinds, kind, payload, inPayload).flatMap(({ schema }) => {
          const nodes = schemasAt(schema, inPayload);
          return place.isName ? memberItems(nodes, place) : valuesOf(nodes);
        });
  return {
    kind,
    pointer: path.map((step) => `/${escapeToken(String(step))}`).join(''),
    offset: start,
    length: end - start,
    items: withoutRepeated(items),
  };
}

/** The smallest payload of each kind, if it is valid: some schemas do not contain enough to construct a valid one. */
function payloadsOf({ kinds, isValid }: Completing): CompletionItem[] {
  return kinds.flatMap((kind) => {
    const payload = writtenText(smallestOf(kind));
    if (!isValid(payload)) return [];
    return [item('payload', kind.name, payload, isNode(kind.schema) ? [kind.schema] : [])];
  });
}

function smallestOf(kind: Kind): unknown {
  const value = smallestValue([kind.schema]);
  if (!isJsonObject(value)) return value;
  const deciding = [...lookedAt([kind], exactValuesOf)].flatMap(([name, [first]]) =>
    Object.hasOwn(value, name) || first === undefined ? [] : [[name, first] as const],
  );
  return { ...Object.fromEntries(deciding), ...value };
}

/** Its own kind; all that are possible if it has none yet, or if the value at the path decides it. */
function kindsAt(
  kinds: readonly Kind[],
  kind: string | null,
  payload: unknown,
  [first, ...others]: readonly PathStep[],
): readonly Kind[] {
  const decides = others.length === 0 && kinds.some((one) => lookedAt([one]).has(String(first)));
  if (kind !== null && !decides) return kinds.filter(({ name }) => name === kind);
  const own = typeof payload === 'object' && payload !== null ? Object.entries(payload) : [];
  const isPossible = (one: Kind): boolean => {
    const looked = lookedAt([one]);
    return own.every(([name, value]) => {
      const values = looked.get(name) ?? [];
      return name === first || values.length === 0 || values.includes(value);
    });
  };
  const possible = kinds.filter(isPossible);
  return possible.length === 0 ? kinds : possible;
}

/** The members that the object may get; those that it must have come first. */
function memberItems(nodes: readonly SchemaNode[], { names, hasColon }: HalfWritten): CompletionItem[] {
  const required = nodes.flatMap((node) => node.required ?? []);
  const described = nodes.flatMap(({ properties = {} }) =>
    Object.keys(properties).filter((name) => properties[name] !== false),
  );
  const all = [...new Set([...described.filter((name) => required.includes(name)), ...required, ...described])];
  return all
    .filter((name) => !names.has(name))
    .map((name) => {
      const children = inPlace(nodes.flatMap(({ properties = {} }) => properties[name] ?? []));
      const value = hasColon || children.length === 0 ? null : writtenText(smallestValue(children));
      const made = item('name', name, JSON.stringify(name), children);
      return { ...made, required: required.includes(name), value };
    });
}

function valuesOf(nodes: readonly SchemaNode[]): CompletionItem[] {
  const types = typesOf(nodes);
  const values = [
    ...namedValues(nodes),
    ...(types.has('boolean') ? [true, false] : []),
    ...(types.has('null') ? [null] : []),
    ...(types.has('object') || types.has('array') ? [smallestValue(nodes)] : []),
  ];
  return values.map((value) => {
    const text = writtenText(value);
    return item('value', text, text, nodes);
  });
}

function item(type: CompletionItem['type'], label: string, text: string, nodes: readonly SchemaNode[]): CompletionItem {
  const title = nodes.find((node) => node.title !== undefined)?.title ?? null;
  const description = nodes.find((node) => node.description !== undefined)?.description ?? null;
  return { type, label, text, required: false, value: null, title, description };
}

function withoutRepeated(items: readonly CompletionItem[]): CompletionItem[] {
  const byText = new Map<string, CompletionItem>();
  for (const one of items) if (!byText.has(one.text)) byText.set(one.text, one);
  return [...byText.values()];
}

type PathStep = string | number;

type HalfWritten = NonNullable<ReturnType<typeof lookAt>>;

/**
 * What is around an offset: the path of the value, or of the object that gets a member, and the names that this has; `start` and
 * `end`: what a choice replaces, in UTF-16 code units. Null if nothing can be put there, as between two values without a comma.
 */
function lookAt(text: string, offset: number) {
  const { path, isAtPropertyKey: isName, previousNode } = getLocation(text, offset);
  if (previousNode !== undefined && offset > previousNode.offset + previousNode.length) return null;
  const isInside = previousNode !== undefined && offset > previousNode.offset;
  const [start, end] = isInside ? tokenSpan(text, previousNode, offset) : wordSpan(text, offset);
  const before = text.slice(0, start).trimEnd().at(-1);
  // A value follows another one only after a comma.
  if (before !== undefined && !'{[,:'.includes(before)) return null;
  const root = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  const nodeAt = (at: readonly PathStep[]): Node | undefined =>
    root === undefined ? undefined : findNodeAtLocation(root, [...at]);
  const place = isName ? path.slice(0, -1) : path;
  const names = new Set(isName ? namesOf(nodeAt(place), start) : []);
  const hasColon = /^\s*:/.test(text.slice(end));
  const valueAt = (at: readonly PathStep[]): unknown => writtenValue(nodeAt(at));
  return { path: place, isName, start, end, names, hasColon, valueAt };
}

/** A string without its end ends at the offset; so does one that ends where the next one was meant to begin. */
function tokenSpan(text: string, { offset: start, length }: Node, offset: number): [number, number] {
  const end = start + length;
  const isClosed = text[start] !== '"' || (length > 1 && text[end - 1] === '"');
  return [start, isClosed && /^(?:[\s,:}\]]|$)/.test(text.slice(end, end + 1)) ? end : offset];
}

/** The letters around the offset: the beginning of a literal, or of a name without quotes. */
function wordSpan(text: string, offset: number): [number, number] {
  const before = /[\w@$.+-]*$/.exec(text.slice(Math.max(0, offset - 200), offset))![0]; // it also matches ''
  const after = /^[\w@$.+-]*/.exec(text.slice(offset, offset + 200))![0];
  return [offset - before.length, offset + after.length];
}

function namesOf(object: Node | undefined, start: number): string[] {
  return (object?.children ?? []).flatMap(({ children }) => {
    const name = children?.[0];
    return name === undefined || name.offset === start ? [] : [String(name.value)];
  });
}

/** Copied into plain objects, because the parser makes objects without a prototype. */
function writtenValue(node: Node | undefined): unknown {
  return node === undefined ? undefined : JSON.parse(JSON.stringify(getNodeValue(node) ?? null));
}

/** Deeper objects of the smallest value are empty. */
const COMPLETED_LEVELS = 8;

/** The schemas and all others that apply to the same value, perhaps only in one alternative. */
export function inPlace(schemas: readonly Schema[]): SchemaNode[] {
  const found = new Set<SchemaNode>();
  const visit = (node: SchemaNode): void => {
    if (found.has(node)) return;
    found.add(node);
    for (const next of linksOf(node, APPLIED)) visit(next);
  };
  for (const schema of schemas) if (isNode(schema)) visit(schema);
  return [...found];
}

/** What only decides whether others apply is not meant to be fulfilled. */
const APPLIED = IN_PLACE.filter((keyword) => keyword !== 'if');

function schemasAt(schema: Schema, path: readonly (string | number)[]): SchemaNode[] {
  let nodes = inPlace([schema]);
  for (const step of path) nodes = inPlace(nodes.flatMap((node) => schemasFor(node, String(step))));
  return nodes;
}

/** Values that the schemas name, the most probable first, each once. */
function namedValues(nodes: readonly SchemaNode[]): unknown[] {
  const all = [
    ...nodes.flatMap((node) => ('default' in node ? [exactValue(node, 'default')] : [])),
    ...nodes.flatMap((node) => ('const' in node ? [exactValue(node, 'const')] : [])),
    ...nodes.flatMap((node) => (exactValue(node, 'enum') ?? []) as readonly unknown[]), // a list in the file
    ...nodes.flatMap(({ examples }) => (Array.isArray(examples) ? (examples as unknown[]) : [])),
  ];
  return all.filter((value, i) => all.findIndex((other) => jsonEqual(other, value)) === i);
}

/** The types that the schemas allow; empty: they do not restrict it. */
export function typesOf(nodes: readonly SchemaNode[]): ReadonlySet<string> {
  return new Set(nodes.flatMap(({ type = [] }) => type));
}

/** A value with as few members as the schemas require. It may be invalid: not all keywords are considered. */
function smallestValue(schemas: readonly Schema[], depth = 0): unknown {
  const nodes = inPlace(schemas);
  const types = typesOf(nodes);
  const isObject = types.has('object') || nodes.some(({ required = [] }) => required.length > 0);
  const [named] = namedValues(nodes);
  if (named !== undefined && !isObject) return named;
  if (isObject) return smallestObject(nodes, depth);
  if (types.has('array')) return smallestArray(nodes, depth);
  if (types.has('number') || types.has('integer'))
    return Math.max(0, ...nodes.map(({ minimum = 0 }) => Math.ceil(minimum)));
  if (types.has('boolean')) return false;
  if (types.has('null')) return null;
  const { least } = sizeKeywords('string');
  return 'x'.repeat(Math.max(0, ...nodes.map((node) => node[least] ?? 0)));
}

function smallestObject(nodes: readonly SchemaNode[], depth: number): Record<string, unknown> {
  const required = new Set(depth < COMPLETED_LEVELS ? nodes.flatMap((node) => node.required ?? []) : []);
  return Object.fromEntries(
    [...required].map((name) => {
      const children = nodes.flatMap((node) => schemasFor(node, name));
      return [name, smallestValue(children, depth + 1)];
    }),
  );
}

function smallestArray(nodes: readonly SchemaNode[], depth: number): unknown[] {
  const length = Math.max(0, ...nodes.map(({ minItems = 0 }) => minItems));
  if (depth >= COMPLETED_LEVELS || length > 10) return [];
  return Array.from({ length }, (_, i) =>
    smallestValue(
      nodes.flatMap((node) => schemasFor(node, String(i))),
      depth + 1,
    ),
  );
}
