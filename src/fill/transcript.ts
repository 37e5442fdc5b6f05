/**
 * The source once more, with what is filled in: insertions are gathered, and the bytes between them go through untouched.
 */
import type { AcceptNote, Acceptor } from '../accept/acceptor.ts';
import type { FillableObject } from '../accept/compile.ts';
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

export class Transcript {
  readonly #window: Window;
  readonly #sink: TranscriptSink;
  #insertions: Insertion[] = [];
  /** Offset in the source up to which bytes were handed on. */
  #done: number;
  readonly #compact = new Map<FillableObject, Map<bigint, Uint8Array>>();
  /** The same for objects without members. */
  readonly #compactEmpty = new Map<FillableObject, Map<bigint, Uint8Array>>();
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
    acceptor.takeNotes((note) => {
      const { object, missing } = note;
      for (const { name, bit } of object.members)
        if ((missing & bit) !== 0n) this.#count(`${object.path}/${escapeToken(name)}`);
      const end = spaceBefore(this.#window.bytes, note.close);
      this.#insert(this.#window.base + end, this.#textFor(note, end));
    });
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

  /** Most objects are compact, and lack the same members: their text is made once. */
  #textFor({ object, missing, lastName, close }: AcceptNote, end: number): Uint8Array {
    const { bytes } = this.#window;
    const empty = lastName < 0;
    if (!empty && (end !== close || !isCompactMember(bytes, lastName)))
      return Buffer.from(this.#text(object, missing, lastName, close));
    const known = empty ? this.#compactEmpty : this.#compact;
    let texts = known.get(object);
    if (texts === undefined) {
      texts = new Map();
      known.set(object, texts);
    }
    let text = texts.get(missing);
    if (text === undefined) {
      const members = membersOf(object, missing);
      text = Buffer.from(empty ? betweenBrackets(members, COMPACT) : afterMembers(members, COMPACT));
      texts.set(missing, text);
    }
    return text;
  }

  #text(object: FillableObject, missing: bigint, lastName: number, close: number): string {
    return afterMembers(membersOf(object, missing), styleOf(this.#window.bytes, lastName, close));
  }

  #count(pattern: string): void {
    this.#counts.set(pattern, (this.#counts.get(pattern) ?? 0) + 1);
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
    for (const [pattern, count] of this.#counts) this.#sink.filled(pattern, count);
  }
}

function membersOf(object: FillableObject, missing: bigint): FillableObject['members'] {
  return object.members.filter(({ bit }) => (missing & bit) !== 0n);
}
