/**
 * Judges the first payloads of a run without compiled code, which takes longer to make than a few small payloads to judge. It is loaded only
 * for schemas of the user's own.
 */
import { isUtf8 } from 'node:buffer';
import { Acceptor } from '../accept/acceptor.ts';
import { readAccept } from '../accept/code-file.ts';
import { interpret } from '../accept/interpret.ts';
import { surelyPlain } from '../json/unique-names.ts';
import { jsonFile } from '../package.ts';
import type { Kind, SchemaSet } from '../schema/load.ts';
import type { Limits, Span } from '../types.ts';

/** Number of payloads, and the most bytes of each. */
const FEW = 4;
const SHORT = 1 << 16;

export class FirstPayloads {
  readonly #set: SchemaSet;
  readonly #limits: Limits;
  readonly #memory: WebAssembly.Memory;
  #left = FEW;
  #scanner: Acceptor | null = null;

  /** `memory`: of the window. */
  constructor(set: SchemaSet, limits: Limits, memory: WebAssembly.Memory) {
    this.#set = set;
    this.#limits = limits;
    this.#memory = memory;
  }

  /** The kind of the payload at `span` in the bytes of the window, if it is surely valid; else null. `forced`: see `Engines`. */
  kindOf(bytes: Buffer, { start, end }: Span, forced: string | null): string | null {
    if (this.#left === 0) return null;
    const kind = this.#kind(forced);
    // What the first one is not, the others are not either.
    const accepted = kind !== null && end - start <= SHORT && this.#isValid(bytes, { start, end }, kind);
    this.#left = accepted ? this.#left - 1 : 0;
    return accepted ? kind.name : null;
  }

  /** The only kind that payloads can have; null if an entry schema tells them apart. */
  #kind(forced: string | null) {
    const { kinds } = this.#set;
    if (forced !== null) return kinds.find(({ name }) => name === forced) ?? null;
    return kinds.length === 1 && kinds[0]!.test === null ? kinds[0]! : null;
  }

  #isValid(bytes: Buffer, { start, end }: Span, { schema }: Kind): boolean {
    if (!isUtf8(bytes.subarray(start, end))) return false;
    const text = bytes.toString('utf8', start, end);
    const isPlain = surelyPlain(text, this.#limits.maxDepth) || this.#isPlain(start, end);
    return isPlain && interpret(text, schema, this.#set) === true;
  }

  /** True for a JSON text without anything to report, whatever the schema. */
  #isPlain(start: number, end: number): boolean {
    if (this.#scanner === null) {
      // Any module can read any text.
      const code = readAccept(jsonFile('lines'));
      if (code === null) return false;
      this.#scanner = new Acceptor(code, this.#memory, this.#limits);
    }
    return this.#scanner.isPlain(start, end);
  }
}
