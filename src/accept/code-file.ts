/**
 * Accept code in a file that the build writes: a WebAssembly module, with what belongs to it in custom sections.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { AcceptCode } from './code.ts';

/** The custom sections: the names of the kinds, and the tables of patterns. */
const KINDS_SECTION = 'kinds';
const TABLES_SECTION = 'tables';

/** The sections of an accept file, for `encode`. */
export function acceptSections(kinds: readonly string[], tables: Uint8Array): Record<string, Uint8Array> {
  return { [KINDS_SECTION]: Buffer.from(JSON.stringify(kinds)), [TABLES_SECTION]: tables };
}

/** The module in the file at `path`, written when the package was built; null if there is no such file. */
export function readAccept(path: string): AcceptCode | null {
  const file = readModule(path);
  if (file === null) return null;
  // Plain data, which threads can be given.
  const { module, kinds, tables } = file;
  return { module, kinds, tables, fillable: [], exactPaths: true };
}

/** A module in a file with the sections of `acceptSections`, and others. */
export interface ModuleFile extends Pick<AcceptCode, 'module' | 'kinds' | 'tables'> {
  readonly section: (name: string) => Buffer;
}

/** Null if there is no such file. */
export function readModule(path: string): ModuleFile | null {
  if (!existsSync(path)) return null;
  const module = new WebAssembly.Module(new Uint8Array(readFileSync(path)));
  const section = (name: string): Buffer => Buffer.from(WebAssembly.Module.customSections(module, name)[0]!); // our own file
  const kinds = JSON.parse(section(KINDS_SECTION).toString()) as string[];
  return { module, kinds, tables: section(TABLES_SECTION), section };
}
