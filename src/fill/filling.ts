/**
 * How an examiner fills in defaults. Loaded only by runs that fill, or that report what `fill` would insert.
 */
import type { Filling } from '../examine/examine.ts';
import type { JudgedKinds } from '../examine/judged-kinds.ts';
import type { SchemaSet } from '../schema/set.ts';
import { payloadMemberTexts } from './defaults.ts';
import { fillEdits } from './fill-edits.ts';
import { Filler } from './filler.ts';
import type { DefaultMap } from './wanted-defaults.ts';
import { takeBack, type Wish } from './wishes.ts';

/** `wishes`: which members are wanted; if empty, all are. */
export function createFilling(
  set: SchemaSet,
  { judge }: JudgedKinds,
  defaults: DefaultMap,
  wishes: readonly Wish[] = [],
): Filling {
  const filler = new Filler(judge, set.nodes, defaults);
  const memberTexts = payloadMemberTexts(set, defaults);
  return {
    fill({ schema }, value, before, walked) {
      filler.fill(schema, value, walked, () => wishes.length > 0 && takeBack(before, value, wishes));
    },
    edits: (bytes, span, before, after) => fillEdits(bytes, span, [before, after], memberTexts),
  };
}
