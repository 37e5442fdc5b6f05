/**
 * The keywords that judge a value by themselves, as steps.
 */
import { stated } from '../../keywords/facts.ts';
import { KEYWORDS } from '../../keywords/index.ts';
import type { Requirement } from '../../keywords/keyword.ts';
import type { SchemaParams } from '../../keywords/params.ts';
import type { DialectKeyword } from '../../schema/dialect.ts';
import { all, assertion, type Fault, type MakeStep, type Step, type StepContext } from './walk.ts';

/** The step of a keyword that judges a value by itself, in one of three ways; null if it is not such a keyword. */
export function assertionStep(keyword: DialectKeyword): MakeStep | null {
  if (!Object.hasOwn(KEYWORDS, keyword)) return null;
  const { judge, requires, comparesItems } = KEYWORDS[keyword as keyof SchemaParams];
  const faultIn = (making: StepContext): Fault => making.fault(stated(keyword, making.node, null));
  if (requires !== undefined)
    return (making) =>
      all(
        making,
        requires(making.node).map((one) => requirement(making, keyword, one)),
      );
  if (comparesItems !== undefined)
    return (making) => (comparesItems(making.node) ? differentItems(making, faultIn(making)) : null);
  if (judge === undefined) return null;
  return (making) => {
    const holds = judge(making);
    return holds && assertion(making, faultIn(making), holds);
  };
}

function differentItems({ walk }: StepContext, fault: Fault): Step {
  return (value) => {
    const pair = walk.texts.repeatedItems(value as unknown[]); // asked of arrays only
    return pair === null || walk.tellItems(fault, value, pair);
  };
}

/** One violation for each of the names that is missing. */
function requirement(
  { walk, fault, node }: StepContext,
  keyword: DialectKeyword,
  { names, because }: Requirement,
): Step {
  const faults = names.map((name) => fault(stated(keyword, node, { missing: name, because })));
  return (value) => {
    const object = value as object; // asked of objects only
    if (because !== null && !Object.hasOwn(object, because)) return true;
    let holds = true;
    for (let i = 0; i < names.length; i++) {
      if (Object.hasOwn(object, names[i]!)) continue;
      holds = walk.tell(faults[i]!, value);
      if (walk.isQuiet) break;
    }
    return holds;
  };
}

/** The step of the keyword `type`, for values of a type that it does not allow. */
export function wrongType(making: StepContext): Step {
  return assertion(making, making.fault(stated('type', making.node, null)), () => false);
}
