/**
 * What the random schemas of a run differ in.
 */
import type { Random } from '../mutations/schemas.ts';

/** What a schema has. Each has some of it, so that a fault of one kind does not hide all others. */
export interface Flavour {
  readonly oddNames: boolean;
  /** Numbers that a double cannot hold, and divisors that are decimals. */
  readonly exact: boolean;
  readonly formats: boolean;
  readonly badPatterns: boolean;
  readonly resources: boolean;
  readonly dynamic: boolean;
  readonly defaults: boolean;
  readonly depth: number;
}

export function flavourBy(random: Random): Flavour {
  const in3 = (): boolean => random(3) === 0;
  const [oddNames, resources, dynamic] = [in3(), in3(), in3()];
  const [exact, formats, badPatterns, defaults] = [5, 4, 15, 4].map((n) => random(n) === 0) as [
    boolean,
    boolean,
    boolean,
    boolean,
  ]; // one for each
  return { oddNames, exact, formats, badPatterns, resources, dynamic, defaults, depth: 1 + random(3) };
}
