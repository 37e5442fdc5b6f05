/**
 * Makes sure that checks can be evaluated, before the first payload. What is wrong with one is said with its place in the
 * config.
 */
import { UsageError } from '../errors.ts';
import { parsePointer } from '../json/pointer.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Check } from '../types.ts';
import { quote } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';
import { Expression, Steps } from './expression.ts';
import { memberOf, type NameFault, nameFaults } from './names.ts';
import { Shape } from './shape.ts';

/** `placeOf`: the beginning of a message about a check. Returns warnings. Throws UsageError. */
export function requireChecks(
  checks: readonly Check[],
  { kinds }: SchemaSet,
  placeOf: (check: Check) => string,
): string[] {
  const warnings: string[] = [];
  for (const check of checks) {
    const place = placeOf(check);
    const names = kinds.map(({ name }) => name);
    if (check.kind !== null && !names.includes(check.kind)) {
      const near = nearMiss(check.kind, names);
      const guess = near === null ? `; there are ${names.join(', ')}` : `; did you mean ${quote(near)}?`;
      throw new UsageError(`${place}there is no kind ${quote(check.kind)}${guess}`);
    }
    // A check of any kind may be about members that only some kinds have.
    const roots = kinds.filter(({ name }) => check.kind === name || kinds.length === 1);
    const root = Shape.of(roots.map(({ schema }) => schema));
    for (const { text, isError } of faultsOf(check, root, place)) {
      if (isError) throw new UsageError(place + text);
      warnings.push(place + text);
    }
  }
  return warnings;
}

function faultsOf({ at, when, assert }: Check, root: Shape | null, place: string): NameFault[] {
  const faults: NameFault[] = [];
  let self = root;
  for (const token of parsePointer(at))
    self = token === '*' ? (self?.item ?? null) : memberOf(self, token, faults);
  const steps = new Steps();
  for (const text of when === null ? [assert] : [when, assert])
    faults.push(...nameFaults(new Expression(text, place, steps).ast, self));
  return faults;
}
