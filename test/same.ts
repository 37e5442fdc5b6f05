/**
 * Equality in loops of thousands: `expect` walks a buffer byte by byte and keeps state for every call, which was most of the time
 * of some files. What is equal is found so by Node; what is not is left to `expect`, with its rules and its words.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** The same as `expect(actual).toEqual(expected)`. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
