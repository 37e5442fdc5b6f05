/**
 * Bytes in memory that threads share. Such memory begins with the number of pieces in it that are still needed: its
 * owner uses it again once there are none.
 */
export type SharedPiece = Uint8Array<SharedArrayBuffer>;

/** The bytes before the first piece. */
export const HEAD_BYTES = 8;

export function isShared(bytes: Uint8Array): bytes is SharedPiece {
  return bytes.buffer instanceof SharedArrayBuffer;
}

/** The piece is needed, once more if it is already. */
export function hold({ buffer }: SharedPiece): void {
  Atomics.add(new Int32Array(buffer, 0, 1), 0, 1);
}

/** The piece has been used, or will not be: to be called once for each `hold`. */
export function release({ buffer }: SharedPiece): void {
  Atomics.sub(new Int32Array(buffer, 0, 1), 0, 1);
}
