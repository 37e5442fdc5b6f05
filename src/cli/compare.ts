/**
 * `paylint compare`: payloads by two schemas in one pass, or by two judges. Those that the old one accepts and the new
 * one rejects are reported as invalid; all others are only counted.
 */

import { existsSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import { openRevision, type RevisionFile } from '../config/revision.ts';
import { resourcesFor, type Settings, schemasForFiles } from '../config/settings.ts';
import { COMPARE_FLAGS, type CompareFlags } from '../config/verb-flags.ts';
import type { AjvSchemas } from '../engine/ajv-judge.ts';
import { SchemaError, UsageError } from '../errors.ts';
import { NO_DEFAULTS } from '../repair/wanted-defaults.ts';
import { StreamDestination } from '../run/outlets/stream-destination.ts';
import { arrayReading } from '../schema/array-root.ts';
import type { KnownRef } from '../schema/known.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import { asserting } from '../schema/set.ts';
import { refuseNoAssertion } from '../schema/suspect.ts';
import type { Io } from '../source/io.ts';
import { splitFragment } from '../source/path-text.ts';
import type { Source } from '../types.ts';
import { visible } from '../words/escape.ts';
import { loadSchemasFor } from './options.ts';
import { outputFile } from './outputs.ts';
import { runVerb } from './payload-verb.ts';
import { runGate } from './validate.ts';

export async function compare(paths: readonly string[], typed: CompareFlags, io: Io): Promise<number> {
  const { against, rejects } = typed;
  if (against === undefined) throw new UsageError('--against OLD is missing: the schema to compare with');
  if (rejects === '-')
    throw new UsageError('--rejects -: the report goes to standard output; name a file, such as /dev/stderr');
  return runVerb({ name: 'compare', groups: COMPARE_FLAGS, paths, typed }, io, async (resolved) => {
    if (schemasForFiles(resolved.config, resolved.flags.schema).length > 0)
      throw new UsageError('the config has several schemas, and compare takes one: --schema NEW is missing');
    const old = against === AJV ? null : await oldSchemas(against, resolved, io);
    // `pretty` shows what breaks by its causes.
    const settings = old === null ? resolved : { ...resolved, reports: { ...resolved.reports, grouped: true } };
    return {
      ...{ settings, others: old?.paths ?? [], byConfig: true, written: [rejects] },
      async run(found, job) {
        const { destination = null, ...outlet } = await rejectsInto(rejects, io);
        const engine = old === null ? 'ajv' : 'compared';
        const judges = old === null ? { ajv: ajvSchemas(await settings.files(), settings) } : { against: old.against };
        const parts = { options: { engine, ...outlet }, destination, ...judges } as const;
        const sources = old === null ? found.sources : found.sources.map(old.withSharedFraming);
        return runGate(found, settings, (baseline) => job({ ...parts, report: { baseline } }, sources), io);
      },
    };
  });
}

/** A file of this name is `./ajv`. */
const AJV = 'ajv';

/** `rejects`: a file. The payloads before a signal are written nowhere else, so they are kept. */
async function rejectsInto(rejects: string | undefined, io: Io) {
  if (rejects === undefined) return {};
  const destination = new StreamDestination([await outputFile(rejects, { keepsPart: true }, io)]);
  return { outlet: { type: 'rejects' }, destination } as const;
}

/**
 * The schemas of OLD: the absolute paths of their files, and what makes of a source the one that is read for both schemas. Throws
 * UsageError and SchemaError.
 */
async function oldSchemas(text: string, settings: Settings, io: Io) {
  const { flags } = settings;
  const set = await loadOld(text, settings, io);
  const kinds = set.kinds.map(({ name }) => name);
  if (flags.kind !== undefined && kinds.length > 1 && !kinds.includes(flags.kind))
    throw new UsageError(`--against: there is no kind "${visible(flags.kind)}"; there are ${kinds.join(', ')}`);
  const load = async (): Promise<LoadedSchemas> => set;
  const schemas = { load, precompiled: null, defaults: NO_DEFAULTS };
  const isChosen = flags.input !== undefined;
  const arraysFor = (kind: string | null): Source['arrays'] =>
    arrayReading(set, kind !== null && kinds.includes(kind) ? kind : null, isChosen);
  // If only one of them is about arrays, --input decides for both.
  const withSharedFraming = ({ arrays, ...source }: Source): Source =>
    arraysFor(source.kind) === arrays ? { ...source, arrays } : { ...source, arrays: isChosen ? undefined : 'unclear' };
  return { paths: set.paths, against: { schemas, kinds }, withSharedFraming };
}

async function loadRevision(
  { path, files }: RevisionFile,
  { flags, config }: Settings,
  io: Io,
): Promise<LoadedSchemas> {
  const { refs = [], ...options } = await resourcesFor(flags, config, io.cwd);
  // A folder has files that are only in the revision.
  const all = refs.flatMap((ref): readonly KnownRef[] =>
    ref.isFolder && ref.uri === null
      ? [ref, ...files.below(ref.path).map((file) => ({ uri: null, path: file, isFolder: false }))]
      : [ref],
  );
  return loadSchemas(path, { ...options, refs: all, files, onlyFiles: true });
}

async function loadOld(text: string, settings: Settings, io: Io): Promise<LoadedSchemas> {
  const { flags, config } = settings;
  try {
    // A path that exists as it is typed wins over its reading as `REV:PATH`.
    const isFile = existsSync(splitFragment(isAbsolute(text) ? text : `${io.cwd}${sep}${text}`).file);
    const revision = isFile ? null : openRevision(text, io);
    const set =
      revision === null
        ? await loadSchemasFor({ ...flags, schema: text }, config, io)
        : await loadRevision(revision, settings, io);
    refuseNoAssertion(set);
    return asserting(set, flags.assertFormats);
  } catch (error) {
    const name = `--against ${visible(text)}: `;
    if (error instanceof UsageError) throw new UsageError(name + error.message, { cause: error });
    if (error instanceof SchemaError) throw error.inContextOf(name);
    throw error;
  }
}

/** The files as Ajv gets them. Throws SchemaError for a draft that Ajv does not have. */
function ajvSchemas({ root, documents, places }: LoadedSchemas, { flags }: Settings): AjvSchemas {
  const { name } = root.resource.draft;
  if (name === '4') throw new SchemaError('--against ajv: Ajv 8 does not have draft-04');
  const uriOf = (document: LoadedSchemas['documents'][number]): string =>
    places.get(document.schema as object)?.resource.uri ?? `file://${document.path}`;
  const files = documents
    .filter(({ schema }) => typeof schema === 'object')
    .map((document) => ({ uri: uriOf(document), text: Buffer.from(document.bytes).toString() }));
  const pointer = places.get(root.schema as object)?.pointer; // no key for true and false
  const given = root.place.slice(root.place.indexOf('#'));
  const place = root.isFile ? '' : pointer === undefined ? given : `#${encodeURI(pointer)}`;
  const uri = uriOf(root.resource.document);
  return { draft: name, files, root: `${uri}${place}`, assertsFormats: flags.assertFormats !== false };
}
