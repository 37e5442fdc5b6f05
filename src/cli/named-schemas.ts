/**
 * `--schema-from-payload`: the schemas that payloads name by their member "$schema", each loaded when a payload first
 * names it.
 */
import { dirname, join, relative, sep } from 'node:path';
import { lazyUnsure, type Schemas } from '../engine/accept.ts';
import type { NamedSchema, NamedSchemas } from '../engine/routed.ts';
import { NoSchema } from '../errors.ts';
import { KnownSchemas, schemaNamedBy } from '../schema/known.ts';
import { type LoadedSchemas, loadSchemas } from '../schema/load.ts';
import type { ResourceOptions } from '../schema/resources.ts';
import { withoutFormats } from '../schema/set.ts';
import { warnOfSuspects } from '../schema/suspect.ts';
import type { Io } from '../source/io.ts';
import { visible } from '../words/escape.ts';
import { resourceOptions } from './options.ts';
import type { Settings } from './settings.ts';
import type { RoundFiles } from './watch.ts';

/** `defaultsOf`: the defaults of a schema that payloads are checked with; `files`: told of the schemas' files. */
export async function namedSchemas(
  settings: Settings,
  defaultsOf: (set: LoadedSchemas) => Promise<Schemas['defaults']>,
  files: RoundFiles | null,
  io: Io,
): Promise<NamedSchemas> {
  const { flags, config } = settings;
  const options = await resourceOptions(flags, config, io);
  const { refs = [] } = options;
  const known = new KnownSchemas(options);
  const given = refs.map(({ path, isFolder }) => (isFolder ? path : dirname(path)));
  const trusted = [io.cwd, config.folder, ...given];
  const names = new Map((await settings.schemas()).kinds.map(({ name, document }) => [name, document.path]));
  const load = async (path: string, folders: readonly string[]): Promise<NamedSchema> => {
    files?.read([path]);
    const loaded = loadSchemas(path, { ...options, ...namedFrom(path, io.cwd), folders });
    files?.read(loaded.paths);
    const set = flags.assertFormats === false ? withoutFormats(loaded) : loaded;
    await warnOfSuspects(set, { strict: flags.strictSchema === true }, io);
    const schemas = async (): Promise<LoadedSchemas> => set;
    return {
      schemas: {
        load: schemas,
        accept: lazyUnsure(schemas),
        precompiled: null,
        defaults: await defaultsOf(set),
      },
      kind: kindOf(set, names),
    };
  };
  const loading = new Map<string, Promise<NamedSchema>>();
  return (text, from) => {
    const file = from ?? join(io.cwd, 'standard input');
    const folders = [...trusted, dirname(file)];
    const path = schemaNamedBy(text, file, { known, folders });
    const begun = loading.get(path) ?? load(path, folders);
    loading.set(path, begun);
    return begun;
  };
}

/** The name of a file in the working directory is relative to it. */
function namedFrom(path: string, cwd: string): Pick<ResourceOptions, 'names'> {
  return relative(cwd, path).split(sep)[0] === '..' ? {} : { names: cwd };
}

/**
 * The kind of payloads that name a schema; null: the schema has kinds of its own. `names`: the paths for the names of
 * kinds used so far.
 */
function kindOf({ kinds, entry }: LoadedSchemas, names: Map<string, string>): string | null {
  const [first] = kinds;
  if (first?.test !== null) return null;
  const { path, name } = entry;
  const kind = [first.name, name].find((one) => (names.get(one) ?? path) === path);
  if (kind === undefined) throw new NoSchema(`leads to ${visible(name)}, which is the name of another kind`);
  names.set(kind, path);
  return kind;
}
