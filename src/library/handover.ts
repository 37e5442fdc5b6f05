/**
 * Passes items from one task to another, in order. The producer waits until all items were taken.
 */

export class Handover<Item> {
  #items: Item[] = [];
  #isDone = false;
  #error: unknown = null;
  #taken: (() => void) | null = null;
  #given: (() => void) | null = null;

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Resolves when everything added so far has been taken. */
  async flush(): Promise<void> {
    if (this.#items.length === 0 || this.#isDone) return;
    const taken = new Promise<void>((resolve) => {
      this.#taken = resolve;
    });
    this.#given?.();
    await taken;
  }

  /** Marks the end of the items; `error`: the reason, if this is not the normal end. */
  end(error: unknown = null): void {
    this.#isDone = true;
    this.#error = error;
    this.#given?.();
    this.#taken?.();
  }

  /** All items in order. Throws the error that `end` was given. */
  async *take(): AsyncGenerator<Item> {
    for (;;) {
      while (this.#items.length > 0) {
        const items = this.#items;
        this.#items = [];
        yield* items;
      }
      this.#taken?.();
      if (this.#isDone && this.#items.length === 0) break;
      if (this.#items.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#given = resolve;
      });
      this.#given = null;
    }
    if (this.#error !== null) throw this.#error;
  }
}
