/** Values that checks compare with those of other payloads, as keyed hashes: no payload can be made to collide. */
import { hash, randomBytes } from 'node:crypto';
import { locate } from '../json/locate.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import { canonicalText, writtenText } from '../json/value.ts';
import type { RelatedValue, Relation, Relations } from '../types.ts';
import { cutTo, quote, visible } from '../words/escape.ts';
import type { Checked } from './checker.ts';
import { inside, placesOf } from './places.ts';

/** Bytes of a hash. */
const BYTES = 16;

/** For one run. `isOff`: a rule whose violations are not looked for. Nothing if there are none. */
export function relationsOf(
  all: readonly Relation[],
  isOff: (rule: `check/${string}`) => boolean,
): { readonly relations?: Relations } {
  const list = all.filter(({ id }) => !isOff(`check/${id}`));
  return list.length === 0 ? {} : { relations: { list, key: randomBytes(BYTES).toString('hex') } };
}

interface WantedValue {
  readonly relation: number;
  readonly role: RelatedValue['role'];
  readonly kind: string | null;
  readonly at: readonly string[];
  /** There is no `*`. */
  readonly isOnePlace: boolean;
}

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
        return { relation, role, kind: of, at: tokens, isOnePlace: !tokens.includes('*') };
      };
      if (to === null) return [wanted('unique', kind, at)];
      return [wanted('target', to.kind, to.at), wanted('reference', kind, at)];
    });
  }

  /** Of a payload without duplicate names, in the order of the checks. Null is no value. */
  values({
    kind,
    value: read,
    bytes,
    span,
  }: Pick<Checked, 'kind' | 'value' | 'bytes' | 'span'>): readonly RelatedValue[] {
    const value = read();
    const found: { readonly one: WantedValue; readonly value: unknown; readonly pointer: string }[] = [];
    for (const one of this.#wanted)
      if (one.kind === null || one.kind === kind.name)
        for (const tokens of one.isOnePlace ? [one.at] : placesOf(value, one.at)) {
          const inner = tokens.reduce(inside, value);
          if (inner !== undefined && inner !== null) found.push({ one, value: inner, pointer: formatPointer(tokens) });
        }
    const shown = found.flatMap(({ one, pointer }) => (one.role === 'target' ? [] : [pointer]));
    const places = shown.length === 0 ? null : locate(bytes, span.start, span.end, shown);
    return found.map(({ one: { relation, role }, value: inner, pointer }) => ({
      relation,
      role,
      pointer,
      hash: hash('sha256', `${this.#key} ${relation} ${canonicalText(inner)}`, 'hex').slice(0, 2 * BYTES),
      span: role === 'target' ? null : places!.get(pointer)!.value, // it was asked for
      text: this.#redact || role === 'target' ? null : shownText(inner),
    }));
  }
}

const MOST_SHOWN = 80;

/** Escaped and cut. */
function shownText(value: unknown): string {
  return typeof value === 'string' ? quote(value) : cutTo(MOST_SHOWN, visible(writtenText(value)));
}
