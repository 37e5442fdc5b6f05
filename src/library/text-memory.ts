/**
 * The memory of an engine with one text in it, as UTF-8. A new text replaces the one before.
 */
import { isUtf8 } from 'node:buffer';
import { reserveMemory } from '../input/system-errors.ts';
import { PADDING, PAGES, SCRATCH, SCRATCH_BYTES, WINDOW } from '../wasm/layout.ts';
import { bytesOf } from './inputs.ts';
import { type TextFunctions, textFunctionsIn } from './utf16.ts';

const PAGE_BYTES = 1 << 16;
/** Strings of more code units are converted to bytes first: the way through UTF-16 needs three times their room. */
const LONG = 1 << 20;
/** Room between the text and the UTF-16 that it is made from, so that no step writes over what is not read. */
const APART = 64;

export class TextMemory {
  readonly memory = reserveMemory(PAGES + 1);
  /** `bytes[0]` is at address `WINDOW` of the memory. It is another object after the memory has grown. */
  bytes: Buffer = this.#view();
  readonly #functions: TextFunctions = textFunctionsIn(this.memory);

  /**
   * Copies a text into the memory, with zero bytes after it. Returns its length in bytes; 0 or less if it is empty or
   * not UTF-8, or there is no memory. Throws a TypeError for other arguments.
   */
  put(input: string | Uint8Array): number {
    if (typeof input !== 'string')
      return this.#putBytes(input instanceof Uint8Array ? input : bytesOf(input));
    const { length } = input;
    if (length > LONG) return input.isWellFormed() ? this.#putBytes(Buffer.from(input)) : -1;
    // A character of one code unit has at most three bytes. The output never overwrites input that is not yet read.
    if (!this.#reserve(3 * length + 2 * APART)) return -1;
    const at = (length + APART + 1) & ~1;
    this.bytes.write(input, at, 'utf16le');
    return this.#functions.utf8(WINDOW + at, WINDOW + at + 2 * length, WINDOW) - WINDOW;
  }

  /** UTF-16 code units of the bytes in [start, end). */
  codeUnits(start: number, end: number): number {
    return this.#functions.unitsIn(WINDOW + start, WINDOW + end);
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

/** Largest text, in bytes, for which the memory that engines use for strings is enough. */
const SHORT = SCRATCH_BYTES / 2;

/** Reads texts from the memory of a window. */
export class TextReader {
  readonly #window: { readonly bytes: Buffer; readonly memory: WebAssembly.Memory };
  readonly #functions: TextFunctions;
  #scratch: Buffer;

  constructor(window: { readonly bytes: Buffer; readonly memory: WebAssembly.Memory }) {
    this.#window = window;
    this.#functions = textFunctionsIn(window.memory);
    this.#scratch = this.#view();
  }

  /** The text in [start, end) of the window, which is UTF-8. */
  text(start: number, end: number): string {
    const { bytes } = this.#window;
    if (end - start > SHORT) return bytes.toString('utf8', start, end);
    const to = this.#functions.utf16(WINDOW + start, WINDOW + end, SCRATCH);
    if (to === 0) return bytes.toString('latin1', start, end);
    // A memory that has grown has a new buffer.
    if (this.#scratch.buffer !== bytes.buffer) this.#scratch = this.#view();
    return this.#scratch.toString('utf16le', 0, to - SCRATCH);
  }

  #view(): Buffer {
    return Buffer.from(this.#window.memory.buffer, SCRATCH, SCRATCH_BYTES);
  }
}
