/**
 * The code for `uniqueItems`: a function of every module compares the items by their hashes, after the array was read.
 */
import * as asm from '../engine/wasm/assembler.ts';
import { INVALID, UNSURE } from '../engine/wasm/templates.ts';
import type { ContainerCode } from './keyword-code.ts';

export const UNIQUE_CODE: ContainerCode = {
  keywords: ['uniqueItems'],
  make: ({ uniqueItems }) =>
    uniqueItems !== true
      ? null
      : {
          counts: true,
          before: asm.localSet('start', asm.localGet('p')),
          after: asm.if_(asm.i32GtU('count', 1), [
            asm.localSet('result', asm.call('unique', 'start')),
            asm.if_(asm.i32Eqz('result'), UNSURE),
            asm.if_(asm.i32Eq('result', 1), INVALID),
          ]),
        },
};
