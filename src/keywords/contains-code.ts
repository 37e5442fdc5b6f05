/**
 * The code for `contains`: each item is read again to count those that match, and those of which that is unsure.
 */
import * as asm from '../engine/wasm/assembler.ts';
import { INVALID, UNSURE } from '../engine/wasm/templates.ts';
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
          : [
              asm.if_(asm.i32GtU('contained', count32(most)), INVALID),
              asm.if_(asm.i32GtU(all, count32(most)), UNSURE),
            ],
      ],
    };
  },
};
