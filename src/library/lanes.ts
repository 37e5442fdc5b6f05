/**
 * Windows with the engines that work in their memories. Each is used by one source at a time. An unused one is kept for
 * the next source.
 */
import type { Acceptor } from '../engine/compile/acceptor.ts';
import { createEngines, type EngineHooks, type Engines } from '../engine/engines.ts';
import type { Examiner } from '../engine/judge/examine.ts';
import { now } from '../engine/supply.ts';
import { unexamined } from '../errors.ts';
import { Window } from '../source/window.ts';
import type { Limits } from '../types.ts';
import type { ReadySchemas } from './ready-schemas.ts';

export interface LaneParts {
  readonly limits: Limits;
  readonly examiner: Examiner;
  readonly schemas: ReadySchemas;
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

/** Larger payloads are left to engines that limit the time and have more room. In bytes. */
const SMALL = 1 << 17;

export class Lane {
  readonly window = new Window();
  readonly engines: Engines;
  /** True: the caller cannot wait, so all payloads are examined here. */
  isSync = false;

  constructor({ schemas, limits, examiner }: LaneParts) {
    const examineHere: EngineHooks['examineHere'] = (payload, kind, hides) => {
      const { start, end } = payload.span;
      // The caller's own schemas may take long. The other engines limit that time.
      if (!this.isSync && (schemas.precompiled === null || end - start > SMALL)) return null;
      try {
        const examined = examiner.tryExamine(payload, kind, hides);
        return examined ?? (this.isSync ? examiner.examine(payload, kind, hides) : null);
      } catch (error) {
        throw unexamined(error);
      }
    };
    this.engines = createEngines(schemas, limits, this.window.memory, { examineHere });
  }

  acceptor(kind: string | null): Acceptor {
    return now(this.engines.acceptor(kind));
  }
}
