/**
 * `paylint fill`: payloads with the schemas' defaults filled in, to standard output, back into their files, or as a diff.
 * `paylint prune` is the same run with another repair, and `fill --prune` with both.
 */
import { parse, relative, resolve } from 'node:path';
import { linesOf, UsageError } from '../errors.ts';
import { EventLog } from '../log/event-log.ts';
import { NO_DEFAULTS } from '../repair/wanted-defaults.ts';
import { eachFileOnce } from '../run/fillable.ts';
import { DiffDestination } from '../run/outlets/diff-destination.ts';
import { InPlaceDestination } from '../run/outlets/in-place-destination.ts';
import type { Destination } from '../run/outlets/outlet.ts';
import { StreamDestination } from '../run/outlets/stream-destination.ts';
import type { Io } from '../source/io.ts';
import { reread } from '../source/open-bytes.ts';
import { isOutside, shownPath } from '../source/path-text.ts';
import { isFile } from '../source/read-file.ts';
import type { Repair, Source } from '../types.ts';
import { plural } from '../words/number-text.ts';
import { Output } from '../write/stream-output.ts';
import { diffName, paintDiff } from '../write/unified-diff.ts';
import { exitCode } from './exit.ts';
import { findSources, listFiles, readBeside, watchFound } from './find-sources.ts';
import { CHECK_FLAGS } from './flags.ts';
import { resolveSettings, settingsDefaults } from './options.ts';
import { removedFile, standardOutput } from './outputs.ts';
import { printConfig } from './print-config.ts';
import { isTextReport, wantsChanges } from './reports.ts';
import { runJob } from './run-job.ts';
import type { Settings } from './settings.ts';
import { colorLevel } from './terminal.ts';
import type { FillFlags, PruneFlags } from './verb-flags.ts';
import type { Watched } from './watch.ts';

export function fill(paths: readonly string[], typed: FillFlags, io: Io): Promise<number> {
  return repair('fill', paths, typed, io);
}

/** `paylint prune`: payloads without the members that their schemas do not allow. */
export function prune(paths: readonly string[], typed: PruneFlags, io: Io): Promise<number> {
  return repair('prune', paths, typed, io);
}

/** `verb`: what is typed; with `--prune`, `fill` does both. */
async function repair(verb: Repair, paths: readonly string[], typed: FillFlags, io: Io): Promise<number> {
  if (!typed.watch || typed.printConfig || typed.listFiles) return repairOnce(verb, paths, typed, io, null);
  if (!typed.check || typed.write || typed.fix || typed.diff)
    throw new UsageError('--watch goes with --check: it writes no files, and no payloads');
  const { watch } = await import('./watch.ts');
  return watch((files, world) => repairOnce(verb, paths, typed, world, files), paths, typed, io);
}

/** `files`: told of what is read and written; null: there is no watch. */
async function repairOnce(
  verb: Repair,
  paths: readonly string[],
  typed: FillFlags,
  io: Io,
  files: Watched | null,
): Promise<number> {
  const settings = await resolveSettings<FillFlags>(
    typed.fix ? { ...typed, write: true } : typed,
    io,
    CHECK_FLAGS,
    verb,
  );
  const { flags } = settings;
  if (flags.printConfig) return printConfig(settings, CHECK_FLAGS, verb, io);
  requireTogether(flags, typed, verb);
  const repairs: readonly Repair[] = verb === 'fill' && flags.prune ? ['fill', 'prune'] : [verb];
  requireRemovable(flags, repairs);
  const byConfig = flags.write === true || flags.check === true;
  const name = flags.fix ? '--fix' : '--write';
  const notStdin = flags.watch ? '--watch watches files' : flags.write ? `${name} changes files` : null;
  const written = flags.removed === undefined ? [] : [resolve(io.cwd, flags.removed)];
  const found = await findSources(paths, settings, io, { byConfig, notStdin, written });
  if (files !== null) await watchFound(files, found, settings, io);
  if (flags.listFiles) return listFiles(found, flags, io);
  const defaults = {
    ...(verb === 'fill' ? await settingsDefaults(settings, flags.deep === true) : NO_DEFAULTS),
    ...(repairs.includes('prune') ? ({ prunes: 'payloads' } as const) : {}),
  };
  if (verb === 'fill' && !flags.quiet && !settings.bundled) await noteDefaults(settings, io);
  const inFiles = flags.write || flags.check || flags.diff;
  const sources = inFiles ? eachFileOnce(found.sources) : found.sources;
  const destination = await destinationFor(verb, sources, settings, io);
  const removed = flags.removed === undefined ? {} : { removed: await removedFile(flags.removed, io) };
  const outlet = {
    type: 'fill',
    repairs,
    bytes: flags.write === true || !inFiles,
    edits: flags.diff === true,
    members: flags.removed !== undefined || (flags.fix !== true && wantsChanges(settings)),
    values: flags.redact !== true,
    check: flags.check === true,
  } as const;
  // If standard output carries payloads, a diff or names, the report goes elsewhere.
  const hasStdout = flags.write || (flags.check && !flags.diff);
  const listsNames = hasStdout === true && flags.quiet === true && isTextReport(settings);
  const reportStream = hasStdout && !listsNames ? io.stdout : io.stderr;
  const held = destination?.mayFail ? () => new EventLog() : null;
  const choices = { defaults, outlet, destination, held, reportStream, listsNames, files, ...removed } as const;
  const counts = await runJob({ ...found, sources }, settings, choices, io).finally(() => removed.removed?.close());
  noteOtherTool(destination, flags, io);
  const { payloads, invalid, failures, warnings, unread, filled, pruned } = counts;
  const wouldChange = flags.check === true && filled + pruned > 0;
  const code = exitCode({ payloads, invalid, failures, warnings, unread, wouldChange }, flags, found, io);
  // Formats for programs have no summary in words.
  if (wouldChange && !isTextReport(settings)) {
    const changes = [
      pruned > 0 ? `remove ${plural(pruned, 'member')}` : '',
      filled > 0 ? `fill ${plural(filled, 'member')}` : '',
    ];
    io.stderr.write(`paylint: would ${changes.filter(Boolean).join(', would ')}\n`);
  }
  return code;
}

