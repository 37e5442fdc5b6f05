/**
 * Which members or items of a value the keywords of a schema evaluate: the annotations of JSON Schema, which
 * `unevaluatedProperties` and `unevaluatedItems` need. They are collected only when one of these two is judged, so
 * other schemas have no extra cost.
 *
 * Subschemas that always apply to the value itself count even if they fail: then the value is invalid anyway. Those of
 * `anyOf`, `oneOf`, `if` and `contains` count if the value matches them.
 */
import type { JsonObject } from '../../json/value.ts';
import { isNode, type Schema, type SchemaNode } from '../../schema/node.ts';
import type { Step, StepContext } from './walk.ts';

type Key = string | number;

/** A set that contains every member or item. */
interface Keys {
  has(key: Key): boolean;
}
const ALL: Keys = { has: () => true };

type Helpers = Pick<StepContext, 'walk' | 'stepOf' | 'pattern'>;

/** The names of members of `object` that are evaluated by the keywords of the node, but for `unevaluatedProperties`. */
export function evaluatedMembers(making: StepContext, object: JsonObject): Keys {
  return new EvaluatedCollector(making, object, membersOf).collectBeside(making.node);
}

/** The same for the indexes of items. */
export function evaluatedItems(making: StepContext, array: readonly unknown[]): Keys {
  return new EvaluatedCollector(making, array, itemsOf).collectBeside(making.node);
}

function membersOf(node: SchemaNode, object: JsonObject, { pattern }: Helpers): Iterable<Key> | null {
  const { properties = {}, patternProperties = {}, additionalProperties } = node;
  if (additionalProperties !== undefined) return null;
  const patterns = Object.keys(patternProperties).map(pattern);
  return Object.keys(object).filter(
    (name) => Object.hasOwn(properties, name) || patterns.some((matches) => matches(name)),
  );
}

function itemsOf(node: SchemaNode, array: readonly unknown[], { walk, stepOf }: Helpers): Iterable<Key> | null {
  const { prefixItems = [], items, contains, containsIsSilent = false } = node;
  if (items !== undefined) return null;
  const indexes = [...prefixItems.keys()];
  if (contains === undefined || containsIsSilent) return indexes;
  const step = stepOf(contains, '');
  const isMatch: Step = (item) => walk.test(step, item);
  return [...indexes, ...[...array.keys()].filter((i) => walk.visit(isMatch, i, array[i]))];
}

/** What the keywords of a node that lead to members or items evaluate; null: all. */
type OwnKeys<T> = (node: SchemaNode, value: T, helpers: Helpers) => Iterable<Key> | null;

/** Collects what is evaluated in one value. */
class EvaluatedCollector<T extends object> {
  readonly #helpers: Helpers;
  readonly #value: T;
  readonly #ownKeys: OwnKeys<T>;
  readonly #keys = new Set<Key>();
  readonly #seen = new Set<SchemaNode>();
  #all = false;

  constructor(helpers: Helpers, value: T, ownKeys: OwnKeys<T>) {
    this.#helpers = helpers;
    this.#value = value;
    this.#ownKeys = ownKeys;
  }

  /** What the keywords beside `unevaluated…` evaluate. */
  collectBeside(node: SchemaNode): Keys {
    this.#seen.add(node);
    this.#beside(node);
    return this.#all ? ALL : this.#keys;
  }

  #collect(schema: Schema | undefined): void {
    if (!isNode(schema) || this.#all || this.#seen.has(schema)) return;
    this.#seen.add(schema);
    const { unevaluatedProperties, unevaluatedItems } = schema;
    const others = Array.isArray(this.#value) ? unevaluatedItems : unevaluatedProperties;
    if (others !== undefined) this.#all = true;
    else this.#beside(schema);
  }

  #beside(node: SchemaNode): void {
    const { walk } = this.#helpers;
    walk.count(node);
    const keys = this.#ownKeys(node, this.#value, this.#helpers);
    if (keys === null) this.#all = true;
    else for (const key of keys) this.#keys.add(key);
    for (const [name, schema] of Object.entries(node.dependentSchemas ?? {}))
      if (Object.hasOwn(this.#value, name)) this.#collect(schema);
    for (const schema of [...(node.$ref ?? []), ...(node.allOf ?? [])]) this.#collect(schema);
    for (const schema of [...(node.anyOf ?? []), ...(node.oneOf ?? [])])
      if (isNode(schema) && this.#matches(schema)) this.#collect(schema);
    if (node.if === undefined) return;
    const branches = this.#matches(node.if) ? [node.if, node.then] : [node.else];
    for (const schema of branches) this.#collect(schema);
  }

  #matches(schema: Schema): boolean {
    if (this.#all) return false; // nothing is added anyway
    const { walk, stepOf } = this.#helpers;
    return walk.test(stepOf(schema, ''), this.#value);
  }
}
