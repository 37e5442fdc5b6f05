/** How many members `fill` adds: what the summary says of files in which a violation is fixable. */
import type { SchemaChoice } from '../engine/accept.ts';
import { Interrupted, SchemaError, UsageError } from '../errors.ts';
import { withoutUndefined } from '../json/on-demand.ts';
import { FILLABLE_BYTES } from '../limits.ts';
import { Report } from '../report/report.ts';
import type { Io } from '../source/io.ts';
import { realPath } from '../source/path-text.ts';
import type { Source } from '../types.ts';
import type { Plan } from './check/flow.ts';
import { type Job, NO_PROGRESS } from './job.ts';
import { sizeOf } from './part.ts';
import { run } from './run.ts';

/**
 * For `Job.fillable`. `job`: of the run; `schemas`: the same with the defaults that `fill` adds. Null if the number is not known:
 * there is more than `FILLABLE_BYTES`, or standard input, or a default that its own schema does not allow, or a signal came. All
 * payloads have been checked by then, so the report is complete without the number.
 */
export async function fillableIn(
  sources: ReadonlySet<Source>,
  job: Job,
  schemas: () => Promise<SchemaChoice>,
  io: Io,
): Promise<number | null> {
  const bytes = [...sources].reduce((sum, source) => sum + (sizeOf(source) ?? Number.POSITIVE_INFINITY), 0);
  if (bytes > FILLABLE_BYTES) return null;
  const counts = { type: 'fill', repairs: ['fill'], bytes: false, edits: false } as const;
  const outlet = { ...counts, members: false, values: false, check: true };
  try {
    const options = withoutUndefined({ ...job.options, engine: 'plain', outlet, relations: undefined }) as Plan;
    const { coverage: _, ...own } = job; // what is counted there is counted once
    const filling = { ...own, schemas: await schemas(), sources: eachFileOnce([...sources]), failures: [], options };
    const counted = await run({ ...filling, hints: false, threads: 1 }, new Report([], () => {}), NO_PROGRESS, io);
    return counted.filled;
  } catch (error) {
    if ([Interrupted, SchemaError, UsageError].some((expected) => error instanceof expected)) return null;
    throw error;
  }
}

/** Several links may lead to one file, which is filled only once, under the first of its names. */
export function eachFileOnce(sources: readonly Source[]): readonly Source[] {
  const files = new Set<string>();
  return sources.filter(({ path }) => {
    const before = files.size;
    return path === null || files.add(realPath(path)).size > before;
  });
}
