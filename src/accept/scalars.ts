/**
 * Strings, numbers and literals: `type`, `enum`, `const`, `minLength`, `maxLength` and the four bounds.
 */

import type { SchemaObject } from '../schema/load.ts';
import {
  block,
  br,
  type Code,
  call,
  f64Const,
  f64Eq,
  f64Floor,
  f64Ge,
  f64Gt,
  f64Le,
  f64Lt,
  globalGet,
  i32Const,
  i32Eq,
  i32Eqz,
  i32GtU,
  i32Load8U,
  i32LtU,
  i32Or,
  i32Sub,
  if_,
  localGet,
  localSet,
} from '../wasm/assembler.ts';
import { advance, literal, proceed, UNSURE } from './runtime.ts';
import { loadText, pass, rawText, whenMatches } from './text.ts';

const p = localGet('p');

/**
 * A string, from its opening quote. `allowed`: the strings that `enum` or `const` allow, or null; `forbidden`: strings
 * that make the payload one of another kind.
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
    // With escapes, it may still equal a forbidden text.
    ...(forbidden.length > 0 ? if_(globalGet('escaped'), UNSURE) : []),
  ];
}

function oneOf(texts: readonly string[]): Code {
  const cases = texts.flatMap((text) => {
    const bytes = rawText(text);
    return bytes === null ? [] : whenMatches(bytes, [...pass(bytes), ...br('found')]);
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

/** Reads the string after its opening quote and checks its length in code points. */
function lengthCode({ minLength, maxLength }: SchemaObject): Code {
  const least = minLength === undefined ? 0 : Number(minLength);
  const read = proceed(call('string', p));
  if (maxLength === undefined && least <= 1) {
    // Any byte before the closing quote is at least one character.
    return least === 1 ? [...if_(i32Eq(i32Load8U(p), i32Const(0x22)), UNSURE), ...read] : read;
  }
  const tooShort = least === 0 ? [] : if_(i32LtU(localGet('length'), count32(least)), UNSURE);
  const tooLong = maxLength === undefined ? [] : if_(i32GtU(localGet('length'), count32(maxLength)), UNSURE);
  return [
    ...localSet('from', p),
    ...read,
    ...if_(globalGet('escaped'), UNSURE),
    ...localSet('length', call('codePoints', localGet('from'), i32Sub(p, i32Const(1)))),
    ...tooShort,
    ...tooLong,
  ];
}

/** A count from the schema as an i32. Nothing in a window can have more than the largest i32. */
export function count32(count: unknown): Code {
  return i32Const(Math.min(Number(count), 0x7fff_ffff));
}

/** A number, from its first byte. `allowed`: the numbers that `enum` or `const` allow, or null. */
export function numberCode(schema: SchemaObject, integer: boolean, allowed: readonly number[] | null): Code {
  const value = globalGet('number');
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const checks: Code[] = [];
  const bound = (limit: unknown, holds: (a: Code, b: Code) => Code): void => {
    if (limit !== undefined) checks.push(if_(i32Eqz(holds(value, f64Const(Number(limit)))), UNSURE));
  };
  bound(minimum, f64Ge);
  bound(maximum, f64Le);
  bound(exclusiveMinimum, f64Gt);
  bound(exclusiveMaximum, f64Lt);
  if (allowed !== null) {
    const any = allowed.map((number) => f64Eq(value, f64Const(number)));
    checks.push(if_(i32Eqz(any.length === 0 ? i32Const(0) : any.reduce((a, b) => i32Or(a, b))), UNSURE));
  }
  if (integer) checks.unshift(if_(i32Eqz(f64Eq(f64Floor(value), value)), UNSURE));
  // If the value matters, exponents and long numbers are left to JSON.parse.
  const plain = checks.length > 0 ? if_(i32Eqz(globalGet('isPlain')), UNSURE) : [];
  return [...proceed(call('number', p)), ...plain, ...checks.flat()];
}

/** `true` or `false`, from its first byte. */
export function booleanCode(allowed: readonly boolean[] | null): Code {
  const yes = allowed === null || allowed.includes(true);
  const no = allowed === null || allowed.includes(false);
  if (yes && no) return if_(i32Eq(i32Load8U(p), i32Const(0x74)), literal('true'), literal('false'));
  return yes ? literal('true') : no ? literal('false') : UNSURE;
}

export const nullCode: Code = literal('null');

/** Conditions on the first byte of a value, by type. */
export const FIRST_BYTE: Readonly<Record<string, Code>> = {
  string: i32Eq(i32Load8U(p), i32Const(0x22)),
  object: i32Eq(i32Load8U(p), i32Const(0x7b)),
  array: i32Eq(i32Load8U(p), i32Const(0x5b)),
  boolean: i32Or(i32Eq(i32Load8U(p), i32Const(0x74)), i32Eq(i32Load8U(p), i32Const(0x66))),
  null: i32Eq(i32Load8U(p), i32Const(0x6e)),
  number: i32Or(
    i32Eq(i32Load8U(p), i32Const(0x2d)),
    i32LtU(i32Sub(i32Load8U(p), i32Const(0x30)), i32Const(10)),
  ),
};
