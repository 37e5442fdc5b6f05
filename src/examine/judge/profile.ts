/**
 * What a schema requires of every value, as far as it distinguishes alternatives: types, values, and members.
 */
import { Decimal } from '../../json/decimal.ts';
import { exactValue } from '../../schema/exact.ts';
import { isNode, type Schema, type SchemaNode } from '../../schema/node.ts';
import { allows, VALUE_TYPES, type ValueType } from './value-types.ts';

/** Maximum number of references that are followed to find the required members. */
const HOPS = 8;

export type Scalar = string | number | boolean | null;

/** What a schema requires of every value. */
export interface Profile {
  readonly types: ReadonlySet<ValueType>;
  /** The values that `const` or `enum` allow, if they are scalars; null: any. */
  readonly values: ReadonlySet<Scalar> | null;
  readonly required: ReadonlySet<string>;
  /** By name of a member, the scalars that it can have. */
  readonly members: ReadonlyMap<string, ReadonlySet<Scalar>>;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value !== 'object' || value === null;
}

/** The schemas that a value must match to match `schema`: itself, and those that its references and `allOf` lead to. */
export function* partsOf(schema: Schema, hops = HOPS): Generator<SchemaNode> {
  if (!isNode(schema)) return;
  yield schema;
  if (hops === 0) return;
  for (const inner of [...(schema.$ref ?? []), ...(schema.allOf ?? [])]) yield* partsOf(inner, hops - 1);
}

/** The key by which a value is looked up; undefined for objects and arrays. */
export function keyOf(value: unknown): Scalar | undefined {
  if (value instanceof Decimal) return value.key; // a text may have the same key: then one alternative too many is left
  return isScalar(value) ? value : undefined;
}

/** The values that `const` or `enum` of a schema allow, if they are scalars; null: any. */
export function scalarsOf(schema: Schema): readonly unknown[] | null {
  for (const node of partsOf(schema)) {
    const values = node.const === undefined ? exactValue(node, 'enum') : [exactValue(node, 'const')];
    const list = values as readonly unknown[] | undefined; // a list in the file
    if (list?.every((value) => keyOf(value) !== undefined)) return list;
  }
  return null;
}

function valuesOf(schema: Schema): ReadonlySet<Scalar> | null {
  const values = scalarsOf(schema);
  return values === null ? null : new Set(values.map((value) => keyOf(value)!)); // all of them have one
}

export function profileOf(schema: Schema): Profile {
  const parts = [...partsOf(schema)];
  const types = VALUE_TYPES.filter((type) => parts.every((part) => allows(part.type, type)));
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const members = new Map<string, ReadonlySet<Scalar>>();
  for (const { properties = {} } of parts) {
    for (const [name, member] of Object.entries(properties)) {
      const values = valuesOf(member);
      if (values !== null && !members.has(name)) members.set(name, values);
    }
  }
  return { types: new Set(schema === false ? [] : types), values: valuesOf(schema), required, members };
}
