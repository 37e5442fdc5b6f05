/**
 * The keywords that apply other schemas to the value itself. The violations inside of alternatives and conditions are
 * not reported: `anyOf`, `oneOf` and `not` have one violation of their own; `if` has none, but `then` and `else` have.
 */
import { memoized } from '../../json/on-demand.ts';
import { excluded, condition as inWords, metBecause } from '../../keywords/wanted.ts';
import { isNode, type Schema } from '../../schema/node.ts';
import { quote } from '../../words/escape.ts';
import { alternativesIn } from './alternatives.ts';
import { all, assertion, type KeywordFault, type MakeStep, type Step, type StepContext } from './walk.ts';

const allIn =
  (keyword: '$ref' | 'allOf'): MakeStep =>
  (making) => {
    const steps = making.node[keyword]!.map((schema, i) => making.stepOf(schema, keyword, i));
    return all(making, steps);
  };

export const references = allIn('$ref');
export const allOf = allIn('allOf');

export const not: MakeStep = (making) => {
  const { node, walk } = making;
  const step = making.stepOf(node.not!, 'not');
  const words = excluded(node.not);
  const members = onlyRequired(node.not!);
  const params = { ...(words === null ? {} : { excluded: words }), ...(members === null ? {} : { members }) };
  return assertion(making, { rule: 'not', params }, (value) => !walk.test(step, value));
};

/** The members that a schema requires, if that is all it says; else null. */
function onlyRequired(schema: Schema): readonly string[] | null {
  if (!isNode(schema) || !Object.keys(schema).every((name) => ['id', 'origin', 'required'].includes(name))) return null;
  const { required = [] } = schema;
  return required.length === 0 || required.length > MOST_MEMBERS ? null : required;
}

/** Maximum number of members that are named. */
const MOST_MEMBERS = 8;

/** The first alternatives that a value matches, at most `enough` unless all are counted. Steps are made when needed. */
function matching(
  { node, walk, stepOf, counter }: StepContext,
  keyword: 'anyOf' | 'oneOf',
  enough: number,
): (value: unknown) => number[] {
  const schemas = node[keyword]!;
  const most = counter === undefined ? enough : schemas.length;
  const alternatives = alternativesIn(schemas);
  const steps: (Step | undefined)[] = [];
  return (value) => {
    const found: number[] = [];
    for (const i of alternatives.possible(value)) {
      steps[i] ??= stepOf(schemas[i]!, keyword, i);
      if (walk.test(steps[i]!, value) && found.push(i) === most) break;
    }
    return found;
  };
}

export const anyOf: MakeStep = (making) => {
  const matches = matching(making, 'anyOf', 1);
  const params = { alternatives: making.node.anyOf!.length };
  return assertion(making, { rule: 'anyOf', params }, (value) => matches(value).length > 0);
};

export const oneOf: MakeStep = (making) => {
  const { node, walk, placeOf } = making;
  const alternatives = node.oneOf!.length;
  const matches = matching(making, 'oneOf', 2);
  const faultFor = memoized((joined: string): KeywordFault => {
    const passing = joined.split(',').map(Number);
    const matching = passing.map((number) => placeOf('oneOf', number));
    const params = joined === '' ? { passing: null, alternatives } : { passing, alternatives, matching };
    return making.fault({ rule: 'oneOf', params });
  });
  return (value) => {
    const numbers = matches(value);
    return numbers.length === 1 || walk.report(faultFor(numbers.join()), value);
  };
};

export const condition: MakeStep = ({ node, walk, stepOf, placeOf, applyIf, applied: appliedTo }) => {
  const applied = appliedTo();
  const matches = `the value matches ${placeOf('if')}`;
  applyIf(node.then, placeOf('then'), () => {
    applied.met ??= metBecause(node.if, applied.value) ?? `if ${matches}`;
    return applied.met;
  });
  const unmet = `unless ${inWords(node.if) ?? matches}`;
  applyIf(node.else, placeOf('else'), () => unmet);
  const [test, yes, no] = [
    stepOf(node.if!, 'if'),
    stepOf(node.then ?? true, 'then'),
    stepOf(node.else ?? true, 'else'),
  ];
  return (value) => {
    const branch = walk.test(test, value) ? yes : no;
    if (walk.isQuiet) return branch(value);
    const outer = { ...applied };
    Object.assign(applied, { value, met: null });
    const holds = branch(value);
    Object.assign(applied, outer);
    return holds;
  };
};

export const dependentSchemas: MakeStep = (making) => {
  const steps = Object.entries(making.node.dependentSchemas!).map(([name, schema]): Step => {
    const step = making.stepOf(schema, 'dependentSchemas', name);
    const reason = `if there is the member ${quote(name)}`;
    making.applyIf(schema, making.placeOf('dependentSchemas', name), () => reason);
    return (value) => !Object.hasOwn(value as object, name) || step(value); // asked of objects only
  });
  return all(making, steps);
};
