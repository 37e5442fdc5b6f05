/**
 * The strict scan of one JSON text as bytes (RFC 8259): whether it is well-formed, how deep it is, which names are
 * duplicates, which numbers an IEEE double does not hold, and which strings have half a surrogate pair.
 *
 * It is not recursive, so depth costs memory and not stack. It makes no values: strings are made only for names with
 * escapes and for the pointers of notes.
 */
import { formatPointer } from './pointer.ts';
import { skipSpace } from './skip.ts';
import { decodeString } from './utf8.ts';
import type { ExpectedSyntax, Span } from './vocabulary.ts';

/** Why the scan stopped. `at` is an index into the given bytes; it may equal their end. */
export type ScanFault =
  | { readonly type: 'syntax'; readonly at: number; readonly expected: ExpectedSyntax }
  | { readonly type: 'depth'; readonly at: number; readonly pointer: string };

/** A property of a well-formed text that parsers treat differently. Spans are indexes into the given bytes. */
type ScanNote =
  | { readonly rule: 'duplicate-member'; readonly pointer: string; readonly span: Span; readonly first: Span }
  | { readonly rule: 'number-out-of-range' | 'unpaired-surrogate'; readonly pointer: string; readonly span: Span };

export interface ScanResult {
  readonly fault: ScanFault | null;
  readonly notes: readonly ScanNote[];
}

/** Receives the notes of `scanInto`. Spans are indexes into the given bytes. */
export interface ScanSink {
  duplicate(span: Span, first: Span): void;
  outOfRange(span: Span): void;
  /** A string, with its quotes, in which an escape is half a surrogate pair (RFC 8259, section 8.2). */
  unpaired(span: Span): void;
}

/** With more members than this, an object's names are compared with a map instead of one by one. */
const MAP_FROM = 24;

/** A container that is still open. */
interface Level {
  isObject: boolean;
  /** Index of the current element; arrays only. */
  index: number;
  /** Where this object's names begin in the list of names; objects only. */
  firstName: number;
  /** Decoded name to index in the list; null while there are few. */
  map: Map<string, number> | null;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** Scans one JSON text with white space around it. `maxDepth` counts open brackets: at 1, `[]` passes. */
export function scan(bytes: Buffer, start: number, end: number, maxDepth: number): ScanResult {
  const notes: ScanNote[] = [];
  const walk: Scan = new Scan(bytes, end, maxDepth, {
    duplicate: (span, first) => notes.push({ rule: 'duplicate-member', pointer: walk.pointer(), span, first }),
    outOfRange: (span) => notes.push({ rule: 'number-out-of-range', pointer: walk.pointer(), span }),
    unpaired: (span) => notes.push({ rule: 'unpaired-surrogate', pointer: walk.pointer(), span }),
  });
  return { fault: walk.run(start), notes };
}

/** The same for texts that may have millions of notes: `taker` receives them without their pointers. */
export function scanInto(bytes: Buffer, { start, end }: Span, maxDepth: number, taker: ScanSink): ScanFault | null {
  return new Scan(bytes, end, maxDepth, taker).run(start);
}

/** The state of one scan. */
class Scan {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #maxDepth: number;
  #at = 0;
  #fault: ScanFault | null = null;
  readonly #taker: ScanSink;
  readonly #levels: Level[] = [];
  /** Spans of all names of all open objects, quotes excluded: start, end, start, end … */
  readonly #names: number[] = [];
  readonly #escaped: boolean[] = [];

  constructor(bytes: Buffer, end: number, maxDepth: number, taker: ScanSink) {
    this.#taker = taker;
    this.#bytes = bytes;
    this.#end = end;
    this.#maxDepth = maxDepth;
  }

  run(start: number): ScanFault | null {
    const bytes = this.#bytes;
    const end = this.#end;
    this.#at = skipSpace(bytes, start, end);
    let ok = this.#value('a value');
    // After every complete value: what may follow in its container.
    while (ok && this.#levels.length > 0) {
      const level = this.#levels[this.#levels.length - 1]!;
      this.#at = skipSpace(bytes, this.#at, end);
      const byte = this.#at < end ? bytes[this.#at]! : 0;
      if (byte === 0x2c) {
        this.#at = skipSpace(bytes, this.#at + 1, end);
        if (level.isObject) ok = this.#member('a member name') && this.#value('a value');
        else {
          level.index++;
          ok = this.#value('a value');
        }
      } else if (byte === (level.isObject ? 0x7d : 0x5d)) {
        this.#at++;
        this.#close();
      } else ok = this.#fail(this.#at, level.isObject ? '"," or "}"' : '"," or "]"');
    }
    if (ok) {
      this.#at = skipSpace(bytes, this.#at, end);
      if (this.#at < end) this.#fail(this.#at, 'the end');
    }
    return this.#fault;
  }

  #fail(at: number, expected: ExpectedSyntax): false {
    this.#fault = { type: 'syntax', at, expected };
    return false;
  }

