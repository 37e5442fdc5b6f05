/**
 * The keywords that lead to the members of an object, or to the items of an array. One loop over the members serves
 * all but `unevaluatedProperties`, which comes after.
 */
import { memoized } from '../../json/on-demand.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Test } from '../../keywords/keyword.ts';
import { wanted } from '../../keywords/wanted.ts';
import { namesInPlace, typeOf } from '../../schema/facts.ts';
import type { Schema, SchemaNode } from '../../schema/node.ts';
import { evaluatedIn } from './evaluated.ts';
import { ALWAYS, assertion, type MakeStep, type MemberStep, type Step, type StepContext } from './walk.ts';

export const members: MakeStep = (making) => {
  const { node, walk, stepOf, pattern, counter } = making;
  const { properties = {}, patternProperties = {}, additionalProperties } = node;
  const known = new Map(Object.entries(properties).map(([name, schema]) => [name, stepOf(schema, 'properties', name)]));
  const patterns = Object.entries(patternProperties).map(
    ([source, schema]) => [pattern(source), stepOf(schema, 'patternProperties', source)] as const,
  );
  const judgeOther = others(making, 'additionalProperties', additionalProperties);
  const byPatterns = (object: JsonObject, name: string, isKnown: boolean): boolean => {
    let [holds, isOther] = [true, !isKnown];
    for (const [matches, inner] of patterns) {
      if (!matches(name)) continue;
      isOther = false;
      if (!walk.visit(inner, name, object[name])) holds = false;
    }
    return isOther ? judgeOther(object, name) : holds;
  };
  const step: Step = (value) => {
    let holds = true;
    const object = value as JsonObject; // asked of objects only
    const names = Object.keys(object);
    // With few variables, and no function in between, each level of a payload takes little of the stack.
    for (let i = 0; i < names.length; i++) {
      const own = known.get(names[i]!);
      let isRight = true;
      if (own !== undefined) {
        walk.enter(names[i]!);
        isRight = own(object[names[i]!]);
        walk.leave();
      }
      if (patterns.length > 0) isRight = byPatterns(object, names[i]!, own !== undefined) && isRight;
      else if (own === undefined) isRight = judgeOther(object, names[i]!);
      if (isRight) continue;
      if (walk.isQuiet) return false;
      holds = false;
    }
    return holds;
  };
  if (patterns.length > 0 || counter !== undefined) return step;
  const other = stepOf(additionalProperties ?? true, 'additionalProperties');
  return Object.assign(step, { test: quickMembers(making, known, other) });
};

/** Whether the test of the members finds those that are missing. */
export function countsRequired({ required = [], properties, patternProperties }: SchemaNode): boolean {
  return patternProperties === undefined && required.every((name) => Object.hasOwn(properties ?? {}, name));
}

interface Member {
  readonly step: Step;
  /** By type, made when a value has it; null: the schema leads on, and `step` is applied. */
  readonly tests: (Test | undefined)[] | null;
  readonly counts: number; // 1 if it is required, and counted
}

/** One loop over the members that an object has. */
function quickMembers({ node, walk }: StepContext, known: ReadonlyMap<string, Step>, other: Step): Test {
  const required = new Set(countsRequired(node) ? node.required : []);
  const members = new Map<string, Member>();
  for (const [name, step] of known) {
    const tests = step.leaf === undefined ? null : [];
    members.set(name, { step, tests, counts: required.has(name) ? 1 : 0 });
  }
  return (object) => {
    let found = 0;
    for (const name in object as JsonObject) {
      const value = (object as JsonObject)[name];
      const member = members.get(name);
      if (member === undefined) {
        if (other === ALWAYS || walk.visit(other, name, value)) continue;
        return false;
      }
      found += member.counts;
      if (member.tests === null) {
        walk.enter(name);
        const holds = member.step(value);
        walk.leave();
        if (!holds) return false;
      } else {
        const type = typeOf(value);
        member.tests[type] ??= member.step.leaf!(type); // it has tests
        const test = member.tests[type];
        if (test !== ALWAYS && !test(value)) return false;
      }
    }
    return found === required.size;
  };
}

