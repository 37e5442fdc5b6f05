/**
 * Strings, numbers and literals: `type`, `enum`, `const`, `minLength`, `maxLength`, `pattern`, `format`, the four
 * bounds and `multipleOf`.
 */

import { formatNamed, necessaryPattern, sufficientPattern } from '../formats/format-table.ts';
import type { DialectKeyword } from '../schema/dialect.ts';
import { type NumberKeyword, roundedIn, roundedValues } from '../schema/exact.ts';
import type { SchemaNode } from '../schema/node.ts';
import { toRegExp } from '../schema/regexp.ts';
import {
  block,
  br,
  type Code,
  call,
  f64Add,
  f64Const,
  f64Div,
  f64Eq,
  f64Floor,
  f64Ge,
  f64Gt,
  f64Le,
  f64Lt,
  f64Mul,
  f64Sub,
  globalGet,
  i32Const,
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
import type { Clue, CompilerContext } from './context.ts';
import { matchCode } from './pattern-tables.ts';
import { advance, INVALID, isAtP, isNotAtP, literal, proceed, UNSURE } from './templates.ts';
import { pass, rawText, type TextCase, whenOneMatches } from './text.ts';
import { textOfString } from './unescape.ts';

/** The keywords for which there is code in this file. */
export const SCALAR_KEYWORDS: readonly DialectKeyword[] = [
  ...(['type', 'enum', 'const', 'minLength', 'maxLength', 'pattern', 'format'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
];

const p = localGet('p');

/**
 * A string, from its opening quote. `own`: the strings that `enum` or `const` allow, or null; `clue`: what the entry
 * schema's test says of it.
 */
export function stringCode(
  schema: SchemaNode,
  own: readonly string[] | null,
  clue: Clue,
  compiler: CompilerContext,
): Code {
  const { allowed: tested, forbidden } = clue;
  const allowed =
    own === null || tested === null ? (own ?? tested) : own.filter((text) => tested.includes(text));
  const format = formatChecks(schema, compiler);
  if (allowed !== null) {
    const texts = allowed.filter((text) => fits(schema, text) && !forbidden.includes(text));
    const keepsStart = format.length > 0 ? localSet('from', p) : [];
    const keepsEnd = format.length > 0 ? localSet('textEnd', i32Sub(p, i32Const(1))) : [];
    return [...advance(1), ...keepsStart, ...oneOf(texts), ...keepsEnd, ...format];
  }
  const lengths = lengthChecks(schema);
  const checks = [...lengths, ...patternChecks(schema, compiler), ...format];
  const isForbidden = textCases(forbidden).map((bytes): TextCase => ({ bytes, action: INVALID }));
  const isEmpty = Number(schema.minLength) === 1 ? if_(isAtP(0x22), INVALID) : [];
  return [
    ...advance(1),
    ...whenOneMatches(isForbidden),
    ...isEmpty,
    ...(checks.length > 0 ? localSet('from', p) : []),
    ...proceed(call('string', p)),
    // With escapes, it may also equal a forbidden text.
    ...(forbidden.length > 0 ? if_(globalGet('escaped'), UNSURE) : []),
    ...(checks.length > 0 ? textOfString : []),
    ...checks,
  ];
}

function textCases(texts: readonly string[]): (readonly number[])[] {
  return texts.map(rawText).filter((bytes) => bytes !== null);
}

/** One of `texts`, after the opening quote. A string with escapes is unsure. */
function oneOf(texts: readonly string[]): Code {
  const cases = textCases(texts).map((bytes) => ({ bytes, action: [...pass(bytes), ...br('found')] }));
  const other = [...proceed(call('string', p)), ...if_(globalGet('escaped'), UNSURE), ...INVALID];
  return block('found', whenOneMatches(cases), other);
}

function fits(schema: SchemaNode, text: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const length = [...text].length;
  if (length < Number(minLength) || length > Number(maxLength)) return false;
  return typeof pattern !== 'string' || toRegExp(pattern).test(text);
}

/** The end of the text that begins at `from`. */
const textEnd = localGet('textEnd');

/** Checks of the length in code points; `minLength` 1 is checked before the string is read. */
function lengthChecks({ minLength, maxLength }: SchemaNode): Code {
  const least = minLength === undefined ? 0 : Number(minLength);
  if (maxLength === undefined && least <= 1) return [];
  const tooShort = least <= 1 ? [] : if_(i32LtU(localGet('length'), count32(least)), INVALID);
  const tooLong = maxLength === undefined ? [] : if_(i32GtU(localGet('length'), count32(maxLength)), INVALID);
  const count = localSet('length', call('codePoints', localGet('from'), textEnd));
  if (least > 1) return [...count, ...tooShort, ...tooLong];
  // There are no more code points than bytes.
  return if_(i32GtU(i32Sub(textEnd, localGet('from')), count32(maxLength)), [...count, ...tooLong]);
}

function patternChecks({ pattern }: SchemaNode, { patterns }: CompilerContext): Code {
  if (typeof pattern !== 'string') return [];
  return if_(i32Eqz(matchCode(patterns.table(pattern), localGet('from'), textEnd)), INVALID);
}

function formatChecks({ format }: SchemaNode, { patterns, set }: CompilerContext): Code {
  if (typeof format !== 'string' || set.assertsFormats === false) return [];
  if (Object.hasOwn(NUMBER_FORMATS, format)) return [];
  const known = formatNamed(format);
  if (known === null) return [];
  const isNone = (of: string): Code => i32Eqz(matchCode(patterns.table(of), localGet('from'), textEnd));
  const [sufficient, necessary] = [sufficientPattern(known), necessaryPattern(known)];
  if (sufficient === null) return [];
  if (sufficient === necessary) return if_(isNone(sufficient), INVALID);
  return if_(isNone(sufficient), [necessary === null ? [] : if_(isNone(necessary), INVALID), UNSURE]);
}

/** A count from the schema as an i32. Nothing in a window can have more than the largest i32. */
export function count32(count: unknown): Code {
  return i32Const(Math.min(Number(count), 0x7fff_ffff));
}

const value = globalGet('number');
const error = globalGet('numberError');

/** Formats of numbers: integers in a range. */
const NUMBER_FORMATS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
};

/** A number, from its first byte. `allowed`: the numbers that `enum` or `const` allow, or null. */
export function numberCode(
  schema: SchemaNode,
  isInteger: boolean,
  allowed: readonly number[] | null,
  { set }: CompilerContext,
): Code {
  const limit = (keyword: NumberKeyword, holds: Comparison): Code =>
    bound(schema[keyword], holds, roundedIn(schema, keyword).size > 0);
  const { multipleOf, format } = schema;
  const range =
    typeof format === 'string' && set.assertsFormats !== false && Object.hasOwn(NUMBER_FORMATS, format)
      ? NUMBER_FORMATS[format]!
      : null;
  const whole = isInteger || range !== null ? mustBeWhole : [];
  const list = allowed === null ? [] : mustBeOneOf(allowed, roundedValues(schema));
  return [
    ...proceed(call('number', p)),
    ...whole,
    ...limit('minimum', f64Ge),
    ...limit('maximum', f64Le),
    ...limit('exclusiveMinimum', f64Gt),
    ...limit('exclusiveMaximum', f64Lt),
    ...(range === null ? [] : [...bound(range[0], f64Ge, false), ...bound(range[1], f64Le, false)]),
    ...(multipleOf === undefined
      ? []
      : roundedIn(schema, 'multipleOf').size > 0
        ? UNSURE
        : mustBeMultiple(Number(multipleOf))),
    ...list,
  ];
}

const mustBeWhole: Code = if_(i32Eqz(globalGet('isWhole')), [
  ...if_(i32Eqz(globalGet('isPlain')), UNSURE),
  ...if_(i32Eqz(f64Eq(f64Floor(value), value)), INVALID),
]);

type Comparison = (a: Code, b: Code) => Code;

/** Whether the double may be another number than the text. */
const isInexact = f64Gt(error, f64Const(0));

/** A limit that holds, or does not, whatever the exact value is. `isRounded`: the limit is not exactly the double. */
function bound(limit: unknown, holds: Comparison, isRounded: boolean): Code {
  if (limit === undefined) return [];
  const end = f64Const(Number(limit));
  return [
    ...(isRounded ? if_(f64Eq(value, end), UNSURE) : []),
    ...if_(
      i32Eqz(holds(value, end)),
      [
        ...if_(i32Eqz(isInexact), INVALID),
        ...if_(i32Or(holds(f64Add(value, error), end), holds(f64Sub(value, error), end)), UNSURE),
        ...INVALID,
      ],
      if_(isInexact, [
        // The global is not read again: it may be the value of another number.
        ...if_(i32Eqz(holds(f64Add(value, error), end)), UNSURE),
        ...if_(i32Eqz(holds(f64Sub(value, error), end)), UNSURE),
      ]),
    ),
  ];
}

/** Only for a whole divisor: then the value must be a whole number, below 2 ** 53 for an exact quotient. */
function mustBeMultiple(divisor: number): Code {
  if (!Number.isSafeInteger(divisor) || divisor <= 0) return UNSURE;
  const quotient = f64Floor(f64Div(value, f64Const(divisor)));
  return [
    ...if_(i32Eqz(globalGet('isPlain')), UNSURE),
    ...if_(i32Or(f64Ge(value, f64Const(2 ** 53)), f64Le(value, f64Const(-(2 ** 53)))), UNSURE),
    ...if_(i32Eqz(f64Eq(f64Mul(quotient, f64Const(divisor)), value)), INVALID),
  ];
}

function mustBeOneOf(allowed: readonly number[], rounded: ReadonlySet<number>): Code {
  const isOneOf = (numbers: readonly number[]): Code =>
    anyOf(numbers.map((number) => f64Eq(value, f64Const(number))));
  return [
    ...if_(i32Eqz(globalGet('isPlain')), UNSURE),
    ...if_(i32Eqz(isOneOf(allowed)), INVALID),
    // Equal doubles may be those of different numbers.
    ...if_(isInexact, UNSURE),
    ...if_(isOneOf(allowed.filter((number) => rounded.has(number))), UNSURE),
  ];
}

/** Nested no deeper than necessary: a list may have thousands of numbers. */
function anyOf(conditions: readonly Code[]): Code {
  const { length } = conditions;
  if (length < 2) return conditions[0] ?? i32Const(0);
  return i32Or(anyOf(conditions.slice(0, length >> 1)), anyOf(conditions.slice(length >> 1)));
}

/** `true` or `false`, from its first byte. */
export function booleanCode(allowed: readonly boolean[] | null): Code {
  const yes = allowed === null || allowed.includes(true);
  const no = allowed === null || allowed.includes(false);
  const isFalse = isAtP(0x66);
  return if_(
    isAtP(0x74),
    yes ? literal('true') : INVALID,
    no ? if_(isFalse, literal('false'), INVALID) : INVALID,
  );
}

export const nullCode: Code = [...if_(isNotAtP(0x6e), INVALID), ...literal('null')];

/** Conditions on the first byte of a value, by type. */
export const FIRST_BYTE: Readonly<Record<string, Code>> = {
  string: isAtP(0x22),
  object: isAtP(0x7b),
  array: isAtP(0x5b),
  boolean: i32Or(isAtP(0x74), isAtP(0x66)),
  null: isAtP(0x6e),
  number: i32Or(isAtP(0x2d), i32LtU(i32Sub(i32Load8U(p), i32Const(0x30)), i32Const(10))),
};