  #failString(at: number, expected: ExpectedSyntax): -1 {
    this.#fail(at, expected);
    return -1;
  }

  /** Reads a whole scalar, or opens containers down to the first scalar or empty one. False on a fault. */
  #value(expected: ExpectedSyntax): boolean {
    for (;;) {
      const byte = this.#at < this.#end ? this.#bytes[this.#at]! : 0;
      switch (byte) {
        case 0x22:
          return this.#string() >= 0;
        case 0x74:
          return this.#literal(0x74727565, 4, '"true"');
        case 0x66:
          return this.#literal(0x616c7365, 5, '"false"');
        case 0x6e:
          return this.#literal(0x6e756c6c, 4, '"null"');
        case 0x7b:
        case 0x5b: {
          const isObject = byte === 0x7b;
          if (!this.#open(isObject)) return false;
          this.#at = skipSpace(this.#bytes, this.#at + 1, this.#end);
          if (this.#at < this.#end && this.#bytes[this.#at] === byte + 2) {
            this.#at++;
            this.#close();
            return true;
          }
          if (isObject && !this.#member('a member name or "}"')) return false;
          expected = isObject ? 'a value' : 'a value or "]"';
          break;
        }
        default:
          if (byte === 0x2d || isDigit(byte)) return this.#number();
          return this.#fail(this.#at, expected);
      }
    }
  }

  #open(isObject: boolean): boolean {
    if (this.#levels.length === this.#maxDepth) {
      this.#fault = { type: 'depth', at: this.#at, pointer: this.pointer() };
      return false;
    }
    this.#levels.push({ isObject, index: 0, firstName: this.#escaped.length, map: null });
    return true;
  }

