/**
 * The frame of the verbs that read payloads: from what was typed to the exit code. A verb says what is its own: settings,
 * which sources it takes, how it runs over them, and what the exit code is made from.
 */

import type { CheckFlags, FlagGroup } from '../config/flags.ts';
import type { Settings } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import type { Counts } from '../run/counts.ts';
import type { GateCounts } from '../run/exit.ts';
import type { Io } from '../source/io.ts';
import { exitCode } from './exit.ts';
import { type FindOptions, type FoundSources, findSources, listFiles, watchFound } from './find-sources.ts';
import { resolveSettings } from './options.ts';
import { runJob, type VerbJob } from './run-job.ts';
import type { Watched } from './watch.ts';

interface PayloadVerb<Flags extends CheckFlags> {
  readonly name: string;
  readonly groups: readonly FlagGroup[];
  readonly paths: readonly string[];
  readonly typed: Flags;
  /** Those of which the settings are made. Absent: all that were typed. */
  readonly given?: Flags;
  /** Why `--watch` is refused. Absent: it is not. */
  readonly watchFault?: string | null;
}

/** What a verb is by its settings. */
export interface Begun<Flags extends CheckFlags> extends FindOptions {
  readonly settings: Settings<Flags>;
  /** Runs over what was found. `job`: runs a job of these parts, and perhaps of other sources. */
  readonly run: (found: FoundSources, job: RunsJob) => Promise<Ended>;
}

export type RunsJob = (parts: VerbJob, sources?: FoundSources['sources']) => Promise<Counts>;

export interface Ended extends GateCounts {
  /** Makes the exit code of the one of the counts. Absent: that is it. */
  readonly after?: (code: 0 | 1 | 2) => number;
}

/** Throws what `begin`, its run and settings throw. Resolves to the exit code. */
export async function runVerb<Flags extends CheckFlags>(
  verb: PayloadVerb<Flags>,
  io: Io,
  begin: (settings: Settings<Flags>, io: Io) => Promise<Begun<Flags>>,
): Promise<number> {
  const { typed, paths, name, groups, given = typed, watchFault = null } = verb;
  const once = async (world: Io, files: Watched | null): Promise<number> => {
    const resolved = { ...(await resolveSettings(given, world, groups, name)), typed };
    if (typed.printConfig) return (await import('./print-config.ts')).printConfig(resolved, groups, name, world);
    const { settings, run, ...find } = await begin(resolved, world);
    const { flags } = settings;
    const notStdin = flags.watch ? '--watch watches files' : (find.notStdin ?? null);
    const found = await findSources(paths, settings, world, { ...find, notStdin });
    if (files !== null) await watchFound(files, found, settings, world);
    if (flags.listFiles) return listFiles(found, flags, world);
    const job: RunsJob = (parts, sources = found.sources) => runJob({ ...found, sources }, settings, parts, world);
    const ended = await run(found, job);
    const code = exitCode(ended, flags, found, world);
    return ended.after?.(code) ?? code;
  };
  if (!typed.watch || typed.printConfig || typed.listFiles) return once(io, null);
  if (watchFault !== null) throw new UsageError(watchFault);
  const { watch } = await import('./watch.ts');
  return watch((files, world) => once(world, files), paths, typed, io);
}
