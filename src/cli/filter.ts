/** `paylint filter`: the valid payloads, or the invalid ones, byte for byte. The report goes to standard error. */
import { resolve } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { FILTER_FLAGS, type FilterFlags } from '../config/verb-flags.ts';
import { UsageError } from '../errors.ts';
import { StreamDestination } from '../run/outlets/stream-destination.ts';
import type { Io } from '../source/io.ts';
import { outputFile, standardOutput } from './outputs.ts';
import { runVerb } from './payload-verb.ts';

export function filter(paths: readonly string[], typed: FilterFlags, io: Io): Promise<number> {
  checkFlags(typed, io);
  const { invert, rejects, reasons } = typed;
  return runVerb({ name: 'filter', groups: FILTER_FLAGS, paths, typed }, io, async (resolved) => {
    const settings = withReasons(quietly(resolved), reasons, io);
    return {
      settings,
      written: [rejects],
      async run(_, job) {
        const keeps = { invert: invert === true, rejects: rejects !== undefined, reasons: reasons !== undefined };
        const targets = [standardOutput(io)];
        // The rejected payloads before a signal are written nowhere else, so they are kept.
        if (rejects !== undefined) targets.push(await outputFile(rejects, { keepsPart: true }, io));
        const destination = new StreamDestination(targets);
        const options = { outlet: { type: 'filter', ...keeps } } as const;
        return job({ options, destination, report: { stream: io.stderr } });
      },
    };
  });
}

function checkFlags({ invert, rejects, reasons }: FilterFlags, io: Io): void {
  if (rejects === '' || reasons === '')
    throw new UsageError(`${rejects === '' ? '--rejects' : '--reasons'}: the name of the file is missing`);
  if (rejects === '-' || reasons === '-') {
    throw new UsageError(
      `${rejects === '-' ? '--rejects' : '--reasons'} -: standard output has payloads; name a file, such as /dev/stderr`,
    );
  }
  if (invert && reasons !== undefined) {
    throw new UsageError(
      '--reasons says what is wrong with the payloads that are left out, and with --invert these are valid; --format ndjson=FILE reports all',
    );
  }
  if (rejects !== undefined && reasons !== undefined && resolve(io.cwd, rejects) === resolve(io.cwd, reasons))
    throw new UsageError('--rejects and --reasons name the same file');
}

/** With `--quiet`, a text on standard error is the summary alone: what is wrong is in the payloads that are left out. */
function quietly<Flags extends FilterFlags>(settings: Settings<Flags>): Settings<Flags> {
  if (settings.flags.quiet !== true) return settings;
  const targets = settings.reports.targets.map((target) =>
    target.file === null ? { ...target, summaryOnly: true as const } : target,
  );
  return { ...settings, reports: { ...settings.reports, targets } };
}

function withReasons<Flags extends FilterFlags>(
  settings: Settings<Flags>,
  file: string | undefined,
  io: Io,
): Settings<Flags> {
  if (file === undefined) return settings;
  const { targets, folder } = settings.reports;
  const reasons = { name: 'ndjson', file: resolve(io.cwd, file), whole: true } as const;
  return { ...settings, reports: { targets: [...targets, reasons], folder } };
}
