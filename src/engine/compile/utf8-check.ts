/** Checks the bytes of a source for UTF-8 once, window by window. */
import { isUtf8 } from 'node:buffer';

/** A part of a source: `base` is the offset in the source of `bytes[0]`. */
interface SourceBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly base: number;
}

export class Utf8Check {
  /** Offset in the source up to which the bytes were checked. */
  #checked = 0;
  #bad = false;

  reset(): void {
    this.#checked = 0;
    this.#bad = false;
  }

  /** True if the bytes of the source are known to be UTF-8 up to `offset`. */
  isKnown(offset: number): boolean {
    return !this.#bad && offset <= this.#checked;
  }

  /** Checks the whole characters of the part that were not checked yet. False if they are not UTF-8. */
  check({ bytes, start, end, base }: SourceBytes): boolean {
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

/** `end`, or the start of the character that is cut off at `end`. */
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
