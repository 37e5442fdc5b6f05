/**
 * The members of a gzip file (RFC 1952): their headers, and where each ends in the decompressed bytes. The file is read
 * in pieces, no further than needed.
 */
import type { InflateRaw } from 'node:zlib';
import { isGzip } from '../input/byte-reader.ts';
import { seldom } from '../input/seldom.ts';
import type { Disk } from './disk.ts';

/** The beginning of a header, with the compression method. */
const MAGIC = Buffer.from([0x1f, 0x8b, 8]);

/** A member of a gzip file. */
export interface GzipMember {
  /** The bytes in the file, with name and comment. */
  readonly header: Buffer;
  /** Offset in the decompressed bytes; null if not known yet. */
  end: number | null;
}

const PIECE_BYTES = 64 << 10;
/** A larger file is decompressed while it is written, not at once, so that an interrupt is handled. */
const SEARCHED_BYTES = 64 << 20;
/** The checksum and the length. */
const TRAILER_BYTES = 8;

/** Bits in the byte of flags. */
const RESERVED_FLAGS = 0xe0;
export const HEADER_FLAGS = { checked: 2, extra: 4, named: 8, commented: 16 };

/** Methods throw the errors of the file system, and an Error for a file that must not be compressed again. */
export class GzipMembers {
  readonly #fd: number;
  readonly #disk: Disk;
  readonly #members: GzipMember[] = [];
  /** Offset in the file of the next piece. */
  #position = 0;
  #inflate: InflateRaw | null = null;
  /** The current member is decompressed to its end. */
  #ended = false;
  #size = 0;
  #error: unknown = null;
  #wake = (): void => {};
  #isOpen = true;

  private constructor(fd: number, disk: Disk) {
    this.#fd = fd;
    this.#disk = disk;
  }

  /** Null if the file is not compressed. */
  static open(path: string, disk: Disk): GzipMembers | null {
    const members = new GzipMembers(disk.openSync(path, 'r'), disk);
    try {
      const head = members.#readAt(0, 2);
      if (isGzip(head)) {
        members.#begin();
        if (!members.#mayHaveMore()) members.#end();
        return members;
      }
    } catch (error) {
      members.close();
      throw error;
    }
    members.#isOpen = false;
    disk.closeSync(members.#fd);
    return null;
  }

  /** Member number `index`; null if it is not known or does not exist. */
  at(index: number): GzipMember | null {
    return this.#members[index] ?? null;
  }

  /** Bytes decompressed so far. */
  get size(): number {
    return this.#size;
  }

  /** Whether no member follows number `index`, as far as the file was read. */
  isLast(index: number): boolean {
    return index === this.#members.length - 1;
  }

  /** Whether all members are known. The end of the last one may still be unknown. */
  get isComplete(): boolean {
    return this.#inflate === null;
  }

  /**
   * Finds the ends of all members that end at or before `offset` of the decompressed bytes, and the headers after them.
   */
  async readTo(offset: number): Promise<void> {
    while (this.#inflate !== null && this.#size <= offset) await this.#step(this.#inflate);
  }

  close(): void {
    this.#end();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#disk.closeSync(this.#fd);
    } catch {
      // The file was only read.
    }
  }

  #begin(): void {
    const header = headerOf(this.#readAt(this.#position, PIECE_BYTES));
    this.#members.push({ header, end: null });
    this.#position += header.length;
    const inflate = seldom('node:zlib').createInflateRaw();
    inflate.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
    });
    inflate.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
    inflate.on('error', (error) => {
      this.#error ??= error;
      this.#wake();
    });
    this.#inflate = inflate;
    this.#ended = false;
  }

  #end(): void {
    this.#inflate?.destroy();
    this.#inflate = null;
  }

  /**
   * Whether anything after the first header looks like a header. If not, there is one member, and nothing needs to be
   * decompressed.
   */
  #mayHaveMore(): boolean {
    let position = this.#position;
    for (;;) {
      const piece = this.#readAt(position, PIECE_BYTES);
      for (let at = piece.indexOf(MAGIC); at >= 0; at = piece.indexOf(MAGIC, at + 1)) {
        if (((piece[at + MAGIC.length] ?? 0) & RESERVED_FLAGS) === 0) return true;
      }
      if (piece.length < PIECE_BYTES) return false;
      if (position > SEARCHED_BYTES) return true;
      position += piece.length - MAGIC.length;
    }
  }

  /** Decompresses one piece, and begins the next member if this one ends in it. */
  async #step(inflate: InflateRaw): Promise<void> {
    const piece = this.#readAt(this.#position, PIECE_BYTES);
    if (piece.length === 0) throw new Error('its gzip data is cut off');
    const before = inflate.bytesWritten;
    await new Promise<void>((done) => {
      this.#wake = done;
      // zlib does not call back if the member ends inside the piece.
      inflate.write(piece, () => done());
    });
    if (this.#error !== null) throw this.#error;
    this.#position += inflate.bytesWritten - before;
    if (!this.#ended) return;
    this.#members[this.#members.length - 1]!.end = this.#size;
    this.#end();
    this.#position += TRAILER_BYTES;
    const next = this.#readAt(this.#position, 1);
    // Zeros after the last member are padding.
    if (next.length > 0 && next[0] !== 0) this.#begin();
  }

  #readAt(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let size = 0;
    while (size < length) {
      const count = this.#disk.readSync(this.#fd, bytes, size, length - size, position + size);
      if (count === 0) break;
      size += count;
    }
    return bytes.subarray(0, size);
  }
}

/** The header at the beginning of `bytes`, a copy. */
function headerOf(bytes: Buffer): Buffer {
  const flags = bytes[3] ?? 0;
  if ((flags & HEADER_FLAGS.extra) !== 0) throw new Error(EXTRA_FIELD);
  let length = 10;
  for (const flag of [HEADER_FLAGS.named, HEADER_FLAGS.commented]) {
    if ((flags & flag) === 0) continue;
    const zero = bytes.indexOf(0, length);
    length = zero < 0 ? Number.POSITIVE_INFINITY : zero + 1;
  }
  if ((flags & HEADER_FLAGS.checked) !== 0) length += 2;
  if (length > bytes.length) throw new Error('its gzip header is cut off, or longer than 64 KiB');
  return Buffer.from(bytes.subarray(0, length));
}

const EXTRA_FIELD =
  'its gzip header has an extra field, as those of bgzip and dictzip: an index of its blocks would no longer fit; decompress it first';
