/**
 * The source once more, with what is filled in: insertions are gathered, and the bytes between them go through untouched.
 */
import type { AcceptNote, Acceptor } from '../accept/acceptor.ts';
import type { FillableObject } from '../accept/context.ts';
import type { Window } from '../input/window.ts';
import { applyInsertions, type Insertion } from '../json/edits.ts';
import { escapeToken } from '../json/pointer.ts';
import type { FilledPlace } from '../types.ts';
import { afterMembers, betweenBrackets } from './insertion.ts';
import { COMPACT, isCompactMember, spaceBefore, styleOf } from './style.ts';

/** What becomes of it. */
export interface TranscriptSink {
  /** Bytes of the filled source, in order; good until the next flush. `changed`: something was filled in among them. */
  bytes(chunk: Uint8Array, changed: boolean): void;
  /** So many members were filled in at a place: a pointer with `*` for any index. */
  filled(pattern: string, count: number): void;
  /** Whether `fill` is to be told of every member. */
  readonly wantsFills: boolean;
  fill(place: FilledPlace): void;
  /** Every edit, in order. */
  insertion(insertion: Insertion): void;
}

/** Objects of a schema that lack the same members: most of them are compact, and get the same text. */
interface Lack {
  readonly object: FillableObject;
  readonly members: FillableObject['members'];
  compact: Uint8Array | null;
  times: number;
}

export class Transcript {
  readonly #window: Window;
  readonly #sink: TranscriptSink;
  #insertions: Insertion[] = [];
  /** Offset in the source up to which bytes were handed on. */
  #done: number;
  /** By object, and by the bits of what it lacks. */
  readonly #lacks = new Map<FillableObject, Map<bigint, Lack>>();
  /** The same for objects without members. */
  readonly #emptyLacks = new Map<FillableObject, Map<bigint, Lack>>();
  readonly #counts = new Map<string, number>();

  constructor(window: Window, sink: TranscriptSink) {
    this.#window = window;
    this.#sink = sink;
    this.#done = window.base;
  }

  get wantsFills(): boolean {
    return this.#sink.wantsFills;
  }

  /** Takes what the acceptor noted in the window. */
  takeNotes(acceptor: Acceptor): void {
    const { bytes, base } = this.#window;
    acceptor.takeNotes((note) => {
      const lack = this.#lackOf(note);
      lack.times++;
      const end = spaceBefore(bytes, note.close);
      const isCompact = note.lastName < 0 || (end === note.close && isCompactMember(bytes, note.lastName));
      if (isCompact) {
        lack.compact ??= Buffer.from(compactText(note));
        this.#insert(base + end, lack.compact);
        return;
      }
      const style = styleOf(bytes, note.lastName, note.close);
      this.#insert(base + end, Buffer.from(afterMembers(lack.members, style)));
    });
  }

  /** What is remembered of objects that lack the same. */
  #lackOf(note: AcceptNote): Lack {
    const { object, missing, lastName } = note;
    const lacks = lastName < 0 ? this.#emptyLacks : this.#lacks;
    let byMissing = lacks.get(object);
    if (byMissing === undefined) {
      byMissing = new Map();
      lacks.set(object, byMissing);
    }
    let lack = byMissing.get(missing);
    if (lack === undefined) {
      lack = { object, members: membersOf(note), compact: null, times: 0 };
      byMissing.set(missing, lack);
    }
    return lack;
  }

  /** Puts in text that was planned; `index` in the window, `patterns` one for each member. */
  insert(index: number, text: string, patterns: readonly string[]): void {
    for (const pattern of patterns) this.#count(pattern);
    this.#insert(this.#window.base + index, Buffer.from(text));
  }

  #insert(offset: number, bytes: Uint8Array): void {
    const insertion = { offset, bytes };
    this.#insertions.push(insertion);
    this.#sink.insertion(insertion);
  }

  #count(pattern: string, times = 1): void {
    this.#counts.set(pattern, (this.#counts.get(pattern) ?? 0) + times);
  }

  /** Hands on the bytes up to index `to` of the window. */
  copy(to: number): void {
    const { bytes, base } = this.#window;
    const from = this.#done - base;
    if (to > from)
      this.#sink.bytes(applyInsertions(bytes, base, from, to, this.#insertions), this.#insertions.length > 0);
    this.#done = Math.max(this.#done, base + to);
    this.#insertions = [];
  }

  /** Tells the counts: all has been handed on, or what can be. */
  end(): void {
    for (const lacks of [this.#lacks, this.#emptyLacks]) {
      for (const byMissing of lacks.values()) {
        for (const { object, members, times } of byMissing.values()) {
          for (const { name } of members) this.#count(`${object.path}/${escapeToken(name)}`, times);
        }
      }
    }
    for (const [pattern, count] of this.#counts) this.#sink.filled(pattern, count);
  }
}

function compactText(note: AcceptNote): string {
  const members = membersOf(note);
  return note.lastName < 0 ? betweenBrackets(members, COMPACT) : afterMembers(members, COMPACT);
}

function membersOf({ object, missing }: AcceptNote): FillableObject['members'] {
  return object.members.filter(({ bit }) => (missing & bit) !== 0n);
}
