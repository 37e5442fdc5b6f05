/**
 * The engine of single texts: a reader with a memory of its own for one text at a time, as UTF-8, made when enough
 * texts need it. It reads without waiting.
 */
import { isUtf8 } from 'node:buffer';
import { skipSpace, withoutSpace } from '../json/skip.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { environmentFault } from '../source/system-errors.ts';
import { reserveMemory } from '../source/window.ts';
import type { Finding } from '../types.ts';
import { PADDING, PAGES, WINDOW } from '../wasm/layout.ts';
import { Acceptor, type ExamineSettings } from './compile/acceptor.ts';
import type { AcceptCode } from './compile/code.ts';
import type { BeginNoting, NoteTaker } from './judge/noted.ts';

/** A larger memory is released after the text that needed it. In bytes. */
const KEPT = 8 << 20;

const PAGE_BYTES = 1 << 16;
/** Strings of more code units are converted to bytes first: what they may need is three times their room. */
const LONG_TEXT = 1 << 20;
/** Results of `kindOf` that are not the number of a kind. */
const UNSURE = -1;
const INVALID = -2;

/** The first byte of U+FFFD, and of others. */
const REPLACEMENT = 0xef;
const ZEROS = new Uint8Array(PADDING);
const ENCODER = new TextEncoder();

export class TextEngine {
  readonly acceptor: Acceptor;
  /** `bytes[0]` is at address `WINDOW` of the memory. It is another object after the memory has grown. */
  bytes: Buffer;
  /** Length of the current text, in bytes; 0 or less: there is none. */
  length = 0;
  /** Its payload begins here, without byte order mark and white space around it. */
  start = 0;
  end = 0;
  readonly #memory = reserveMemory(PAGES + 1);
  readonly #limits: ExamineSettings;
  readonly #begin: (size: number) => BeginNoting | null;
  #taker: NoteTaker | null = null;
  /** All bytes of a text in the memory are UTF-8. */
  readonly isUtf8 = true;

  /** `begin`: what takes notes, once that is worth it for texts of that `size`, in bytes; absent: nothing does. */
  constructor(code: AcceptCode, limits: ExamineSettings, begin: (size: number) => BeginNoting | null = () => null) {
    this.bytes = Buffer.from(this.#memory.buffer, WINDOW);
    this.acceptor = new Acceptor(code, this.#memory, limits);
    this.#limits = limits;
    this.#begin = begin;
  }

  /** Copies a text into the memory; false if the engine cannot judge it. */
  put(input: string | Uint8Array): boolean {
    this.length = this.#copy(input);
    if (this.length <= 0) return false;
    this.start = skipSpace(this.bytes, byteOrderMark(this.bytes), this.length);
    this.end = withoutSpace(this.bytes, this.start, this.length);
    return this.end > this.start && this.end - this.start <= this.#limits.maxBytes;
  }

  /** The number of the kind of a text that is surely valid, an index into the kinds of the reader; below 0: it is not. */
  kindOf(input: string | Uint8Array): number {
    if (!this.put(input) || this.acceptor.explainsAll) return UNSURE;
    const verdict = this.acceptor.read(this, this);
    if (verdict === 'valid') return this.acceptor.lastKind;
    return verdict === 'invalid' ? INVALID : UNSURE;
  }

  /**
   * Notes the violations of the text, which is not valid. Returns its kind (null: it has none); undefined if only an
   * examination can find the violations.
   */
  note(): string | null | undefined {
    if (this.end - this.start > this.#limits.maxBytes) return undefined;
    this.#taker ??= this.#begin(this.end - this.start)?.(this.acceptor, this.#limits) ?? null;
    const { bytes, start, end } = this;
    return this.#taker?.find({ bytes, span: { start, end }, isUtf8: true });
  }

  /** The violations that were noted last. */
  findings(kind: string | null): readonly Finding[] {
    const { bytes, start, end } = this;
    return this.#taker?.findings({ bytes, span: { start, end } }, kind) ?? [];
  }

  text(): Uint8Array {
    return new Uint8Array(this.bytes.subarray(0, this.length));
  }

  get isLarge(): boolean {
    return this.bytes.length > KEPT;
  }

  /** Returns the length in bytes; 0 or less: empty, not UTF-8, or no memory. Zero bytes follow. Throws a TypeError. */
  #copy(input: string | Uint8Array): number {
    if (typeof input !== 'string') return this.#copyBytes(asBytes(input));
    const { length } = input;
    if (length > LONG_TEXT) return input.isWellFormed() ? this.#copyBytes(Buffer.from(input)) : -1;
    // A character of one code unit has at most three bytes.
    if (!this.#reserve(3 * length)) return -1;
    const { written } = ENCODER.encodeInto(input, this.bytes);
    // What is not well formed becomes U+FFFD, whose first byte is found sooner than a look at the string takes.
    this.bytes[written] = REPLACEMENT;
    if (written > length && this.bytes.indexOf(REPLACEMENT) < written && !input.isWellFormed()) return -1;
    this.bytes.set(ZEROS, written);
    return written;
  }

  #copyBytes(input: Uint8Array): number {
    const { length } = input;
    // Memory that is detached has no length.
    if (length === 0 || !isUtf8(input) || !this.#reserve(length)) return -1;
    this.bytes.set(input);
    this.bytes.set(ZEROS, length);
    return length;
  }

  /** Makes room; false if there is not enough memory. */
  #reserve(size: number): boolean {
    const missing = size + PADDING - this.bytes.length;
    if (missing <= 0) return true;
    try {
      this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    } catch {
      return false;
    }
    this.bytes = Buffer.from(this.#memory.buffer, WINDOW);
    return true;
  }
}

/** Bytes may be of another realm, or another view of a buffer. */
function asBytes(input: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = input;
  return input instanceof Uint8Array ? input : new Uint8Array(buffer, byteOffset, byteLength);
}

/** Makes an engine after enough texts, when it saves more time than it costs. */
export class EngineMaker {
  readonly #make: () => TextEngine;
  #engine: TextEngine | null = null;
  /** Texts that are still to be examined before that; infinite if this Node has no WebAssembly, or no memory for it. */
  #remaining: number;

  constructor(first: number, make: () => TextEngine) {
    this.#remaining = first;
    this.#make = make;
  }

  /** For the next text; null: it must be examined. */
  next(): TextEngine | null {
    if (this.#engine !== null) return this.#engine;
    if (this.#remaining-- > 0) return null;
    try {
      this.#engine = this.#make();
    } catch (error) {
      if (environmentFault(error) === null) throw error;
      this.#remaining = Number.POSITIVE_INFINITY;
    }
    return this.#engine;
  }

  drop(): void {
    this.#engine = null;
  }
}
