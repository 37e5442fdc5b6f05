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
import { atLeisure, type Within } from './time-limit.ts';

/** Throws SchemaError for a schema that does not compile, and what `within` throws. */
export async function createExaminer(
  { set, precompiled, defaults }: SchemaData,
  limits: Limits,
  within: Within = atLeisure,
): Promise<Examiner> {
  const linked = precompiled === null ? null : linkKinds(set, precompiled.kinds);
  const isPlain = limits.syntaxOnly === true && set.kinds.every(({ test }) => test === null);
  const kinds = isPlain ? withoutFunctions(set) : (linked ?? (await compiledKinds(set)));
  const { texts, choice, fixes } = defaults;
  const filling = texts === null ? null : await loadFilling(set, { texts, choice }, within);
  const options = {
    ...limits,
    ...(limits.advice ? { advisor: await createAdvisor(limits) } : {}),
    ...(fixes === undefined ? {} : { fixing: await loadFilling(set, { texts: fixes }, within) }),
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

async function loadFilling(
  schemas: SchemaSet,
  { texts, choice }: { readonly texts: DefaultMap; readonly choice?: Choice | undefined },
  within: Within,
): Promise<Filling> {
  const [{ createFilling }, { loadFillModules }] = await Promise.all([
    import('./filling.ts'),
    import('../schema/compile.ts'),
  ]);
  const modules = await loadFillModules(schemas);
  return within(() => createFilling(schemas, texts, modules, choice));
}
