/**
 * The memory of an engine with one text in it, as UTF-8. A new text replaces the one before.
 */
import { isUtf8 } from 'node:buffer';
import { reserveMemory } from '../input/system-errors.ts';
import { PADDING, PAGES, WINDOW } from '../wasm/layout.ts';
import { bytesOf } from './inputs.ts';

const PAGE_BYTES = 1 << 16;
/** Strings of more code units are converted to bytes first: what they may need is three times their room. */
const LONG = 1 << 20;
const ENCODER = new TextEncoder();

export class TextMemory {
  readonly memory = reserveMemory(PAGES + 1);
  /** `bytes[0]` is at address `WINDOW` of the memory. It is another object after the memory has grown. */
  bytes: Buffer = this.#view();

  /**
   * Copies a text into the memory, with zero bytes after it. Returns its length in bytes; 0 or less if it is empty or
   * not UTF-8, or there is no memory. Throws a TypeError for other arguments.
   */
  put(input: string | Uint8Array): number {
    if (typeof input !== 'string')
      return this.#putBytes(input instanceof Uint8Array ? input : bytesOf(input));
    const { length } = input;
    if (!input.isWellFormed()) return -1;
    if (length > LONG) return this.#putBytes(Buffer.from(input));
    // A character of one code unit has at most three bytes.
    if (!this.#reserve(3 * length)) return -1;
    const { written } = ENCODER.encodeInto(input, this.bytes);
    this.bytes.fill(0, written, written + PADDING);
    return written;
  }

  /** A copy of the first bytes. */
  copy(length: number): Uint8Array {
    return new Uint8Array(this.bytes.subarray(0, length));
  }

  #putBytes(input: Uint8Array): number {
    const { length } = input;
    // Memory that is detached has no length.
    if (length === 0 || !isUtf8(input) || !this.#reserve(length)) return -1;
    this.bytes.set(input);
    this.bytes.fill(0, length, length + PADDING);
    return length;
  }

  /** Makes room; false if there is not enough memory. */
  #reserve(size: number): boolean {
    const missing = size + PADDING - this.bytes.length;
    if (missing <= 0) return true;
    try {
      this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    } catch {
      return false;
    }
    this.bytes = this.#view();
    return true;
  }

  #view(): Buffer {
    return Buffer.from(this.memory.buffer, WINDOW);
  }
}
