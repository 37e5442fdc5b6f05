/**
 * Makes an examiner from schemas: loaded only by runs with something to examine.
 */

import type { Advisor } from '../examine/advice/advisor.ts';
import { Examiner, type Filling } from '../examine/examine.ts';
import { judgedKinds, kindsWithoutSchemas } from '../examine/kinds.ts';
import type { Choice } from '../fill/choose.ts';
import type { DefaultMap } from '../fill/default-map.ts';
import { legacyOf, type SchemaSet } from '../schema/load.ts';
import type { Limits } from '../types.ts';
import type { SchemaData } from './schema-data.ts';
import { atLeisure, type Within } from './time-limit.ts';

/** Throws SchemaError for a schema that does not compile, and what `within` throws. */
export async function createExaminer(
  { set, defaults }: SchemaData,
  limits: Limits,
  within: Within = atLeisure,
): Promise<Examiner> {
  const isPlain = limits.syntaxOnly === true && set.kinds.every(({ test }) => test === null);
  const kinds = isPlain ? kindsWithoutSchemas(set) : await judgedKinds(set);
  const { texts, choice, fixes } = defaults;
  const filling = texts === null ? null : await loadFilling(set, { texts, choice }, within);
  const options = {
    ...limits,
    ...(limits.advice ? { advisor: await createAdvisor(limits) } : {}),
    ...(fixes === undefined ? {} : { fixing: await loadFilling(set, { texts: fixes }, within) }),
  };
  return new Examiner(kinds, options, filling);
}

async function createAdvisor({ redact, identities = false }: Limits): Promise<Advisor> {
  const { Advisor } = await import('../examine/advice/advisor.ts');
  return new Advisor(redact, identities);
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
  const modules = await loadFillModules(legacyOf(schemas));
  return within(() => createFilling(schemas, texts, modules, choice));
}