/** For members that no other keyword mentions. If they are not allowed, the violation is about their names. */
function others(
  { node, walk, stepOf, counter, fault: faultOf }: StepContext,
  rule: 'additionalProperties' | 'unevaluatedProperties',
  schema: Schema | undefined,
): MemberStep {
  if (schema === undefined || schema === true) return () => true;
  if (schema === false) {
    const fault = faultOf({ rule, params: {} });
    if (rule === 'additionalProperties') {
      const refuse: MemberStep = (object, name) => walk.report(fault, object, name);
      return counter?.refusal(node, refuse) ?? refuse;
    }
    const known = namesInPlace(node);
    const inactive = faultOf({ rule, params: { inactive: true } });
    return (object, name) => walk.report(known.has(name) ? inactive : fault, object, name);
  }
  const step = stepOf(schema, rule);
  return (object, name) => walk.visit(step, name, object[name]);
}

export const propertyNames: MakeStep = ({ node, walk, stepOf, fault: faultOf }) => {
  const step = stepOf(node.propertyNames!, 'propertyNames');
  const words = wanted(node.propertyNames);
  const fault = faultOf({ rule: 'propertyNames', params: words === null ? {} : { wanted: words } });
  const isAllowed: Step = (name) => walk.test(step, name);
  return (value) =>
    walk.every(
      Object.keys(value as object), // asked of objects only
      (name) => walk.visit(isAllowed, name, name) || walk.report(fault, value, name),
    );
};

export const unevaluatedProperties: MakeStep = (making) => {
  const { node, walk } = making;
  const judgeOther = others(making, 'unevaluatedProperties', node.unevaluatedProperties);
  return (value) => {
    const object = value as JsonObject; // asked of objects only
    const evaluated = evaluatedIn(making, object);
    return walk.every(Object.keys(object), (name) => evaluated.has(name) || judgeOther(object, name));
  };
};

export const items: MakeStep = (making) => {
  const { node, walk, stepOf } = making;
  const first = (node.prefixItems ?? []).map((schema, i) => stepOf(schema, 'prefixItems', i));
  const isClosed = node.prefixItems !== undefined && node.items === false;
  const rest = isClosed || node.items === undefined ? null : stepOf(node.items, 'items');
  const limit = first.length;
  const holdsAll: Test = (value) => !isClosed || (value as unknown[]).length <= limit; // asked of arrays only
  const isShort = assertion(making, { rule: 'items', params: { limit } }, holdsAll);
  return (value) => {
    const list = value as readonly unknown[]; // as above
    const end = rest === null ? Math.min(limit, list.length) : list.length;
    let holds = true;
    for (let i = 0; i < end; i++) {
      const step = i < limit ? first[i]! : rest!;
      // Without a function in between, each level of a payload takes less of the stack.
      walk.enter(i);
      const isRight = step(list[i]);
      walk.leave();
      if (isRight) continue;
      if (walk.isQuiet) return false;
      holds = false;
    }
    return isShort(value) && holds;
  };
};

export const contains: MakeStep = (making) => {
  const { node, walk, stepOf } = making;
  const { minContains = 1, maxContains } = node;
  const step = stepOf(node.contains!, 'contains');
  const isMatch: Step = (item) => walk.test(step, item);
  const words = wanted(node.contains);
  const limits = maxContains === undefined ? { minContains } : { minContains, maxContains };
  const params = { ...limits, ...(words === null ? {} : { wanted: words }) };
  const tooMany = making.fault({ rule: 'contains', params });
  const tooFew = memoized((found: number) => making.fault({ rule: 'contains', params: { ...params, found } }));
  const most = maxContains ?? Number.POSITIVE_INFINITY;
  return (value) => {
    let count = 0;
    const list = value as readonly unknown[]; // asked of arrays only
    for (let i = 0; i < list.length && count <= most; i++) if (walk.visit(isMatch, i, list[i])) count++;
    if (count < minContains) return walk.report(tooFew(count), value);
    return count <= most || walk.report(tooMany, value);
  };
};

export const unevaluatedItems: MakeStep = (making) => {
  const { node, walk, stepOf } = making;
  if (node.unevaluatedItems === true) return null;
  const step = node.unevaluatedItems === false ? null : stepOf(node.unevaluatedItems!, 'unevaluatedItems');
  const fault = making.fault({ rule: 'unevaluatedItems', params: { limit: 0, index: 0 } });
  return (value) => {
    const list = value as readonly unknown[]; // asked of arrays only
    const evaluated = evaluatedIn(making, list);
    const others = [...list.keys()].filter((i) => !evaluated.has(i));
    const known = list.length - others.length;
    return walk.every(others, (i) =>
      walk.visit(step ?? ((item) => walk.report(fault, item, null, [i, known])), i, list[i]),
    );
  };
};
