/** How many members `fill` adds: what the summary says of files in which a violation is fixable. */
import { realpathSync } from 'node:fs';
import { SchemaError, UsageError } from '../errors.ts';
import { FILLABLE_BYTES } from '../limits.ts';
import { Report } from '../report/report.ts';
import { NO_PROGRESS } from '../run/job.ts';
import { sizeOf } from '../run/part.ts';
import { run } from '../run/run.ts';
import type { Io } from '../source/io.ts';
import type { Source } from '../types.ts';
import { settingsDefaults } from './options.ts';
import { jobOf } from './run-job.ts';
import type { Settings } from './settings.ts';

/**
 * How many members `fill` adds to the sources; null if that is not known: there is more than `FILLABLE_BYTES`, or standard input,
 * or a default that its own schema does not allow.
 */
export async function fillable(sources: readonly Source[], settings: Settings, io: Io): Promise<number | null> {
  const bytes = sources.reduce((sum, source) => sum + (sizeOf(source) ?? Number.POSITIVE_INFINITY), 0);
  if (bytes > FILLABLE_BYTES) return null;
  const counting = { type: 'fill', repairs: ['fill'], bytes: false, edits: false } as const;
  const outlet = { ...counting, members: false, values: false, check: true };
  try {
    const defaults = await settingsDefaults(settings, false);
    const found = { sources: eachFileOnce(sources), failures: [] };
    const job = await jobOf(found, { ...settings, relations: [] }, { defaults, outlet }, io);
    return (await run({ ...job, hints: false }, new Report([], () => {}), NO_PROGRESS, io)).filled;
  } catch (error) {
    if (error instanceof UsageError || error instanceof SchemaError) return null;
    throw error;
  }
}

/** Several links may lead to one file, which is filled only once, under the first of its names. */
export function eachFileOnce(sources: readonly Source[]): readonly Source[] {
  const files = new Set<string>();
  return sources.filter(({ path }) => {
    const before = files.size;
    return path === null || files.add(fileOf(path)).size > before;
  });
}

/** The target of links; `path` itself if that cannot be found: reading it will fail with the reason. */
function fileOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
