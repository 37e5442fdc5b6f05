/**
 * One file on its way to being replaced: written beside itself, made durable, and put in its place by a rename. Until then the old
 * file is there, and afterwards the whole new one.
 */

import { randomUUID } from 'node:crypto';
import fs, { type BigIntStats, constants, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGzip, type Gzip } from 'node:zlib';

/** What is asked of the file system, so that tests can make any of it fail. */
export type Disk = Pick<
  typeof fs,
  | 'accessSync'
  | 'closeSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'fsyncSync'
  | 'openSync'
  | 'readSync'
  | 'realpathSync'
  | 'renameSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeSync'
>;

export const REAL_DISK: Disk = fs;

/** Throws what the file system throws. */
export class Rewrite {
  /** The file itself, behind any symbolic links, which stay. */
  readonly #path: string;
  readonly #temporary: string;
  readonly #disk: Disk;
  readonly #gzip: GzipWriter | null;
  readonly #fd: number;
  #open = true;
  /** The temporary file is there, and not yet in place. */
  #pending = true;

  constructor(path: string, disk: Disk) {
    this.#disk = disk;
    const stats = disk.statSync(path);
    // Renaming would put a file in the place of a pipe or a device.
    if (!stats.isFile()) throw new Error('it is not a regular file');
    // Nor would it ask whether the file is one to be written.
    disk.accessSync(path, constants.W_OK);
    this.#path = disk.realpathSync(path);
    const gzip = isGzip(this.#path, disk);
    const unique = randomUUID().slice(0, 13);
    this.#temporary = join(dirname(this.#path), `.paylint-${unique}.tmp`);
    this.#fd = disk.openSync(this.#temporary, 'wx', 0o600);
    this.#gzip = gzip ? new GzipWriter((bytes) => this.#writeAll(bytes)) : null;
    try {
      takeOver(this.#fd, stats, disk);
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Copies the first `count` bytes of `content`. */
  async copy(content: AsyncIterable<Uint8Array>, count: number): Promise<void> {
    let left = count;
    if (left === 0) return;
    for await (const chunk of content) {
      const bytes = chunk.subarray(0, left);
      await this.write(bytes);
      left -= bytes.length;
      if (left === 0) return;
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#gzip === null) this.#writeAll(bytes);
    else await this.#gzip.write(bytes);
  }

  #writeAll(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += this.#disk.writeSync(this.#fd, bytes, at, bytes.length - at);
  }

  /** Everything is written, and durable. */
  async finish(): Promise<void> {
    await this.#gzip?.end();
    this.#disk.fsyncSync(this.#fd);
    this.#close();
  }

  putInPlace(): void {
    this.#disk.renameSync(this.#temporary, this.#path);
    this.#pending = false;
    syncFolder(dirname(this.#path), this.#disk);
  }

  /** Takes the temporary file away, if it is still there; as far as the file system lets it, and in silence. */
  abandon(): void {
    this.#gzip?.destroy();
    ignoreErrors(() => this.#close());
    if (this.#pending) ignoreErrors(() => this.#disk.unlinkSync(this.#temporary));
    this.#pending = false;
  }

  #close(): void {
    const open = this.#open;
    this.#open = false; // whatever closing says: afterwards the number may be another file's
    if (open) this.#disk.closeSync(this.#fd);
  }
}

/** Null where there is no such file, or nobody may say so. */
export function statsOf(path: string, disk: Disk): BigIntStats | null {
  let stats: BigIntStats | null = null;
  ignoreErrors(() => {
    stats = disk.statSync(path, { bigint: true });
  });
  return stats;
}

function ignoreErrors(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/**
 * The new file belongs to whom the old one did. Whoever may not give files away keeps what he can: the group, and the mode without
 * its set-id bits, which were meant for another owner.
 */
function takeOver(fd: number, { mode, uid, gid }: Stats, disk: Disk): void {
  const owned = ignoreErrors(() => disk.fchownSync(fd, uid, gid));
  if (!owned) ignoreErrors(() => disk.fchownSync(fd, -1, gid));
  disk.fchmodSync(fd, mode & (owned ? 0o7777 : 0o777));
}

/** Some file systems cannot do it for folders; the rename is in their hands then. */
function syncFolder(path: string, disk: Disk): void {
  ignoreErrors(() => {
    const fd = disk.openSync(path, 'r');
    ignoreErrors(() => disk.fsyncSync(fd));
    disk.closeSync(fd);
  });
}

function isGzip(path: string, disk: Disk): boolean {
  const head = Buffer.alloc(2);
  const fd = disk.openSync(path, 'r');
  try {
    disk.readSync(fd, head, 0, 2, 0);
  } finally {
    disk.closeSync(fd);
  }
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Compresses; what comes of it is handed on before `write` and `end` resolve. */
class GzipWriter {
  readonly #gzip: Gzip = createGzip();
  #error: unknown = null;

  constructor(handOn: (bytes: Uint8Array) => void) {
    this.#gzip.on('error', (error) => {
      this.#error ??= error;
    });
    this.#gzip.on('data', (chunk: Buffer) => {
      if (this.#error !== null) return;
      try {
        handOn(chunk);
      } catch (error) {
        this.#error = error;
      }
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((done) => this.#gzip.write(bytes, () => done()));
    if (this.#error !== null) throw this.#error;
  }

  async end(): Promise<void> {
    await new Promise<void>((done) => {
      this.#gzip.once('end', done);
      this.#gzip.once('error', () => done());
      this.#gzip.end();
    });
    if (this.#error !== null) throw this.#error;
  }

  destroy(): void {
    this.#gzip.destroy();
  }
}
