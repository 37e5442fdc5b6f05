/**
 * How often random tests try: with `npm run test:all` as often as they say, otherwise a tenth of that, and `npm run test:fast` a fortieth.
 * `ROUNDS=10` makes it ten times as many.
 */
const IS_ALL = process.env.TESTS === 'all';
const SHARE = IS_ALL ? 1 : process.env.TESTS === 'fast' ? 1 / 40 : 1 / 10;

/** @param count of `npm run test:all` */
export function rounds(count: number): number {
  return Math.ceil(count * SHARE * Number(process.env.ROUNDS ?? 1));
}

/**
 * For properties that count what they have seen: so few would not always be enough, so but for `npm run test:all` they are the same each time.
 */
export function seededUnlessAll(numRuns: number): { numRuns: number; seed?: number } {
  return IS_ALL || process.env.ROUNDS !== undefined ? { numRuns } : { numRuns, seed: 1 };
}

/** For what takes long each time: `many` times with `npm run test:all`, otherwise `few`. */
export function times(many: number, few: number): number {
  return IS_ALL ? many : few;
}
