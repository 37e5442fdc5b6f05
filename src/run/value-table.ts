/**
 * Distinct values by their hashes, each with its first place: a hash table in typed arrays, which grows by blocks, so that
 * nothing is copied but the slots.
 */

/** A hash: four times 32 bits. */
export type HashWords = ArrayLike<number>;

/** Of one value: its hash, and the number of the file. */
const WORDS = 5;
/** Values of a block. */
const BLOCK = 1 << 16;

export interface ValuePlace {
  /** Its number. */
  readonly file: number;
  /** 1-based. */
  readonly line: number;
}

export class ValueTable {
  readonly most: number;
  #count = 0;
  /** By slot, the number of a value; 0: none. Values count from 1. A power of two, at least twice the values. */
  #slots = new Int32Array(1 << 10);
  readonly #words: Int32Array[] = [];
  readonly #lines: Float64Array[] = [];

  /** `most`: how many values are remembered. */
  constructor(most: number) {
    this.most = most;
  }

  find(hash: HashWords): ValuePlace | null {
    const value = this.#slots[this.#slotOf(hash)]! - 1;
    if (value < 0) return null;
    return { file: this.#wordsAt(value)[4]!, line: this.#lines[Math.floor(value / BLOCK)]![value % BLOCK]! };
  }

  /** Adds a value that is not there. Returns false if there is no room. */
  add(hash: HashWords, { file, line }: ValuePlace): boolean {
    if (this.#count >= this.most) return false;
    const value = this.#count++;
    const block = Math.floor(value / BLOCK);
    this.#words[block] ??= new Int32Array(WORDS * BLOCK);
    this.#lines[block] ??= new Float64Array(BLOCK);
    const words = this.#wordsAt(value);
    words.set(hash);
    words[WORDS - 1] = file;
    this.#lines[block]![value % BLOCK] = line;
    this.#slots[this.#slotOf(hash)] = this.#count;
    if (2 * (this.#count + 1) >= this.#slots.length) this.#grow();
    return true;
  }

  #wordsAt(value: number): Int32Array {
    const at = (value % BLOCK) * WORDS;
    return this.#words[Math.floor(value / BLOCK)]!.subarray(at, at + WORDS);
  }

  /** The slot of the hash, or the one where it belongs. */
  #slotOf(words: HashWords): number {
    const last = this.#slots.length - 1;
    for (let slot = words[0]! & last; ; slot = (slot + 1) & last) {
      const value = this.#slots[slot]! - 1;
      if (value < 0) return slot;
      const own = this.#wordsAt(value);
      if (own[0] === words[0] && own[1] === words[1] && own[2] === words[2] && own[3] === words[3]) return slot;
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let value = 0; value < this.#count; value++) this.#slots[this.#slotOf(this.#wordsAt(value))] = value + 1;
  }
}

/** `hash`: 32 hexadecimal digits. */
export function wordsOf(hash: string): number[] {
  return [0, 8, 16, 24].map((at) => Number.parseInt(hash.slice(at, at + 8), 16) | 0);
}
