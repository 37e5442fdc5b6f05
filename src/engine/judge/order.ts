/**
 * The steps of a node for values of one type, in the order of their violations: that of the table of keywords. The keywords
 * that judge a value by themselves become steps here.
 */
import { memoized } from '../../json/on-demand.ts';
import { KEYWORDS, stated } from '../../keywords/index.ts';
import type { Requirement, Test } from '../../keywords/keyword.ts';
import type { SchemaFacts, SchemaParams } from '../../keywords/params.ts';
import { answerOf } from '../../schema/caller-keywords.ts';
import { DIALECT, DIALECT_KEYWORDS, type DialectKeyword } from '../../schema/dialect.ts';
import { allows, typeOf, type ValueType, valueTypes } from '../../schema/facts.ts';
import { keywordValue, type SchemaNode } from '../../schema/node.ts';
import { allOf, anyOf, condition, dependentSchemas, not, oneOf, references } from './in-place.ts';
import {
  contains,
  countsRequired,
  items,
  members,
  propertyNames,
  unevaluatedItems,
  unevaluatedProperties,
} from './members-and-items.ts';
import {
  ALWAYS,
  all,
  assertion,
  type KeywordFault,
  type MakeStep,
  type NodeSteps,
  type Step,
  type StepContext,
} from './walk.ts';

/** The step of a keyword that judges a value by itself, in one of three ways; null if it is not such a keyword. */
function assertionStep(keyword: DialectKeyword): MakeStep | null {
  if (!Object.hasOwn(KEYWORDS, keyword)) return null;
  const { judge, requires, comparesItems } = KEYWORDS[keyword as keyof SchemaParams];
  if (requires !== undefined)
    return (making) =>
      all(
        making,
        requires(making.node).map((one) => requirement(making, keyword, one)),
      );
  if (comparesItems !== undefined)
    return (making) => {
      if (!comparesItems(making.node)) return null;
      const { walk } = making;
      const fault = making.fault(stated(keyword, making.node, null));
      return (value) => {
        const pair = walk.texts.repeatedItems(value as unknown[]); // asked of arrays only
        return pair === null || walk.report(fault, value, null, pair);
      };
    };
  if (judge === undefined) return null;
  return (making) => {
    const holds = judge(making);
    return holds && assertion(making, () => stated(keyword, making.node, null), holds);
  };
}

/** One violation for each of the names that is missing. */
function requirement(
  { walk, fault, node }: StepContext,
  keyword: DialectKeyword,
  { names, because }: Requirement,
): Step {
  const faultOf = memoized((missing: string) => fault(stated(keyword, node, { missing, because })));
  const step: Step = (value) => {
    const object = value as object; // asked of objects only
    if (because !== null && !Object.hasOwn(object, because)) return true;
    let holds = true;
    for (let i = 0; i < names.length; i++) {
      if (Object.hasOwn(object, names[i]!)) continue;
      if (walk.isQuiet) return false;
      holds = walk.report(faultOf(names[i]!), value);
    }
    return holds;
  };
  return because === null && countsRequired(node) ? Object.assign(step, { test: ALWAYS }) : step;
}

/** Every value meets it. The rule is the keyword, whatever the schema has for it. */
const deprecated: MakeStep = ({ node, walk, placeOf }) => {
  const facts = { rule: 'deprecated', params: {} } as const;
  const fault: KeywordFault = { node, facts, place: placeOf('deprecated') };
  return () => {
    walk.remark(fault);
    return true;
  };
};

/** The functions of the caller, each for values of its types. */
const ofCaller: MakeStep = (making) => {
  const steps = (making.node.ofCaller ?? []).map((keyword) => {
    const facts = { rule: keyword.name, params: {} } as unknown as SchemaFacts; // a rule of the caller's has no params
    return assertion(
      making,
      facts,
      (value) => !allows(keyword.type, typeOf(value)) || answerOf(keyword, value, making.walk.fullPointer) === true,
    );
  });
  return all(making, steps);
};

