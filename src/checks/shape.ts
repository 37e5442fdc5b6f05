/**
 * What the schemas of a value say about its members and numbers: by this, numbers become those of CEL, and names in
 * expressions are checked before the first payload. What only some alternatives say is included.
 */
import { memoized, once } from '../json/on-demand.ts';
import { IN_PLACE, linksOf } from '../schema/facts.ts';
import { isNode, type Schema, type SchemaNode } from '../schema/node.ts';

export class Shape {
  /** Its numbers are integers. */
  readonly isInteger: boolean;
  /** The names of the members that the schemas describe. */
  readonly names: ReadonlySet<string>;
  /** There are no other members than those. */
  readonly isClosed: boolean;
  readonly #nodes: readonly SchemaNode[];

  private constructor(nodes: readonly SchemaNode[]) {
    const types = nodes.flatMap(({ type }) => type ?? []);
    this.isInteger = types.includes('integer') && !types.includes('number');
    this.names = new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)));
    this.isClosed =
      nodes.every(({ patternProperties }) => patternProperties === undefined) &&
      nodes.some((node) => node.additionalProperties === false || node.unevaluatedProperties === false);
    this.#nodes = nodes;
  }

  /** Null: the schemas say nothing. */
  static of(schemas: readonly (Schema | undefined)[]): Shape | null {
    const nodes = new Set(schemas.filter(isNode));
    for (const node of nodes) for (const next of linksOf(node, IN_PLACE)) nodes.add(next);
    return nodes.size === 0 ? null : new Shape([...nodes]);
  }

  readonly member = memoized((name: string) =>
    Shape.of(
      this.#nodes.map(({ properties = {}, additionalProperties }) =>
        Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
      ),
    ),
  );

  /** What all items have in common. */
  readonly item = once(() => Shape.of(this.#nodes.flatMap(({ prefixItems = [], items }) => [...prefixItems, items])));
}
