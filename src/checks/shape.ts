/**
 * What the schemas of a value say about its members and numbers: by this, numbers become those of CEL, and names in
 * expressions are checked before the first payload. What only some alternatives say is included.
 */
import { memoized } from '../json/on-demand.ts';
import { IN_PLACE, linksOf } from '../schema/facts.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';

export class Shape {
  readonly #nodes: readonly SchemaNode[];
  #item: Shape | null | undefined;
  #isInteger: boolean | undefined;
  #names: ReadonlySet<string> | undefined;

  private constructor(nodes: readonly SchemaNode[]) {
    this.#nodes = nodes;
  }

  /** Null: the schemas say nothing. */
  static of(schemas: readonly (Schema | undefined)[]): Shape | null {
    const nodes = new Set(schemas.filter(isNode));
    for (const node of nodes) for (const next of linksOf(node, IN_PLACE)) nodes.add(next);
    return nodes.size === 0 ? null : new Shape([...nodes]);
  }

  /** Its numbers are integers. */
  get isInteger(): boolean {
    this.#isInteger ??= this.#findsInteger();
    return this.#isInteger;
  }

  #findsInteger(): boolean {
    const types = this.#nodes.flatMap(({ type }) => type ?? []);
    return types.includes('integer') && !types.includes('number');
  }

  /** The names of the members that the schemas describe. */
  get names(): ReadonlySet<string> {
    this.#names ??= new Set(this.#nodes.flatMap(({ properties = {} }) => Object.keys(properties)));
    return this.#names;
  }

  /** There are no other members than those. */
  get isClosed(): boolean {
    if (this.#nodes.some(({ patternProperties }) => patternProperties !== undefined)) return false;
    return this.#nodes.some((node) => node.additionalProperties === false || node.unevaluatedProperties === false);
  }

  readonly member = memoized((name: string): Shape | null => Shape.of(this.#nodes.map((node) => memberOf(node, name))));

  /** What all items have in common. */
  get item(): Shape | null {
    this.#item ??= Shape.of(this.#nodes.flatMap(({ prefixItems = [], items }) => [...prefixItems, items]));
    return this.#item;
  }
}

function memberOf({ properties = {}, additionalProperties }: SchemaNode, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}
