/**
 * How an examiner fills in defaults. Loaded only by runs that fill, or that report what `fill` would insert.
 */
import type { Filling } from '../examine/examine.ts';
import { type Choice, takeBack, unwanted, withoutDefaults } from '../fill/choose.ts';
import type { DefaultMap } from '../fill/default-map.ts';
import { payloadMemberTexts } from '../fill/defaults.ts';
import { fillEdits } from '../fill/edits.ts';
import { compileFillers, type FillModules } from '../schema/compile.ts';
import { legacyOf, type SchemaSet } from '../schema/load.ts';

/** Compiles the schemas for filling. `choice`: which defaults are wanted; absent: all. Throws SchemaError. */
export function createFilling(
  schemas: SchemaSet,
  defaults: DefaultMap,
  modules: FillModules,
  choice?: Choice,
): Filling {
  const dropped = unwanted(legacyOf(schemas), choice?.wishes ?? []);
  const fillers = compileFillers(withoutDefaults(legacyOf(schemas), dropped), modules);
  const memberTexts = payloadMemberTexts(schemas, defaults);
  return {
    fill(kind, value, before) {
      const takesBack = choice?.exact === false;
      fillers.get(kind)?.(value, takesBack ? () => takeBack(before, value, choice) : undefined);
    },
    edits: (bytes, span, before, after) => fillEdits(bytes, span, before, after, memberTexts),
  };
}
