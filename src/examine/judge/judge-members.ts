/**
 * The keywords that lead to the members of an object: one loop over them serves all but `unevaluatedProperties`, which
 * comes after.
 */
import type { JsonObject } from '../../json/value.ts';
import { wanted } from '../../keywords/wanted.ts';
import { namesInPlace } from '../../schema/facts.ts';
import { isNode, type Schema } from '../../schema/node.ts';
import { evaluatedMembers } from './evaluated.ts';
import type { MakeStep, Step, StepContext } from './walk.ts';

/** If a schema knows at most this number of members, each is looked up by its name. */
const FEW = 8;

/** Judges the member called `name` of an object. */
type MemberStep = (object: JsonObject, name: string) => boolean;

export const members: MakeStep = (making) => {
  const { node, walk, stepOf, pattern } = making;
  const { properties = {}, patternProperties = {}, additionalProperties } = node;
  const known = new Map(
    Object.entries(properties).map(([name, schema]) => [name, stepOf(schema, 'properties', name)]),
  );
  const patterns = Object.entries(patternProperties).map(
    ([source, schema]) => [pattern(source), stepOf(schema, 'patternProperties', source)] as const,
  );
  if (patterns.length === 0 && (additionalProperties ?? true) === true && known.size <= FEW)
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
  { node, walk, stepOf, fault: faultOf }: StepContext,
  rule: 'additionalProperties' | 'unevaluatedProperties',
  schema: Schema | undefined,
): MemberStep {
  if (schema === undefined || schema === true) return () => true;
  if (schema === false) {
    const fault = faultOf({ rule, params: {} });
    if (rule === 'additionalProperties') return (object, name) => walk.tellName(fault, object, name);
    const known = namesInPlace(node);
    const inactive = faultOf({ rule, params: { inactive: true } });
    return (object, name) => walk.tellName(known.has(name) ? inactive : fault, object, name);
  }
  const step = stepOf(schema, rule);
  return (object, name) => walk.visit(step, name, object[name]);
}

export const propertyNames: MakeStep = ({ node, walk, stepOf, fault: faultOf }) => {
  const step = stepOf(node.propertyNames!, 'propertyNames');
  const words = wanted(node.propertyNames);
  const fault = faultOf({ rule: 'propertyNames', params: words === null ? {} : { wanted: words } });
  const isAllowed: Step = (name) => walk.test(step, name);
  return (value) => {
    let holds = true;
    for (const name of Object.keys(value as object)) {
      // asked of objects only
      if (walk.visit(isAllowed, name, name)) continue;
      if (walk.isQuiet) return false;
      holds = walk.tellName(fault, value, name);
    }
    return holds;
  };
};

export const unevaluatedProperties: MakeStep = (making) => {
  const { node, walk } = making;
  const judgeOther = others(making, 'unevaluatedProperties', node.unevaluatedProperties);
  return (value) => {
    const evaluated = evaluatedMembers(making, value as JsonObject); // asked of objects only
    let holds = true;
    for (const name of Object.keys(value as JsonObject)) {
      if (evaluated.has(name) || judgeOther(value as JsonObject, name)) continue;
      if (walk.isQuiet) return false;
      holds = false;
    }
    return holds;
  };
};
