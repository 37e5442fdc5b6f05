/**
 * A growing list of whole numbers below 2^32: four bytes for each. A long text has millions of lines or payloads.
 */
export class Numbers {
  #all: Uint32Array = new Uint32Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#all.length) {
      const more = new Uint32Array(this.#length * 2);
      more.set(this.#all);
      this.#all = more;
    }
    this.#all[this.#length++] = number;
  }

  /** The number at an index that the list has. */
  at(index: number): number {
    return this.#all[index]!;
  }

  /** All numbers. */
  get array(): Uint32Array {
    return this.#all.slice(0, this.#length);
  }
}
