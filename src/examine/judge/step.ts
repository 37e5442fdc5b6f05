/**
 * A keyword, or a whole schema, becomes a step: a function that returns whether the value at the walk's place meets it.
 * A step reports each violation to the walk. If the walk is quiet, nothing is reported, and a step may end at the first
 * violation.
 */
import type { KeywordContext, Test } from '../../keywords/keyword.ts';
import type { Schema } from '../../schema/node.ts';
import type { Fault, Walk } from './walk.ts';

export type Step = (value: unknown) => boolean;

/** The arguments from which the steps of one node are made. */
export interface StepContext extends KeywordContext {
  readonly walk: Walk;
  /** The step of the subschema at the keyword and the tokens of the node. */
  readonly stepOf: (schema: Schema, keyword: string, ...tokens: readonly (string | number)[]) => Step;
  /** File and pointer of the keyword and the tokens of the node. */
  readonly placeOf: (keyword: string, ...tokens: readonly (string | number)[]) => string;
  /** A subschema applies only under a condition: violations below its place are reported with what `reason` gives then. */
  readonly applyIf: (schema: Schema | undefined, place: string, reason: () => string) => void;
  /** The violation of the keyword that is the rule of `facts`. */
  readonly fault: (facts: Fault['facts']) => Fault;
}

/** Makes the step of a keyword that the node has; null if the keyword allows every value. */
export type MakeStep = (making: StepContext) => Step | null;

/** A step that reports one violation if `holds` returns false. */
export function assertion({ walk }: StepContext, fault: Fault, holds: Test): Step {
  return (value) => holds(value) || walk.tell(fault, value);
}

/** All of `steps` as one. */
export function all({ walk }: StepContext, steps: readonly Step[]): Step {
  const [first] = steps;
  if (first !== undefined && steps.length === 1) return first;
  return (value) => walk.takeAll(steps, value);
}
