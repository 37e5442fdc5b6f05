/**
 * Makes an examiner from schemas: loaded only by runs with something to examine.
 */

import type { Advisor } from '../examine/advice/advisor.ts';
import { Examiner, type Filling } from '../examine/examine.ts';
import { judgedKinds, kindsWithoutSchemas } from '../examine/kinds.ts';
import type { Limits } from '../types.ts';
import type { createFilling } from './filling.ts';
import type { SchemaData } from './schema-data.ts';

/** Throws SchemaError. */
export async function createExaminer({ set, defaults }: SchemaData, limits: Limits): Promise<Examiner> {
  const isPlain = limits.syntaxOnly === true && set.kinds.every(({ test }) => test === null);
  const kinds = isPlain ? kindsWithoutSchemas(set) : await judgedKinds(set);
  const { texts, choice, fixes } = defaults;
  const filling = texts === null ? null : await loadFilling(set, kinds, texts, choice);
  const options = {
    ...limits,
    ...(limits.advice ? { advisor: await createAdvisor(limits) } : {}),
    ...(fixes === undefined ? {} : { fixing: await loadFilling(set, kinds, fixes) }),
  };
  return new Examiner(kinds, options, filling);
}

async function createAdvisor({ redact, identities = false }: Limits): Promise<Advisor> {
  const { Advisor } = await import('../examine/advice/advisor.ts');
  return new Advisor(redact, identities);
}

async function loadFilling(...given: Parameters<typeof createFilling>): Promise<Filling> {
  return (await import('./filling.ts')).createFilling(...given);
}
