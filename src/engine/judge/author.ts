/**
 * What the author of a schema says about a violation: `errorMessage` (a text, or the object of ajv-errors),
 * `patternErrorMessage` and `deprecationMessage`. It comes with the violation, and changes nothing else of it.
 */
import { entryOf, memoizedWeakly } from '../../json/on-demand.ts';
import { atPointer, formatPointer, isIndexName, parsePointer } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import { schemasFor } from '../../schema/described-members.ts';
import { IN_PLACE, linksOf } from '../../schema/facts.ts';
import type { OwnFormats } from '../../schema/formats/format.ts';
import { isNode, type Schema, type SchemaNode } from '../../schema/node.ts';
import type { SchemaSet } from '../../schema/set.ts';
import type { Finding } from '../../types.ts';
import { quote, visible } from '../../words/escape.ts';
import { showsText, type Wording } from '../../words/rule.ts';

/** A schema on the way to the keyword that fails, and the member or item through which the way leads on; null: none. */
interface Stop {
  readonly node: SchemaNode;
  readonly token: string | null;
  /** Tokens of the pointer that lead to the value of the schema. */
  readonly depth: number;
}

/** `${/pointer}` in a message: a pointer from the payload's root, or a relative one (`1/name`, from the value at fault). */
const TEMPLATE = /\$\{(\d*)((?:\/[^}]*)?)\}/g;

export class Author {
  /** Some message shows text of the payload. */
  readonly quotes: boolean;
  readonly #kinds: SchemaSet['kinds'];
  /** Messages by kind, place of the schema and pointer. */
  readonly #known = new Map<string, string | null>();
  readonly #formats: OwnFormats;

  private constructor({ kinds, formats = new Map() }: SchemaSet, messages: readonly unknown[]) {
    this.#kinds = kinds;
    this.#formats = formats;
    this.quotes = messages.some((message) => JSON.stringify(message).includes('${'));
  }

  /** Null: the schemas have no such messages. */
  static readonly of = memoizedWeakly((set: SchemaSet): Author | null => {
    const ofNodes = set.nodes.flatMap((node): unknown[] => [
      node.errorMessage,
      node.patternErrorMessage,
      node.deprecationMessage,
    ]);
    const ofFormats = [...(set.formats?.values() ?? [])].map((own) => (own === false ? undefined : own.message));
    const messages = [...ofNodes, ...ofFormats].filter((one) => one !== undefined);
    return messages.length === 0 ? null : new Author(set, messages);
  });

  /** The finding with what the author says. `read`: gives the value, for templates. */
  withMessage(finding: Finding, kind: string | null, wording: Wording, read: () => unknown): Finding {
    const message = this.#messageFor(finding, kind);
    const { children } = finding;
    const inner = children?.map((child) => this.withMessage(child, kind, wording, read));
    if (message === null && inner === undefined) return finding;
    return {
      ...finding,
      ...(message === null ? {} : { authorMessage: filledIn(message, finding.pointer, wording, read) }),
      ...(inner === undefined ? {} : { children: inner }),
    };
  }

  #messageFor(finding: Finding, kind: string | null): string | null {
    const { schema, pointer } = finding;
    const root = this.#kinds.find(({ name }) => name === kind)?.schema;
    if (schema === null || root === undefined) return null;
    const missing = missingIn(finding);
    const key = JSON.stringify([kind, schema, pointer, missing]);
    let message = this.#known.get(key);
    if (message === undefined) {
      message = messageOn(wayTo(schema, root, parsePointer(pointer)), finding, missing) ?? this.#ofFormat(finding);
      if (this.#known.size < MOST_KNOWN) this.#known.set(key, message);
    }
    return message;
  }

  #ofFormat({ rule, params }: Finding): string | null {
    const own = rule === 'format' ? this.#formats.get(params.format) : undefined;
    return own ? (own.message ?? null) : null;
  }
}

const MOST_KNOWN = 10_000;

/** The name that is missing, for `required` and `dependentRequired`; null for other rules. */
function missingIn({ params }: Finding): string | null {
  return 'missing' in params && typeof params.missing === 'string' ? params.missing : null;
}

/** The innermost message on the way; null: there is none. */
function messageOn(way: readonly Stop[], { rule }: Finding, missing: string | null): string | null {
  for (let i = way.length - 1; i >= 0; i--) {
    const { node, token } = way[i]!; // within the list
    const own = i === way.length - 1 ? ownMessage(node, rule, missing) : branchMessage(node, way[i + 1]!.node);
    const message = own ?? memberMessage(node, token) ?? textOf(node.errorMessage) ?? textOf(messageIn(node, '_'));
    if (message !== null) return message;
  }
  return null;
}

