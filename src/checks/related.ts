/** Values that checks compare with those of other payloads, as keyed hashes: no payload can be made to collide. */
import { hash, randomBytes } from 'node:crypto';
import { MemberPaths, placesIn } from '../json/cut.ts';
import { locate } from '../json/locate.ts';
import { memoized } from '../json/on-demand.ts';
import { formatPointer, isIndexName, parsePointer } from '../json/pointer.ts';
import { inside, placesOf } from '../json/pointer-pattern.ts';
import { canonicalText, writtenText } from '../json/value.ts';
import type { Kind } from '../schema/set.ts';
import type { RelatedValue, Relation, Relations, Span } from '../types.ts';
import { cutTo, quote, visible } from '../words/escape.ts';
import type { Checked } from './checker.ts';

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
  readonly at: readonly string[];
  readonly pointer: string;
  /** There is no `*`. */
  readonly isOnePlace: boolean;
}

type Related = Pick<Checked, 'kind' | 'value' | 'isUnread' | 'bytes' | 'span'>;

export class Relater {
  readonly #wanted: readonly WantedValue[];
  readonly #key: string;
  readonly #redact: boolean;

  /** `redact`: no text of the payload. */
  constructor({ list, key }: Relations, redact: boolean) {
    this.#key = key;
    this.#redact = redact;
    this.#wanted = list.flatMap(({ kind, at, to }, relation) => {
      const wanted = (role: WantedValue['role'], of: string | null, pointer: string): WantedValue => {
        const tokens = parsePointer(pointer);
        return { relation, role, kind: of, at: tokens, pointer, isOnePlace: !tokens.includes('*') };
      };
      if (to === null) return [wanted('unique', kind, at)];
      return [wanted('target', to.kind, to.at), wanted('reference', kind, at)];
    });
  }

  /** Of a payload without duplicate names, in the order of the checks. Null is no value. */
  values({ kind, value: read, isUnread, bytes, span }: Related): readonly RelatedValue[] {
    const { wanted, cuts, cut } = this.#ofKind(kind);
    if (isUnread && cut !== null) {
      const places = placesIn(bytes, span, cut);
      return wanted.flatMap((one, i) => {
        const place = places.find((other) => other.cut === cuts[i]);
        if (place === undefined || place.value === null) return [];
        return [this.#related(one, place.value, one.pointer, place)];
      });
    }
    const value = read();
    const found: { readonly one: WantedValue; readonly value: unknown; readonly pointer: string }[] = [];
    for (const one of wanted)
      for (const tokens of one.isOnePlace ? [one.at] : placesOf(value, one.at)) {
        const inner = tokens.reduce(inside, value);
        if (inner !== undefined && inner !== null) found.push({ one, value: inner, pointer: formatPointer(tokens) });
      }
    const shown = found.flatMap(({ one, pointer }) => (one.role === 'target' ? [] : [pointer]));
    const spans = shown.length === 0 ? null : locate(bytes, span.start, span.end, shown);
    return found.map(({ one, value: inner, pointer }) =>
      this.#related(one, inner, pointer, spans?.get(pointer)?.value ?? null),
    );
  }

  /** Those of a kind. `cut`: what is read of a payload; null: all of it. */
  readonly #ofKind = memoized(({ name }: Kind) => {
    const wanted = this.#wanted.filter(({ kind }) => kind === null || kind === name);
    // An index may be that of an array, which is not cut.
    const isSimple = wanted.every(({ at, isOnePlace }) => isOnePlace && at.length > 0 && !at.some(isIndexName));
    const cut = new MemberPaths();
    const cuts = wanted.map(({ at }) => cut.add(at, false));
    const isNested = cuts.some(({ members }) => members.size > 0);
    return { wanted, cuts, cut: isSimple && !isNested ? cut : null };
  });

  #related({ relation, role }: WantedValue, value: unknown, pointer: string, span: Span | null): RelatedValue {
    const isTarget = role === 'target';
    return {
      ...{ relation, role, pointer },
      hash: hash('sha256', `${this.#key} ${relation} ${canonicalText(value)}`, 'hex').slice(0, 2 * BYTES),
      span: isTarget || span === null ? null : { start: span.start, end: span.end },
      text: this.#redact || isTarget ? null : shownText(value),
    };
  }
}

const MOST_SHOWN = 80;

/** Escaped and cut. */
function shownText(value: unknown): string {
  return typeof value === 'string' ? quote(value) : cutTo(MOST_SHOWN, visible(writtenText(value)));
}
