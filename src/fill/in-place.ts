/**
 * `--write`: filled sources back into their files, each whole or not at all. A file is written beside itself, made durable, and
 * put in its place by a rename; one that lacks nothing is not touched, and one that was changed meanwhile is left alone.
 */
import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createGzip, type Gzip } from 'node:zlib';
import { wordsFor } from '../input/failure.ts';
import type { Source } from '../types.ts';
import type { Target } from './target.ts';

export class InPlaceTarget implements Target {
  readonly wantsBytes = true;
  readonly wantsInsertions = false;
  /** What the files were like before anything was read. */
  readonly #before = new Map<Source, BigIntStats | null>();
  #source: Source | null = null;
  #rewrite: Rewrite | null = null;
  #chunks: { chunk: Uint8Array; changed: boolean }[] = [];
  /** Bytes of the present source that went by before the first change. */
  #unchanged = 0;
  #error: unknown = null;

  readonly #read: (source: Source) => AsyncIterable<Uint8Array>;

  /** `sources`: files, none of them read yet; `read`: the bytes of one once more. */
  constructor(sources: readonly Source[], read: (source: Source) => AsyncIterable<Uint8Array>) {
    this.#read = read;
    for (const source of sources) this.#before.set(source, statsOf(source.path!));
  }

  begin(source: Source): void {
    this.#source = source;
    this.#unchanged = 0;
    this.#error = null;
  }

  bytes(chunk: Uint8Array, changed: boolean): void {
    this.#chunks.push({ chunk, changed });
  }

  insertion(): void {}

  async flush(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = [];
    if (this.#error !== null) return;
    try {
      for (const { chunk, changed } of chunks) await this.#take(chunk, changed);
    } catch (error) {
      this.#error = error;
      this.#abandon();
    }
  }

  async #take(chunk: Uint8Array, changed: boolean): Promise<void> {
    if (this.#rewrite === null && !changed) {
      this.#unchanged += chunk.length;
      return;
    }
    if (this.#rewrite === null) {
      const source = this.#source!; // bytes come between begin and end
      this.#rewrite = new Rewrite(source.path!); // only files are written back
      await this.#rewrite.copy(this.#read(source), this.#unchanged);
    }
    await this.#rewrite.write(chunk);
  }

  async end(whole: boolean): Promise<string | null> {
    await this.flush();
    const before = this.#before.get(this.#source!) ?? null;
    const rewrite = this.#rewrite;
    try {
      if (this.#error !== null) return `cannot be written: ${wordsFor(this.#error)}`;
      if (rewrite === null || !whole) return null;
      await rewrite.finish();
      if (!sameFile(before, statsOf(this.#source!.path!)))
        return 'was changed while it was read, and is left as it is';
      rewrite.putInPlace();
      this.#rewrite = null;
      return null;
    } catch (error) {
      return `cannot be written: ${wordsFor(error)}`;
    } finally {
      this.#abandon();
    }
  }

  async close(): Promise<void> {
    this.#abandon();
  }

  #abandon(): void {
    this.#rewrite?.abandon();
    this.#rewrite = null;
  }
}

/** Null where there is no such file. */
function statsOf(path: string): BigIntStats | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
}

function sameFile(a: BigIntStats | null, b: BigIntStats | null): boolean {
  return (
    a !== null &&
    b !== null &&
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs
  );
}

/** One file on its way to being replaced. Throws what the file system throws. */
class Rewrite {
  /** The file itself, behind any symbolic links, which stay. */
  readonly #path: string;
  readonly #temporary: string;
  readonly #fd: number;
  readonly #gzip: GzipWriter | null;
  #open = true;
  #placed = false;

  constructor(path: string) {
    this.#path = realpathSync(path);
    // Not called after the file, whose name may be as long as a name can be.
    this.#temporary = join(dirname(this.#path), `.paylint-${randomUUID()}.tmp`);
    const { mode, uid, gid } = statSync(this.#path);
    this.#fd = openSync(this.#temporary, 'wx', 0o600);
    try {
      takeOver(this.#fd, mode, uid, gid);
    } catch (error) {
      this.abandon();
      throw error;
    }
    this.#gzip = isGzip(path) ? new GzipWriter(this.#fd) : null;
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
    if (this.#gzip === null) writeAll(this.#fd, bytes);
    else await this.#gzip.write(bytes);
  }

  /** Everything is written, and durable. */
  async finish(): Promise<void> {
    await this.#gzip?.end();
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    this.#open = false;
  }

  putInPlace(): void {
    renameSync(this.#temporary, this.#path);
    this.#placed = true;
    syncFolder(dirname(this.#path));
  }

  /** Takes the temporary file away, if it is still there. */
  abandon(): void {
    if (this.#open) closeSync(this.#fd);
    this.#open = false;
    if (this.#placed) return;
    this.#placed = true;
    unlinkSync(this.#temporary);
  }
}

/** The new file belongs to whom the old one did. Whoever may not give files away, keeps at least the mode. */
function takeOver(fd: number, mode: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // Not the owner, and not root: the file becomes the user's own, as with any editor that writes so.
  }
  fchmodSync(fd, mode & 0o7777);
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
}

/** Some file systems cannot do it for folders; the rename is in their hands then. */
function syncFolder(path: string): void {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch {
    // As above.
  } finally {
    closeSync(fd);
  }
}

function isGzip(path: string): boolean {
  const head = Buffer.alloc(2);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, head, 0, 2, 0);
  } finally {
    closeSync(fd);
  }
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Compresses into a file. */
class GzipWriter {
  readonly #gzip: Gzip = createGzip();
  #error: unknown = null;

  constructor(fd: number) {
    this.#gzip.on('error', (error) => {
      this.#error ??= error;
    });
    this.#gzip.on('data', (chunk: Buffer) => {
      if (this.#error !== null) return;
      try {
        writeAll(fd, chunk);
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
}
