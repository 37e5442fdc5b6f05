/**
 * `paylint validate`: report every violation; the sink that keeps nothing.
 */
import { availableParallelism } from 'node:os';
import { lazyAccept } from '../engines.ts';
import { Report } from '../report.ts';
import { run } from '../run.ts';
import type { Io } from '../types.ts';
import { exitCode } from './exit.ts';
import type { CheckFlags } from './flags.ts';
import { listFiles } from './list-files.ts';
import { engineOptions, findSources, openReports, resolveSettings, wantsExcerpts } from './options.ts';
import { Progress } from './progress.ts';

/** Resolves to the exit code; null where there is nothing to do but to show the help. */
export async function validate(paths: readonly string[], flags: CheckFlags, io: Io): Promise<number | null> {
  const settings = await resolveSettings(flags, io);
  const found = await findSources(paths, settings, io);
  if (found === null) return null;
  if (flags.listFiles) return listFiles(found, flags, io);
  const progress = new Progress(io.stderr, found.sources, flags.quiet !== true);
  const report = new Report(await openReports(settings, io, io.stdout), () => progress.clear());
  const job = {
    ...found,
    schemas: settings.schemas,
    engineOptions: engineOptions(flags, null),
    accept: lazyAccept(settings.schemas, null),
    threads: flags.threads ?? availableParallelism(),
    bail: flags.bail === true,
    options: {
      framing: flags.input ?? null,
      whole: flags.whole === true,
      maxBytes: flags.maxPayloadBytes,
      redact: flags.redact === true,
      excerpts: wantsExcerpts(settings, io),
    },
  };
  // However it ends, a message or the shell's prompt comes next, on a line of its own.
  const tally = await run(job, report, progress, io).finally(() => progress.end());
  return exitCode(tally, flags, io);
}
