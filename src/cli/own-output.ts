/**
 * The files to which this run writes its reports: none of them is read as a payload. `paylint validate .` may write its
 * report into the folder that it checks, and the second run must not read the report of the first.
 */

import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { slashed } from '../input/separator.ts';
import type { Source } from '../types.ts';
import { visible } from '../words/escape.ts';

/**
 * The sources without those that are written to. `paths` as typed; `reports` are absolute.
 * Throws UsageError if such a file was named as a PATH: it would be overwritten.
 */
export function withoutOwnOutput(
  sources: readonly Source[],
  paths: readonly string[],
  reports: readonly string[],
  io: Io,
): readonly Source[] {
  const written = new Set<string>();
  for (const path of reports) addFile(written, statsOf(path), path);
  addFile(written, statsOfStream(io.stdout), null);
  if (written.size === 0) return sources;
  const isWritten = ({ path }: Source): boolean => {
    const stats = path === null ? statsOfStream(io.stdin) : statsOf(path);
    return stats !== undefined && written.has(identity(stats, path) ?? '');
  };
  const named = new Set(paths.map((path) => resolve(io.cwd, path)));
  return sources.filter((source) => {
    if (!isWritten(source)) return true;
    if (source.path !== null && !named.has(source.path)) return false;
    throw new UsageError(`${visible(source.name)} is both read and written: write to another file`);
  });
}

/**
 * Throws UsageError if two outputs of this run are one file, or one of them is a file that the run reads for something else than payloads: its
 * schema, its config or its baseline. All paths are absolute.
 */
export function refuseSharedFiles(written: readonly string[], read: readonly string[], io: Io): void {
  const seen = new Set<string>();
  for (const path of written) {
    const file = fileAt(path);
    if (file !== null && seen.has(file)) throw new UsageError(`two outputs go to ${shownName(path, io)}`);
    if (file !== null) seen.add(file);
  }
  const clash = read.find((path) => seen.has(fileAt(path) ?? ''));
  if (clash !== undefined)
    throw new UsageError(`${shownName(clash, io)} is both read and written: write to another file`);
}

/** Throws UsageError if a report goes to a file that `fill --backup` makes. All paths are absolute. */
export function refuseReportsAsBackups(reports: readonly string[], backups: readonly string[], io: Io): void {
  const files = new Set(backups.map(fileAt));
  const clash = reports.find((path) => {
    const file = fileAt(path);
    return file !== null && files.has(file);
  });
  if (clash !== undefined) throw new UsageError(`two outputs go to ${shownName(clash, io)}`);
}

/** Throws UsageError if two sources are one file, by whatever paths. A pipe or a device may be there twice. */
export function refuseSameFiles(sources: readonly Source[], io: Io): void {
  const seen = new Map<string, string>();
  for (const { name, path } of sources) {
    const stats = path === null ? statsOfStream(io.stdin) : statsOf(path);
    const file = stats?.isFile() ? identity(stats, path) : null;
    if (file === null) continue;
    const other = seen.get(file);
    if (other !== undefined)
      throw new UsageError(
        other === name
          ? `${visible(name)} is given twice`
          : `${visible(other)} and ${visible(name)} are the same file`,
      );
    seen.set(file, name);
  }
}

function shownName(path: string, io: Io): string {
  return visible(slashed(relative(io.cwd, path)) || path);
}

/** What tells a file from others: one that is not there yet, by its path. Null for a device, a pipe or a folder. */
function fileAt(path: string): string | null {
  const stats = statsOf(path);
  if (stats === undefined) return path;
  return stats.isFile() ? identity(stats, path) : null;
}

/** Only regular files: a terminal or /dev/null can be both read and written. */
function addFile(written: Set<string>, stats: BigIntStats | undefined, path: string | null): void {
  const file = stats?.isFile() ? identity(stats, path) : null;
  if (file !== null) written.add(file);
}

/** Some Windows drives number every file 0: there the path is used. Null if that is not known either. */
function identity({ dev, ino }: BigIntStats, path: string | null): string | null {
  return ino === 0n ? path : `${dev}:${ino}`;
}

/** Undefined if there is no file, or it cannot be examined: opening it will fail with the reason. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function statsOfStream({ fd }: { readonly fd?: number }): BigIntStats | undefined {
  if (typeof fd !== 'number') return undefined;
  try {
    return fstatSync(fd, { bigint: true });
  } catch {
    return undefined; // closed: using it will fail
  }
}
