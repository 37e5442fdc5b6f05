/**
 * Makes sure that checks can be evaluated, before the first payload. What is wrong with one is reported with its place in the
 * config. The names of members in an expression are compared with the schema: a name that a closed object cannot have is an
 * error, and one that is nearly that of a member a warning.
 */

import { expressionOf } from '../checks/expression.ts';
import { StepCount } from '../checks/failure.ts';
import { TooCostly, UsageError } from '../errors.ts';
import { parsePointer } from '../json/pointer.ts';
import { Shape } from '../schema/described-members.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Check, Relation } from '../types.ts';
import { quote } from '../words/escape.ts';
import { guessed } from '../words/near.ts';

/** Checks, and where they are from. */
export interface PlacedChecks {
  readonly checks: readonly Check[];
  readonly relations: readonly Relation[];
  /** The beginning of a message about a check. */
  readonly placeOf: (check: Check | Relation) => string;
}

/** Is told what is wrong with a name. `isError`: the schema allows no such member. */
type NameFault = (text: string, isError: boolean) => void;

/** Returns warnings. Throws UsageError. */
export function requireChecks({ checks, relations, placeOf }: PlacedChecks, set: SchemaSet): string[] {
  const warnings: string[] = [];
  const faultAt =
    (place: string): NameFault =>
    (text, isError) => {
      if (isError) throw new UsageError(place + text);
      warnings.push(place + text);
    };
  for (const check of checks) {
    const at = placeOf(check);
    const fault = faultAt(at);
    const self = shapeAt(check.at, shapeOf(check.kind, set, at), fault);
    const named = (shape: Shape | null, name: string): unknown => memberOf(shape, name, fault);
    const steps = new StepCount();
    steps.begin(check.id, 0);
    for (const text of check.when === null ? [check.assert] : [check.when, check.assert]) {
      try {
        expressionOf(text, self, { at, steps, named });
      } catch (error) {
        throw error instanceof TooCostly ? new UsageError(at + error.message) : error;
      }
    }
    shapeAt(check.report, self, (text, isError) => isError && fault(text, isError));
  }
  for (const relation of relations) {
    const place = placeOf(relation);
    for (const { kind, at } of relation.to === null ? [relation] : [relation, relation.to])
      shapeAt(at, shapeOf(kind, set, place), faultAt(place));
  }
  return warnings;
}

/** What is known of the payloads of a kind; null: nothing. Throws UsageError. */
function shapeOf(kind: string | null, { kinds }: SchemaSet, place: string): Shape | null {
  const names = kinds.map(({ name }) => name);
  if (kind !== null && !names.includes(kind)) {
    const guess = guessed(kind, names, `; there are ${names.join(', ')}`);
    throw new UsageError(`${place}there is no kind ${quote(kind)}${guess}`);
  }
  // A check of any kind may be about members that only some kinds have.
  const roots = kinds.filter(({ name }) => kind === name || kinds.length === 1);
  return Shape.of(roots.map(({ schema }) => schema));
}

/** No item has it, and `self["-"]` can say it of a member. */
const NO_INDEX = /^(?:-|0\d+)$/;

/** What is known of the values that a pointer leads to; null: nothing. */
function shapeAt(at: string, root: Shape | null, fault: NameFault): Shape | null {
  let self = root;
  for (const token of parsePointer(at)) {
    if (NO_INDEX.test(token) && self?.names.has(token) !== true)
      fault(`${quote(at)} leads nowhere: no item has the index ${quote(token)}`, true);
    self = token === '*' ? (self?.item() ?? null) : memberOf(self, token, fault);
  }
  return self;
}

/** Null: nothing is known of it. */
function memberOf(shape: Shape | null, name: string, fault: NameFault): Shape | null {
  if (shape === null) return null;
  const guess = guessed(name, shape.names);
  const isWrong = shape.names.size > 0 && !shape.names.has(name) && (shape.isClosed || guess !== '');
  if (isWrong) fault(`the schema has no member ${quote(name)}${guess}`, shape.isClosed);
  return shape.member(name);
}
