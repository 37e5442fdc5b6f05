/** The outlet of `fill`: the source with its missing members. The bytes between the edits stay as they are. */
import { AT, type FilledMember, type FillTable, fillAt, insertionsOf, SHAPE } from '../../engine/judge/row-log.ts';
import { GapGroups } from '../../fill/insertion.ts';
import { Follower, NOT_KEPT } from '../../json/follow.ts';
import { applyEdits, type ByteEdit } from '../../json/insertions.ts';
import type { Place } from '../../json/lines.ts';
import { escapeToken } from '../../json/pointer.ts';
import { valueWritten } from '../../json/value.ts';
import type { Window } from '../../source/window.ts';
import type { AcceptedRun, CheckedPayload, FillSpec, Outlet, OutletPart, Pieces } from './outlet.ts';

const SLICE = 1000;

export class FillOutlet implements Outlet {
  readonly wantsEachEdit: boolean;
  readonly wantsRest = true;
  readonly #file: string;
  readonly #window: Window;
  readonly #pieces: Pieces;
  readonly #spec: FillSpec;
  /** As lists of numbers and of shared texts: one payload can have millions. */
  #offsets: number[] = [];
  #texts: Uint8Array[] = [];
  /** Offset in the source up to which bytes were passed on. */
  #done: number;
  readonly #groups = new GapGroups();
  readonly #counts = new Map<string, number>();

  constructor({ source, window, pieces }: OutletPart, spec: FillSpec) {
    this.wantsEachEdit = spec.members;
    this.#file = source.name;
    this.#window = window;
    this.#pieces = pieces;
    this.#spec = spec;
    this.#done = window.base;
  }

  accepted(run: AcceptedRun): undefined {
    const { bytes, base } = this.#window;
    run.acceptor.takeGaps((gap) => {
      const { at, group, bytes: inserted } = this.#groups.insertion(bytes, gap);
      this.#edit({ offset: base + at, bytes: inserted });
      if (!this.wantsEachEdit) return;
      const { object, members } = group;
      // The path is the pointer: otherwise the payload would not have been accepted.
      this.#reportMember({ at, pointer: object.path, members }, run, run.placesOf([at]).get(at)!); // the offset just requested
    });
  }

  payload(payload: CheckedPayload): Iterable<void> | undefined {
    const { fills } = payload;
    if (fills.length === 0) return undefined;
    const { offsets, texts } = insertionsOf(fills, this.#window.base);
    for (const [i, offset] of offsets.entries()) this.#edit({ offset, bytes: texts[i]! });
    this.#countAll(fills);
    return this.wantsEachEdit ? this.#writePending(payload) : undefined;
  }

  #countAll(fills: FillTable): void {
    const times = fills.shapes.map(() => 0);
    for (let row = 0; row < fills.length; row++) times[fillAt(fills, row, SHAPE)]!++;
    for (const [i, { pattern, members }] of fills.shapes.entries())
      for (const { name } of members) this.#count(`${pattern}/${escapeToken(name)}`, times[i]!);
  }

  /** In steps, because a payload can have millions of insertions. */
  *#writePending(payload: CheckedPayload): Generator<void> {
    const { fills, span, placesOf } = payload;
    const follower = new Follower(this.#window.bytes, span.start, span.end, NOT_KEPT);
    for (let from = 0; from < fills.length; from += SLICE) {
      const rows = Array.from({ length: Math.min(SLICE, fills.length - from) }, (_, i) => from + i);
      const places = placesOf(rows.map((row) => fillAt(fills, row, AT)));
      for (const row of rows) {
        const at = fillAt(fills, row, AT);
        const { members } = fills.shapes[fillAt(fills, row, SHAPE)]!;
        this.#reportMember({ at, pointer: follower.around(at), members }, payload, places.get(at)!); // requested above
      }
      yield;
    }
  }

  /** A payload that is too large is passed through unchanged. */
  release(): void {
    const { bytes, base, start } = this.#window;
    const from = this.#done - base;
    if (start > from && this.#spec.bytes) {
      const insertions = { offsets: this.#offsets, texts: this.#texts };
      const filled = applyEdits(bytes, { start: from, end: start }, base, insertions);
      this.#pieces.bytes(filled, this.#offsets.length > 0);
    }
    this.#done = Math.max(this.#done, base + start);
    this.#offsets = [];
    this.#texts = [];
  }

  end(): void {
    for (const { object, members, times } of this.#groups)
      for (const { name } of members) this.#count(`${object.path}/${escapeToken(name)}`, times);
    for (const [pattern, count] of this.#counts) this.#pieces.filled?.(pattern, count);
  }

  /** `pointer`: of the object, from the payload's root. */
  #reportMember(
    filled: { readonly at: number; readonly pointer: string; readonly members: readonly FilledMember[] },
    { index, prefix }: Pick<CheckedPayload, 'index' | 'prefix'>,
    { line, column }: Place,
  ): void {
    const { at, pointer, members } = filled;
    const place = { file: this.#file, payload: index, line, column, offset: this.#window.base + at };
    for (const { name, text } of members) {
      this.#pieces.fill?.({ ...place, pointer: `${prefix}${pointer}/${escapeToken(name)}`, ...valueWritten(text) });
    }
  }

  #edit(edit: ByteEdit): void {
    this.#offsets.push(edit.offset);
    this.#texts.push(edit.bytes);
    if (this.#spec.edits) this.#pieces.edit?.(edit);
  }

  #count(pattern: string, times: number): void {
    this.#counts.set(pattern, (this.#counts.get(pattern) ?? 0) + times);
  }
}
