/** Values in sentences: the value in a payload, and the value that a schema requires. */
import { isNumber } from '../json/decimal.ts';
import type { JsonType } from '../json/vocabulary.ts';
import { cutTo, jsonText, quote } from './escape.ts';

export interface FoundText {
  readonly type: JsonType;
  /** The value as text, quoted, escaped and cut; null for containers, and under `--redact`. */
  readonly text: string | null;
}

/** The value in a payload that breaks a rule. */
export interface Found extends FoundText {
  /** What the keyword measures of the value: its code points, its items. Few sentences need it, and it may take time. */
  readonly measured: (measure: (value: unknown) => number) => number;
}

/** `"abc"`, `an object`; under `--redact` only the type. */
export function foundText(found: FoundText): string {
  return found.text ?? withArticle(found.type);
}

export function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** A value of the schema as JSON, not too long. */
export function schemaText(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  return cutTo(80, jsonText(value));
}

/** The same for a value that may be a number; `written`: the text of the number, if it is not what the double prints. */
export function numberText(value: unknown, written: string | undefined): string {
  return written === undefined ? schemaText(value) : cutTo(80, written);
}

export function jsonType(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return 'number';
  const type = typeof value;
  return type === 'string' || type === 'boolean' ? type : 'object';
}

/** `1 item`, `2 items` */
export function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

/** `a, b and c` */
export function inWords(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** The end of a sentence about what a schema asks for only in some cases, as `if "a" is 1`. @internal */
export function becauseOf(reason: string | undefined): string {
  return reason === undefined ? '' : `; the schema asks for this ${reason}`;
}
