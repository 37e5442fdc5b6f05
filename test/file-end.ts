/**
 * What helpers clean up after each file of tests. Files share a process and what it has loaded, so an `afterAll` of a helper would
 * run after the first one only. `test/set-up.ts` runs them.
 */
const actions = new Set<() => void>();

/** Runs `action` at the end of each file, also of those that come later. */
export function atFileEnd(action: () => void): void {
  actions.add(action);
}

export function runFileEnd(): void {
  for (const action of actions) action();
}