/** Once for all files, because it is not known which files had attributes. */
function noteOtherTool(destination: Destination | null, { quiet }: FillFlags, { stderr }: Io): void {
  if (destination instanceof InPlaceDestination && destination.hasOtherTool && !quiet)
    stderr.write(
      'paylint: note: cp is not that of GNU coreutils, so files that were written have lost their extended attributes ' +
        'and access control lists, if they had any\n',
    );
}

/** Throws UsageError for flags of which one does what another rules out. */
function requireTogether({ write, fix, check, diff }: FillFlags, typed: FillFlags, verb: Repair): void {
  const names = `${fix ? '--fix' : '--write'} and ${check ? '--check' : '--diff'}`;
  if (write && (check || diff))
    throw new UsageError(`${names} do not go together: one writes files, the other writes none`);
  const changed = `--check says which files would be ${verb === 'fill' ? 'filled' : 'pruned'}`;
  if (typed.redact && typed.diff)
    throw new UsageError(`--redact and --diff do not go together: a diff is payload text; ${changed}`);
}

/** Throws UsageError if `--removed` has nothing to keep, or must not. */
function requireRemovable({ removed, redact, check, diff }: FillFlags, repairs: readonly Repair[]): void {
  if (removed === undefined) return;
  if (!repairs.includes('prune')) throw new UsageError('--removed goes with --prune: fill alone removes nothing');
  if (removed === '') throw new UsageError('--removed: the name of the file is missing');
  if (removed === '-') throw new UsageError('--removed -: standard output has other text; name a file');
  if (redact) throw new UsageError('--redact and --removed do not go together: what is removed is payload text');
  if (check || diff)
    throw new UsageError(`--removed keeps what is removed, and ${check ? '--check' : '--diff'} removes nothing`);
}

async function noteDefaults({ files }: Settings, io: Io): Promise<void> {
  const [{ passedOver }, { firstOf }] = await Promise.all([
    import('../repair/defaults.ts'),
    import('../schema/suspect.ts'),
  ]);
  const never = firstOf(linesOf(passedOver(await files()), (path) => shownPath(path, io.cwd)));
  for (const note of never) io.stderr.write(`paylint: note: ${note}\n`);
}

/** Null: nothing is written. */
async function destinationFor(
  verb: Repair,
  sources: readonly Source[],
  settings: Settings<FillFlags>,
  io: Io,
): Promise<Destination | null> {
  const { flags } = settings;
  const read = (source: Source): AsyncIterable<Buffer> => reread(source, io.interrupt);
  const stdin = sources.some(({ path }) => path === null);
  if (flags.write) {
    const name = flags.fix ? '--fix' : '--write';
    if (stdin) throw new UsageError(`${name} changes files, and standard input is not a file; leave out ${name}`);
    const { refuseFilling } = await import('./own-output.ts');
    const files = sources.flatMap(({ path }) => path ?? []);
    refuseFilling(files, await readBeside(settings, io), io);
    return new InPlaceDestination(sources, read, { searchPath: io.env.PATH });
  }
  if (flags.diff) {
    if (stdin) throw new UsageError(`--diff compares with files; ${verb} standard input without it, and use diff`);
    // Names are relative to the working directory, or to the root if one of the files is outside of it.
    const { cwd } = io;
    const isAnyOutside = sources.some(({ path }) => path !== null && isOutside(relative(cwd, path)) && isFile(path));
    const folder = isAnyOutside ? parse(cwd).root : cwd;
    const files = {
      read,
      nameOf: (source: Source) => diffName(source, folder),
      paint: colorLevel(flags.color ?? null, io.env, io.stdout) === 0 ? undefined : paintDiff,
    };
    return new DiffDestination(new Output(io.stdout, 'standard output'), sources, files);
  }
  return flags.check ? null : new StreamDestination([standardOutput(io)]);
}
