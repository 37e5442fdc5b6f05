/**
 * The keywords that lead to the members of an object, or to the items of an array. One loop over the members serves
 * all but `unevaluatedProperties`, which comes after.
 */
import { memoized } from '../../json/on-demand.ts';
import type { JsonObject } from '../../json/value.ts';
import { wanted } from '../../keywords/wanted.ts';
import { namesInPlace } from '../../schema/facts.ts';
import { isNode, type Schema } from '../../schema/node.ts';
import { evaluatedIn } from './evaluated.ts';
import { assertion, type MakeStep, type MemberStep, type Step, type StepContext } from './walk.ts';

/** If a schema knows at most this number of members, each is looked up by its name. */
const FEW_MEMBERS = 8;

export const members: MakeStep = (making) => {
  const { node, walk, stepOf, pattern } = making;
  const { properties = {}, patternProperties = {}, additionalProperties } = node;
  const known = new Map(Object.entries(properties).map(([name, schema]) => [name, stepOf(schema, 'properties', name)]));
  const patterns = Object.entries(patternProperties).map(
    ([source, schema]) => [pattern(source), stepOf(schema, 'patternProperties', source)] as const,
  );
  if (patterns.length === 0 && (additionalProperties ?? true) === true && known.size <= FEW_MEMBERS)
    return fewMembers(making, [...known]);
  const judgeOther = others(making, 'additionalProperties', additionalProperties);
  const other = isNode(additionalProperties) ? stepOf(additionalProperties, 'additionalProperties') : null;
  const judgeMember: MemberStep = (object, name) => {
    const step = known.get(name);
    let holds = step === undefined || walk.visit(step, name, object[name]);
    let isOther = step === undefined;
    for (const [matches, inner] of patterns) {
      if (!matches(name)) continue;
      isOther = false;
      if (!walk.visit(inner, name, object[name])) holds = false;
    }
    return isOther ? judgeOther(object, name) : holds;
  };
  return (value) => {
    let holds = true;
    const object = value as JsonObject; // asked of objects only
    for (const name of Object.keys(object)) {
      const only = patterns.length === 0 ? (known.get(name) ?? other) : null;
      let isRight: boolean;
      if (only === null) isRight = judgeMember(object, name);
      else {
        // Without a function in between, each level of a payload takes less of the stack.
        walk.enter(name);
        isRight = only(object[name]);
        walk.leave();
      }
      if (isRight) continue;
      if (walk.isQuiet) return false;
      holds = false;
    }
    return holds;
  };
};

/** If the schema names few members, only these are looked up. */
function fewMembers({ walk }: StepContext, known: readonly (readonly [name: string, step: Step])[]): Step {
  return (object) => {
    let holds = true;
    for (let i = 0; i < known.length; i++) {
      const [name, step] = known[i]!;
      if (!Object.hasOwn(object as JsonObject, name)) continue; // asked of objects only
      walk.enter(name);
      const isRight = step((object as JsonObject)[name]);
      walk.leave();
      if (isRight) continue;
      if (walk.isQuiet) return false;
      holds = false;
    }
    return holds;
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
  const { node, walk, stepOf, fault } = making;
  const first = (node.prefixItems ?? []).map((schema, i) => stepOf(schema, 'prefixItems', i));
  const isClosed = node.prefixItems !== undefined && node.items === false;
  const rest = isClosed || node.items === undefined ? null : stepOf(node.items, 'items');
  const limit = first.length;
  const isShort = assertion(
    making,
    fault({ rule: 'items', params: { limit } }),
    (value) => !isClosed || (value as unknown[]).length <= limit, // asked of arrays only
  );
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
