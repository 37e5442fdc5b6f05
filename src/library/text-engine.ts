/**
 * Accept with a memory of its own, for one text at a time, made when enough texts need it.
 */
import { Acceptor, UNSURE } from '../accept/acceptor.ts';
import type { AcceptCode } from '../accept/code.ts';
import { environmentFault } from '../input/system-errors.ts';
import { skipSpace, withoutSpace } from '../json/space.ts';
import { byteOrderMark } from '../json/utf8.ts';
import type { Limits } from '../types.ts';
import { TextMemory } from './text-memory.ts';

/** A larger memory is released after the text that needed it. In bytes. */
const KEPT = 8 << 20;

export class TextEngine {
  readonly memory = new TextMemory();
  readonly acceptor: Acceptor;
  /** Length of the current text, in bytes; 0 or less: there is none. */
  length = 0;
  /** Its payload begins here, without byte order mark and white space around it. */
  start = 0;
  end = 0;
  readonly #maxBytes: number;

  constructor(code: AcceptCode, limits: Limits) {
    this.acceptor = new Acceptor(code, this.memory.memory, limits);
    this.#maxBytes = limits.maxBytes;
  }

  /** Copies a text into the memory; false if the engine cannot judge it. */
  put(input: string | Uint8Array): boolean {
    this.length = this.memory.put(input);
    if (this.length <= 0) return false;
    const { bytes } = this.memory;
    this.start = skipSpace(bytes, byteOrderMark(bytes), this.length);
    this.end = withoutSpace(bytes, this.start, this.length);
    return this.end > this.start && this.end - this.start <= this.#maxBytes;
  }

  /** The result of `Acceptor.kindOfText`. */
  kindOf(input: string | Uint8Array): number {
    if (!this.put(input)) return UNSURE;
    return this.acceptor.kindOfText(this.memory.bytes, this.start, this.end);
  }

  /** Whether its memory should be released. */
  get isLarge(): boolean {
    return this.memory.bytes.length > KEPT;
  }
}

/** Makes an engine after enough texts, when it saves more time than it costs. */
export class EngineMaker {
  readonly #make: () => TextEngine;
  #engine: TextEngine | null = null;
  /** Texts that are still to be examined before that; infinite if this Node has no WebAssembly, or no memory for it. */
  #left: number;

  constructor(first: number, make: () => TextEngine) {
    this.#left = first;
    this.#make = make;
  }

  /** For the next text; null: it must be examined. */
  next(): TextEngine | null {
    if (this.#engine !== null) return this.#engine;
    if (this.#left-- > 0) return null;
    try {
      this.#engine = this.#make();
    } catch (error) {
      if (environmentFault(error) === null) throw error;
      this.#left = Number.POSITIVE_INFINITY;
    }
    return this.#engine;
  }

  /** Releases the memory. */
  drop(): void {
    this.#engine = null;
  }
}
