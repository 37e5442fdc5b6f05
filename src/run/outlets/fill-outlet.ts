/** The outlet of `fill` and `prune`: the source as repaired. The bytes between the edits stay as they are. */
import type { Acceptor } from '../../engine/compile/acceptor.ts';
import {
  AT,
  applyEdits,
  type ByteEdit,
  deletionsOf,
  editsIn,
  type FilledMember,
  type FillTable,
  fillAt,
  insertionsOf,
  mergedEdits,
  NAME,
  NO_FILLS,
  REMOVAL_WIDTH,
  type Removals,
  SHAPE,
  VALUE,
} from '../../json/edits.ts';
import { Follower, NOT_KEPT } from '../../json/follow.ts';
import type { Place } from '../../json/lines.ts';
import { escapeToken } from '../../json/pointer.ts';
import { valueWritten } from '../../json/value.ts';
import { GapGroups } from '../../repair/insertion.ts';
import { removedValue } from '../../repair/removal-edits.ts';
import type { Window } from '../../source/window.ts';
import type { ChangedPlace, Framing, Repair } from '../../types.ts';
import type { AcceptedRun, CheckedPayload, FillSpec, Outlet, OutletPart, Pieces } from './outlet.ts';

const SLICE = 1000;

interface PendingEdits {
  readonly offsets: number[];
  readonly lengths: number[];
  readonly texts: Uint8Array[];
}

export class FillOutlet implements Outlet {
  readonly wantsEachEdit: boolean;
  readonly wantsRest = true;
  readonly #file: string;
  readonly #window: Window;
  readonly #pieces: Pieces;
  readonly #spec: FillSpec;
  /** In lists of numbers and of shared texts: one payload can have millions. */
  #edits: PendingEdits = { offsets: [], lengths: [], texts: [] };
  /** Offset in the source up to which bytes were passed on. */
  #done: number;
  #room: Uint8Array = Buffer.alloc(0);
  readonly #groups = new GapGroups();
  readonly #counts = { fill: new Map<string, number>(), prune: new Map<string, number>() };

  constructor({ source, window, pieces }: OutletPart, spec: FillSpec) {
    // Only members that are missing are found without a look at the payload.
    this.wantsEachEdit = spec.members && spec.repairs.includes('fill');
    this.#file = source.name;
    this.#window = window;
    this.#pieces = pieces;
    this.#spec = spec;
    this.#done = window.base;
  }

  begin(_: Framing, acceptor: Acceptor): void {
    // To report a member, its payload must be known.
    acceptor.takesRemovals = !this.#spec.members;
  }

  accepted(run: AcceptedRun): undefined {
    const { bytes, base } = this.#window;
    run.acceptor.takeRemovals((removals) => this.#repair(NO_FILLS, removals));
    run.acceptor.takeGaps((gap) => {
      const { at, group, bytes: inserted } = this.#groups.insertion(bytes, gap);
      this.#edit({ offset: base + at, length: 0, bytes: inserted });
      if (!this.wantsEachEdit) return;
      const { object, members } = group;
      // The path is the pointer: otherwise the payload would not have been accepted.
      this.#reportMember({ at, pointer: object.path, members }, run, run.placeOf(at));
    });
  }

  payload(payload: CheckedPayload): Iterable<void> | undefined {
    const { fills, removals } = payload;
    if (fills.length + removals.length === 0) return undefined;
    this.#repair(fills, removals);
    return this.#spec.members ? this.#writePending(payload) : undefined;
  }

  #repair(fills: FillTable, removals: Removals): void {
    const { base } = this.#window;
    const edits = mergedEdits(insertionsOf(fills, base), deletionsOf(removals, base));
    for (const edit of editsIn(edits)) this.#edit(edit);
    for (const [pattern, count] of removals.patterns) this.#count('prune', pattern, count);
    const times = fills.shapes.map(() => 0);
    for (let row = 0; row < fills.length; row++) times[fillAt(fills, row, SHAPE)]!++;
    for (const [i, { pattern, members }] of fills.shapes.entries())
      for (const { name } of members) this.#count('fill', `${pattern}/${escapeToken(name)}`, times[i]!);
  }

