/** The judge of an instance of the library: all that some of its entries have, and what its other engines are made with. */
import { allowsDefault } from '../repair/defaults.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { ExamineSettings } from './compile/acceptor.ts';
import { type ExamineOptions, Examiner } from './judge/examine.ts';
import { Judge, loadJudgeModules } from './judge/judge.ts';
import { type JudgedKinds, judgedKindsWith } from './judge/judged-kinds.ts';
import { ALLOWS_ALL, type AllowsDefault } from './judge/sites.ts';

export interface InstanceJudge {
  readonly kinds: JudgedKinds;
  readonly allows: AllowsDefault;
  /** How payloads are examined: the limits, and what checks find. */
  readonly examining: ExamineOptions;
  readonly examiner: Examiner;
}

/** `isBundled`: of the bundled schemas, whose defaults are known to be valid. Throws SchemaError. */
export async function instanceJudge(
  set: SchemaSet,
  limits: ExamineSettings,
  isBundled: boolean,
  checker?: NonNullable<ExamineOptions['checker']>,
): Promise<InstanceJudge> {
  const modules = await loadJudgeModules(set);
  const allows = isBundled ? ALLOWS_ALL : allowsDefault(set, new Judge(modules));
  const kinds = judgedKindsWith(set, new Judge(modules), allows);
  const examining = { ...limits, ...(checker === undefined ? {} : { checker }) };
  return { kinds, allows, examining, examiner: new Examiner(kinds, examining) };
}
