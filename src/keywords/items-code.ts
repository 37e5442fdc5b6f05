/**
 * The code for `contains`, which reads each item again and counts those that match and those of which that is unsure; and for
 * `uniqueItems`, which compares the hashes of the items after the array was read.
 */
import * as asm from '../wasm/assembler.ts';
import { INVALID, UNSURE } from '../wasm/templates.ts';
import { type ContainerCode, count32, Unsupported } from './keyword-code.ts';

export const CONTAINS_CODE: ContainerCode = {
  keywords: ['contains'],
  make({ contains, minContains: least = 1, maxContains: most }, context) {
    if (contains === undefined) return null;
    if (context.fills) throw new Unsupported('"contains", beside defaults to fill in');
    const isDecided = most === undefined ? asm.i32GeU('contained', least) : asm.i32Const(0);
    const all = asm.i32Add('contained', 'unclear');
    return {
      needsItems: true,
      each: asm.if_(asm.i32Eqz(isDecided), [
        asm.localSet('result', context.item(contains, asm.localGet('itemAt'))),
        asm.localSet('contained', asm.i32Add('contained', asm.i32GtU('result', 1))),
        asm.localSet('unclear', asm.i32Add('unclear', asm.i32Eqz('result'))),
      ]),
      after: [
        asm.if_(asm.i32LtU(all, count32(least)), INVALID),
        asm.if_(asm.i32LtU('contained', count32(least)), UNSURE),
        most === undefined
          ? []
          : [asm.if_(asm.i32GtU('contained', count32(most)), INVALID), asm.if_(asm.i32GtU(all, count32(most)), UNSURE)],
      ],
    };
  },
};

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
