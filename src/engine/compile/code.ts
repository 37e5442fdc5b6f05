/**
 * What an acceptor runs: compiled code, whole or as payloads need it, and what its modules export. The build writes such code
 * into a file: a WebAssembly module, with what belongs to it in custom sections.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { SchemaSet } from '../../schema/set.ts';
import type { FillableObject } from './context.ts';
import type { NotedKinds } from './notes.ts';

/** The exports of a module made by `compileAccept`. */
export interface AcceptExports {
  readonly run: (start: number, end: number, mode: number, final: number) => number;
  readonly one: (start: number, end: number) => number;
  readonly plain: (start: number, end: number) => number;
  readonly lineFeeds: { readonly value: number };
  readonly afterElement: { readonly value: number };
  readonly gaps: { value: number };
  readonly spans: { value: number };
  readonly maxDepth: { value: number };
  readonly maxBytes: { value: number };
  readonly payloadStart: { readonly value: number };
  readonly payloadGaps: { value: number };
  readonly wanted: { value: number };
  /** The number of the kind of the last payload that was accepted. */
  readonly lastKind: { readonly value: number };
  readonly lineFeedsIn: (start: number, end: number) => number;
  readonly codeUnitsIn: (start: number, end: number) => number;
  /** See `writer.ts`; absent if the module writes nothing. */
  readonly finish?: () => number;
  readonly to?: { value: number };
  readonly from?: { value: number };
  readonly upTo?: { value: number };
  /** See `notes.ts`; absent if the module notes no violations. */
  readonly noteOne?: (start: number, end: number) => number;
  readonly notes?: { readonly value: number };
  readonly noted?: { readonly value: number };
}

export type WriterExports = Required<Pick<AcceptExports, 'finish' | 'to' | 'from' | 'upTo'>>;

/** Null: the module writes nothing. */
export function writerOf({ finish, to, from, upTo }: AcceptExports): WriterExports | null {
  return finish && to && from && upTo ? { finish, to, from, upTo } : null;
}

/** A compiled accept module. Threads can share it without `waiting`. */
export interface AcceptCode {
  readonly module: WebAssembly.Module;
  /** The kinds that can be accepted. The index is the number in the counts. */
  readonly kinds: readonly string[];
  /** The objects that gaps refer to, if defaults are filled in. */
  readonly fillable: readonly FillableObject[];
  readonly exactPaths: boolean;
  /** The tables of patterns, for the address `TABLES`. */
  readonly tables: Uint8Array;
  /** Makes the tables that are not there yet; absent if all are. */
  readonly waiting?: WaitingTables;
  /** What violations it notes; absent: none. */
  readonly notes?: NotedKinds;
}

/** Code that notes violations. */
export type NotingCode = Required<Pick<AcceptCode, 'notes'>> & AcceptCode;

export interface WaitingTables {
  readonly bytes: Uint8Array;
  /** Makes the table for an entry, see `pattern-tables.ts`. False if that is not possible. */
  makeAt(entry: number): boolean;
  makeAll(): void;
}

/** The code with all tables, as plain data, which threads can be given. */
export function shareable({ waiting, ...code }: AcceptCode): AcceptCode {
  if (waiting === undefined) return code;
  waiting.makeAll();
  return { ...code, tables: waiting.bytes };
}

/** The custom sections: the names of the kinds, the tables of patterns, and what is noted. */
export const KINDS_SECTION = 'kinds';
export const TABLES_SECTION = 'tables';
export const NOTES_SECTION = 'notes';

/** A site as the file has it: the number of its schema in the graph, and the rest. */
export type StoredSite = readonly [schema: number, keyword: string, missing: string | null, pointer: string | null];
export type StoredNotes = { readonly kinds: readonly string[]; readonly sites: readonly StoredSite[] };

/** The module in the file at `path`, written when the package was built; null if there is no such file. */
export function readAccept(path: string): AcceptCode | null {
  const file = readModule(path);
  if (file === null) return null;
  // Plain data, which threads can be given.
  const { module, kinds, tables } = file;
  return { module, kinds, tables, fillable: [], exactPaths: true };
}

/** The noting module in the file at `path`, made of the same schemas by the build; null: there is none. */
export function readNoting(path: string, { nodes }: Pick<SchemaSet, 'nodes'>): NotingCode | null {
  const file = readModule(path);
  if (file === null) return null;
  const { section, ...code } = file;
  const stored = JSON.parse(section(NOTES_SECTION).toString()) as StoredNotes; // our own file, made from these schemas
  const sites = stored.sites.map(([id, ...[keyword, missing, pointer]]) => {
    return { schema: nodes[id]!, keyword, missing, pointer };
  });
  return { ...code, fillable: [], exactPaths: true, notes: { kinds: stored.kinds, sites } };
}

/** A module, and the other sections of its file; null if there is no such file. */
function readModule(
  path: string,
): (Pick<AcceptCode, 'module' | 'kinds' | 'tables'> & { readonly section: (name: string) => Buffer }) | null {
  if (!existsSync(path)) return null;
  const module = new WebAssembly.Module(new Uint8Array(readFileSync(path)));
  const section = (name: string): Buffer => Buffer.from(WebAssembly.Module.customSections(module, name)[0]!); // our own file
  const kinds = JSON.parse(section(KINDS_SECTION).toString()) as string[];
  return { module, kinds, tables: section(TABLES_SECTION), section };
}
