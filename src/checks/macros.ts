/** The macros of CEL (`all`, `exists`, `exists_one`, `map`, `filter`) as loops over items, each bounded by steps. */
import { Failure, type StepCount } from './failure.ts';
import { type Closure, isMap, keysOf, noOverload } from './values.ts';

export interface Loop {
  readonly name: string;
  /** Gives a list, or a map, whose keys are the items. */
  readonly read: Closure;
  /** Of its variable. */
  readonly slot: number;
  readonly steps: StepCount;
}

function itemsOf({ name, read }: Loop, scope: unknown[]): readonly unknown[] | Failure {
  const value = read(scope);
  return Array.isArray(value) ? value : isMap(value) ? keysOf(value) : noOverload(name, value);
}

/** `ending`: what ends the loop, false for `all`, true for `exists`. */
export function quantifier(loop: Loop, test: Closure, ending: boolean): Closure {
  const { name, slot, steps } = loop;
  return (scope) => {
    const items = itemsOf(loop, scope);
    if (items instanceof Failure) return items;
    let failure: Failure | null = null;
    for (const item of items) {
      steps.take(1);
      scope[slot] = item;
      const value = test(scope);
      if (value === ending) return ending;
      if (value !== !ending) failure ??= noOverload(name, value);
    }
    return failure ?? !ending;
  };
}

/** The items for which `test` holds, as `to` makes them; without these, all items, as they are. */
export function list(loop: Loop, test: Closure | null, to: Closure | null): Closure {
  const { slot, steps } = loop;
  return (scope) => {
    const items = itemsOf(loop, scope);
    if (items instanceof Failure) return items;
    const results: unknown[] = [];
    for (const item of items) {
      steps.take(1);
      scope[slot] = item;
      const isKept = test === null || test(scope);
      if (isKept === false) continue;
      if (isKept !== true) return noOverload('filter', isKept);
      if (test !== null && to !== null) steps.take(1);
      const value = to === null ? item : to(scope);
      if (value instanceof Failure) return value;
      results.push(value);
    }
    return results;
  };
}