  #close(): void {
    const level = this.#levels.pop()!;
    this.#names.length = level.firstName * 2;
    this.#escaped.length = level.firstName;
  }

  /** Reads a name and its colon, up to its value. */
  #member(expected: ExpectedSyntax): boolean {
    const bytes = this.#bytes;
    if (this.#at >= this.#end || bytes[this.#at] !== 0x22) return this.#fail(this.#at, expected);
    const start = this.#at + 1;
    const escaped = this.#string();
    if (escaped < 0) return false;
    this.#name(start, this.#at - 1, escaped === 1);
    this.#at = skipSpace(bytes, this.#at, this.#end);
    if (this.#at >= this.#end || bytes[this.#at] !== 0x3a) return this.#fail(this.#at, '":"');
    this.#at = skipSpace(bytes, this.#at + 1, this.#end);
    return true;
  }

  /** Adds a name to the innermost object. Notes it if the object has it already. */
  #name(start: number, end: number, escaped: boolean): void {
    const level = this.#levels[this.#levels.length - 1]!;
    const place = this.#escaped.length;
    const first = this.#find(level, start, end, escaped);
    this.#names.push(start, end);
    this.#escaped.push(escaped);
    if (level.map !== null) {
      const name = this.#decode(start, end, escaped);
      if (!level.map.has(name)) level.map.set(name, place);
    }
    if (first < 0) return;
    const earlier = { start: this.#names[first * 2]! - 1, end: this.#names[first * 2 + 1]! + 1 };
    this.#taker.duplicate({ start: start - 1, end: end + 1 }, earlier);
  }

  /** The index of the same name in this object, or -1. */
  #find(level: Level, start: number, end: number, escaped: boolean): number {
    const count = this.#escaped.length;
    if (count - level.firstName >= MAP_FROM) {
      level.map ??= this.#mapOf(level);
      return level.map.get(this.#decode(start, end, escaped)) ?? -1;
    }
    const bytes = this.#bytes;
    for (let i = level.firstName; i < count; i++) {
      const from = this.#names[i * 2]!;
      const to = this.#names[i * 2 + 1]!;
      if (escaped || this.#escaped[i]) {
        if (this.#decode(start, end, escaped) === this.#decode(from, to, this.#escaped[i]!)) return i;
      } else if (to - from === end - start) {
        let k = 0;
        while (k < end - start && bytes[from + k] === bytes[start + k]) k++;
        if (k === end - start) return i;
      }
    }
    return -1;
  }

  #mapOf(level: Level): Map<string, number> {
    const map = new Map<string, number>();
    for (let i = level.firstName; i < this.#escaped.length; i++) {
      const name = this.#decode(this.#names[i * 2]!, this.#names[i * 2 + 1]!, this.#escaped[i]!);
      if (!map.has(name)) map.set(name, i);
    }
    return map;
  }

  #decode(start: number, end: number, escaped: boolean): string {
    return decodeString(this.#bytes, start - 1, end + 1, escaped);
  }

  /** RFC 6901 pointer of the current member or element. */
  pointer(): string {
    const tokens = this.#levels.map((level, depth) => {
      if (!level.isObject) return level.index;
      // The current name is the last one that this object has added to the list.
      const last = (this.#levels[depth + 1]?.firstName ?? this.#escaped.length) - 1;
      return this.#decode(this.#names[last * 2]!, this.#names[last * 2 + 1]!, this.#escaped[last]!);
    });
    return formatPointer(tokens);
  }

  /** From quote to after quote. Returns 0, 1 if there were escapes, -1 on a fault. A hot loop, so it is long. */
  #string(): number {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at + 1;
    let escaped = 0;
    // Where the half that comes first has ended; -1: there is none.
    let high = -1;
    let isPaired = true;
    for (;;) {
      let byte = at < end ? bytes[at]! : 0;
      while (byte !== 0x22 && byte !== 0x5c && byte >= 0x20) byte = ++at < end ? bytes[at]! : 0;
      if (at >= end) return this.#failString(end, 'the closing quote');
      if (byte === 0x22) break;
      if (byte < 0x20) return this.#failString(at, 'an escape for the control character');
      escaped = 1;
      at++;
      const kind = at < end ? bytes[at]! : 0;
      if (kind === 0x75) {
        for (let i = 1; i <= 4; i++) {
          if (at + i >= end || !isHex(bytes[at + i]!)) {
            return this.#failString(Math.min(at + i, end), 'four hexadecimal digits after "\\u"');
          }
        }
        const half = halfOf(bytes, at + 1);
        if (half === 'low' ? high !== at - 1 : high >= 0) isPaired = false;
        at += 5;
        high = half === 'high' ? at : -1;
      } else if (ESCAPES.includes(kind)) at++;
      else return this.#failString(at, 'an escape character after "\\"');
    }
    if (escaped > 0 && !(isPaired && high < 0)) this.#taker.unpaired({ start: this.#at, end: at + 1 });
    this.#at = at + 1;
    return escaped;
  }

  /** `tail` is the big-endian 32 bits of the literal's last four bytes. */
  #literal(tail: number, length: number, expected: ExpectedSyntax): boolean {
    const at = this.#at;
    const fits = at + length <= this.#end && this.#bytes.readUInt32BE(at + length - 4) === tail;
    if (!fits) return this.#fail(this.#wrongAt(expected.slice(1, -1)), expected);
    this.#at = at + length;
    return true;
  }

  /** Index of the first byte that differs from `word`. */
  #wrongAt(word: string): number {
    let i = 0;
    while (i < word.length && this.#at + i < this.#end && this.#bytes[this.#at + i] === word.charCodeAt(i)) i++;
    return this.#at + i;
  }

  #number(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    const start = this.#at;
    let at = start;
    const digits = (): boolean => {
      const from = at;
      while (at < end && isDigit(bytes[at]!)) at++;
      return at > from;
    };
    if (bytes[at] === 0x2d) at++;
    if (at < end && bytes[at] === 0x30) {
      at++;
      if (at < end && isDigit(bytes[at]!)) return this.#fail(at, 'no digit after the leading zero');
    } else if (!digits()) return this.#fail(at, 'a digit');
    if (at < end && bytes[at] === 0x2e) {
      at++;
      if (!digits()) return this.#fail(at, 'a digit');
    }
    let large = at - start > 300;
    if (at < end && (bytes[at]! | 0x20) === 0x65) {
      large = true;
      at++;
      if (at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++;
      if (!digits()) return this.#fail(at, 'a digit');
    }
    this.#at = at;
    if (large && !Number.isFinite(Number(bytes.toString('latin1', start, at)))) {
      this.#taker.outOfRange({ start, end: at });
    }
    return true;
  }
}

/** Which half of a surrogate pair the four hexadecimal digits at `at` are; null: none. */
function halfOf(bytes: Buffer, at: number): 'high' | 'low' | null {
  if ((bytes[at]! | 0x20) !== 0x64 || bytes[at + 1]! < 0x38) return null;
  return (bytes[at + 1]! | 0x20) < 0x63 ? 'high' : 'low';
}

/** `"`, `\`, `/`, b, f, n, r, t */
const ESCAPES = [0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74];
