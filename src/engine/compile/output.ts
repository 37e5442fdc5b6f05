/**
 * What a run of a module leaves in the memory: where each accepted payload is, and the output of a module that writes, see
 * `writer.ts`.
 */
import type { Span } from '../../types.ts';
import { SPAN_BYTES, SPANS, WINDOW } from '../wasm/layout.ts';
import type { WriterExports } from './code.ts';

export class AcceptOutput {
  readonly #writer: WriterExports;
  readonly #memory: WebAssembly.Memory;
  /** Address up to which the output was taken; 0 before the first output. */
  #taken = 0;

  constructor(writer: WriterExports, memory: WebAssembly.Memory) {
    this.#writer = writer;
    this.#memory = memory;
  }

  /**
   * Prepares for payloads whose output begins at the address `outputAt`. `inArray`: they may have commas after them.
   */
  begin(outputAt: number, inArray: boolean): void {
    const { to, from, upTo, commas } = this.#writer;
    commas.value = inArray ? 1 : 0;
    if (this.#taken >= outputAt) return;
    this.#taken = outputAt;
    to.value = outputAt;
    from.value = 0;
    upTo.value = 0;
  }

  /**
   * The output for the payloads accepted since the last call. If nothing had to be changed, it is a part of `bytes`,
   * which are those of the window. Valid until `drop`.
   */
  take(bytes: Buffer): Buffer {
    const { finish, to, from, upTo, commas } = this.#writer;
    if (to.value === this.#taken && commas.value === 0) {
      const unchanged = bytes.subarray(from.value - WINDOW, upTo.value - WINDOW);
      from.value = 0;
      upTo.value = 0;
      return unchanged;
    }
    const end = finish();
    const written = Buffer.from(this.#memory.buffer, this.#taken, end - this.#taken);
    this.#taken = end;
    return written;
  }

  /**
   * The output of a run over an array, as a span of the window, if only the byte after each payload must be replaced.
   * Then it counts as taken. Null: other bytes differ, too, or there is no output.
   */
  takeCompact(): Span | null {
    const { to, from, upTo } = this.#writer;
    if (to.value !== this.#taken || from.value === upTo.value) return null;
    const span = { start: from.value - WINDOW, end: upTo.value - WINDOW };
    from.value = 0;
    upTo.value = 0;
    return span;
  }

  /** Releases the output that was taken. */
  drop(): void {
    this.#taken = 0;
  }
}

/** Where each accepted payload is in the window. */
export class Spans {
  readonly #memory: WebAssembly.Memory;
  readonly #listEnd: () => number;

  /** `listEnd` gives the address after the last entry. */
  constructor(memory: WebAssembly.Memory, listEnd: () => number) {
    this.#memory = memory;
    this.#listEnd = listEnd;
  }

  get length(): number {
    return (this.#listEnd() - SPANS) / SPAN_BYTES;
  }

  /** Gives, for each payload, its first index in the window and the one after it. */
  each(take: (start: number, end: number) => void): void {
    const view = new DataView(this.#memory.buffer, SPANS, this.#listEnd() - SPANS);
    for (let at = 0; at < view.byteLength; at += SPAN_BYTES)
      take(view.getUint32(at, true) - WINDOW, view.getUint32(at + 4, true) - WINDOW);
  }

  /**
   * The range from the first payload to the byte after the last one, inclusive, if exactly one byte is between each
   * two; otherwise null.
   */
  get compact(): Span | null {
    let from = -1;
    let next = -1;
    let isCompact = true;
    this.each((start, end) => {
      if (from < 0) from = start;
      else isCompact &&= start === next;
      next = end + 1;
    });
    return isCompact && from >= 0 ? { start: from, end: next } : null;
  }
}
