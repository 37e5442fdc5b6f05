/**
 * The result of a step for one of several files, so that a failure of one does not end the others.
 */
export type Attempt<T> = { readonly value: T } | { readonly error: unknown };

export function attempt<T>(action: () => T): Attempt<T> {
  try {
    return { value: action() };
  } catch (error) {
    return { error };
  }
}

/** The same for a step that takes time. */
export async function attemptLater<T>(action: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await action() };
  } catch (error) {
    return { error };
  }
}

/** Whether `action` succeeded. */
export function ignoreErrors(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
