/**
 * On Windows, a virus scanner, an indexer or an editor may have a file open for a moment, and it cannot be renamed or removed
 * meanwhile. There, and only there, such calls are tried again for about a second.
 */
import { codeOf } from '../input/system-errors.ts';
import type { Disk } from './disk.ts';

const IN_USE: ReadonlySet<string | null> = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Pauses between the attempts, in milliseconds: together 1.02 s. */
const PAUSES_MS = [5, 10, 20, 40, 80, 120, 160, 180, 200, 205];

/** A run with many files that really may not be written does not wait a second for each of them. In milliseconds. */
const LIMIT_OF_RUN_MS = 10_000;

export class Patience {
  readonly #disk: Disk;
  #leftMs: number;

  constructor(disk: Disk) {
    this.#disk = disk;
    this.#leftMs = disk.platform() === 'win32' ? LIMIT_OF_RUN_MS : 0;
  }

  /** Runs `action`, again and again on Windows while the file is in use. Throws what `action` throws in the end. */
  async with<T>(action: () => T): Promise<T> {
    for (const pause of PAUSES_MS) {
      if (this.#leftMs < pause) break;
      try {
        return action();
      } catch (error) {
        if (!IN_USE.has(codeOf(error))) throw error;
      }
      this.#leftMs -= pause;
      await this.#disk.pause(pause);
    }
    return action();
  }
}
