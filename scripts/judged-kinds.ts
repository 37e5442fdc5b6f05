/** What judges payloads by a set of schemas whose defaults do not matter, for tests and the programs here. */
import { Judge, loadJudgeModules } from '../src/engine/judge/judge.ts';
import { type JudgedKinds, judgedKindsWith } from '../src/engine/judge/judged-kinds.ts';
import { ALLOWS_ALL } from '../src/engine/judge/sites.ts';
import type { SchemaSet } from '../src/schema/set.ts';

/** Throws SchemaError. */
export async function judgedKinds(set: SchemaSet): Promise<JudgedKinds> {
  return judgedKindsWith(set, new Judge(await loadJudgeModules(set)), ALLOWS_ALL);
}
