/**
 * The paths of the package's own files. This file is as deep in `src/` as its bundle is in `dist/`, so that the same
 * relative paths work in both.
 */
import { readFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/** The folder of this file at run time. In a user's bundle that is not an ES module, it is not known. */
const HERE = import.meta.dirname ?? '.';
/** Paths are put together by hand: to normalize them takes a tenth of a millisecond each. */
const ROOT = dirname(HERE);

/** Absolute path of a bundled schema, by its file name. */
export function bundledSchema(name: string): string {
  return `${ROOT}${sep}schemas${sep}${name}`;
}

/** The default entry schema. */
export const ENTRY_SCHEMA = 'payload.schema.json';

/** The script of a thread. The code that it loads exists once the project is built. */
export function threadScript(): string {
  return `${ROOT}${sep}bin${sep}thread.js`;
}

/** The compiled entry schema, made when the project was built; beside the bundle, not beside the source. */
export const PRECOMPILED: PrecompiledFiles = {
  accept: `${HERE}${sep}payload.wasm`,
  kinds: `${HERE}${sep}payload.kinds.cjs`,
  notes: `${HERE}${sep}payload.notes.wasm`,
};

/** Absolute path of the accept functions for the meta-schema of a draft. Like the files above, it may not exist. */
export function metaSchemaFile(dialect: string): string {
  return `${HERE}${sep}meta-${dialect}.wasm`;
}

/** Absolute path of the page of `html` reports, which the build makes from `src/report/page`. */
export const REPORT_PAGE = `${ROOT}${sep}dist${sep}report.html`;

/** Absolute paths of files that may exist. */
export interface PrecompiledFiles {
  /** Accept functions for payloads of any kind, without defaults. */
  readonly accept: string;
  /** Ajv's functions for all kinds. */
  readonly kinds: string;
  /** Functions that note violations, for payloads of any kind. */
  readonly notes: string;
}

export function version(): string {
  const text = readFileSync(`${ROOT}${sep}package.json`, 'utf8');
  return (JSON.parse(text) as { version: string }).version; // our own package.json
}
