/**
 * The steps of a node for values of one type, in the order in which their violations are told. It is the order of Ajv, which reports have
 * had from the beginning: the keywords for any value, those for numbers and strings, those for arrays, those for objects.
 */
import type { SchemaNode, TypeName } from '../../schema/node.ts';
import {
  constant,
  dependentRequired,
  enumeration,
  format,
  formatLimit,
  maxItems,
  maxLength,
  maxProperties,
  minItems,
  minLength,
  minProperties,
  multipleOf,
  numberLimit,
  pattern,
  required,
  uniqueItems,
  wrongType,
} from './assertions.ts';
import { allOf, anyOf, condition, dependentSchemas, not, oneOf, references } from './in-place.ts';
import { contains, items, unevaluatedItems } from './items.ts';
import { members, propertyNames, unevaluatedProperties } from './members.ts';
import type { MakeStep, Making, Step } from './step.ts';
import { ARRAY, allows, INTEGER, NUMBER, OBJECT, STRING, type ValueType } from './value-types.ts';

/** A function, and the keywords for which it makes a step, which count for values of some types only. */
type Row = readonly [make: MakeStep, types: readonly ValueType[] | null, ...keywords: (keyof SchemaNode)[]];

const NUMBERS: readonly ValueType[] = [INTEGER, NUMBER];
const STRINGS: readonly ValueType[] = [STRING];
const TEXTS: readonly ValueType[] = [INTEGER, NUMBER, STRING];
const ARRAYS: readonly ValueType[] = [ARRAY];
const OBJECTS: readonly ValueType[] = [OBJECT];

/** Where the violation of `type` is told: before all others; or if the node has one type and says more of it, where that is said. */
type TypePlace = 'type first' | 'type of texts' | 'type of arrays' | 'type of objects';

const ROWS: readonly (Row | TypePlace)[] = [
  'type first',
  [references, null, '$ref'],
  [constant, null, 'const'],
  [enumeration, null, 'enum'],
  [not, null, 'not'],
  [anyOf, null, 'anyOf'],
  [oneOf, null, 'oneOf'],
  [allOf, null, 'allOf'],
  [condition, null, 'if'],
  [numberLimit('maximum'), NUMBERS, 'maximum'],
  [numberLimit('minimum'), NUMBERS, 'minimum'],
  [numberLimit('exclusiveMaximum'), NUMBERS, 'exclusiveMaximum'],
  [numberLimit('exclusiveMinimum'), NUMBERS, 'exclusiveMinimum'],
  [multipleOf, NUMBERS, 'multipleOf'],
  [maxLength, STRINGS, 'maxLength'],
  [minLength, STRINGS, 'minLength'],
  [pattern, STRINGS, 'pattern'],
  [format, TEXTS, 'format'],
  [formatLimit('formatMaximum'), STRINGS, 'formatMaximum'],
  [formatLimit('formatMinimum'), STRINGS, 'formatMinimum'],
  [formatLimit('formatExclusiveMaximum'), STRINGS, 'formatExclusiveMaximum'],
  [formatLimit('formatExclusiveMinimum'), STRINGS, 'formatExclusiveMinimum'],
  'type of texts',
  [maxItems, ARRAYS, 'maxItems'],
  [minItems, ARRAYS, 'minItems'],
  [items, ARRAYS, 'prefixItems', 'items'],
  [contains, ARRAYS, 'contains'],
  [uniqueItems, ARRAYS, 'uniqueItems'],
  [unevaluatedItems, ARRAYS, 'unevaluatedItems'],
  'type of arrays',
  [maxProperties, OBJECTS, 'maxProperties'],
  [minProperties, OBJECTS, 'minProperties'],
  [required, OBJECTS, 'required'],
  [propertyNames, OBJECTS, 'propertyNames'],
  [members, OBJECTS, 'properties', 'patternProperties', 'additionalProperties'],
  [dependentRequired, OBJECTS, 'dependentRequired'],
  [dependentSchemas, OBJECTS, 'dependentSchemas'],
  [unevaluatedProperties, OBJECTS, 'unevaluatedProperties'],
  'type of objects',
];

const PLACES: readonly (readonly [TypeName, readonly ValueType[], TypePlace])[] = [
  ['number', NUMBERS, 'type of texts'],
  ['string', STRINGS, 'type of texts'],
  ['array', ARRAYS, 'type of arrays'],
  ['object', OBJECTS, 'type of objects'],
];

function hasOne(node: SchemaNode, [, , ...keywords]: Row): boolean {
  return keywords.some((keyword) => node[keyword] !== undefined);
}

function typePlace(node: SchemaNode): TypePlace {
  const found = PLACES.find(([name]) => name === node.type);
  if (found === undefined) return 'type first';
  const [, types, place] = found;
  const isSaid = ROWS.some(
    (row) => typeof row !== 'string' && row[1]?.includes(types[0]!) && hasOne(node, row),
  );
  return isSaid ? place : 'type first';
}

/** The steps for values of a type that the node may not allow. */
export interface Steps {
  readonly all: readonly Step[];
  /** The keyword `type` allows the type. */
  readonly isAllowed: boolean;
}

export function stepsFor(making: Making, type: ValueType): Steps {
  const { node } = making;
  const isAllowed = allows(node.type, type);
  const all: Step[] = [];
  for (const row of ROWS) {
    if (typeof row === 'string') {
      if (!isAllowed && row === typePlace(node)) all.push(wrongType(making));
      continue;
    }
    const [make, types] = row;
    if (types?.includes(type) === false || !hasOne(node, row)) continue;
    const step = make(making);
    if (step !== null) all.push(step);
  }
  return { all, isAllowed };
}
