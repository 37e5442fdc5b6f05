/**
 * What a module that writes has written, see `writer.ts`.
 */
import type { Span } from '../types.ts';
import { WINDOW } from '../wasm/layout.ts';
import type { WriterExports } from './exports.ts';

export class AcceptOutput {
  readonly #writer: WriterExports;
  readonly #memory: WebAssembly.Memory;
  /** Address up to which the output was taken; 0 before the first output. */
  #taken = 0;

  constructor(writer: WriterExports, memory: WebAssembly.Memory) {
    this.#writer = writer;
    this.#memory = memory;
  }

  /** Payloads will be read, and written from the address `outputAt` on. `inArray`: they may have commas after them. */
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
   * What was written for the payloads accepted since the last call: some of `bytes`, those of the window, if nothing
   * had to be changed. Valid until `drop`.
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
   * What `take` would return after a run over an array, if that is bytes of the window in which only a byte after each
   * payload is another one. Then it is taken. Null: it is not, or there is nothing.
   */
  takeCompact(): Span | null {
    const { to, from, upTo } = this.#writer;
    if (to.value !== this.#taken || from.value === upTo.value) return null;
    const span = { start: from.value - WINDOW, end: upTo.value - WINDOW };
    from.value = 0;
    upTo.value = 0;
    return span;
  }

  /** What was taken is not needed any more. */
  drop(): void {
    this.#taken = 0;
  }
}
