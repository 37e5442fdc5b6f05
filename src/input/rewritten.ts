/**
 * Whether a file is rewritten in place while it is read: then its output would mix two versions.
 */
import { statSync } from 'node:fs';

/** A file, with the size and the time of its last change. */
export interface FileTime {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Null if it is no regular file, or cannot be accessed: reading tells why. */
export function timeOf(path: string): FileTime | null {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return null;
    const { dev, ino, size, mtimeMs } = stats;
    return { dev, ino, size, mtimeMs };
  } catch {
    return null;
  }
}

/** Whether the file at `path` is no longer as it was `before`. */
export function isRewritten(path: string, before: FileTime): boolean {
  const now = timeOf(path);
  return now === null || FIELDS.some((field) => now[field] !== before[field]);
}

const FIELDS = ['dev', 'ino', 'size', 'mtimeMs'] as const;
