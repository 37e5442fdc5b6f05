/**
 * The outlet of `filter`: the valid payloads (or the invalid ones) byte for byte, and the others in a channel of their
 * own. In `lines` framing whole lines pass through; any other payload is followed by a line feed.
 */
import type { Acceptor } from '../../engine/compile/acceptor.ts';
import { COMMA, LINE_FEED, lineAt, skipSpace, skipValue, withoutSpace } from '../../json/skip.ts';
import { KEPT_SPACE_BYTES } from '../../limits.ts';
import type { Window } from '../../source/window.ts';
import type { Framing, Span } from '../../types.ts';
import { Joiner } from './joiner.ts';
import {
  type AcceptedRun,
  type CheckedPayload,
  type FilterSpec,
  type Outlet,
  type OutletPart,
  type Pieces,
  REJECTS,
} from './outlet.ts';

const BRACKET = 0x5d;
const LINE_END = Uint8Array.of(LINE_FEED);
const PASSED = 0;

type ChannelNumber = 0 | typeof REJECTS | null;

export class FilterOutlet implements Outlet {
  readonly #window: Window;
  readonly #pieces: Pieces;
  readonly #ofValid: ChannelNumber;
  readonly #ofInvalid: ChannelNumber;
  readonly #counts: boolean;
  readonly #joiner: Joiner;
  #rejected = 0;
  #framing: Framing = 'json';
  /** Lines: offset in the source of the first byte that is not handled yet. */
  #done = 0;
  /** White space that the window has dropped and that may pass through: before `#done`, or after a payload's part. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** The channel of a payload of which only a part was read. */
  #open: ChannelNumber = null;

  constructor({ window, pieces }: OutletPart, { invert, rejects, reasons }: FilterSpec) {
    this.#window = window;
    this.#pieces = pieces;
    const others = rejects ? REJECTS : null;
    this.#ofValid = invert ? others : PASSED;
    this.#ofInvalid = invert ? PASSED : others;
    this.#counts = reasons;
    this.#joiner = new Joiner(pieces);
  }

  get rejects(): number | null {
    return this.#counts ? this.#rejected : null;
  }

  begin(framing: Framing): void {
    this.#framing = framing;
    this.#dropHeld();
    this.#done = this.#window.base + this.#window.start;
  }

  accepted(run: AcceptedRun): undefined {
    const { span, payloads, lineFeeds, acceptor } = run;
    acceptor.dropGaps();
    if (payloads === 0) return;
    const channel = this.#ofValid;
    if (this.#framing !== 'lines') {
      if (channel !== null) this.#texts(span, payloads, acceptor, channel);
    } else if (lineFeeds === 0) this.#line(span, channel);
    else this.#lines(run, channel);
  }

