/**
 * Work that may have to wait, as a generator: it yields what it waits for. So the same code runs with promises, and for
 * a source in memory without.
 */

/**
 * Yields promises, and what is no promise where only results are passed on. The value of a yielded promise is given
 * back to it.
 */
export type Steps<T> = Generator<unknown, T, unknown>;

/** Waits for a promise; what is no promise is there already. */
export function* wait<T>(value: Promise<T> | T): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value; // what runs the steps gives back what it resolves to
}

/** Runs all steps. */
export async function runSteps<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    const { value } = step;
    if (!(value instanceof Promise)) step = steps.next(value);
    else step = await settled(steps, value);
  }
  return step.value;
}

/** The next step, once the promise is settled that the last one waits for. */
export async function settled<T>(
  steps: Steps<T>,
  promise: Promise<unknown>,
): Promise<IteratorResult<unknown, T>> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}
