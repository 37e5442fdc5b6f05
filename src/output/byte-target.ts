/**
 * Where the bytes of a destination go: standard output, or a file that is written whole or not at all. Either may be
 * compressed.
 */
import type { Output } from './output.ts';

/** How much of the input was read: all of it, a part, or all of it but without any payload, which the user did not allow. */
export type Extent = 'whole' | 'part' | 'empty';

/** Methods throw ClosedPipe and WriteError. */
export interface ByteTarget {
  /** Takes bytes, which may be used again once this has resolved. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * There are no more bytes. Resolves to what the user should know, in one clause; null if there is nothing.
   */
  finish(extent: Extent): Promise<string | null>;
  /** Frees what is open, and leaves nothing half-done. Never throws if `finish` was not called. */
  close(): Promise<void>;
  /** As messages call it. */
  readonly name: string;
}

/** An output that gets the bytes as they come: standard output, or a file that cannot be replaced, such as a device. */
export class OutputTarget implements ByteTarget {
  readonly name: string;
  readonly #output: Output;

  constructor(output: Output, name: string) {
    this.#output = output;
    this.name = name;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#output.writeBytes(bytes);
  }

  async finish(): Promise<null> {
    return null;
  }

  close(): Promise<void> {
    return this.#output.close();
  }
}
