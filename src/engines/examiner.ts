/**
 * Makes an examiner from schemas: loaded only by runs with something to examine.
 */

import type { Advisor } from '../examine/advice/advisor.ts';
import { Examiner, type Filling } from '../examine/examine.ts';
import {
  createJudge,
  type JudgedKinds,
  judgedKindsWith,
  kindsWithoutSchemas,
  loadJudgeModules,
} from '../examine/judged-kinds.ts';
import { ALLOWS_ALL, type AllowsDefault } from '../examine/sites.ts';
import type { createFilling } from '../fill/filling.ts';
import type { WantedDefaults } from '../fill/wanted-defaults.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Limits } from '../types.ts';

/**
 * The data from which an examiner is made. It is plain, so it can be sent to threads. `Set`: the schemas, or for
 * threads what they are loaded from.
 */
export interface SchemaData<Set = SchemaSet> {
  readonly set: Set;
  readonly defaults: WantedDefaults;
}

/** Throws SchemaError. */
export async function createExaminer({ set, defaults }: SchemaData, limits: Limits): Promise<Examiner> {
  const isPlain = limits.syntaxOnly === true && set.kinds.every(({ test }) => test === null);
  const kinds = isPlain ? kindsWithoutSchemas(set) : await kindsOf(set);
  const { texts, wishes, fixes } = defaults;
  const filling = texts === null ? null : await loadFilling(set, kinds, texts, wishes);
  const options = {
    ...limits,
    ...(limits.advice ? { advisor: await createAdvisor(limits) } : {}),
    ...(fixes === undefined ? {} : { fixing: await loadFilling(set, kinds, fixes) }),
  };
  return new Examiner(kinds, options, filling);
}

async function kindsOf(set: SchemaSet): Promise<JudgedKinds> {
  const [modules, allows] = await Promise.all([loadJudgeModules(set), allowsDefaultIn(set)]);
  return judgedKindsWith(set, createJudge(modules), allows);
}

/** What tells which members' defaults `fill` adds. */
export async function allowsDefaultIn(set: SchemaSet): Promise<AllowsDefault> {
  if (set.documents === undefined || !set.nodes.some((node) => node.default !== undefined)) return ALLOWS_ALL;
  const [{ allowsDefault }, modules] = await Promise.all([
    import('../fill/defaults.ts'),
    loadJudgeModules(set),
  ]);
  return allowsDefault(set, createJudge(modules));
}

async function createAdvisor({ redact, identities = false }: Limits): Promise<Advisor> {
  const { Advisor } = await import('../examine/advice/advisor.ts');
  return new Advisor(redact, identities);
}

async function loadFilling(...given: Parameters<typeof createFilling>): Promise<Filling> {
  return (await import('../fill/filling.ts')).createFilling(...given);
}
