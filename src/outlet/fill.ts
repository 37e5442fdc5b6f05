/**
 * The outlet of `fill`: the source once more, with what is filled in. The bytes between the edits go through untouched.
 */
import type { AcceptGap } from '../accept/acceptor.ts';
import type { FillableObject } from '../accept/context.ts';
import { afterMembers, betweenBrackets } from '../fill/insertion.ts';
import { COMPACT, isCompactMember, spaceBefore, styleOf } from '../fill/style.ts';
import type { Window } from '../input/window.ts';
import { applyEdits, type ByteEdit } from '../json/edits.ts';
import type { Place } from '../json/lines.ts';
import { escapeToken } from '../json/pointer.ts';
import type { Edit, Fill } from '../types.ts';
import type { AcceptedRun, FillSpec, JudgedPayload, Outlet, OutletPart, Pieces } from './outlet.ts';

/** Objects of a schema in which the same members are missing: most of them are compact, and get the same text. */
interface Gap {
  readonly object: FillableObject;
  readonly members: FillableObject['members'];
  compact: Uint8Array | null;
  times: number;
}

export class FillOutlet implements Outlet {
  readonly wantsEachEdit: boolean;
  readonly wantsRest = true;
  readonly wantsEachKind = false;
  readonly rejects = null;
  readonly #file: string;
  readonly #window: Window;
  readonly #pieces: Pieces;
  readonly #spec: FillSpec;
  #edits: ByteEdit[] = [];
  /** Offset in the source up to which bytes were handed on. */
  #done: number;
  /** By object, and by the bits of what is missing. */
  readonly #gaps = new Map<FillableObject, Map<bigint, Gap>>();
  /** The same for objects without members. */
  readonly #emptyGaps = new Map<FillableObject, Map<bigint, Gap>>();
  readonly #counts = new Map<string, number>();

  constructor({ source, window, pieces }: OutletPart, spec: FillSpec) {
    this.wantsEachEdit = spec.members;
    this.#file = source.name;
    this.#window = window;
    this.#pieces = pieces;
    this.#spec = spec;
    this.#done = window.base;
  }

  begin(): void {}

  accepted({ acceptor }: AcceptedRun): void {
    const { bytes, base } = this.#window;
    acceptor.takeGaps((note) => {
      const gap = this.#gapOf(note);
      gap.times++;
      const end = spaceBefore(bytes, note.close);
      const isCompact = note.lastName < 0 || (end === note.close && isCompactMember(bytes, note.lastName));
      if (isCompact) {
        gap.compact ??= Buffer.from(compactText(note));
        this.#edit({ offset: base + end, bytes: gap.compact });
        return;
      }
      const style = styleOf(bytes, note.lastName, note.close);
      this.#edit({ offset: base + end, bytes: Buffer.from(afterMembers(gap.members, style)) });
    });
  }

  payload(payload: JudgedPayload): void {
    const edits = payload.edits.filter(isFill);
    if (edits.length === 0) return;
    const { base } = this.#window;
    const places = this.wantsEachEdit ? payload.placesOf(edits.map(({ at }) => at)) : null;
    for (const edit of edits) {
      for (const { pattern } of edit.members) this.#count(pattern, 1);
      this.#edit({ offset: base + edit.at, bytes: Buffer.from(edit.text) });
      if (places !== null) this.#tell(edit, payload, places.get(edit.at)!); // it was asked for
    }
  }

  /** A payload that is too large goes through as it is, by `release`. */
  rest(): void {}

  release(): void {
    const { bytes, base, start } = this.#window;
    const from = this.#done - base;
    if (start > from && this.#spec.bytes) {
      this.#pieces.bytes(applyEdits(bytes, base, from, start, this.#edits), this.#edits.length > 0);
    }
    this.#done = Math.max(this.#done, base + start);
    this.#edits = [];
  }

  end(): void {
    for (const gaps of [this.#gaps, this.#emptyGaps]) {
      for (const byMissing of gaps.values()) {
        for (const { object, members, times } of byMissing.values()) {
          for (const { name } of members) this.#count(`${object.path}/${escapeToken(name)}`, times);
        }
      }
    }
    for (const [pattern, count] of this.#counts) this.#pieces.filled(pattern, count);
  }

  #tell({ at, members }: Fill, { index, prefix }: JudgedPayload, { line, column }: Place): void {
    const place = { file: this.#file, payload: index, line, column, offset: this.#window.base + at };
    for (const { pointer, text } of members) {
      const value: unknown = JSON.parse(text);
      this.#pieces.fill({ ...place, pointer: prefix + pointer, value });
    }
  }

  /** What is remembered of objects in which the same is missing. */
  #gapOf(note: AcceptGap): Gap {
    const { object, missing, lastName } = note;
    const gaps = lastName < 0 ? this.#emptyGaps : this.#gaps;
    let byMissing = gaps.get(object);
    if (byMissing === undefined) {
      byMissing = new Map();
      gaps.set(object, byMissing);
    }
    let gap = byMissing.get(missing);
    if (gap === undefined) {
      gap = { object, members: membersOf(note), compact: null, times: 0 };
      byMissing.set(missing, gap);
    }
    return gap;
  }

  #edit(edit: ByteEdit): void {
    this.#edits.push(edit);
    if (this.#spec.edits) this.#pieces.edit(edit);
  }

  #count(pattern: string, times: number): void {
    this.#counts.set(pattern, (this.#counts.get(pattern) ?? 0) + times);
  }
}

/** The edits that fill in members; examine makes no others today. */
function isFill(edit: Edit): edit is Fill {
  return 'members' in edit;
}

function compactText(note: AcceptGap): string {
  const members = membersOf(note);
  return note.lastName < 0 ? betweenBrackets(members, COMPACT) : afterMembers(members, COMPACT);
}

function membersOf({ object, missing }: AcceptGap): FillableObject['members'] {
  return object.members.filter(({ bit }) => (missing & bit) !== 0n);
}