  payload({ span, valid, open }: CheckedPayload): undefined {
    const channel = valid ? this.#ofValid : this.#ofInvalid;
    if (!valid) this.#rejected++;
    if (this.#framing === 'lines') this.#line(span, channel);
    else if (open) this.#passPart(span, channel);
    else this.#passText(span, channel);
    this.#open = open ? channel : null;
  }

  rest(span: Span, open: boolean): void {
    if (this.#framing === 'lines') this.#line(span, this.#open);
    else {
      this.#passPart(span, this.#open);
      if (!open) {
        this.#dropHeld();
        if (this.#open !== null) this.#pieces.bytes(LINE_END, true, this.#open);
      }
    }
    if (!open) this.#open = null;
  }

  /** Keeps what the window will drop of a line whose payload has not begun. */
  release(): void {
    this.#joiner.release();
    if (this.#framing !== 'lines') return;
    const { bytes, base, start } = this.#window;
    const from = this.#done - base;
    if (start <= from) return;
    const lineFeed = bytes.subarray(from, start).lastIndexOf(LINE_FEED);
    if (lineFeed >= 0) this.#dropHeld();
    this.#keep({ start: from + lineFeed + 1, end: start });
    this.#done = base + start;
  }

  end(): void {
    if (this.#counts) this.#pieces.emit({ type: 'rejected', count: this.#rejected });
  }

  #keep({ start, end }: Span): void {
    if (start === end || this.#heldBytes + end - start > KEPT_SPACE_BYTES) return;
    this.#held.push(Uint8Array.from(this.#window.bytes.subarray(start, end)));
    this.#heldBytes += end - start;
  }

  #dropHeld(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }

  #pass({ start, end }: Span, channel: ChannelNumber): void {
    if (start < end && channel !== null) this.#pieces.bytes(this.#window.bytes.subarray(start, end), false, channel);
  }

  /** A part of a payload. White space at its end waits for the next part. */
  #passPart(span: Span, channel: ChannelNumber): void {
    const end = withoutSpace(this.#window.bytes, span.start, span.end);
    if (end > span.start) this.#passHeld(channel);
    this.#pass({ start: span.start, end }, channel);
    this.#keep({ start: end, end: span.end });
  }

  #passText(span: Span, channel: ChannelNumber): void {
    if (channel === null) return;
    this.#pass(span, channel);
    this.#pieces.bytes(LINE_END, true, channel);
  }

  /** The line of the payload in `span`, from the first byte that is not handled yet to its line feed if it has one. */
  #line({ start, end }: Span, channel: ChannelNumber): void {
    const { bytes, base, end: windowEnd } = this.#window;
    const done = this.#done - base;
    const lineFeed = start > done ? bytes.subarray(done, start).lastIndexOf(LINE_FEED) : -1;
    if (lineFeed >= 0) this.#dropHeld();
    this.#passHeld(channel);
    const after = bytes.subarray(0, windowEnd).indexOf(LINE_FEED, end);
    const to = after < 0 ? windowEnd : after + 1;
    this.#pass({ start: done + lineFeed + 1, end: to }, channel);
    this.#done = base + to;
  }

  #passHeld(channel: ChannelNumber): void {
    if (this.#heldBytes === 0) return;
    if (channel !== null) for (const held of this.#held) this.#pieces.bytes(held, false, channel);
    this.#dropHeld();
  }

  /** The lines in the span of a run that are not blank. The last one may be incomplete. */
  #lines({ span, payloads, lineFeeds }: AcceptedRun, channel: ChannelNumber): void {
    const { bytes, base } = this.#window;
    const { end } = span;
    let from = this.#done - base;
    const endsLine = bytes[end - 1] === LINE_FEED;
    if (from === span.start && this.#heldBytes === 0 && payloads === lineFeeds + (endsLine ? 0 : 1)) {
      this.#pass(span, channel);
      this.#done = base + end;
      return;
    }
    while (from < end) {
      const { start, end: textEnd, next, isWhole } = lineAt(bytes, from, end);
      const isBlank = start === textEnd;
      if (isBlank && !isWhole) break;
      if (isBlank) this.#dropHeld();
      else {
        this.#passHeld(channel);
        this.#pass({ start: from, end: next }, channel);
      }
      from = next;
    }
    this.#done = base + from;
  }

  /** The accepted texts in `span`, with white space and perhaps a comma between them. Each gets a line feed. */
  #texts({ start, end }: Span, payloads: number, acceptor: Acceptor, channel: 0 | typeof REJECTS): void {
    const { bytes } = this.#window;
    if (acceptor.spans.length === payloads) {
      this.#joiner.join(bytes, acceptor, channel);
      return;
    }
    for (let at = start; ; ) {
      at = skipSpace(bytes, at, end);
      if (at >= end) return;
      if (bytes[at] === COMMA || bytes[at] === BRACKET) {
        at++;
        continue;
      }
      const after = skipValue(bytes, at, end);
      this.#passText({ start: at, end: after }, channel);
      at = after;
    }
  }
}
