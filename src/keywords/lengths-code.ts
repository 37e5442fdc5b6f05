/** The code for limits of sizes. A string of at least one character is told by its first byte. */

import { type AppliesTo, sizeKeywords } from '../schema/dialect.ts';
import type { Code } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { INVALID, isAtP } from '../wasm/templates.ts';
import { type ContainerCode, count32, type StringCode } from './keyword-code.ts';

const { least: LEAST, most: MOST } = sizeKeywords('string');
const textEnd = asm.localGet('textEnd');

const CHARACTERS: StringCode = {
  keywords: [LEAST, MOST],
  before: (node) => (node[LEAST] === 1 ? asm.if_(isAtP(0x22), INVALID) : []),
  check({ [LEAST]: least = 0, [MOST]: most }) {
    if (most === undefined && least <= 1) return [];
    const count = asm.localSet('length', asm.call('codePoints', 'from', textEnd));
    const tooLong = most === undefined ? [] : asm.if_(asm.i32GtU('length', count32(most)), INVALID);
    if (least > 1) return [count, asm.if_(asm.i32LtU('length', count32(least)), INVALID), tooLong];
    // There are no more code points than bytes.
    return asm.if_(asm.i32GtU(asm.i32Sub(textEnd, 'from'), count32(most!)), [count, tooLong]);
  },
};

export const STRING_LENGTH_CODES: readonly StringCode[] = [CHARACTERS];
export const ARRAY_LENGTH_CODE = countCode('array');
export const OBJECT_LENGTH_CODE = countCode('object');

function countCode(about: AppliesTo): ContainerCode {
  const { least, most } = sizeKeywords(about);
  const limit = (count: number | undefined, breaks: (a: Code, b: Code) => Code): Code =>
    count === undefined ? [] : asm.if_(breaks(asm.localGet('count'), count32(count)), INVALID);
  return {
    keywords: [least, most],
    make: (keywords) =>
      keywords[least] === undefined && keywords[most] === undefined
        ? null
        : { counts: true, after: [limit(keywords[least], asm.i32LtU), limit(keywords[most], asm.i32GtU)] },
  };
}
