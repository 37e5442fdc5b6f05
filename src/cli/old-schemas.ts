/**
 * `--against OLD`: the schemas that payloads are compared with, read as those of `--schema` are. What cannot be used ends
 * the run: no payload heals because of it.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openRevision, type RevisionFile } from '../config/revision.ts';
import { lazyAccept } from '../engine/accept.ts';
import { withinTime } from '../engine/time-limit.ts';
import { SchemaError, UsageError } from '../errors.ts';
import { NO_DEFAULTS } from '../fill/wanted-defaults.ts';
import { arrayReading } from '../schema/array-root.ts';
import type { KnownRef } from '../schema/known.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import { withoutFormats } from '../schema/set.ts';
import { refuseNoAssertion } from '../schema/suspect.ts';
import type { Io } from '../source/io.ts';
import { splitFragment } from '../source/path-text.ts';
import type { Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { loadSchemasFor, resourceOptions } from './options.ts';
import { refuseSharedFiles } from './own-output.ts';
import { reportFiles } from './reports.ts';
import type { RunChoices } from './run-job.ts';
import type { Settings } from './settings.ts';

interface OldSchemas {
  /** Absolute paths of their files. */
  readonly paths: readonly string[];
  readonly against: NonNullable<RunChoices['against']>;
  /** The source as it is read for both schemas. */
  readonly asRead: (source: Source) => Source;
}

/** `written`: absolute paths of files that the run writes beside its reports. Throws UsageError and SchemaError. */
export async function oldSchemas(
  text: string,
  settings: Settings,
  written: readonly string[],
  io: Io,
): Promise<OldSchemas> {
  const { flags } = settings;
  const set = await loadOld(text, settings, io);
  refuseSharedFiles([...reportFiles(settings.reports), ...written], set.paths, io);
  const kinds = set.kinds.map(({ name }) => name);
  if (flags.kind !== undefined && kinds.length > 1 && !kinds.includes(flags.kind))
    throw new UsageError(
      `--against: there is no kind "${visible(flags.kind)}"; there are ${kinds.join(', ')}`,
    );
  const load = async (): Promise<LoadedSchemas> => set;
  const schemas = {
    load,
    accept: lazyAccept(load, NO_DEFAULTS, null, withinTime),
    precompiled: null,
    defaults: NO_DEFAULTS,
  };
  const isChosen = flags.input !== undefined;
  const arraysFor = (kind: string | null): Source['arrays'] =>
    arrayReading(set, kind !== null && kinds.includes(kind) ? kind : null, isChosen);
  const asRead = (source: Source): Source =>
    isChosen || arraysFor(source.kind) === source.arrays ? source : { ...source, arrays: 'unclear' };
  return { paths: set.paths, against: { schemas, kinds }, asRead };
}

/** A path that exists wins over its reading as `REV:PATH`. */
function isFileNamed(text: string, { cwd }: Io): boolean {
  return existsSync(splitFragment(resolve(cwd, text)).file);
}

async function loadRevision(
  { path, files, filesIn }: RevisionFile,
  { flags, config }: Settings,
  io: Io,
): Promise<LoadedSchemas> {
  const { refs = [], ...options } = await resourceOptions(flags, config, io);
  // A folder has files that are only in the revision.
  const all = refs.flatMap((ref): readonly KnownRef[] =>
    ref.isFolder && ref.uri === null
      ? [ref, ...filesIn(ref.path).map((file) => ({ uri: null, path: file, isFolder: false }))]
      : [ref],
  );
  return loadSchemas(path, { ...options, refs: all, files, onlyFiles: true });
}

async function loadOld(text: string, settings: Settings, io: Io): Promise<LoadedSchemas> {
  const { flags, config } = settings;
  try {
    const revision = isFileNamed(text, io) ? null : openRevision(text, io);
    const set =
      revision === null
        ? await loadSchemasFor({ ...flags, schema: text }, config, io)
        : await loadRevision(revision, settings, io);
    refuseNoAssertion(set);
    return flags.assertFormats === false ? withoutFormats(set) : set;
  } catch (error) {
    const name = `--against ${visible(text)}: `;
    if (error instanceof UsageError) throw new UsageError(name + error.message, { cause: error });
    if (error instanceof SchemaError) throw error.toldAs(name);
    throw error;
  }
}
