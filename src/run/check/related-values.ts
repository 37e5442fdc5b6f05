/** Values that checks compare with those of other payloads, as keyed hashes: no payload can be made to collide. */
import { hash, randomBytes } from 'node:crypto';
import { valueIn } from '../../json/cut.ts';
import { memoized } from '../../json/on-demand.ts';
import { parsePointer } from '../../json/pointer.ts';
import { PatternWalk, type ValueAt } from '../../json/pointer-pattern.ts';
import { canonicalText, writtenText } from '../../json/value.ts';
import type { RelatedValue, Relation, Relations, Span } from '../../types.ts';
import { cutTo, quote, visible } from '../../words/escape.ts';
import { showsText, type Wording } from '../../words/rule.ts';

/** Bytes of a hash. */
const BYTES = 16;

/** For one run. */
export function relationsOf(list: readonly Relation[]): { readonly relations: Relations } {
  return { relations: { list, key: randomBytes(BYTES).toString('hex') } };
}

interface WantedValue {
  readonly relation: number;
  readonly role: RelatedValue['role'];
  readonly kind: string | null;
  readonly walk: PatternWalk;
}

export class Relater {
  readonly #wanted: readonly WantedValue[];
  readonly #key: string;
  readonly #wording: Wording;

  constructor({ list, key }: Relations, wording: Wording) {
    this.#key = key;
    this.#wording = wording;
    this.#wanted = list.flatMap(({ kind, at, to }, relation) => {
      const wanted = (role: WantedValue['role'], of: string | null, pointer: string): WantedValue => {
        return { relation, role, kind: of, walk: new PatternWalk(parsePointer(pointer)) };
      };
      if (to === null) return [wanted('unique', kind, at)];
      return [wanted('target', to.kind, to.at), wanted('reference', kind, at)];
    });
  }

  /** Whether values of payloads of this kind are compared. */
  readonly wants = memoized((kind: string) => this.#ofKind(kind).length > 0);

  /**
   * The values of the payload in `bytes[span)`, which is well-formed and has no duplicate names: in the order of the checks, and
   * of their places. Null is no value. One at a time, since a payload may have millions.
   */
  *values(kind: string, bytes: Buffer, span: Span): Generator<RelatedValue> {
    for (const wanted of this.#ofKind(kind))
      for (const found of wanted.walk.in(bytes, span)) {
        const value = valueIn(bytes, found.start, found.end);
        if (value !== null) yield this.#related(wanted, found, value);
      }
  }

  readonly #ofKind = memoized((name: string) => this.#wanted.filter(({ kind }) => kind === null || kind === name));

  #related({ relation, role }: WantedValue, { pointer, start, end }: ValueAt, value: unknown): RelatedValue {
    const isTarget = role === 'target';
    return {
      ...{ relation, role, pointer },
      hash: wordsOf(hash('sha256', `${this.#key} ${relation} ${canonicalText(value)}`, 'binary')),
      span: isTarget ? null : { start, end },
      text: isTarget || !showsText(this.#wording) ? null : shownText(value),
    };
  }
}

/** The first 16 bytes of a hash that is a text of one character for each byte: faster than a buffer. */
function wordsOf(text: string): readonly number[] {
  const word = (at: number): number =>
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24);
  return [word(0), word(4), word(8), word(12)];
}

const MOST_SHOWN = 80;

/** Escaped and cut. */
function shownText(value: unknown): string {
  return typeof value === 'string' ? quote(value) : cutTo(MOST_SHOWN, visible(writtenText(value)));
}
