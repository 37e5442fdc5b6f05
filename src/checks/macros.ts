/** The macros of CEL (`all`, `exists`, `exists_one`, `map`, `filter`) as loops over items, each bounded by steps. */
import { Failure, type StepCount } from './failure.ts';
import { type Closure, failed, isMap, keysOf } from './values.ts';

type Items = (scope: unknown[]) => readonly unknown[] | Failure;

/** A loop over items. */
export interface Loop {
  readonly items: Items;
  /** Of its variable. */
  readonly slot: number;
  readonly steps: StepCount;
}

/** The items of a list, or the keys of a map. */
export function itemsOf(name: string, read: Closure): Items {
  return (scope) => {
    const value = read(scope);
    const items = Array.isArray(value) ? (value as readonly unknown[]) : isMap(value) ? keysOf(value) : null;
    return items ?? failed(name, value);
  };
}

export function quantifier({ items, slot, steps }: Loop, test: Closure, ending: boolean): Closure {
  return (scope) => {
    const list = items(scope);
    if (list instanceof Failure) return list;
    let failure: Failure | null = null;
    for (const item of list) {
      steps.take(1);
      scope[slot] = item;
      const value = test(scope);
      if (value === ending) return ending;
      if (value !== !ending) failure ??= failed(ending ? 'exists' : 'all', value);
    }
    return failure ?? !ending;
  };
}

export function existsOne(loop: Loop, test: Closure): Closure {
  const all = filter(loop, test);
  return (scope) => {
    const list = all(scope);
    return list instanceof Failure ? list : list.length === 1;
  };
}

export function filter({ items, slot, steps }: Loop, test: Closure): Items {
  return (scope) => {
    const list = items(scope);
    if (list instanceof Failure) return list;
    const kept: unknown[] = [];
    for (const item of list) {
      steps.take(1);
      scope[slot] = item;
      const value = test(scope);
      if (value === true) kept.push(item);
      else if (value !== false) return failed('filter', value);
    }
    return kept;
  };
}

export function mapping({ items, slot, steps }: Loop, to: Closure): Items {
  return (scope) => {
    const list = items(scope);
    if (list instanceof Failure) return list;
    const results: unknown[] = [];
    for (const item of list) {
      steps.take(1);
      scope[slot] = item;
      const value = to(scope);
      if (value instanceof Failure) return value;
      results.push(value);
    }
    return results;
  };
}
