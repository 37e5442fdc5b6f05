/** Makes an examiner from schemas: loaded only by runs with something to examine. */
import type { createFilling } from '../repair/defaults.ts';
import { NO_DEFAULTS, type WantedDefaults } from '../repair/wanted-defaults.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Finding } from '../types.ts';
import { SHOWS_ALL } from '../words/rule.ts';
import type { ExamineSettings } from './compile/acceptor.ts';
import { Examiner, type PayloadBytes } from './judge/examine.ts';
import { Judge, loadJudgeModules } from './judge/judge.ts';
import { type JudgedKinds, judgedKindsWith, kindsWithoutSchemas } from './judge/judged-kinds.ts';
import type { Filling } from './judge/repaired.ts';
import { ALLOWS_ALL, type AllowsDefault } from './judge/sites.ts';

/** What an examiner is made from: plain data. `Set`: the schemas, or for threads what they are loaded from. */
export interface SchemaData<Set = SchemaSet> {
  readonly set: Set;
  readonly defaults: WantedDefaults;
}

/** `given`: a judge of the set that nothing else uses; null: it makes one. Throws SchemaError. */
export async function createExaminer(
  { set, defaults }: SchemaData,
  limits: ExamineSettings,
  given: Judge | null = null,
): Promise<Examiner> {
  const isPlain = limits.syntaxOnly === true && set.kinds.every(({ test }) => test === null);
  const kinds = isPlain ? kindsWithoutSchemas(set) : await kindsOf(set, given);
  const { texts, fixes, prunes } = defaults;
  const filling = texts === null ? null : await loadFilling(set, kinds, texts);
  const { checks = [] } = limits;
  const checking = checks.length === 0 ? null : await import('../checks/checker.ts');
  const options = {
    ...limits,
    ...(checking === null ? {} : { checker: new checking.Checker(checks, limits) }),
    ...(fixes === undefined ? {} : { fixing: await loadFilling(set, kinds, fixes) }),
    ...(prunes === undefined ? {} : await pruningBy(prunes, set, kinds)),
  };
  return new Examiner(kinds, options, filling);
}

const AUTHORED = { maxDepth: 100, maxBytes: Number.POSITIVE_INFINITY, ...SHOWS_ALL };

/** What is wrong with the text of an author by a schema of the package, such as a config. */
export async function findingsIn(set: SchemaSet, payload: PayloadBytes): Promise<readonly Finding[]> {
  const examiner = await createExaminer({ set, defaults: NO_DEFAULTS }, AUTHORED);
  return examiner.examine(payload, null).findings;
}

async function kindsOf(set: SchemaSet, given: Judge | null): Promise<JudgedKinds> {
  const [judge, allows] = await Promise.all([
    given ?? loadJudgeModules(set).then((modules) => new Judge(modules)),
    allowsDefaultIn(set),
  ]);
  return judgedKindsWith(set, judge, allows);
}

/** What tells which members' defaults `fill` adds. */
export async function allowsDefaultIn(set: SchemaSet): Promise<AllowsDefault> {
  if (set.documents === undefined || !set.nodes.some((node) => node.default !== undefined)) return ALLOWS_ALL;
  const [{ allowsDefault }, modules] = await Promise.all([import('../repair/defaults.ts'), loadJudgeModules(set)]);
  return allowsDefault(set, new Judge(modules));
}

async function pruningBy(who: 'payloads' | 'reports', set: SchemaSet, kinds: JudgedKinds) {
  const pruning = (await import('../repair/pruner.ts')).createPruning(set, kinds);
  return who === 'payloads' ? { pruning } : { removing: pruning };
}

async function loadFilling(...given: Parameters<typeof createFilling>): Promise<Filling> {
  return (await import('../repair/defaults.ts')).createFilling(...given);
}