/** What the schema says with `if` of all that is wrong by its `then` or `else`, as in ajv-errors. */
function branchMessage(node: SchemaNode, inner: SchemaNode): string | null {
  return inner === node.then || inner === node.else ? textOf(messageIn(node, 'if')) : null;
}

function ownMessage(node: SchemaNode, rule: string, missing: string | null): string | null {
  if (rule === 'deprecated') return textOf(node.deprecationMessage);
  const message = messageIn(node, rule);
  const ofName = missing !== null && isJsonObject(message) ? memberOf(message, missing) : message;
  return textOf(ofName) ?? (rule === 'pattern' ? textOf(node.patternErrorMessage) : null);
}

/** What the schema says of all that is wrong with a member or an item. */
function memberMessage(node: SchemaNode, token: string | null): string | null {
  if (token === null) return null;
  const [members, items] = [messageIn(node, 'properties'), messageIn(node, 'items')];
  const ofItem = Array.isArray(items) && isIndexName(token) ? items[Number(token)] : undefined;
  return textOf(isJsonObject(members) ? memberOf(members, token) : undefined) ?? textOf(ofItem);
}

function messageIn({ errorMessage }: SchemaNode, name: string): unknown {
  return isJsonObject(errorMessage) ? memberOf(errorMessage, name) : undefined;
}

function memberOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A shortest way from `root` to the keyword at `place`, the root first; empty: none. The value is at `tokens`. */
function wayTo(place: string, root: Schema, tokens: readonly string[]): readonly Stop[] {
  const target = place.slice(0, place.lastIndexOf('/'));
  const way = shortestWay(target, root, tokens);
  // The place of a schema that is false is its own, as `/properties/a`.
  return way.length > 0 ? way : shortestWay(target.slice(0, target.lastIndexOf('/')), root, tokens);
}

function shortestWay(target: string, root: Schema, tokens: readonly string[]): readonly Stop[] {
  const seen = new Map<SchemaNode, Set<number>>();
  let ways: (readonly Stop[])[] = isNode(root) ? [[{ node: root, token: null, depth: 0 }]] : [];
  for (; ways.length > 0; ways = ways.flatMap((way) => stepsFrom(way, tokens, seen))) {
    // A keyword such as `additionalProperties` is about a member of the value of its schema.
    const found = ways.find((way) => {
      const { node, depth } = way.at(-1)!; // a way has a stop
      return node.origin.place === target && depth >= tokens.length - 1;
    });
    if (found === undefined) continue;
    const last = found.at(-1)!;
    return [...found.slice(0, -1), { ...last, token: tokens[last.depth] ?? null }];
  }
  return [];
}

function stepsFrom(
  way: readonly Stop[],
  tokens: readonly string[],
  seen: Map<SchemaNode, Set<number>>,
): (readonly Stop[])[] {
  const last = way.at(-1)!; // a way has a stop
  const { node, depth } = last;
  const to = (schema: Schema | undefined, token: string | null, at: number): (readonly Stop[])[] => {
    if (!isNode(schema)) return [];
    const depths = entryOf(seen, schema, () => new Set());
    if (depths.has(at)) return [];
    depths.add(at);
    return [[...way.slice(0, -1), { ...last, token }, { node: schema, token: null, depth: at }]];
  };
  const token = tokens[depth];
  return [
    ...[...linksOf(node, IN_PLACE), node.not].flatMap((schema) => to(schema, null, depth)),
    ...(token === undefined
      ? []
      : [...schemasFor(node, token), node.propertyNames, node.contains].flatMap((schema) =>
          to(schema, token, depth + 1),
        )),
  ];
}

/** The message with the values that its templates name. */
function filledIn(message: string, pointer: string, wording: Wording, read: () => unknown): string {
  return message.replace(TEMPLATE, (_, up: string, below: string) => {
    if (!showsText(wording)) return '';
    const tokens = parsePointer(pointer);
    const from = up === '' ? [] : tokens.slice(0, Math.max(0, tokens.length - Number(up)));
    const value = atPointer(read(), formatPointer(from) + below);
    if (value === undefined || typeof value === 'string') return quote(value ?? '');
    const json = JSON.stringify(value);
    return visible(json.length > LONGEST_VALUE ? `${json.slice(0, LONGEST_VALUE)}…` : json);
  });
}

/** Of the JSON text of a value, in UTF-16 code units. */
const LONGEST_VALUE = 80;
