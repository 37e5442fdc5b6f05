/**
 * Makes an examiner from schemas: loaded only by runs with something to examine.
 */

import type { Advisor } from '../examine/advice/advisor.ts';
import { Examiner, type Filling } from '../examine/examine.ts';
import type { Choice } from '../fill/choose.ts';
import type { DefaultMap } from '../fill/default-map.ts';
import type { CompiledKind, ValidateFunction } from '../schema/compile.ts';
import type { SchemaSet } from '../schema/load.ts';
import { linkKinds } from '../schema/precompiled.ts';
import type { Limits } from '../types.ts';
import type { SchemaData } from './schema-data.ts';

/** Throws SchemaError for a schema that does not compile. */
export async function createExaminer(
  { set, precompiled, defaults }: SchemaData,
  limits: Limits,
): Promise<Examiner> {
  const linked = precompiled === null ? null : linkKinds(set, precompiled.kinds);
  const isPlain = limits.syntaxOnly === true && set.kinds.every(({ test }) => test === null);
  const kinds = isPlain ? withoutFunctions(set) : (linked ?? (await compiledKinds(set)));
  const { texts, choice, fixes } = defaults;
  const filling = texts === null ? null : await createFilling(set, texts, choice);
  const options = {
    ...limits,
    ...(limits.advice ? { advisor: await createAdvisor(limits) } : {}),
    ...(fixes === undefined ? {} : { fixing: await createFilling(set, fixes) }),
  };
  return new Examiner(kinds, set.locations, options, filling);
}

async function createAdvisor({ redact, identities = false }: Limits): Promise<Advisor> {
  const { Advisor } = await import('../examine/advice/advisor.ts');
  return new Advisor(redact, identities);
}

/** Kinds that are not told apart, and whose schemas are not applied. */
function withoutFunctions(set: SchemaSet): CompiledKind[] {
  const validate = Object.assign(() => true, { schema: true, schemaEnv: {} }) as unknown as ValidateFunction; // it is not called
  return set.kinds.map((kind) => ({ kind, set, test: null, validate }));
}

async function compiledKinds(schemas: SchemaSet): Promise<CompiledKind[]> {
  const { compileKinds } = await import('../schema/compile.ts');
  return compileKinds(schemas);
}

async function createFilling(schemas: SchemaSet, defaults: DefaultMap, choice?: Choice): Promise<Filling> {
  const [{ compileFillers }, { payloadMemberTexts }, { planFills }, { takeBack, unwanted, withoutDefaults }] =
    await Promise.all([
      import('../schema/compile.ts'),
      import('../fill/defaults.ts'),
      import('../fill/plan.ts'),
      import('../fill/choose.ts'),
    ]);
  const dropped = unwanted(schemas, choice?.wishes ?? []);
  const fillers = await compileFillers(withoutDefaults(schemas, dropped));
  const memberTexts = payloadMemberTexts(schemas, defaults);
  return {
    fill(kind, value, before) {
      const takesBack = choice?.exact === false;
      fillers.get(kind)?.(value, takesBack ? () => takeBack(before, value, choice) : undefined);
    },
    plan: (bytes, span, before, after) => planFills(bytes, span, before, after, memberTexts),
  };
}
