/**
 * Windows with the engines that work in their memories. Each is used by one source at a time. An unused one is kept for
 * the next source.
 */
import { Acceptor } from '../accept/acceptor.ts';
import { Noter } from '../accept/noter.ts';
import type { Schemas } from '../engines/accept.ts';
import { createEngines, type Engines } from '../engines/engines.ts';
import { unexamined } from '../errors.ts';
import type { Examined, Examiner, PayloadBytes } from '../examine/examine.ts';
import { NoteTaker } from '../examine/noted.ts';
import type { AllowsDefault } from '../examine/sites.ts';
import { Window } from '../input/window.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { Limits } from '../types.ts';
import type { TextCodes } from './text-engine.ts';

export interface LaneParts {
  readonly set: SchemaSet;
  /** Which defaults `fill` adds. */
  readonly allows: AllowsDefault;
  /** With advice, if it is given. */
  readonly limits: Limits;
  /** The code for payloads of a kind; null: for all kinds. */
  readonly codesOf: (kind: string | null) => TextCodes;
  readonly examiner: Examiner;
  /** For payloads that may take long, or more room than there is here. */
  readonly schemas: Schemas;
}

/** A larger memory is released together with the source that needed it. In bytes. */
const KEPT = 8 << 20;

export class Lanes {
  readonly #parts: LaneParts;
  #idle: Lane | null = null;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** Returns a lane that no other source uses. */
  take(): Lane {
    const lane = this.#idle ?? new Lane(this.#parts);
    this.#idle = null;
    return lane;
  }

  /** Returns the lane for reuse. */
  giveBack(lane: Lane): void {
    if (lane.window.bytes.length <= KEPT) this.#idle = lane;
  }

  /** Releases the memory. */
  clear(): void {
    this.#idle = null;
  }
}

/** Larger payloads are examined with `schemas`, because there may be more room. In bytes. */
const SMALL = 1 << 17;

export class Lane implements Engines {
  readonly window = new Window();
  /** True: the caller cannot wait, so all payloads are examined here. */
  isSync = false;
  readonly #parts: LaneParts;
  readonly #acceptors = new Map<string | null, Acceptor>();
  readonly #takers = new Map<string | null, NoteTaker>();
  #others: Engines | null = null;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  acceptorFor(kind: string | null): Acceptor {
    const known = this.#acceptors.get(kind);
    if (known !== undefined) return known;
    const { codesOf, limits } = this.#parts;
    const made = new Acceptor(codesOf(kind).accept(), this.window.memory, limits);
    this.#acceptors.set(kind, made);
    return made;
  }

  async acceptor(kind: string | null): Promise<Acceptor> {
    return this.acceptorFor(kind);
  }

  notes(kind: string | null): NoteTaker | null {
    const known = this.#takers.get(kind);
    if (known !== undefined) return known;
    const { codesOf, limits, set, allows } = this.#parts;
    const code = limits.advice ? null : codesOf(kind).notes();
    if (code === null) return null;
    const noter = new Noter(code, this.window.memory, limits, this.acceptorFor(kind));
    const made = new NoteTaker(noter, { set, allows, redact: limits.redact });
    this.#takers.set(kind, made);
    return made;
  }

  examine(payload: PayloadBytes, kind: string | null, hides: boolean): Promise<Examined> | Examined {
    const { examiner, schemas } = this.#parts;
    const { span } = payload;
    // The caller's own schemas may take long. The other engines limit that time.
    const isHere = this.isSync || (schemas.precompiled !== null && span.end - span.start <= SMALL);
    try {
      const examined = isHere ? examiner.tryExamine(payload, kind, hides) : null;
      if (examined !== null) return examined;
      if (this.isSync) return examiner.examine(payload, kind, hides);
    } catch (error) {
      throw unexamined(error);
    }
    this.#others ??= createEngines(schemas, this.#parts.limits, this.window.memory);
    return this.#others.examine(payload, kind, hides);
  }

  async close(): Promise<void> {
    await this.#others?.close();
    this.#others = null;
  }
}
