/**
 * Compresses the filled file like the old one: with the same members, the same headers (so that names, times and
 * comments stay) and the same compression effort. An insertion belongs to the member that contains its place.
 */
import type { DeflateRaw } from 'node:zlib';
import { seldom } from '../input/seldom.ts';
import type { ByteEdit } from '../json/insertions.ts';
import { type GzipMember, type GzipMembers, HEADER_FLAGS } from './gzip-members.ts';

const BEST_LEVEL = 9;
const USUAL_LEVEL = 6;
/** The header's byte for the compression effort, and its value for the smallest size. */
const EFFORT_AT = 8;
const BEST_EFFORT = 2;

export class GzipWriter {
  readonly #members: GzipMembers;
  readonly #handOn: (bytes: Uint8Array) => void;
  #member: OpenMember | null = null;
  /** Number of members begun. */
  #begun = 0;
  /** Bytes written, before compression. */
  #size = 0;
  /** Bytes of the insertions that are known to be before the end of the current member. */
  #inserted = 0;
  /** The later ones. */
  #insertions: ByteEdit[] = [];

  /** `handOn` receives the compressed bytes before `write` and `end` resolve. */
  constructor(members: GzipMembers, handOn: (bytes: Uint8Array) => void) {
    this.#members = members;
    this.#handOn = handOn;
  }

  /** Insertions, ascending, among the bytes to be written next or later. */
  expect(insertions: readonly ByteEdit[]): void {
    if (this.#members.isComplete && this.#members.isLast(this.#present)) return;
    for (const insertion of insertions) this.#insertions.push(insertion);
  }

  async write(bytes: Uint8Array): Promise<void> {
    // Filling only adds bytes, so a byte of the old file is never at a later offset than in the new one.
    await this.#members.readTo(this.#size + bytes.length);
    for (let from = 0; from < bytes.length; ) {
      const room = this.#room();
      if (room === 0) await this.#endMember();
      else {
        const piece = bytes.subarray(from, from + room);
        this.#member ??= this.#begin();
        await this.#member.write(piece);
        this.#size += piece.length;
        from += piece.length;
      }
    }
  }

  async end(): Promise<void> {
    await this.#members.readTo(this.#size);
    do await this.#endMember();
    while (this.#members.at(this.#begun) !== null);
  }

  destroy(): void {
    this.#member?.destroy();
    this.#members.close();
  }

  /** The number of the member for the next byte, if it has room. */
  get #present(): number {
    return this.#member === null ? this.#begun : this.#begun - 1;
  }

  /** How many bytes the current member still takes. The last one takes all. */
  #room(): number {
    const end = this.#members.at(this.#present)?.end ?? null;
    this.#countInsertions(end ?? this.#members.size);
    const isLast = end === null || this.#members.isLast(this.#present);
    return isLast ? Number.POSITIVE_INFINITY : end + this.#inserted - this.#size;
  }

  /** Counts insertions before `limit` as part of the current member. */
  #countInsertions(limit: number): void {
    let count = 0;
    for (const { offset, bytes } of this.#insertions) {
      if (offset >= limit) break;
      this.#inserted += bytes.length;
      count++;
    }
    if (count > 0) this.#insertions = this.#insertions.slice(count);
  }

  #begin(): OpenMember {
    const member = this.#members.at(this.#begun)!; // the last member takes all bytes, so there is one
    this.#begun++;
    return new OpenMember(member, this.#handOn);
  }

  async #endMember(): Promise<void> {
    const member = this.#member ?? this.#begin();
    this.#member = member;
    await member.end();
    this.#member = null;
  }
}

/** A member that is being written. */
class OpenMember {
  readonly #deflate: DeflateRaw;
  readonly #handOn: (bytes: Uint8Array) => void;
  #error: unknown = null;
  #sum = 0;
  #size = 0;

  constructor({ header }: GzipMember, handOn: (bytes: Uint8Array) => void) {
    const level = header[EFFORT_AT] === BEST_EFFORT ? BEST_LEVEL : USUAL_LEVEL;
    this.#handOn = handOn;
    this.#deflate = seldom('node:zlib').createDeflateRaw({ level });
    this.#deflate.on('error', (error) => {
      this.#error ??= error;
    });
    this.#deflate.on('data', (chunk: Buffer) => this.#out(chunk));
    this.#out(headerFor(header, level));
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#sum = seldom('node:zlib').crc32(bytes, this.#sum);
    this.#size += bytes.length;
    await new Promise<void>((done) => this.#deflate.write(bytes, () => done()));
    this.#check();
  }

  async end(): Promise<void> {
    await new Promise<void>((done) => {
      this.#deflate.once('end', done);
      this.#deflate.once('error', () => done());
      this.#deflate.end();
    });
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#sum, 0);
    trailer.writeUInt32LE(this.#size % 2 ** 32, 4);
    this.#out(trailer);
    this.#check();
  }

  destroy(): void {
    this.#deflate.destroy();
  }

  #out(bytes: Uint8Array): void {
    if (this.#error !== null) return;
    try {
      this.#handOn(bytes);
    } catch (error) {
      this.#error = error;
    }
  }

  #check(): void {
    if (this.#error !== null) throw this.#error;
  }
}

/** The old header without its own checksum, and with the compression of the new member. */
function headerFor(old: Buffer, level: number): Buffer {
  const header = Buffer.from(old);
  header[EFFORT_AT] = level === BEST_LEVEL ? BEST_EFFORT : 0;
  if (((header[3] ?? 0) & HEADER_FLAGS.checked) === 0) return header;
  const end = header.length - 2;
  header.writeUInt16LE(seldom('node:zlib').crc32(header.subarray(0, end)) & 0xffff, end);
  return header;
}
