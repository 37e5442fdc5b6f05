/**
 * What a keyword, or a whole schema, becomes: a step, which says whether the value where the walk is meets it. A step
 * tells the walk each violation. If the walk is quiet, nothing is told, and a step may end at the first violation.
 */
import type { Means, Test } from '../../keywords/keyword.ts';
import type { Schema } from '../../schema/node.ts';
import type { Fault, Walk } from './walk.ts';

export type Step = (value: unknown) => boolean;

/** What the steps of one node are made with. */
export interface Making extends Means {
  readonly walk: Walk;
  /** The step of a subschema, which the keyword and the tokens lead to from the node. */
  readonly stepOf: (schema: Schema, keyword: string, ...tokens: readonly (string | number)[]) => Step;
  /** File and pointer of what the keyword and the tokens lead to from the node. */
  readonly placeOf: (keyword: string, ...tokens: readonly (string | number)[]) => string;
  /** A subschema applies only under a condition: what is written below its place is told with `reason`. */
  readonly applyIf: (schema: Schema | undefined, place: string, reason: string) => void;
  /** What is told if a value violates the keyword that `facts` has as its rule. */
  readonly fault: (facts: Fault['facts']) => Fault;
}

/** Makes the step of a keyword that the node has; null if the keyword allows every value. */
export type MakeStep = (making: Making) => Step | null;

/** A step that tells one violation if `holds` says no. */
export function assertion({ walk }: Making, fault: Fault, holds: Test): Step {
  return (value) => holds(value) || walk.tell(fault, value);
}

/** All of `steps` as one. */
export function all({ walk }: Making, steps: readonly Step[]): Step {
  const [first] = steps;
  if (first !== undefined && steps.length === 1) return first;
  return (value) => walk.takeAll(steps, value);
}
