/**
 * How often random tests try: in CI as often as they say, elsewhere a quarter of it.
 */

/** @param count in CI */
export function rounds(count: number): number {
  return process.env.CI === 'true' ? count : Math.ceil(count / 4);
}
