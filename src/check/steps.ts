/**
 * Work that may have to wait, as a generator: it yields what it waits for. The same code runs with promises and, for a
 * source in memory, without them.
 */

/**
 * Yields promises, and also other values if a step only passes results on. The caller returns the value of each promise
 * to the generator.
 */
export type Steps<T> = Generator<unknown, T, unknown>;

/** Waits for a promise. Any other value is returned at once. */
export function* wait<T>(value: Promise<T> | T): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value; // the caller passes the promise's value to `next`
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

/** The next step, after the promise that the last step has yielded. */
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
