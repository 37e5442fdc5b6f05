/**
 * When something is compiled: one table, with the reasons. Until then, payloads are explained without compiling.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import type { SchemaSet } from '../schema/set.ts';

/**
 * `FirstPayloads`: to compile the functions of a schema takes as long as to explain some payloads, and the code that
 * compiles must be loaded.
 */
export const FIRST = {
  /** Payloads of a run that are explained first. If they are small, more are, until they have `bytes` together. */
  payloads: 4,
  bytes: 1 << 13,
  /** A source with one payload of more bytes is left to compiled functions. */
  onePayload: 1 << 17,
} as const;

/** Subschemas of a small schema, at most. */
const SMALL = 150;

/** Invalid payloads of a run, by whether the schema is small, after which the functions that note violations are compiled. */
export function notesAfter({ nodes }: SchemaSet): number {
  return nodes.length > SMALL ? 5000 : 300;
}

/** Texts of the library after which its engine is compiled: it is one for all calls, and most instances judge many. */
export const TEXTS = 8;

/** The same for the functions that note violations of texts. */
export function notesAfterTexts({ nodes }: SchemaSet): number {
  return nodes.length > SMALL ? 5000 : 50;
}

/** Counts the first payloads of a run. */
export class FirstPayloads {
  /** Never sure of a payload, so each is explained. */
  readonly acceptor: Acceptor;
  #payloads: number = FIRST.payloads;
  #bytes: number = FIRST.bytes;

  constructor(acceptor: Acceptor) {
    this.acceptor = acceptor;
  }

  /** True once payloads are left to compiled functions. */
  get isOver(): boolean {
    return this.#payloads <= 0 && this.#bytes <= 0;
  }

  /** Counts a payload. `size`: in bytes. */
  pass(size: number): void {
    this.#payloads--;
    this.#bytes -= size;
  }
}
