/**
 * Closes what was only read. The bytes are there by then, so a close that fails takes nothing from them: it never throws.
 */
import { closeSync } from 'node:fs';

/** Closes a descriptor to which nothing was written. */
export function closeRead(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // As on a network drive that has gone meanwhile. The descriptor is free all the same.
  }
}
