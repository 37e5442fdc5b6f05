/**
 * Creates the note taker after enough invalid payloads.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import type { NotingCode } from '../accept/code.ts';
import type { NoteTaker } from '../examine/noted.ts';
import type { PrecompiledFiles } from '../package.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Limits } from '../types.ts';
import { notesAfter } from './supply.ts';
import { OverTime, type Within } from './time-limit.ts';

/** By forced kind; null: the kind is detected. A null taker: the schemas do not allow notes. */
type Takers = Map<string | null, NoteTaker | null>;

/** Where the functions come from. */
interface NoteSchemas {
  readonly within: Within;
  readonly load: () => Promise<SchemaSet>;
  readonly precompiled: PrecompiledFiles | null;
}

export class NoteTakers {
  readonly #takers: Takers = new Map();
  readonly #schemas: NoteSchemas;
  readonly #limits: Limits;
  readonly #acceptorFor: (forced: string | null) => Promise<Acceptor>;
  /** Payloads that are still to be examined; null until the schemas are known. */
  #left: number | null = null;

  /** `acceptorFor`: see `Engines`. */
  constructor(
    schemas: NoteSchemas,
    limits: Limits,
    acceptorFor: (forced: string | null) => Promise<Acceptor>,
  ) {
    this.#schemas = schemas;
    this.#limits = limits;
    this.#acceptorFor = acceptorFor;
  }

  /** For the next payload that is not accepted; null if it must be examined. `forced`: see `Engines`. */
  next(forced: string | null): Promise<NoteTaker | null> | NoteTaker | null {
    const taker = this.#takers.get(forced);
    if (taker !== undefined) return taker;
    const file = forced === null ? (this.#schemas.precompiled?.notes ?? null) : null;
    if (file === null) {
      if (this.#left === null) return this.#begin(forced);
      if (this.#left-- > 0) return null;
    }
    return this.#make(forced, file);
  }

  async #begin(forced: string | null): Promise<NoteTaker | null> {
    const set = await this.#schemas.load();
    this.#left = notesAfter(set);
    return this.next(forced);
  }

  /** `file`: with functions for the kinds; null: there is none. Null if the schemas do not allow notes. */
  async #make(forced: string | null, file: string | null): Promise<NoteTaker | null> {
    const [{ readNoting }, { NoteTaker }, { allowsDefaultIn }, set, acceptor] = await Promise.all([
      import('../accept/code-file.ts'),
      import('../examine/noted.ts'),
      import('./examiner.ts'),
      this.#schemas.load(),
      this.#acceptorFor(forced),
    ]);
    const code = (file === null ? null : readNoting(file, set)) ?? (await this.#compiled(set, forced));
    let taker: NoteTaker | null = null;
    if (code !== null) {
      acceptor.use(code);
      taker = new NoteTaker(acceptor, {
        set,
        redact: this.#limits.redact,
        allows: await allowsDefaultIn(set),
      });
    }
    this.#takers.set(forced, taker);
    return taker;
  }

  /** Null also if it takes too long to compile the functions. */
  async #compiled(set: SchemaSet, forced: string | null): Promise<NotingCode | null> {
    const { compileNotingCode } = await import('./compilers.ts');
    try {
      return this.#schemas.within(() => compileNotingCode(set, forced));
    } catch (error) {
      if (error instanceof OverTime) return null;
      throw error;
    }
  }
}
