/**
 * Whole numbers in WebAssembly's binary format: https://webassembly.github.io/spec/core/binary/values.html#integers
 */

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    const rest = Math.floor(value / 128);
    bytes.push((value % 128) + (rest > 0 ? 128 : 0));
    value = rest;
  } while (value > 0);
  return bytes;
}

/** Signed LEB128 of 32 bits. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  for (;;) {
    const byte = value & 0x7f;
    value >>= 7;
    const done = (value === 0 && byte < 64) || (value === -1 && byte >= 64);
    bytes.push(done ? byte : byte | 128);
    if (done) return bytes;
  }
}

/** Signed LEB128 of 64 bits. */
export function signed64(value: bigint): number[] {
  const bytes: number[] = [];
  for (;;) {
    const byte = Number(value & 0x7fn);
    value >>= 7n;
    const done = (value === 0n && byte < 64) || (value === -1n && byte >= 64);
    bytes.push(done ? byte : byte | 128);
    if (done) return bytes;
  }
}
