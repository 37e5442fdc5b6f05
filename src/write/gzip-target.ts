/** Compresses what goes to another target, as one gzip member (RFC 1952). */
import type { Gzip } from 'node:zlib';
import { nodeModule } from '../json/on-demand.ts';
import { isGzip } from '../source/read-file.ts';
import type { ByteTarget, Extent } from './stream-output.ts';

export class GzipTarget implements ByteTarget {
  readonly #target: ByteTarget;
  readonly #gzip: Gzip;
  #compressed: Buffer[] = [];

  constructor(target: ByteTarget) {
    this.#target = target;
    this.#gzip = nodeModule('node:zlib').createGzip();
    this.#gzip.on('data', (chunk: Buffer) => this.#compressed.push(chunk));
  }

  get name(): string {
    return this.#target.name;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((done, fail) => {
      this.#gzip.write(bytes, (error) => (error ? fail(error) : done()));
    });
    await this.#handOn();
  }

  async finish(extent: Extent): Promise<string | null> {
    await new Promise<void>((done) => {
      this.#gzip.once('end', done);
      this.#gzip.end();
    });
    await this.#handOn();
    return this.#target.finish(extent);
  }

  async close(): Promise<void> {
    this.#gzip.destroy();
    await this.#target.close();
  }

  async #handOn(): Promise<void> {
    const compressed = this.#compressed;
    this.#compressed = [];
    if (compressed.length > 0) await this.#target.write(Buffer.concat(compressed));
  }
}

const HAS_EXTRA = 4;

/** Whether a file that begins with `head` is in blocks, by the extra field `BC` of bgzip (RFC 1952, 2.3.1.1). */
export function isInBlocks(head: Buffer): boolean {
  if (!isGzip(head) || head.length < 12 || (head[3]! & HAS_EXTRA) === 0) return false;
  const end = Math.min(12 + head.readUInt16LE(10), head.length);
  for (let at = 12; at + 4 <= end; at += 4 + head.readUInt16LE(at + 2))
    if (head.toString('latin1', at, at + 2) === 'BC') return true;
  return false;
}
