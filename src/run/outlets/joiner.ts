/** Passes the accepted texts of a run on together, each followed by a line feed. */
import type { Acceptor } from '../../engine/compile/acceptor.ts';
import { LINE_FEED } from '../../json/skip.ts';
import type { Span } from '../../types.ts';
import type { Pieces } from './outlet.ts';

/** Room for the texts of a window, mostly. */
const BUFFER_BYTES = 5 << 18;

export class Joiner {
  readonly #pieces: Pieces;
  /** Where texts are joined; those at its beginning are not flushed yet. */
  #buffer: Buffer = Buffer.alloc(0);
  #written = 0;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  join(bytes: Buffer, acceptor: Acceptor, channel: number): void {
    const compact = acceptor.spans.compact;
    if (compact !== null) {
      this.#joinCompact(bytes, compact, acceptor, channel);
      return;
    }
    let size = 0;
    acceptor.spans.each((from, to) => {
      size += to - from + 1;
    });
    const copy = this.#ownBuffer(size);
    let at = 0;
    acceptor.spans.each((from, to) => {
      at += bytes.copy(copy, at, from, to);
      copy[at++] = LINE_FEED;
    });
    this.#pieces.bytes(copy, true, channel);
  }

  /** The same for texts in the span that have one byte after each, where the line feeds go. They are copied at once. */
  #joinCompact(bytes: Buffer, { start, end }: Span, acceptor: Acceptor, channel: number): void {
    const texts = bytes.subarray(start, end);
    const copy = this.#pieces.reserve?.(texts) ?? this.#ownBuffer(texts.length);
    copy.set(texts);
    acceptor.spans.each((_, after) => {
      copy[after - start] = LINE_FEED;
    });
    this.#pieces.bytes(copy, true, channel);
  }

  /** Makes the rooms reusable: what was joined has been flushed, or will be before more is joined. */
  release(): void {
    this.#written = 0;
  }

  /** Memory for `size` bytes, good until the next flush. */
  #ownBuffer(size: number): Uint8Array {
    if (this.#written + size > this.#buffer.length) {
      this.#buffer = Buffer.allocUnsafeSlow(Math.max(size, BUFFER_BYTES));
      this.#written = 0;
    }
    const at = this.#written;
    this.#written += size;
    return this.#buffer.subarray(at, at + size);
  }
}
