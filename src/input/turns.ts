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
    const interrupted = await this.tryToTake();
    if (interrupted !== null) throw interrupted;
  }

  /** The same, but returns the error. */
  async tryToTake(): Promise<Interrupted | null> {
    if (this.#now() - this.#last > WORK) {
      await new Promise((turn) => setImmediate(turn));
      this.#last = this.#now();
    }
    return this.#interrupt.aborted ? new Interrupted(this.#interrupt) : null;
  }
}
