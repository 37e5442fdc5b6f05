/**
 * Sorts tens of millions of rows by place in linear time, in memory outside of the JavaScript heap.
 */

/** Bits of one round. Three rounds sort 33 bits. */
const BITS = 11;
const ROUNDS = 3;
/** Fewer rows are sorted by comparison. */
const FEW = 1000;

/** The numbers 0 to `count` - 1 in ascending order of their keys (32-bit, not negative); equal keys keep their order. */
export function ascending(count: number, keyOf: (i: number) => number): Uint32Array {
  let order = new Uint32Array(count);
  let isSorted = true;
  for (let i = 0, last = -1; i < count; i++) {
    order[i] = i;
    const key = keyOf(i);
    if (key < last) isSorted = false;
    last = key;
  }
  if (isSorted) return order;
  if (count < FEW) return order.sort((i, j) => keyOf(i) - keyOf(j) || i - j);
  // A radix sort from the lowest bits up is stable.
  let other = new Uint32Array(count);
  for (let round = 0; round < ROUNDS; round++) {
    const digitOf = (i: number): number => (keyOf(i) >>> (BITS * round)) & ((1 << BITS) - 1);
    const next = new Uint32Array((1 << BITS) + 1);
    for (const i of order) next[digitOf(i) + 1]!++;
    for (let digit = 1; digit < next.length; digit++) next[digit]! += next[digit - 1]!;
    for (const i of order) other[next[digitOf(i)]!++] = i;
    [order, other] = [other, order];
  }
  return order;
}
