/**
 * The outlet of `convert`: the well-formed payloads, each as one line or as an element of an array; all of them, those
 * of one kind, or each kind in a channel of its own. Only the white space between tokens changes.
 */
import type { Window } from '../input/window.ts';
import { type Around, isMinimal, layOut, minify } from '../json/minify.ts';
import type { Framing, Span } from '../types.ts';
import type { AcceptedRun, CheckedPayload, ConvertSpec, Outlet, OutletPart, Pieces } from './outlet.ts';

const LINE: Around = { before: 0, after: 0x0a };
const ELEMENT: Around = { before: 0x2c, after: 0 };

export class ConvertOutlet implements Outlet {
  readonly wantsEachEdit = false;
  readonly wantsRest = false;
  readonly wantsEachKind: boolean;
  readonly rejects = null;
  readonly #window: Window;
  readonly #pieces: Pieces;
  readonly #spec: ConvertSpec;
  /** The payloads are one per line in the source and in the output: then most need no change. */
  #mayPass = false;

  constructor({ window, pieces }: OutletPart, spec: ConvertSpec) {
    this.#window = window;
    this.#pieces = pieces;
    this.#spec = spec;
    this.wantsEachKind = spec.only !== null || spec.split !== null;
  }

  begin(framing: Framing): void {
    this.#mayPass = framing === 'lines' && this.#spec.as === 'lines';
  }

  accepted({ span, payloads, kind, acceptor }: AcceptedRun): void {
    acceptor.dropGaps();
    if (payloads > 0) this.#texts(span, payloads, this.#channelOf(kind));
  }

  payload({ span, kind, valid, open }: CheckedPayload): void {
    if (valid && !open) this.#texts(span, 1, this.#channelOf(kind));
  }

  rest(): void {}

  release(): void {}

  end(): void {}

  /** Null: payloads of this kind are left out. */
  #channelOf(kind: string | null): number | null {
    const { only, split } = this.#spec;
    if (only !== null) return kind === only ? 0 : null;
    if (split === null) return 0;
    const channel = kind === null ? -1 : split.indexOf(kind);
    return channel < 0 ? split.length : channel;
  }

  #texts({ start, end }: Span, payloads: number, channel: number | null): void {
    if (channel === null) return;
    const { bytes } = this.#window;
    if (this.#spec.as === 'pretty array') {
      this.#pieces.bytes(layOut(bytes, start, end), true, channel);
      return;
    }
    if (this.#mayPass && isMinimal(bytes, start, end)) {
      this.#pieces.bytes(bytes.subarray(start, end), false, channel);
      return;
    }
    const out = Buffer.allocUnsafe(end - start + payloads);
    const size = minify(bytes, start, end, out, this.#spec.as === 'lines' ? LINE : ELEMENT);
    this.#pieces.bytes(out.subarray(0, size), true, channel);
  }
}
