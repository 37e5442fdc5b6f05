/**
 * The outlet of `filter`: the valid payloads, or the invalid ones, byte for byte. In `lines` framing whole lines go through; an element of an
 * array, or one of several texts, is followed by a line feed.
 */
import type { Window } from '../input/window.ts';
import { skipValue } from '../json/skip.ts';
import { skipSpace } from '../json/space.ts';
import type { Framing, Span } from '../types.ts';
import type { AcceptedRun, FilterSpec, JudgedPayload, Outlet, OutletPart, Pieces } from './outlet.ts';

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const BRACKET = 0x5d;

export class FilterOutlet implements Outlet {
  readonly wantsEachEdit = false;
  readonly wantsRest = false;
  readonly #window: Window;
  readonly #pieces: Pieces;
  readonly #invert: boolean;
  #framing: Framing = 'json';

  constructor({ window, pieces }: OutletPart, { invert }: FilterSpec) {
    this.#window = window;
    this.#pieces = pieces;
    this.#invert = invert;
  }

  begin(framing: Framing): void {
    this.#framing = framing;
  }

  accepted({ span, payloads, lineFeeds, acceptor }: AcceptedRun): void {
    acceptor.dropNotes();
    if (this.#invert) return;
    if (this.#framing !== 'lines') this.#texts(span);
    else if (payloads === lineFeeds + (this.#endsLine(span) ? 0 : 1)) this.#pass(span);
    else this.#lines(span);
  }

  payload({ span, valid }: JudgedPayload): void {
    if (valid === this.#invert) return;
    if (this.#framing === 'lines') this.#pass(this.#lineAround(span));
    else this.#passText(span);
  }

  release(): void {}

  end(): void {}

  #pass({ start, end }: Span): void {
    if (start < end) this.#pieces.bytes(this.#window.bytes.subarray(start, end), false);
  }

  #passText(span: Span): void {
    this.#pass(span);
    this.#pieces.bytes(Uint8Array.of(LINE_FEED), true);
  }

  #endsLine({ end }: Span): boolean {
    return this.#window.bytes[end - 1] === LINE_FEED;
  }

  /** The line of the payload in `span`, with its line feed if it has one. */
  #lineAround({ start, end }: Span): Span {
    const { bytes } = this.#window;
    const after = bytes.subarray(0, this.#window.end).indexOf(LINE_FEED, end);
    return {
      start: bytes.subarray(0, start).lastIndexOf(LINE_FEED) + 1,
      end: after < 0 ? this.#window.end : after + 1,
    };
  }

  /** The lines in `span` that are not blank. */
  #lines({ start, end }: Span): void {
    const { bytes } = this.#window;
    for (let from = start; from < end; ) {
      const lineFeed = bytes.indexOf(LINE_FEED, from);
      const next = lineFeed < 0 || lineFeed >= end ? end : lineFeed + 1;
      if (skipSpace(bytes, from, next) < next) this.#pass({ start: from, end: next });
      from = next;
    }
  }

  /** The texts in `span`, between which there is white space and perhaps a comma. */
  #texts({ start, end }: Span): void {
    const { bytes } = this.#window;
    for (let at = start; ; ) {
      at = skipSpace(bytes, at, end);
      if (at >= end) return;
      if (bytes[at] === COMMA || bytes[at] === BRACKET) {
        at++;
        continue;
      }
      const after = skipValue(bytes, at, end);
      this.#passText({ start: at, end: after });
      at = after;
    }
  }
}
