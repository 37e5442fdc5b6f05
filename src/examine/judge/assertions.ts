/**
 * The keywords that judge a value by themselves, as steps.
 */
import { stated } from '../../keywords/facts.ts';
import { KEYWORDS } from '../../keywords/index.ts';
import type { SchemaFacts, SchemaParams } from '../../keywords/params.ts';
import type { DialectKeyword } from '../../schema/dialect.ts';
import { all, assertion, type MakeStep, type Step, type StepContext } from './walk.ts';

/** The step of a keyword whose only result is whether the value meets it; null if it is not such a keyword. */
export function assertionStep(keyword: DialectKeyword): MakeStep | null {
  const judge = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword as keyof SchemaParams].judge : undefined;
  if (judge === undefined) return null;
  return (making) => {
    const holds = judge(making);
    return holds && assertion(making, making.fault(stated(keyword, making.node, null)), holds);
  };
}

export const uniqueItems: MakeStep = ({ node, walk, fault: faultOf }) => {
  if (node.uniqueItems !== true) return null;
  const fault = faultOf({ rule: 'uniqueItems', params: { first: 0, second: 0 } });
  return (value) => {
    const pair = walk.texts.repeatedItems(value as unknown[]); // asked of arrays only
    return pair === null || walk.tellItems(fault, value, pair);
  };
};

/** One violation for each of the names that is missing. */
function missing(
  { walk, fault }: StepContext,
  names: readonly string[],
  facts: (missing: string) => SchemaFacts,
): Step {
  const faults = names.map((name) => fault(facts(name)));
  return (value) => {
    let holds = true;
    for (let i = 0; i < names.length; i++) {
      if (Object.hasOwn(value as object, names[i]!)) continue; // asked of objects only
      holds = walk.tell(faults[i]!, value);
      if (walk.isQuiet) break;
    }
    return holds;
  };
}

export const required: MakeStep = (making) =>
  missing(making, making.node.required!, (name) => ({ rule: 'required', params: { missing: name } }));

export const dependentRequired: MakeStep = (making) => {
  const steps = Object.entries(making.node.dependentRequired!).map(([because, names]) => {
    const step = missing(making, names, (name) => ({
      rule: 'dependentRequired',
      params: { missing: name, because },
    }));
    return (value: unknown) => !Object.hasOwn(value as object, because) || step(value); // asked of objects only
  });
  return all(making, steps);
};

/** The step of the keyword `type`, for values of a type that it does not allow. */
export function wrongType(making: StepContext): Step {
  return assertion(making, making.fault(stated('type', making.node, null)), () => false);
}
