/**
 * The types of JSON values as JSON Schema distinguishes them, as small numbers: the steps of a node are kept by type.
 */
import { Decimal, isInteger } from '../json/decimal.ts';
import type { TypeName } from './node.ts';

const NULL = 0;
const BOOLEAN = 1;
const INTEGER = 2;
/** A number that is not an integer. */
export const NUMBER = 3;
export const STRING = 4;
export const ARRAY = 5;
export const OBJECT = 6;
export type ValueType = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export const VALUE_TYPES: readonly ValueType[] = [NULL, BOOLEAN, INTEGER, NUMBER, STRING, ARRAY, OBJECT];

/** An integer is a number without a fraction, however it is written. */
export function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
      return isInteger(value) ? INTEGER : NUMBER;
    case 'boolean':
      return BOOLEAN;
    default:
      if (value === null) return NULL;
      if (Array.isArray(value)) return ARRAY;
      return value instanceof Decimal ? (isInteger(value) ? INTEGER : NUMBER) : OBJECT;
  }
}

const TYPES: Readonly<Record<TypeName, readonly ValueType[]>> = {
  null: [NULL],
  boolean: [BOOLEAN],
  integer: [INTEGER],
  number: [INTEGER, NUMBER],
  string: [STRING],
  array: [ARRAY],
  object: [OBJECT],
};

/** The types of the values that the keyword `type` allows by one name. */
export function valueTypes(name: TypeName): readonly ValueType[] {
  return TYPES[name];
}

/** True if the keyword `type` allows values of the type. */
export function allows(names: TypeName | readonly TypeName[] | undefined, type: ValueType): boolean {
  if (names === undefined) return true;
  if (typeof names === 'string') return TYPES[names].includes(type);
  return names.some((name) => TYPES[name].includes(type));
}

const NAMES: readonly TypeName[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** The names of types, each once. */
export function typesNamed(types: readonly ValueType[]): readonly TypeName[] {
  const nameOf = (type: ValueType): TypeName =>
    type === INTEGER && types.includes(NUMBER) ? 'number' : NAMES[type]!;
  return [...new Set(types.map(nameOf))];
}
