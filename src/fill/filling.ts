/**
 * How an examiner fills in defaults. Loaded only by runs that fill, or that report what `fill` would insert.
 */
import type { Filling } from '../examine/examine.ts';
import type { JudgedKinds } from '../examine/judged-kinds.ts';
import type { SchemaSet } from '../schema/set.ts';
import { takeBack } from './choose.ts';
import { payloadMemberTexts } from './defaults.ts';
import { fillEdits } from './fill-edits.ts';
import { Filler } from './filler.ts';
import type { DefaultMap } from './wanted-defaults.ts';
import type { Choice } from './wishes.ts';

/** `defaults`: those that are wanted somewhere; `choice`: at which places; absent: at all places. */
export function createFilling(
  set: SchemaSet,
  { judge }: JudgedKinds,
  defaults: DefaultMap,
  choice?: Choice,
): Filling {
  const filler = new Filler(judge, set.nodes, defaults);
  const memberTexts = payloadMemberTexts(set, defaults);
  return {
    fill({ schema }, value, before, walked) {
      const takesBack = choice?.exact === false;
      filler.fill(schema, value, walked, takesBack ? () => takeBack(before, value, choice) : undefined);
    },
    edits: (bytes, span, before, after) => fillEdits(bytes, span, [before, after], memberTexts),
  };
}
