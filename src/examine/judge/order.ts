/**
 * The steps of a node for values of one type, in the order of their violations: that of the table of keywords.
 */
import { type About, DIALECT, DIALECT_KEYWORDS, type DialectKeyword } from '../../schema/dialect.ts';
import type { SchemaNode } from '../../schema/node.ts';
import { assertionStep, dependentRequired, required, uniqueItems, wrongType } from './assertions.ts';
import { allOf, anyOf, condition, dependentSchemas, not, oneOf, references } from './in-place.ts';
import { contains, items, unevaluatedItems } from './judge-items.ts';
import { members, propertyNames, unevaluatedProperties } from './judge-members.ts';
import type { MakeStep, Making, Step } from './step.ts';
import { allows, type ValueType, valueTypes } from './value-types.ts';

/**
 * The keywords that apply schemas, or that can give more than one violation of a value. Keywords with the same function
 * share one step.
 */
const FAMILIES: Readonly<Partial<Record<DialectKeyword, MakeStep>>> = {
  $ref: references,
  not,
  anyOf,
  oneOf,
  allOf,
  if: condition,
  prefixItems: items,
  items,
  contains,
  uniqueItems,
  unevaluatedItems,
  required,
  propertyNames,
  properties: members,
  patternProperties: members,
  additionalProperties: members,
  dependentRequired,
  dependentSchemas,
  unevaluatedProperties,
};

interface Row {
  readonly make: MakeStep;
  readonly keywords: readonly DialectKeyword[];
  /** Null: values of all types. */
  readonly about: readonly About[] | null;
  readonly types: readonly ValueType[] | null;
}

const ROWS: readonly Row[] = rows();

function rows(): Row[] {
  const made: Row[] = [];
  for (const keyword of DIALECT_KEYWORDS) {
    const make = FAMILIES[keyword] ?? assertionStep(keyword);
    if (make === null) continue;
    const { about } = DIALECT[keyword];
    const last = made.at(-1);
    const types = about?.flatMap(valueTypes) ?? null;
    if (last?.make === make) made.splice(-1, 1, { ...last, keywords: [...last.keywords, keyword] });
    else made.push({ make, keywords: [keyword], about, types });
  }
  return made;
}

function has(node: SchemaNode, { keywords }: Row): boolean {
  return keywords.some((keyword) => node[keyword] !== undefined);
}

/**
 * The row after which the violation of `type` is reported. If the node has one type, and other keywords for it, it is
 * the last row about this type. Else null: the violation comes before all others.
 */
function rowBeforeType(node: SchemaNode): Row | null {
  const isSaid = ROWS.some((row) => row.about?.some((type) => type === node.type) && has(node, row));
  return isSaid ? ROWS.findLast((row) => row.about?.some((type) => type === node.type))! : null;
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
  const before = isAllowed ? undefined : rowBeforeType(node);
  if (before === null) all.push(wrongType(making));
  for (const row of ROWS) {
    if (row.types?.includes(type) !== false && has(node, row)) {
      const step = row.make(making);
      if (step !== null) all.push(step);
    }
    if (row === before) all.push(wrongType(making));
  }
  return { all, isAllowed };
}
