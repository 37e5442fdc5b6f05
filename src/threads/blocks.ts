/**
 * Memory for the bytes of results, which is used again once they are written. Threads share it, so bytes are neither
 * sent nor left to the garbage collector, which would keep many of them.
 *
 * A block begins with the number of its pieces that are still needed. If that is 0, its owner reuses it.
 */

/** Bytes in memory that threads share. */
export type SharedPiece = Uint8Array<SharedArrayBuffer>;

/** The bytes before the first piece. */
const HEAD_BYTES = 8;
const BLOCK_BYTES = 1 << 21;
/**
 * Shared memory is copied by words if both sides are aligned in the same way, and otherwise by bytes, which takes five
 * times as long.
 */
const WORD_BYTES = 8;

interface Block {
  readonly bytes: SharedPiece;
  readonly pieces: Int32Array<SharedArrayBuffer>;
}

/** The blocks that a thread owns. */
export class Blocks {
  readonly #blocks: Block[] = [];
  #present: Block | null = null;
  /** Where the next piece goes in the present block. */
  #at = 0;
  /** The piece that `room` returned last; null: it was used. */
  #given: SharedPiece | null = null;

  /** A copy of `bytes`, valid until it is passed to `free`; or `bytes` itself, if it is what `room` gave last. */
  keep(bytes: Uint8Array): SharedPiece {
    const given = this.#given;
    const kept = given !== null && bytes === given ? given : this.room(bytes);
    if (kept !== given) kept.set(bytes);
    this.#given = null;
    this.#at += kept.length;
    Atomics.add(this.#present!.pieces, 0, 1); // `room` has set it
    return kept;
  }

  /** Memory for a copy of `bytes`, good until the next call of `room` or `keep`. */
  room(bytes: Uint8Array): SharedPiece {
    const { length } = bytes;
    this.#at = alignedAs(bytes, this.#at);
    if (this.#present === null || this.#at + length > this.#present.bytes.length) {
      this.#begin(length);
      this.#at = alignedAs(bytes, HEAD_BYTES);
    }
    this.#given = this.#present!.bytes.subarray(this.#at, this.#at + length); // `#begin` has set it
    return this.#given;
  }

  #begin(length: number): void {
    const needed = HEAD_BYTES + WORD_BYTES + length;
    const fits = ({ bytes, pieces }: Block): boolean =>
      bytes.length >= needed && Atomics.load(pieces, 0) === 0;
    let block = this.#blocks.find(fits);
    if (block === undefined) {
      block = createBlock(Math.max(BLOCK_BYTES, needed));
      // A block of another size is for one large piece.
      if (block.bytes.length === BLOCK_BYTES) this.#blocks.push(block);
    }
    this.#present = block;
  }
}

/** The first index from `at` on that has the same position within a memory word as the first of `bytes`. */
function alignedAs({ byteOffset }: Uint8Array, at: number): number {
  return at + ((((byteOffset - at) % WORD_BYTES) + WORD_BYTES) % WORD_BYTES);
}

function createBlock(size: number): Block {
  const shared = new SharedArrayBuffer(size);
  return { bytes: new Uint8Array(shared), pieces: new Int32Array(shared, 0, 1) };
}

/** Results with pieces in blocks. */
interface WithPieces {
  readonly pieces: { readonly chunks: readonly { readonly chunk: SharedPiece }[] } | null;
}

/** Frees the pieces of results: they have been written, or will not be. */
export function freePieces({ pieces }: WithPieces): void {
  for (const { chunk } of pieces?.chunks ?? []) Atomics.sub(new Int32Array(chunk.buffer, 0, 1), 0, 1);
}
