/**
 * The outlet of `convert`: the well-formed payloads, each as one line or as an element of an array; all of them, those
 * of one kind, or each kind in a channel of its own. Only the white space between tokens changes.
 */
import type { Acceptor } from '../../engine/compile/acceptor.ts';
import { layOut, minify } from '../../json/minify.ts';
import type { Window } from '../../source/window.ts';
import type { Framing, Span } from '../../types.ts';
import { AROUND, type Around } from '../../wasm/layout.ts';
import type { AcceptedRun, CheckedPayload, ConvertSpec, Outlet, OutletPart, Pieces } from './outlet.ts';

/** An acceptor that writes any JSON text in the memory of the window. */
export type WriterFor = (window: Window) => Acceptor;

export class ConvertOutlet implements Outlet {
  readonly wantsEachKind: boolean;
  readonly #window: Window;
  readonly #pieces: Pieces;
  readonly #spec: ConvertSpec;
  readonly #writerFor: WriterFor;
  #writer: Acceptor | null = null;

  constructor({ window, pieces }: OutletPart, spec: ConvertSpec, writerFor: WriterFor) {
    this.#window = window;
    this.#pieces = pieces;
    this.#spec = spec;
    this.#writerFor = writerFor;
    this.wantsEachKind = spec.only !== null || spec.split !== null;
  }

  begin(_: Framing, acceptor: Acceptor): void {
    if (acceptor.output !== null) this.#writer = acceptor;
  }

  accepted({ span, payloads, kind, acceptor }: AcceptedRun): Iterable<void> | undefined {
    acceptor.dropGaps();
    if (payloads === 0) return undefined;
    const channel = this.#channelOf(kind);
    const { output } = acceptor;
    if (output === null) return this.#text(span, channel);
    this.#pieces.bytes(output.take(this.#window.bytes), true, channel ?? 0);
    return undefined;
  }

  payload({ span, kind, valid, open }: CheckedPayload): Iterable<void> | undefined {
    return valid && !open ? this.#text(span, this.#channelOf(kind)) : undefined;
  }

  release(): void {
    this.#writer?.output?.drop();
  }

  /** Null: payloads of this kind are left out. */
  #channelOf(kind: string | null): number | null {
    const { only, split } = this.#spec;
    if (only !== null) return kind === only ? 0 : null;
    if (split === null) return 0;
    const channel = kind === null ? -1 : split.indexOf(kind);
    return channel < 0 ? split.length : channel;
  }

  /** Writes a payload that was not written when it was accepted. */
  #text(span: Span, channel: number | null): Iterable<void> | undefined {
    if (channel === null) return undefined;
    const around = AROUND[this.#spec.as];
    if (around === null) return this.#laidOut(span, channel);
    this.#oneLine(span, channel, around);
    return undefined;
  }

  /** Indentation can make a text many times as long. */
  *#laidOut({ start, end }: Span, channel: number): Generator<void> {
    for (const piece of layOut(this.#window.bytes, start, end)) {
      this.#pieces.bytes(piece, true, channel);
      yield;
    }
  }

  #oneLine({ start, end }: Span, channel: number, { before, after }: Around): void {
    const window = this.#window;
    this.#writer ??= this.#writerFor(window);
    if (this.#writer.read(window, { start, end }) === 'valid') {
      this.#writer.takeCounts(() => {}); // the payload was counted when it was accepted
      this.#pieces.bytes(this.#writer.output!.take(window.bytes), true, channel); // this acceptor has an output
      return;
    }
    const out = Buffer.allocUnsafe(end - start + 1);
    if (before !== 0) out[0] = before;
    let size = minify(window.bytes, { start, end }, out, before === 0 ? 0 : 1);
    if (after !== 0) out[size++] = after;
    this.#pieces.bytes(out.subarray(0, size), true, channel);
  }
}
