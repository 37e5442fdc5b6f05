/**
 * The identity of a payload and its content, as hashes, to compare payloads of one run with the same `@id`. Content is
 * compared as JSON values: white space, escapes, the notation of numbers and the order of members do not matter.
 */
import { hash } from 'node:crypto';
import { locate } from '../../json/locate.ts';
import { canonicalText } from '../../json/value.ts';
import type { Span } from '../../types.ts';
import { shown } from '../../words/advice.ts';
import { memberOf } from './remark.ts';

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
