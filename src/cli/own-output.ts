/**
 * Which files this very run writes its reports to, so that none of them is read as a payload: `paylint validate .` may
 * have its report in the folder it checks, and the second run must not find the first one's.
 */
import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../input/failure.ts';
import type { Io, Source } from '../types.ts';
import { visible } from '../words/escape.ts';

/**
 * The sources without those that are written to. `paths` as typed; `reports` are absolute.
 * Throws UsageError where such a file was asked for by its name: it would be lost.
 */
export function withoutOwnOutput(
  sources: readonly Source[],
  paths: readonly string[],
  reports: readonly string[],
  io: Io,
): readonly Source[] {
  const written = new Set<string>();
  for (const path of reports) addFile(written, statsOf(path));
  addFile(written, statsOfStdout(io));
  if (written.size === 0) return sources;
  const isWritten = ({ path }: Source): boolean => {
    const stats = path === null ? undefined : statsOf(path);
    return stats !== undefined && written.has(identity(stats));
  };
  const named = new Set(paths.map((path) => resolve(io.cwd, path)));
  return sources.filter((source) => {
    if (!isWritten(source)) return true;
    if (!named.has(source.path ?? '')) return false;
    throw new UsageError(`${visible(source.name)} is both read and written: write the report elsewhere`);
  });
}

/** Only what keeps its content: a terminal or /dev/null may well be read and written. */
function addFile(written: Set<string>, stats: BigIntStats | undefined): void {
  if (stats?.isFile()) written.add(identity(stats));
}

function identity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Undefined where there is no file, or no telling: opening it says why. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function statsOfStdout({ stdout }: Io): BigIntStats | undefined {
  if (typeof stdout.fd !== 'number') return undefined;
  try {
    return fstatSync(stdout.fd, { bigint: true });
  } catch {
    return undefined; // closed: writing to it will say so
  }
}
