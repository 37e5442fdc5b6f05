/**
 * `paylint fill`: payloads with the schemas' defaults filled in, to standard output, back into their files, or as a diff.
 * `paylint prune` is the same run with another repair, and `fill --prune` with both.
 */
import { CHECK_FLAGS } from '../config/flags.ts';
import type { Settings } from '../config/settings.ts';
import type { FillFlags, PruneFlags } from '../config/verb-flags.ts';
import { linesOf, UsageError } from '../errors.ts';
import { EventLog } from '../log/event-log.ts';
import { NO_DEFAULTS, type WantedDefaults } from '../repair/wanted-defaults.ts';
import type { Counts } from '../run/counts.ts';
import { eachFileOnce } from '../run/fillable.ts';
import { DiffDestination } from '../run/outlets/diff-destination.ts';
import { InPlaceDestination } from '../run/outlets/in-place-destination.ts';
import type { Destination, OutletSpec } from '../run/outlets/outlet.ts';
import { StreamDestination } from '../run/outlets/stream-destination.ts';
import type { Io } from '../source/io.ts';
import { reread } from '../source/open-bytes.ts';
import { shownPath } from '../source/path-text.ts';
import type { Repair, Source } from '../types.ts';
import { plural } from '../words/number-text.ts';
import { Output } from '../write/stream-output.ts';
import { readBeside } from './find-sources.ts';
import { settingsDefaults } from './options.ts';
import { removedFile, standardOutput } from './outputs.ts';
import { type Ended, runVerb } from './payload-verb.ts';
import { isTextReport, wantsChanges } from './reports.ts';
import { colorLevel } from './terminal.ts';

export function fill(paths: readonly string[], typed: FillFlags, io: Io): Promise<number> {
  return repair('fill', paths, typed, io);
}

/** `paylint prune`: payloads without the members that their schemas do not allow. */
export function prune(paths: readonly string[], typed: PruneFlags, io: Io): Promise<number> {
  return repair('prune', paths, typed, io);
}

/** `name`: what is typed; with `--prune`, `fill` does both. */
function repair(name: Repair, paths: readonly string[], typed: FillFlags, io: Io): Promise<number> {
  const isWatchable = typed.check && !typed.write && !typed.fix && !typed.diff;
  const watchFault = isWatchable ? null : '--watch goes with --check: it writes no files, and no payloads';
  const given = typed.fix ? { ...typed, write: true as const } : typed;
  return runVerb({ name, groups: CHECK_FLAGS, paths, typed, given, watchFault }, io, async (settings, world) => {
    const { flags } = settings;
    requireTogether(flags, typed, name);
    const repairs: readonly Repair[] = name === 'fill' && flags.prune ? ['fill', 'prune'] : [name];
    requireRemovable(flags, repairs);
    return {
      ...{ settings, byConfig: flags.write === true || flags.check === true },
      notStdin: flags.write ? `${flags.fix ? '--fix' : '--write'} changes files` : null,
      written: [flags.removed],
      async run({ sources: found }, job) {
        const defaults = await defaultsOf(name, repairs, settings, world);
        const sources = flags.write || flags.check || flags.diff ? eachFileOnce(found) : found;
        const destination = await destinationFor(name, sources, settings, world);
        const removed = flags.removed === undefined ? {} : { removed: await removedFile(flags.removed, world) };
        const held = destination?.mayFail ? () => new EventLog() : null;
        const parts = { ...outputsOf(settings, repairs, world), schemas: { defaults }, destination, held, ...removed };
        const counts = await job(parts, sources).finally(() => removed.removed?.close());
        noteOtherTool(destination, flags, world);
        return ended(counts, settings, world);
      },
    };
  });
}

/** With `prune`, what is not allowed is taken out as well. */
async function defaultsOf(
  verb: Repair,
  repairs: readonly Repair[],
  settings: Settings<FillFlags>,
  io: Io,
): Promise<WantedDefaults> {
  const { flags, bundled } = settings;
  const defaults = verb === 'fill' ? await settingsDefaults(settings, flags.deep === true) : NO_DEFAULTS;
  if (verb === 'fill' && !flags.quiet && !bundled) await noteDefaults(settings, io);
  return repairs.includes('prune') ? { ...defaults, prunes: 'payloads' } : defaults;
}

function outputsOf(settings: Settings<FillFlags>, repairs: readonly Repair[], { stdout, stderr }: Io) {
  const { write, check, diff, fix, quiet, redact, removed } = settings.flags;
  const outlet: OutletSpec = {
    type: 'fill',
    ...{ repairs, edits: diff === true, values: redact !== true, check: check === true },
    bytes: write === true || !(check || diff),
    members: removed !== undefined || (fix !== true && wantsChanges(settings)),
  };
  // If standard output carries payloads, a diff or names, the report goes elsewhere.
  const hasStdout = write || (check && !diff);
  const listsNames = hasStdout === true && quiet === true && isTextReport(settings);
  return { options: { outlet }, report: { listsNames, stream: hasStdout && !listsNames ? stdout : stderr } };
}

function ended(counts: Counts, settings: Settings<FillFlags>, { stderr }: Io): Ended {
  const { payloads, invalid, failures, warnings, unread, filled, pruned } = counts;
  const wouldChange = settings.flags.check === true && filled + pruned > 0;
  const after = (code: number): number => {
    // Formats for programs have no summary in words.
    if (!wouldChange || isTextReport(settings)) return code;
    const removals = pruned > 0 ? [`remove ${plural(pruned, 'member')}`] : [];
    const changes = filled > 0 ? [...removals, `fill ${plural(filled, 'member')}`] : removals;
    stderr.write(`paylint: would ${changes.join(', would ')}\n`);
    return code;
  };
  return { payloads, invalid, failures, warnings, unread, wouldChange, after };
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
    const colored = colorLevel(flags.color ?? null, io.env, io.stdout) > 0;
    const output = new Output(io.stdout, 'standard output');
    return new DiffDestination(output, sources, { read, cwd: io.cwd, colored });
  }
  return flags.check ? null : new StreamDestination([standardOutput(io)]);
}
