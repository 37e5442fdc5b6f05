/**
 * Makes what takes notes of violations, once it is worth it.
 */
import type { NoteTaker } from '../examine/noted.ts';
import type { PrecompiledFiles } from '../package.ts';
import type { SchemaSet } from '../schema/load.ts';
import type { Limits } from '../types.ts';

/** Payloads that are examined before the functions are compiled: that takes as long. To read them from a file takes no longer than to load examine. */
const COMPILED_AFTER = 5000;

/** Where the functions come from. */
interface NoteSchemas {
  readonly load: () => Promise<SchemaSet>;
  readonly precompiled: PrecompiledFiles | null;
}

export class NoteTakers {
  readonly #takers = new Map<string | null, NoteTaker | null>();
  readonly #schemas: NoteSchemas;
  readonly #limits: Limits;
  readonly #memory: WebAssembly.Memory;
  #examined = 0;

  /** `memory`: of the window. */
  constructor(schemas: NoteSchemas, limits: Limits, memory: WebAssembly.Memory) {
    this.#schemas = schemas;
    this.#limits = limits;
    this.#memory = memory;
  }

  /** For the next payload that is not accepted; null if it must be examined. `forced`: see `Engines`. */
  next(forced: string | null): Promise<NoteTaker | null> | NoteTaker | null {
    const taker = this.#takers.get(forced);
    if (taker !== undefined) return taker;
    const file = forced === null ? (this.#schemas.precompiled?.notes ?? null) : null;
    if (file === null && this.#examined++ < COMPILED_AFTER) return null;
    return this.#make(forced, file);
  }

  async #make(forced: string | null, file: string | null): Promise<NoteTaker | null> {
    const [{ makeNoteTaker }, set] = await Promise.all([import('./note-taker.ts'), this.#schemas.load()]);
    const taker = await makeNoteTaker({ set, forced, file }, this.#memory, this.#limits);
    this.#takers.set(forced, taker);
    return taker;
  }
}
