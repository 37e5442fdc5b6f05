/**
 * Accept code in a file that the build writes: a WebAssembly module, with what belongs to it in custom sections.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { SchemaSet } from '../../schema/set.ts';
import type { AcceptCode, NotingCode } from './code.ts';

/** The custom sections: the names of the kinds, the tables of patterns, and what is noted. */
const KINDS_SECTION = 'kinds';
const TABLES_SECTION = 'tables';
const NOTES_SECTION = 'notes';

/** A site as the file has it: the number of its schema in the graph, and the rest. */
type StoredSite = readonly [schema: number, keyword: string, missing: string | null, pointer: string | null];
/** What the custom section for notes has, as JSON. */
type StoredNotes = { readonly kinds: readonly string[]; readonly sites: readonly StoredSite[] };

/** The sections of a file with a module, for `encode`. */
export function moduleSections({
  kinds,
  tables,
  notes,
}: Pick<AcceptCode, 'kinds' | 'tables' | 'notes'>): Record<string, Uint8Array> {
  const sections = { [KINDS_SECTION]: Buffer.from(JSON.stringify(kinds)), [TABLES_SECTION]: tables };
  if (notes === undefined) return sections;
  const sites = notes.sites.map(
    ({ schema, keyword, missing, pointer }): StoredSite => [schema.id, keyword, missing, pointer],
  );
  const stored: StoredNotes = { kinds: notes.kinds, sites };
  return { ...sections, [NOTES_SECTION]: Buffer.from(JSON.stringify(stored)) };
}

/** The module in the file at `path`, written when the package was built; null if there is no such file. */
export function readAccept(path: string): AcceptCode | null {
  const file = readModule(path);
  if (file === null) return null;
  // Plain data, which threads can be given.
  const { module, kinds, tables } = file;
  return { module, kinds, tables, fillable: [], exactPaths: true };
}

/**
 * The module that notes violations in the file at `path`, written when the package was built from the same schemas; null
 * if there is no such file.
 */
export function readNoting(path: string, { nodes }: Pick<SchemaSet, 'nodes'>): NotingCode | null {
  const file = readModule(path);
  if (file === null) return null;
  const { section, ...code } = file;
  const stored = JSON.parse(section(NOTES_SECTION).toString()) as StoredNotes; // our own file
  // The file was made from these schemas.
  const sites = stored.sites.map(([id, keyword, missing, pointer]) => ({
    schema: nodes[id]!,
    keyword,
    missing,
    pointer,
  }));
  return { ...code, fillable: [], exactPaths: true, notes: { kinds: stored.kinds, sites } };
}

/** A module, and the other sections of its file. */
interface ModuleFile extends Pick<AcceptCode, 'module' | 'kinds' | 'tables'> {
  readonly section: (name: string) => Buffer;
}

/** Null if there is no such file. */
function readModule(path: string): ModuleFile | null {
  if (!existsSync(path)) return null;
  const module = new WebAssembly.Module(new Uint8Array(readFileSync(path)));
  const section = (name: string): Buffer => Buffer.from(WebAssembly.Module.customSections(module, name)[0]!); // our own file
  const kinds = JSON.parse(section(KINDS_SECTION).toString()) as string[];
  return { module, kinds, tables: section(TABLES_SECTION), section };
}
