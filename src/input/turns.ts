/**
 * Turns of the event loop for work that never waits: signals and pipes are handled in them.
 */
import { Interrupted } from '../errors.ts';
import type { Io } from './io.ts';

/** Milliseconds of work between two turns. */
const WORK = 20;

export class Turns {
  readonly #now: () => number;
  readonly #interrupt: AbortSignal;
  #last: number;

  constructor({ now, interrupt }: Pick<Io, 'now' | 'interrupt'>) {
    this.#now = now;
    this.#interrupt = interrupt;
    this.#last = now();
  }

  /** Takes a turn, if the last one was some time ago. Throws Interrupted after a signal. */
  async take(): Promise<void> {
    if (this.#now() - this.#last > WORK) {
      await new Promise((turn) => setImmediate(turn));
      this.#last = this.#now();
    }
    if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
  }
}
