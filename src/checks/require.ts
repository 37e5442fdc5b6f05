/**
 * Makes sure that checks can be evaluated, before the first payload. What is wrong with one is reported with its place in the
 * config. The names of members in an expression are compared with the schema: a name that a closed object cannot have is an
 * error, and one that is nearly that of a member a warning.
 */
import { UsageError } from '../errors.ts';
import { parsePointer } from '../json/pointer.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Check, Relation } from '../types.ts';
import { quote } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { expressionOf } from './expression.ts';
import { StepCount } from './failure.ts';
import { Shape } from './shape.ts';

/** Checks, and where they are from. */
export interface PlacedChecks {
  readonly checks: readonly Check[];
  readonly relations: readonly Relation[];
  /** The beginning of a message about a check. */
  readonly placeOf: (check: Check | Relation) => string;
}

/** Returns warnings. Throws UsageError. */
export function requireChecks({ checks, relations, placeOf }: PlacedChecks, set: SchemaSet): string[] {
  const warnings: string[] = [];
  const require = (faults: readonly NameFault[], place: string): void => {
    for (const { text, isError } of faults) {
      if (isError) throw new UsageError(place + text);
      warnings.push(place + text);
    }
  };
  for (const check of checks) {
    const place = placeOf(check);
    const { self, faults } = shapeAt(check.at, shapeOf(check.kind, set, place));
    const named = (shape: Shape | null, name: string): unknown => memberOf(shape, name, faults);
    for (const text of check.when === null ? [check.assert] : [check.when, check.assert])
      expressionOf(text, self, { at: place, steps: new StepCount(), named });
    require(faults, place);
    require(shapeAt(check.report, self).faults.filter(({ isError }) => isError), place);
  }
  for (const relation of relations) {
    const place = placeOf(relation);
    for (const { kind, at } of relation.to === null ? [relation] : [relation, relation.to])
      require(shapeAt(at, shapeOf(kind, set, place)).faults, place);
  }
  return warnings;
}

/** What is known of the payloads of a kind; null: nothing. Throws UsageError. */
function shapeOf(kind: string | null, { kinds }: SchemaSet, place: string): Shape | null {
  const names = kinds.map(({ name }) => name);
  if (kind !== null && !names.includes(kind)) {
    const near = nearMiss(kind, names);
    const guess = near === null ? `; there are ${names.join(', ')}` : `; did you mean ${quote(near)}?`;
    throw new UsageError(`${place}there is no kind ${quote(kind)}${guess}`);
  }
  // A check of any kind may be about members that only some kinds have.
  const roots = kinds.filter(({ name }) => kind === name || kinds.length === 1);
  return Shape.of(roots.map(({ schema }) => schema));
}

/** No item has it, and `self["-"]` can say it of a member. */
const NO_INDEX = /^(?:-|0\d+)$/;

function shapeAt(at: string, root: Shape | null): { readonly self: Shape | null; readonly faults: NameFault[] } {
  const faults: NameFault[] = [];
  let self = root;
  for (const token of parsePointer(at)) {
    if (NO_INDEX.test(token) && self?.names.has(token) !== true)
      faults.push({ text: `${quote(at)} leads nowhere: no item has the index ${quote(token)}`, isError: true });
    self = token === '*' ? (self?.item ?? null) : memberOf(self, token, faults);
  }
  return { self, faults };
}

interface NameFault {
  readonly text: string;
  /** The schema allows no such member. */
  readonly isError: boolean;
}

/** Null: nothing is known of it. Adds a fault if the name is probably wrong. */
function memberOf(shape: Shape | null, name: string, faults: NameFault[]): Shape | null {
  if (shape === null || shape.names.size === 0) return null;
  if (!shape.names.has(name)) {
    const near = nearMiss(name, [...shape.names]);
    const guess = near === null ? '' : `; did you mean ${quote(near)}?`;
    if (shape.isClosed || near !== null)
      faults.push({ text: `the schema has no member ${quote(name)}${guess}`, isError: shape.isClosed });
  }
  return shape.member(name);
}
