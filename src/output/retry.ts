/**
 * On Windows, a virus scanner, an indexer or an editor may have a file open for a moment, in which it cannot be renamed
 * or removed. Only there, such calls are repeated for about a second.
 */
import { codeOf } from '../input/system-errors.ts';
import type { Disk } from './disk.ts';

const IN_USE: ReadonlySet<string | null> = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Pauses between the attempts, in milliseconds: together 1.02 s. */
const PAUSES_MS = [5, 10, 20, 40, 80, 120, 160, 180, 200, 205];

/** A run with many files that cannot be written must not wait a second for each. In milliseconds, for the whole run. */
const LIMIT_OF_RUN_MS = 10_000;

export class Retry {
  readonly #disk: Disk;
  #leftMs: number;

  constructor(disk: Disk) {
    this.#disk = disk;
    this.#leftMs = disk.platform() === 'win32' ? LIMIT_OF_RUN_MS : 0;
  }

  /** Runs `action`, repeatedly on Windows while the file is in use. Throws the last error of `action`. */
  async run<T>(action: () => T): Promise<T> {
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
