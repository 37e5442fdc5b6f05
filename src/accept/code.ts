/**
 * Accept modules ready to run: compiled from schemas, or read from a file into which an earlier compilation was written.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { SchemaSet } from '../schema/load.ts';
import { encode } from '../wasm/assembler.ts';
import type { AcceptCode } from './acceptor.ts';
import { type AcceptOptions, compileAccept } from './module.ts';

/** The section of the file in which the names of the kinds stand. */
const KINDS_SECTION = 'kinds';

export function compileAcceptCode(schemas: SchemaSet, options: AcceptOptions): AcceptCode {
  const { module, ...others } = compileAccept(schemas, options);
  return { module: new WebAssembly.Module(encode(module)), ...others };
}

/** The content of a file for `readAccept`; for payloads as they are, not as they would be with defaults. */
export function acceptFile(schemas: SchemaSet): Uint8Array {
  const { module, kinds } = compileAccept(schemas, { forced: null, defaults: null });
  return encode({ ...module, note: { name: KINDS_SECTION, text: JSON.stringify(kinds) } });
}

/** What `acceptFile` wrote to the file at `path`; null where there is no such file. */
export function readAccept(path: string): AcceptCode | null {
  if (!existsSync(path)) return null;
  const module = new WebAssembly.Module(new Uint8Array(readFileSync(path)));
  const [section] = WebAssembly.Module.customSections(module, KINDS_SECTION);
  const kinds = JSON.parse(Buffer.from(section!).toString()) as string[]; // our own file
  return { module, kinds, fillable: [], exactPaths: true };
}
