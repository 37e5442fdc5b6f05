/**
 * Compresses what goes to another target, as one gzip member (RFC 1952).
 */
import type { Gzip } from 'node:zlib';
import { nodeModule } from '../source/on-demand.ts';
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
