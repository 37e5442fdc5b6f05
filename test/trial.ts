/**
 * Small schemas for tests: written to files, loaded as paylint loads them, and compiled by both engines and by Ajv alone.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createEngines, type EnginesOptions } from '../scripts/mutations/engines.ts';
import type { AcceptCode } from '../src/engine/compile/code.ts';
import { compileAcceptCode } from '../src/engine/compilers.ts';
import { loadSchemas } from '../src/schema/load.ts';
import type { SchemaSet } from '../src/schema/set.ts';

export interface Trial {
  /** The kind as which the text is accepted, or null for unsure. */
  accept(text: string | Uint8Array): string | null;
  /** The kind of a text in which nothing is wrong; else null. */
  examine(text: string | Uint8Array): string | null;
  readonly reasons: ReadonlyMap<string, string>;
}

/** Both engines for schema files by their names; the first is the entry schema. */
export async function tryFiles(files: Readonly<Record<string, unknown>>, options: EnginesOptions = {}): Promise<Trial> {
  const engines = await inFolder(files, (path) => createEngines(path, options));
  return {
    accept: (text) => engines.accept(Buffer.from(text)),
    examine: (text) => engines.examine(Buffer.from(text)),
    reasons: engines.reasons,
  };
}

/** The set for schema files by their names; the first is the entry schema. */
export function loadFiles(files: Readonly<Record<string, unknown>>): Promise<SchemaSet> {
  return inFolder(files, loadSchemas);
}

/** What `use` makes of the path of the first of `files`, all of which lie in a folder of their own meanwhile. */
async function inFolder<T>(
  files: Readonly<Record<string, unknown>>,
  use: (path: string) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-test-'));
  try {
    for (const [name, schema] of Object.entries(files)) {
      writeFileSync(join(folder, name), JSON.stringify(schema));
    }
    return await use(join(folder, Object.keys(files)[0]!));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Both engines for one schema, whose kind is then called "it". */
export function trySchema(schema: unknown, options: EnginesOptions = {}): Promise<Trial> {
  return tryFiles({ 'it.json': schema }, options);
}

// As paylint has it: without allErrors, Ajv takes a missing member "" for none.
const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true, allErrors: true });

/** Plain Ajv's verdict on a text, which must be JSON. */
export function ajvVerdict(schema: object | boolean): (text: string) => boolean {
  const validate = ajv.compile(schema);
  return (text) => validate(JSON.parse(text));
}

/** The code of accept for one schema. */
export function acceptCode(schema: unknown): Promise<AcceptCode> {
  return inFolder({ 'it.json': schema }, (path) => {
    return compileAcceptCode(loadSchemas(path), null, null);
  });
}
