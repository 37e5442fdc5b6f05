/**
 * Accept at work: an instance of the module over the window's memory. It answers "valid" for payloads it is sure of and
 * leaves the others where they are; it makes no object and no string.
 */
import { isUtf8 } from 'node:buffer';
import type { TextCounter } from '../json/lines.ts';
import { COUNTS, MAX_DEPTH, MODES, type Mode, WINDOW } from './layout.ts';

/** What an acceptor reads: bytes in a memory, `bytes[i]` at address `WINDOW + i`, zeros behind the last. */
export interface AcceptWindow {
  readonly memory: WebAssembly.Memory;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Offset in the source of `bytes[0]`. */
  readonly base: number;
  readonly atEnd: boolean;
}

/** What a run got through. */
export interface AcceptRun {
  /** Index in the window at which it stopped. */
  readonly stop: number;
  /** Line feeds passed; 0 unless in lines. */
  readonly lineFeeds: number;
  /** True where it stopped after an element of an array, false where before one. */
  readonly behindElement: boolean;
}

/** The exports of a module that `compileAccept` made. */
interface Exports {
  readonly run: (start: number, end: number, mode: number, final: number) => number;
  readonly one: (start: number, end: number) => number;
  readonly lineFeeds: { readonly value: number };
  readonly behindElement: { readonly value: number };
  readonly maxDepth: { value: number };
  readonly maxBytes: { value: number };
  readonly lineFeedsIn: (start: number, end: number) => number;
  readonly codeUnitsIn: (start: number, end: number) => number;
}

/** A compiled accept module; threads can share it. */
export interface AcceptCode {
  readonly module: WebAssembly.Module;
  readonly kinds: readonly string[];
}

export class Acceptor {
  readonly kinds: readonly string[];
  readonly #memory: WebAssembly.Memory;
  readonly #exports: Exports;
  /** Offset in the source up to which bytes are known to be UTF-8, or known not to be. */
  #checked = 0;
  #bad = false;

  /** `limits`: the deepest nesting, and the most bytes, that are valid. */
  constructor(
    { module, kinds }: AcceptCode,
    memory: WebAssembly.Memory,
    limits: { readonly maxDepth: number; readonly maxBytes: number },
  ) {
    this.kinds = kinds;
    this.#memory = memory;
    // The exports of our own module are as it declares them.
    this.#exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    this.#exports.maxDepth.value = Math.min(limits.maxDepth, MAX_DEPTH);
    this.#exports.maxBytes.value = Math.min(limits.maxBytes, 0x7fff_ffff);
  }

  /** Begins another source. */
  reset(): void {
    this.#checked = 0;
    this.#bad = false;
  }

  /** Accepts payload after payload from `window.start` on, as long as it is sure; null where it did not try. */
  run(window: AcceptWindow, mode: Mode): AcceptRun | null {
    const { start, end, atEnd } = window;
    if (start === end || this.kinds.length === 0 || !this.#checkUtf8(window)) return null;
    const { run, lineFeeds, behindElement } = this.#exports;
    const stop = run(WINDOW + start, WINDOW + end, MODES[mode], atEnd ? 1 : 0) - WINDOW;
    return { stop, lineFeeds: lineFeeds.value, behindElement: behindElement.value === 1 };
  }

  /** True where `bytes[start, end)` of the window is one valid payload. */
  one({ bytes }: AcceptWindow, start: number, end: number): boolean {
    return isUtf8(bytes.subarray(start, end)) && this.#exports.one(WINDOW + start, WINDOW + end) === 1;
  }

  /** Counts in the window's bytes. */
  readonly counter: TextCounter = {
    lineFeeds: (start, end) => this.#exports.lineFeedsIn(WINDOW + start, WINDOW + end),
    codeUnits: (start, end) => this.#exports.codeUnitsIn(WINDOW + start, WINDOW + end),
  };

  /** Takes the counts of what was accepted since the last time: calls `count` for each kind that has any. */
  takeCounts(count: (kind: string, payloads: number) => void): void {
    const counts = new Uint32Array(this.#memory.buffer, COUNTS, this.kinds.length);
    for (const [i, kind] of this.kinds.entries()) {
      const payloads = counts[i]!;
      if (payloads === 0) continue;
      counts[i] = 0;
      count(kind, payloads);
    }
  }

  /** Whole characters in the window are checked once. Where they are not UTF-8, `one` still checks payload by payload. */
  #checkUtf8({ bytes, base, start, end }: AcceptWindow): boolean {
    if (base + start >= this.#checked) {
      this.#checked = base + start;
      this.#bad = false;
    }
    const whole = wholeCharacters(bytes, start, end);
    const from = this.#checked - base;
    if (whole > from) {
      this.#bad ||= !isUtf8(bytes.subarray(from, whole));
      this.#checked = base + whole;
    }
    return !this.#bad;
  }
}

/** `end`, or the beginning of the character that the end cuts in two. */
function wholeCharacters(bytes: Uint8Array, start: number, end: number): number {
  for (let back = 1; back <= 3 && end - back >= start; back++) {
    const byte = bytes[end - back]!;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? end - back : end;
  }
  return end;
}
