/**
 * Strings, numbers and literals: `type`, `enum`, `const`, `minLength`, `maxLength` and the four bounds.
 */

import type { SchemaObject } from '../schema/load.ts';
import {
  block,
  branch,
  type Code,
  call,
  eq,
  eqF64,
  eqz,
  f64,
  floorF64,
  geF64,
  get,
  globalGet,
  gtF64,
  gtU,
  i32,
  leF64,
  load8,
  ltF64,
  ltU,
  or,
  set,
  sub,
  when,
} from '../wasm/assembler.ts';
import { advance, literal, proceed, UNSURE } from './runtime.ts';
import { loadText, pass, rawText, whenMatches } from './text.ts';

const p = get('p');

/**
 * A string, at its opening quote. `allowed`: the strings that `enum` or `const` leave, or null; `forbidden`: those that would
 * make it a payload of another kind.
 */
export function stringCode(
  schema: SchemaObject,
  allowed: readonly string[] | null,
  forbidden: readonly string[],
): Code {
  const texts = (allowed?.filter((text) => fitsLength(schema, text)) ?? []).filter(
    (text) => !forbidden.includes(text),
  );
  if (allowed !== null) return [...advance(1), ...loadText, ...oneOf(texts)];
  const notForbidden = forbidden.flatMap((text) => {
    const bytes = rawText(text);
    return bytes === null ? [] : whenMatches(bytes, UNSURE);
  });
  return [
    ...advance(1),
    ...(notForbidden.length > 0 ? [...loadText, ...notForbidden] : []),
    ...lengthCode(schema),
    // Written with escapes it might be a forbidden text after all.
    ...(forbidden.length > 0 ? when(globalGet('escaped'), UNSURE) : []),
  ];
}

function oneOf(texts: readonly string[]): Code {
  const cases = texts.flatMap((text) => {
    const bytes = rawText(text);
    return bytes === null ? [] : whenMatches(bytes, [...pass(bytes), ...branch('found')]);
  });
  return block('found', cases, UNSURE);
}

function fitsLength(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: SchemaObject,
  text: string,
): boolean {
  const length = [...text].length;
  return length >= Number(minLength) && length <= Number(maxLength);
}

/** Reads the string after its opening quote and holds it to its length in code points. */
function lengthCode({ minLength, maxLength }: SchemaObject): Code {
  const least = minLength === undefined ? 0 : Number(minLength);
  const read = proceed(call('string', p));
  if (maxLength === undefined && least <= 1) {
    // Whatever stands before the closing quote is at least one character.
    return least === 1 ? [...when(eq(load8(p), i32(0x22)), UNSURE), ...read] : read;
  }
  const tooShort = least === 0 ? [] : when(ltU(get('length'), count32(least)), UNSURE);
  const tooLong = maxLength === undefined ? [] : when(gtU(get('length'), count32(maxLength)), UNSURE);
  return [
    ...set('from', p),
    ...read,
    ...when(globalGet('escaped'), UNSURE),
    ...set('length', call('codePoints', get('from'), sub(p, i32(1)))),
    ...tooShort,
    ...tooLong,
  ];
}

/** A count of the schema as an i32: more than that nothing in a window can have. */
export function count32(count: unknown): Code {
  return i32(Math.min(Number(count), 0x7fff_ffff));
}

/** A number, at its first byte. `allowed`: the numbers that `enum` or `const` leave, or null. */
export function numberCode(schema: SchemaObject, integer: boolean, allowed: readonly number[] | null): Code {
  const value = globalGet('number');
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const checks: Code[] = [];
  const bound = (limit: unknown, holds: (a: Code, b: Code) => Code): void => {
    if (limit !== undefined) checks.push(when(eqz(holds(value, f64(Number(limit)))), UNSURE));
  };
  bound(minimum, geF64);
  bound(maximum, leF64);
  bound(exclusiveMinimum, gtF64);
  bound(exclusiveMaximum, ltF64);
  if (allowed !== null) {
    const any = allowed.map((number) => eqF64(value, f64(number)));
    checks.push(when(eqz(any.length === 0 ? i32(0) : any.reduce((a, b) => or(a, b))), UNSURE));
  }
  if (integer) checks.unshift(when(eqz(eqF64(floorF64(value), value)), UNSURE));
  // Exponents and long numbers are left to JSON.parse wherever their value matters.
  const plain = checks.length > 0 ? when(eqz(globalGet('isPlain')), UNSURE) : [];
  return [...proceed(call('number', p)), ...plain, ...checks.flat()];
}

/** `true` or `false`, at its first byte. */
export function booleanCode(allowed: readonly boolean[] | null): Code {
  const yes = allowed === null || allowed.includes(true);
  const no = allowed === null || allowed.includes(false);
  if (yes && no) return when(eq(load8(p), i32(0x74)), literal('true'), literal('false'));
  return yes ? literal('true') : no ? literal('false') : UNSURE;
}

export const nullCode: Code = literal('null');

/** Conditions on the first byte of a value, by type. */
export const FIRST_BYTE: Readonly<Record<string, Code>> = {
  string: eq(load8(p), i32(0x22)),
  object: eq(load8(p), i32(0x7b)),
  array: eq(load8(p), i32(0x5b)),
  boolean: or(eq(load8(p), i32(0x74)), eq(load8(p), i32(0x66))),
  null: eq(load8(p), i32(0x6e)),
  number: or(eq(load8(p), i32(0x2d)), ltU(sub(load8(p), i32(0x30)), i32(10))),
};
