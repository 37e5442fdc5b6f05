/**
 * Closes files that were only read. A close that fails does not affect the bytes that were read, so it never throws.
 */
import { closeSync } from 'node:fs';

/** Closes a descriptor to which nothing was written. */
export function closeRead(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // For example, a network drive was disconnected. The descriptor is free all the same.
  }
}
