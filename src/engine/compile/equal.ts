/**
 * Objects and arrays in `enum` and `const`. A value with the same bytes as the compact text is equal. Any other is
 * unsure, because equal values can be written in many ways.
 */

import { Unsupported } from '../../keywords/keyword-code.ts';
import type { Code } from '../wasm/assembler.ts';
import * as asm from '../wasm/assembler.ts';
import { p, UNSURE } from '../wasm/templates.ts';
import { loadText, whenMatches } from './text.ts';

/** A longer text is not compared. */
const MOST_BYTES = 1000;
/** For thousands of values in one function, V8 needs gigabytes of memory. */
const MOST_VALUES = 500;

/**
 * Reads the value at `p` by `read`, and compares it with `values`, which are objects and arrays. Throws Unsupported for
 * too many.
 */
export function equalCode(values: readonly object[], read: Code): Code {
  if (values.length > MOST_VALUES)
    throw new Unsupported(`more than ${MOST_VALUES} objects and arrays in "enum"`);
  const texts = values
    .map((value) => [...Buffer.from(JSON.stringify(value))])
    .filter((bytes) => bytes.length <= MOST_BYTES);
  const cases = texts.flatMap((bytes) =>
    asm.if_(
      asm.i32Eq('length', bytes.length),
      whenMatches(bytes, [asm.localSet('p', asm.i32Add('from', bytes.length)), asm.br('equal')]),
    ),
  );
  return [
    asm.localSet('from', p),
    ...read,
    asm.localSet('length', asm.i32Sub(p, 'from')),
    asm.localSet('p', 'from'),
    loadText,
    asm.block('equal', cases, UNSURE),
  ];
}
