/**
 * Bytes kept until it is known whether they are needed: one MiB in memory, more in a temporary file without a name,
 * of which nothing is left, however the process ends. And the lines in pieces of bytes.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { nodeModule } from '../json/on-demand.ts';
import { LINE_FEED } from '../json/skip.ts';
import { ignoreErrors } from './disk.ts';

/** The file system calls it needs, so that tests can make them fail. */
export type SpoolDisk = Pick<typeof fs, 'closeSync' | 'openSync' | 'readSync' | 'unlinkSync' | 'writeSync'>;

const MEMORY_BYTES = 1 << 20;
const PIECE_BYTES = 1 << 16;

export class Spool {
  readonly #disk: SpoolDisk;
  readonly #memoryBytes: number;
  /** The bytes after those in the file, in pieces of at least `PIECE_BYTES`, and those after these. */
  #pieces: Uint8Array[] = [];
  #loose: Uint8Array[] = [];
  #looseBytes = 0;
  #size = 0;
  #fileBytes = 0;
  #file: { readonly fd: number; readonly path: string; readonly unlinked: boolean } | null = null;

  constructor(memoryBytes = MEMORY_BYTES, disk: SpoolDisk = fs) {
    this.#memoryBytes = memoryBytes;
    this.#disk = disk;
  }

  /** Takes ownership of the bytes: the caller must not use them again. Throws the errors of the file system. */
  write(bytes: Uint8Array): void {
    this.#loose.push(bytes);
    this.#looseBytes += bytes.length;
    this.#size += bytes.length;
    if (this.#looseBytes > PIECE_BYTES) this.#join();
    if (this.#size > (this.#file === null ? this.#memoryBytes : PIECE_BYTES)) this.#spill();
  }

  /** All bytes from the first one on. Each piece has memory of its own. Throws the errors of the file system. */
  *read(): Generator<Buffer> {
    yield* this.#inFile(0, this.#fileBytes);
    if (this.#size > 0) yield Buffer.concat([...this.#pieces, ...this.#loose]);
  }

  /** The bytes in `[from, to)` of those that were written. Throws the errors of the file system. */
  *range(from: number, to: number): Generator<Uint8Array> {
    const inFile = this.#fileBytes;
    yield* this.#inFile(from, Math.min(to, inFile));
    if (to <= inFile) return;
    this.#join();
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    const [rest] = this.#pieces;
    if (rest !== undefined) yield rest.subarray(Math.max(0, from - inFile), to - inFile);
  }

  /** All pieces but the last one are of one size. */
  *#inFile(from: number, to: number): Generator<Buffer> {
    for (let at = from; at < to; at += PIECE_BYTES) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, to - at));
      for (let has = 0; has < piece.length; ) {
        const count = this.#disk.readSync(this.#file!.fd, piece, has, piece.length - has, at + has); // it has bytes
        if (count === 0) return yield piece.subarray(0, has);
        has += count;
      }
      yield piece;
    }
  }

  /** Frees the memory and the file. Never throws. */
  close(): void {
    this.#forget();
    this.#fileBytes = 0;
    const file = this.#file;
    this.#file = null;
    if (file === null) return;
    ignoreErrors(() => this.#disk.closeSync(file.fd));
    if (!file.unlinked) ignoreErrors(() => this.#disk.unlinkSync(file.path));
  }

  /** Copies small pieces as they come, not all at once when they are written. */
  #join(): void {
    if (this.#loose.length > 0) this.#pieces.push(Buffer.concat(this.#loose));
    this.#loose = [];
    this.#looseBytes = 0;
  }

  #forget(): void {
    this.#pieces = [];
    this.#loose = [];
    this.#looseBytes = 0;
    this.#size = 0;
  }

  #spill(): void {
    this.#file ??= this.#open();
    this.#join();
    const pieces = this.#pieces;
    this.#forget();
    for (const bytes of pieces)
      for (let at = 0; at < bytes.length; ) {
        const count = this.#disk.writeSync(this.#file.fd, bytes, at, bytes.length - at);
        at += count;
        this.#fileBytes += count;
      }
  }

  #open() {
    const path = join(nodeModule('node:os').tmpdir(), `paylint-${nodeModule('node:crypto').randomUUID()}.tmp`);
    const fd = this.#disk.openSync(path, 'wx+', 0o600);
    // On systems that cannot remove an open file, it is removed at the end.
    return { fd, path, unlinked: ignoreErrors(() => this.#disk.unlinkSync(path)) };
  }
}

/** The lines in what is read, each of which ended with a line feed. */
export function* linesIn(pieces: Iterable<Uint8Array>): Generator<string> {
  const rest: Uint8Array[] = [];
  for (const piece of pieces)
    for (const line of endedLines(piece, rest))
      yield Buffer.from(line.buffer, line.byteOffset, line.length - 1).toString();
}

/** The lines that end in `piece`, with their line feeds. `rest`: what began before; it receives what has no end yet. */
export function* endedLines<Bytes extends Uint8Array>(piece: Bytes, rest: Bytes[]): Generator<Bytes | Buffer> {
  let from = 0;
  for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, from)) {
    const end = piece.subarray(from, at + 1) as Bytes; // of the same class
    yield rest.length === 0 ? end : Buffer.concat([...rest.splice(0), end]);
    from = at + 1;
  }
  if (from < piece.length) rest.push(piece.subarray(from) as Bytes);
}