  /** In steps, because a payload can have millions of changes. */
  *#writePending(payload: CheckedPayload): Generator<void> {
    const { fills, removals, span, placeOf } = payload;
    const follower = new Follower(this.#window.bytes, span.start, span.end, NOT_KEPT);
    const changes = changesIn(fills, removals.rows);
    for (let slice = taken(changes, SLICE); slice.length > 0; slice = taken(changes, SLICE)) {
      for (const { at, row } of slice) {
        const place = placeOf(at);
        if (row < 0) {
          const value = removals.rows[-1 - row]!;
          this.#reportRemoved({ at, value, pointer: follower.seek(at).pointer }, payload, place);
          continue;
        }
        const { members } = fills.shapes[fillAt(fills, row, SHAPE)]!;
        this.#reportMember({ at, pointer: follower.around(at), members }, payload, place);
      }
      yield;
    }
  }

  /** A payload that is too large is passed through unchanged. */
  release(): void {
    const { bytes, base, start } = this.#window;
    const from = this.#done - base;
    if (start > from && this.#spec.bytes) {
      const repaired = applyEdits(bytes, { start: from, end: start }, base, this.#edits, (size) => this.#roomFor(size));
      this.#pieces.bytes(repaired, this.#edits.offsets.length > 0);
    }
    this.#done = Math.max(this.#done, base + start);
    this.#edits = { offsets: [], lengths: [], texts: [] };
  }

  /** Good until the next release, before which the bytes are flushed: new memory for each window takes longer than the copy. */
  #roomFor(size: number): Uint8Array {
    if (size > this.#room.length) this.#room = Buffer.allocUnsafeSlow(size + (size >> 3));
    return this.#room.subarray(0, size);
  }

  end(): void {
    for (const { object, members, times } of this.#groups)
      for (const { name } of members) this.#count('fill', `${object.path}/${escapeToken(name)}`, times);
    for (const repair of this.#spec.repairs)
      for (const [pattern, count] of this.#counts[repair])
        this.#pieces.emit({ type: 'changed', repair, pattern, count });
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
      const own = `${prefix}${pointer}/${escapeToken(name)}`;
      this.#change('fill', { ...place, pointer: own, ...valueWritten(text) });
    }
  }

  /** `at`, `value`: the indexes of the member's name and value. */
  #reportRemoved(
    { at, value: start, pointer }: { readonly at: number; readonly value: number; readonly pointer: string },
    { index, prefix, span }: Pick<CheckedPayload, 'index' | 'prefix' | 'span'>,
    { line, column }: Place,
  ): void {
    const { bytes, base } = this.#window;
    const value = this.#spec.values ? removedValue(bytes, start, span.end) : {};
    const place = { file: this.#file, payload: index, line, column, offset: base + at };
    this.#change('prune', { ...place, pointer: prefix + pointer, ...value });
  }

  #change(repair: Repair, place: ChangedPlace): void {
    this.#pieces.emit({ type: 'change', repair, place });
  }

  #edit(edit: ByteEdit): void {
    this.#edits.offsets.push(edit.offset);
    this.#edits.lengths.push(edit.length);
    this.#edits.texts.push(edit.bytes);
    if (this.#spec.edits) this.#pieces.emit({ type: 'edit', edit });
  }

  #count(repair: Repair, pattern: string, times: number): void {
    const counts = this.#counts[repair];
    counts.set(pattern, (counts.get(pattern) ?? 0) + times);
  }
}

/** A place of insertions, with their row; or of the name of a removed member, with -1 minus the index of its `VALUE`. */
interface Change {
  readonly at: number;
  readonly row: number;
}

/** In the order of their places; `rows`: of removals. */
function* changesIn(fills: FillTable, rows: readonly number[]): Generator<Change> {
  let row = 0;
  for (let i = 0; i < rows.length; i += REMOVAL_WIDTH) {
    const at = rows[i + NAME]!;
    for (; row < fills.length && fillAt(fills, row, AT) <= at; row++) yield { at: fillAt(fills, row, AT), row };
    yield { at, row: -1 - (i + VALUE) };
  }
  for (; row < fills.length; row++) yield { at: fillAt(fills, row, AT), row };
}

/** The next values, at most `most`. */
function taken<T>(values: Iterator<T>, most: number): T[] {
  const list: T[] = [];
  for (let next = values.next(); !next.done; next = values.next()) if (list.push(next.value) === most) break;
  return list;
}
