/**
 * Sorts the rows of violations by their places.
 */

/** The numbers 0 to `count` - 1 in ascending order of their keys; equal keys keep their order. */
export function ascending(count: number, keyOf: (i: number) => number): readonly number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  const keys = order.map(keyOf);
  return order.sort((i, j) => keys[i]! - keys[j]!);
}
