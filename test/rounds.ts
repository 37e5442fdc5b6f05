/**
 * How often random tests try: in CI as often as they say, elsewhere a tenth of that, and `npm run test:fast` a fortieth. `ROUNDS=10`
 * makes it ten times as many.
 */
const CI = process.env.CI === 'true';
const SHARE = CI ? 1 : process.env.FAST === '1' ? 1 / 40 : 1 / 10;

/** @param count in CI */
export function rounds(count: number): number {
  return Math.ceil(count * SHARE * Number(process.env.ROUNDS ?? 1));
}

/**
 * For properties that count what they have seen: so few would not always be enough, so outside CI they are the same each time.
 */
export function seededOutsideCi(numRuns: number): { numRuns: number; seed?: number } {
  return CI || process.env.ROUNDS !== undefined ? { numRuns } : { numRuns, seed: 1 };
}

/** For what takes long each time: `many` times in CI, elsewhere `few`. */
export function times(many: number, few: number): number {
  return CI ? many : few;
}
