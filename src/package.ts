/**
 * Where the package's own files are. This file lies as deep in `src/` as its bundle does in `dist/`, so that the same
 * relative path leads to them from both.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where this file is, as it runs; in a bundle of a user's that is not an ES module, it does not say. */
const HERE = import.meta.dirname ?? '.';

/** Absolute path of a schema that comes with paylint, by its file name. */
export function bundledSchema(name: string): string {
  return join(HERE, '../schemas', name);
}

/** The door that is used where nobody names another. */
export const ENTRY_SCHEMA = 'payload.schema.json';

/** The script that a thread runs; what it loads is there once the project is built. */
export function threadScript(): string {
  return join(HERE, '../bin/thread.js');
}

/** What the bundled door compiles to, made when the project was built; beside the bundle, and not beside its source. */
export const PRECOMPILED: PrecompiledFiles = {
  accept: join(HERE, 'payload.wasm'),
  kinds: join(HERE, 'payload.kinds.cjs'),
};

/** Absolute path of the page of `html` reports, which the build makes from `src/report/page`. */
export const REPORT_PAGE = join(HERE, '../dist/report.html');

/** Absolute paths of files that may be there. */
export interface PrecompiledFiles {
  /** Accept functions for payloads of any kind, as they are. */
  readonly accept: string;
  /** Ajv's functions for all kinds. */
  readonly kinds: string;
}

export function version(): string {
  const text = readFileSync(join(HERE, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // our own package.json
}
