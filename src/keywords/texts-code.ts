/**
 * The code for `pattern` and `format`. The pattern of a format matches only texts that examine accepts too, but not all
 * of them; other texts are unsure.
 */

import { necessaryPattern, sufficientPattern } from '../schema/formats/format-table.ts';
import type { Code } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { INVALID, UNSURE } from '../wasm/templates.ts';
import type { NumberCode, StringCode } from './keyword-code.ts';
import { bound, mustBeWhole } from './numbers-code.ts';

export const PATTERN_CODE: StringCode = {
  keywords: ['pattern'],
  check: ({ pattern }, { matches }) => (pattern === undefined ? [] : asm.if_(asm.i32Eqz(matches(pattern)), INVALID)),
};

export const FORMAT_CODE: StringCode = {
  keywords: ['format'],
  check({ format }, { matches, formatNamed }) {
    if (format === undefined || Object.hasOwn(NUMBER_FORMATS, format)) return [];
    const known = formatNamed(format);
    if (known === null) return [];
    const sufficient = sufficientPattern(known);
    if (sufficient === null) return known.judge === undefined ? [] : UNSURE;
    const isNone = (of: string): Code => asm.i32Eqz(matches(of));
    const necessary = necessaryPattern(known);
    if (sufficient === necessary) return asm.if_(isNone(sufficient), INVALID);
    return asm.if_(isNone(sufficient), [necessary === null ? [] : asm.if_(isNone(necessary), INVALID), UNSURE]);
  },
};

/** Formats of numbers: integers in a range. */
const NUMBER_FORMATS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
};

export const NUMBER_FORMAT_CODE: NumberCode = {
  keywords: ['format'],
  check({ format }, { formatNamed }, isInteger) {
    if (format === undefined || !Object.hasOwn(NUMBER_FORMATS, format) || formatNamed(format) === null) return [];
    const [least, most] = NUMBER_FORMATS[format]!;
    return [isInteger ? [] : mustBeWhole, bound(least, asm.f64Ge, false), bound(most, asm.f64Le, false)];
  },
};
