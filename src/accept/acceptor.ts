/**
 * Accept at work: an instance of the module over the window's memory. It answers "valid" for payloads it is sure of and
 * leaves the others where they are; it makes no object and no string.
 */
import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import type { TextCounter } from '../json/lines.ts';
import {
  COUNTS,
  MANY_NOTES,
  MAX_DEPTH,
  MODES,
  type Mode,
  NOTE_BYTES,
  NOTES,
  WINDOW,
} from '../wasm/layout.ts';
import type { FillableObject } from './context.ts';

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
  /** True where it stopped for its notes to be taken, and can go on at once. */
  readonly full: boolean;
}

/** The exports of a module that `compileAccept` made. */
interface Exports {
  readonly run: (start: number, end: number, mode: number, final: number) => number;
  readonly one: (start: number, end: number) => number;
  readonly plain: (start: number, end: number) => number;
  readonly lineFeeds: { readonly value: number };
  readonly behindElement: { readonly value: number };
  readonly notes: { value: number };
  readonly maxDepth: { value: number };
  readonly maxBytes: { value: number };
  readonly lineFeedsIn: (start: number, end: number) => number;
  readonly codeUnitsIn: (start: number, end: number) => number;
}

/** A compiled accept module; threads can share it. */
export interface AcceptCode {
  readonly module: WebAssembly.Module;
  readonly kinds: readonly string[];
  /** The objects that notes speak of, where defaults are filled in; and whether their paths are the only ones. */
  readonly fillable: readonly FillableObject[];
  readonly exactPaths: boolean;
}

/** The custom section of an accept file in which the names of the kinds stand. */
export const KINDS_SECTION = 'kinds';

/** The module that an earlier compilation wrote to the file at `path`; null where there is no such file. */
export function readAccept(path: string): AcceptCode | null {
  if (!existsSync(path)) return null;
  const module = new WebAssembly.Module(new Uint8Array(readFileSync(path)));
  const [section] = WebAssembly.Module.customSections(module, KINDS_SECTION);
  const kinds = JSON.parse(Buffer.from(section!).toString()) as string[]; // our own file
  return { module, kinds, fillable: [], exactPaths: true };
}

/** An object that lacks members with a default. Indexes are into the window's bytes. */
export interface AcceptNote {
  readonly object: FillableObject;
  /** The bits of the members that are missing. */
  readonly missing: bigint;
  /** Of the opening quote of the last member's name; -1 for an object without members, in compact surroundings. */
  readonly lastName: number;
  /** Of the closing bracket. */
  readonly close: number;
}

export class Acceptor {
  readonly kinds: readonly string[];
  /** True where the notes can be used as they are. */
  readonly exactPaths: boolean;
  readonly #fillable: readonly FillableObject[];
  readonly #memory: WebAssembly.Memory;
  readonly #exports: Exports;
  #counts: DataView;
  /** Offset in the source up to which bytes are known to be UTF-8, or known not to be. */
  #checked = 0;
  #bad = false;
  /** Every payload is to be examined. */
  readonly #isOff: boolean;

  /** `limits`: the deepest nesting, and the most bytes, that are valid. For advice, every payload has to be examined: none is accepted. */
  constructor(
    { module, kinds, fillable, exactPaths }: AcceptCode,
    memory: WebAssembly.Memory,
    limits: { readonly maxDepth: number; readonly maxBytes: number; readonly advice?: boolean },
  ) {
    this.#isOff = limits.advice === true;
    this.kinds = kinds;
    this.#fillable = fillable;
    this.exactPaths = exactPaths;
    this.#memory = memory;
    this.#counts = new DataView(memory.buffer);
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
    if (this.#isOff || start === end || this.kinds.length === 0 || !this.#checkUtf8(window)) return null;
    const { run, lineFeeds, behindElement } = this.#exports;
    const stop = run(WINDOW + start, WINDOW + end, MODES[mode], atEnd ? 1 : 0) - WINDOW;
    const full = this.#exports.notes.value >= NOTES + MANY_NOTES * NOTE_BYTES;
    return { stop, lineFeeds: lineFeeds.value, behindElement: behindElement.value === 1, full };
  }

  /** True where `bytes[start, end)` of the window is one valid payload; `complete`: and lacks no member that has a default. */
  one({ bytes }: AcceptWindow, start: number, end: number, complete = false): boolean {
    if (this.#isOff || !isUtf8(bytes.subarray(start, end))) return false;
    const valid = this.#exports.one(WINDOW + start, WINDOW + end) === 1;
    if (!valid || !complete || this.notes === 0) return valid;
    this.takeCounts(() => {});
    this.dropNotes();
    return false;
  }

  /**
   * True where `bytes[start, end)` of the window, which must be UTF-8, is a JSON text with nothing to note: well formed, no name twice,
   * no number out of range, not too deep. False says nothing.
   */
  isPlain(start: number, end: number): boolean {
    return this.#exports.plain(WINDOW + start, WINDOW + end) === 1;
  }

  /** Counts in the window's bytes. */
  readonly counter: TextCounter = {
    lineFeeds: (start, end) => this.#exports.lineFeedsIn(WINDOW + start, WINDOW + end),
    codeUnits: (start, end) => this.#exports.codeUnitsIn(WINDOW + start, WINDOW + end),
  };

  /** Takes the counts of what was accepted since the last time: calls `count` for each kind that has any. */
  takeCounts(count: (kind: string, payloads: number) => void): void {
    // A memory that grows gets another buffer.
    if (this.#counts.buffer !== this.#memory.buffer) this.#counts = new DataView(this.#memory.buffer);
    const counts = this.#counts;
    for (const [i, kind] of this.kinds.entries()) {
      const at = COUNTS + 4 * i;
      const payloads = counts.getUint32(at, true);
      if (payloads === 0) continue;
      counts.setUint32(at, 0, true);
      count(kind, payloads);
    }
  }

  /** How many notes there are. */
  get notes(): number {
    return (this.#exports.notes.value - NOTES) / NOTE_BYTES;
  }

  /** Takes the notes of what was accepted since the last time, in the order of their closing brackets. */
  takeNotes(take: (note: AcceptNote) => void): void {
    const count = this.notes;
    const view = new DataView(this.#memory.buffer, NOTES, count * NOTE_BYTES);
    for (let at = 0; at < view.byteLength; at += NOTE_BYTES) {
      take({
        object: this.#fillable[view.getInt32(at + 8, true)]!,
        missing: view.getBigInt64(at + 16, true),
        lastName: Math.max(-1, view.getInt32(at, true) - WINDOW),
        close: view.getInt32(at + 4, true) - WINDOW,
      });
    }
    this.dropNotes();
  }

  /** Forgets the notes. */
  dropNotes(): void {
    this.#exports.notes.value = NOTES;
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