/** The keywords that apply schemas, or remark on values. Those with the same function share one step. */
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
  unevaluatedItems,
  propertyNames,
  properties: members,
  patternProperties: members,
  additionalProperties: members,
  dependentSchemas,
  unevaluatedProperties,
  deprecated,
  ofCaller,
};

interface Row {
  readonly make: MakeStep;
  readonly at: number;
  /** Null: values of all types. */
  readonly types: readonly ValueType[] | null;
}

/** The row of a keyword; null: none that judges. */
const rowOf = memoized((name: string): Row | null => {
  if (!Object.hasOwn(DIALECT, name)) return null;
  const keyword = name as DialectKeyword; // it is in the table
  const make = FAMILIES[keyword] ?? assertionStep(keyword);
  const { about } = DIALECT[keyword];
  const at = DIALECT_KEYWORDS.indexOf(keyword);
  return make && { make, at, types: about?.flatMap(valueTypes) ?? null };
});

function rowsOf(node: SchemaNode): readonly Row[] {
  const rows: Row[] = [];
  for (const name of Object.keys(node)) {
    const row = rowOf(name);
    if (row !== null && keywordValue(node, name) !== undefined) rows.push(row);
  }
  return rows.sort((a, b) => a.at - b.at).filter(({ make }, i) => make !== rows[i - 1]?.make);
}

/**
 * The place in the table after which the violation of `type` is reported. If the node has one type, and other keywords
 * for it, it is that of the last keyword about this type. Else the violation comes before all others.
 */
function placeOfType({ type }: SchemaNode, rows: readonly Row[]): number {
  const isAbout = (keyword: DialectKeyword): boolean => DIALECT[keyword].about?.some((one) => one === type) === true;
  return rows.some(({ at }) => isAbout(DIALECT_KEYWORDS[at]!)) ? DIALECT_KEYWORDS.findLastIndex(isAbout) : -1;
}

/** Whether the keyword of the node can reject values, and values of which types (null: all); false: it cannot. */
export function judgedTypes(making: StepContext, keyword: string): readonly ValueType[] | null | false {
  if (keyword === 'type') return null;
  const row = rowOf(keyword);
  return row !== null && row.make(making) !== null && row.types;
}

export function stepsFor(making: StepContext, type: ValueType): NodeSteps {
  const { node, counter } = making;
  const isAllowed = allows(node.type, type);
  const rows = rowsOf(node);
  const typeAt = isAllowed ? null : placeOfType(node, rows);
  const isBefore = ({ at }: Row): boolean => typeAt === null || at <= typeAt;
  const counted = (keyword: DialectKeyword, step: Step): Step => counter?.keyword(node, keyword, step) ?? step;
  const stepsOf = (some: readonly Row[]): Step[] =>
    some
      .filter(({ types }) => types?.includes(type) !== false)
      .flatMap(({ make, at }) => {
        const step = make(making);
        return step === null ? [] : counted(DIALECT_KEYWORDS[at]!, step);
      });
  const wrongType = (): Step =>
    assertion(
      making,
      () => stated('type', node, null),
      () => false,
    );
  const rightType = counter === undefined || node.type === undefined ? [] : [counted('type', () => true)];
  const all = [
    ...(isAllowed ? rightType : []),
    ...stepsOf(rows.filter(isBefore)),
    ...(typeAt === null ? [] : [counted('type', wrongType())]),
    ...stepsOf(rows.filter((row) => !isBefore(row))),
  ];
  // What is counted is judged to its end.
  if (counter !== undefined) return { all, isAllowed: true };
  const tests = all.map((step) => step.test ?? step).filter((test) => test !== ALWAYS);
  return { all, isAllowed, test: both(tests) };
}

function both([first, ...rest]: readonly Test[]): Test {
  return rest.reduce((one, other) => (value) => one(value) && other(value), first ?? ALWAYS);
}
