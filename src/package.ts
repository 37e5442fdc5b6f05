/** The paths of the package's own files. They work in `src/` and in `dist/`, as this file is equally deep in both. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';

/**
 * The folder of this file at run time. It is unknown if a user bundles it as CommonJS: then the schemas are in the
 * program, and a made-up path names them.
 */
const HERE = import.meta.dirname ?? resolve(sep, 'paylint', 'dist');
/** Paths are joined by hand, because to normalize one takes 0.1 ms. */
const ROOT = dirname(HERE);

/** Absolute path of a bundled schema, by its file name. */
export function bundledSchema(name: string): string {
  return `${ROOT}${sep}schemas${sep}${name}`;
}

/** Absolute paths of all bundled schemas; none if they are not beside this file. */
export function bundledSchemas(): string[] {
  try {
    return readdirSync(`${ROOT}${sep}schemas`, { recursive: true, encoding: 'utf8' }).map(bundledSchema);
  } catch {
    return [];
  }
}

/** The default entry schema. */
export const ENTRY_SCHEMA = 'payload.schema.json';

/** Whether the package's files are in their place. They are missing beside a user's bundle that includes the library. */
export function isInPlace(): boolean {
  isOurs ??= import.meta.dirname !== undefined && nameAt(`${ROOT}${sep}package.json`) === 'paylint';
  return isOurs;
}

let isOurs: boolean | null = null;

function nameAt(path: string): unknown {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { name?: unknown } | null)?.name; // any JSON
  } catch {
    return null;
  }
}

/** The script of a thread; null if there is none. The code that it loads exists once the project is built. */
export function threadScript(): string | null {
  return isInPlace() ? `${ROOT}${sep}bin${sep}thread.js` : null;
}

/** The compiled entry schema, made when the project was built; beside the bundle, not beside the source. */
export const PRECOMPILED: PrecompiledFiles = {
  accept: `${HERE}${sep}payload.wasm`,
  notes: `${HERE}${sep}payload.notes.wasm`,
  schemas: `${HERE}${sep}payload.schemas.json`,
};

/** Absolute path of the accept functions for payloads that must only be well-formed, and their layout. It may not exist. */
export function jsonFile(layout: string): string {
  return `${HERE}${sep}json-${layout.replace(' ', '-')}.wasm`;
}

/** Absolute path of the page of `html` reports, which the build makes from `src/page`. */
export const REPORT_PAGE = `${ROOT}${sep}dist${sep}report.html`;

/** Absolute paths of files that may exist. */
export interface PrecompiledFiles {
  /** Accept functions for payloads of any kind, without defaults. */
  readonly accept: string;
  /** Functions that note violations, for payloads of any kind. */
  readonly notes: string;
  /** The schemas, resolved. */
  readonly schemas: string;
}

export function version(): string {
  return manifest().version;
}

/** What the summary of a report says about its form: under one number, fields are only added (docs/reference/stability.md). */
export const FORM_OF_REPORTS = { reportVersion: 1 } as const;

/** The page of the repository; null before package.json has its address. */
export function repositoryPage(): string | null {
  const address = manifest().repository?.url;
  return address === undefined ? null : address.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** The page with a section for each rule, below the address that package.json has as its homepage; null: it has none. */
export function rulesPage(): string | null {
  const { homepage } = manifest();
  return homepage === undefined ? null : `${homepage.replace(/\/*(?:#.*)?$/, '')}/docs/reference/rules.md`;
}

type Manifest = Readonly<{ version: string; repository?: { url: string }; homepage?: string }>;

function manifest(): Manifest {
  return JSON.parse(readFileSync(`${ROOT}${sep}package.json`, 'utf8')); // our own package.json
}
