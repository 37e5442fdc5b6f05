/**
 * The files to which this run writes: none of them is read as a payload, as the report in a folder that is checked, and
 * none replaces another input.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Io } from '../source/io.ts';
import { realPath, slashed } from '../source/path-text.ts';
import { fileKey } from '../source/read-file.ts';
import type { Source } from '../types.ts';
import { visible } from '../words/escape.ts';

/** The sources that are not written to. `reports` are absolute. Throws UsageError for one that was named as a PATH. */
export function withoutOwnOutput(
  sources: readonly Source[],
  paths: readonly string[],
  reports: readonly string[],
  io: Io,
): readonly Source[] {
  const files = [...reports.map((path) => fileKey(path)), fileKey(null, io.stdout.fd)];
  const written = new Set(files.filter((file) => file !== null));
  if (written.size === 0) return sources;
  const named = new Set(paths.map((path) => resolve(io.cwd, path)));
  return sources.filter(({ path, name }) => {
    if (!written.has(fileKey(path, io.stdin.fd) ?? '')) return true;
    if (path !== null && !named.has(path)) return false;
    throw new UsageError(`${visible(name)} is both read and written: write to another file`);
  });
}

/** Throws UsageError if two outputs are one file, or one of them, or standard output, is of `read`. Absolute paths. */
export function refuseSharedFiles(written: readonly string[], read: readonly ReadFile[], io: Io): void {
  const seen = new Set<string>();
  for (const path of written) {
    const file = fileAt(path);
    if (file !== null && seen.has(file)) throw new UsageError(`two outputs go to ${shownName(path, io)}`);
    if (file !== null) seen.add(file);
  }
  seen.add(fileKey(null, io.stdout.fd) ?? '');
  refuseReplaced(seen, read, 'write to another file', io);
}

/** Throws UsageError if `fill --write` would replace a file of `read`. All paths are absolute. */
export function refuseFilling(files: readonly string[], read: readonly ReadFile[], io: Io): void {
  const written = new Set(files.map((path) => fileAt(path) ?? ''));
  refuseReplaced(written, read, 'leave it out, for example with --ignore', io);
}

/** An input of the run other than payloads, such as a schema: an absolute path; null is standard input. */
export type ReadFile = string | null;

function refuseReplaced(written: ReadonlySet<string>, read: readonly ReadFile[], hint: string, io: Io): void {
  const clash = read.find((path) => {
    const file = path === null ? fileKey(null, io.stdin.fd) : fileAt(path);
    return file !== null && written.has(file);
  });
  if (clash === undefined) return;
  const name = clash === null ? 'standard input' : shownName(clash, io);
  throw new UsageError(`${name} is both read and written: ${hint}`);
}

function shownName(path: string, io: Io): string {
  return visible(slashed(relative(io.cwd, path)) || path);
}

/** Identifies a file; a missing one by its path with links followed. Null for a device, a pipe or a folder. */
function fileAt(path: string): string | null {
  return existsSync(path) ? fileKey(path) : join(realPath(dirname(path)), basename(path));
}
