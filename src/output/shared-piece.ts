/**
 * Bytes in memory that threads share. Such memory begins with the number of its pieces that are still needed. If that
 * is 0, its owner reuses the memory.
 */
export type SharedPiece = Uint8Array<SharedArrayBuffer>;

/** The bytes before the first piece. */
export const HEAD_BYTES = 8;

export function isShared(bytes: Uint8Array): bytes is SharedPiece {
  return bytes.buffer instanceof SharedArrayBuffer;
}

/** Counts the piece as needed, once per call. */
export function hold({ buffer }: SharedPiece): void {
  Atomics.add(new Int32Array(buffer, 0, 1), 0, 1);
}

/** Call it once for each `hold`, after the piece has been used, or if it will not be. */
export function release({ buffer }: SharedPiece): void {
  Atomics.sub(new Int32Array(buffer, 0, 1), 0, 1);
}
