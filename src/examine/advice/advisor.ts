/**
 * `--advice`: warnings beyond the schemas about payloads whose kind is known. They are findings like others, with
 * places in the bytes; none is an error unless the config says so.
 */

import { hash } from 'node:crypto';
import { locate } from '../../json/locate.ts';
import { formatPointer } from '../../json/pointer.ts';
import { canonicalText } from '../../json/value.ts';
import type { Kind, SchemaSet } from '../../schema/set.ts';
import type { Finding, Span } from '../../types.ts';
import { adviceSentence, shown } from '../../words/advice.ts';
import { remarksOnKind } from './kind-advice.ts';
import { MemberAdvice } from './member-advice.ts';
import { memberOf, type Remark } from './remark.ts';

/** Maximum number of remarks about the members of one payload: each takes memory. */
const MOST = 10_000;

/** A payload of a known kind, and what was read from its bytes. */
export interface Advised {
  readonly kind: Kind;
  readonly set: SchemaSet;
  readonly value: unknown;
  readonly bytes: Buffer;
  /** Of the payload, in `bytes`. */
  readonly span: Span;
}

export class Advisor {
  readonly #redact: boolean;
  readonly #members: MemberAdvice;

  readonly #identities: boolean;

  /** `redact`: no payload text in messages and params; `identities`: payloads of the same `@id` are compared. */
  constructor(redact: boolean, identities: boolean) {
    this.#redact = redact;
    this.#identities = identities;
    this.#members = new MemberAdvice(MOST, redact);
  }

  /** What a payload is compared by; null: it is not. It must have no duplicate names. */
  identityOf(value: unknown, { bytes, span }: Pick<Advised, 'bytes' | 'span'>): Identity | null {
    return this.#identities ? identityOf(value, bytes, span, this.#redact) : null;
  }

  /** The payload must have no duplicate names. */
  advise({ kind, value, bytes, span }: Advised): Finding[] {
    const remarks = [
      ...remarksOnKind(kind.name, value, this.#redact),
      ...this.#members.remarksOn(kind, value),
    ];
    if (remarks.length === 0) return [];
    const pointers = remarks.map(({ path }) => formatPointer(path));
    const places = locate(bytes, span.start, span.end, pointers);
    return remarks.map((remark, i) => {
      const place = places.get(pointers[i]!)!; // the value was read from these bytes
      return findingOf(remark, pointers[i]!, remark.ofName ? place.name! : place.value);
    });
  }
}

function findingOf(remark: Remark, pointer: string, span: Span): Finding {
  const { rule, params, text = null } = remark;
  const finding = {
    rule,
    params,
    pointer,
    span,
    schema: null,
    fixable: false,
    message: adviceSentence(rule, params as never, text), // they belong together
    suggestion: rule === 'advice/misspelt-member' ? remark.params.known : null,
  };
  return finding as Finding; // the params are of the rule
}

/** Hexadecimal digits of a hash: 64 bits. */
const DIGITS = 16;

export interface Identity {
  /** Hash of the `@id`. */
  readonly id: string;
  /** Hash of the whole payload. */
  readonly content: string;
  /** Of the value of `@id`. */
  readonly span: Span;
  /** The `@id` for a sentence; null: it must not be shown. */
  readonly text: string | null;
}

const POINTER = '/@id';

/** Null for a payload without an `@id`, or with a blank one. */
export function identityOf(value: unknown, bytes: Buffer, span: Span, redact: boolean): Identity | null {
  const id = memberOf(value, '@id');
  if (typeof id !== 'string' || id.trim() === '') return null;
  const place = locate(bytes, span.start, span.end, [POINTER]).get(POINTER)!; // the value was read from these bytes
  return {
    id: digest(id),
    content: digest(canonicalText(value)),
    span: place.value,
    text: shown(id, redact),
  };
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, DIGITS);
}
