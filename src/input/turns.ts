/**
 * Turns of the event loop for work that never waits: signals and pipes are handled in them.
 */
import { Interrupted } from '../errors.ts';
import type { Io } from './io.ts';

/** Milliseconds of work between two turns. A step of work takes little more: a turn comes at least every 10. */
const WORK = 8;

export class Turns {
  readonly #now: () => number;
  readonly #interrupt: AbortSignal;
  #last: number;

  constructor({ now, interrupt }: Pick<Io, 'now' | 'interrupt'>) {
    this.#now = now;
    this.#interrupt = interrupt;
    this.#last = now();
  }

  /** The last turn was some time ago. */
  get isDue(): boolean {
    return this.#now() - this.#last > WORK;
  }

  /** Takes a turn, if it is due. Throws Interrupted after a signal. */
  async take(): Promise<void> {
    if (this.isDue) await this.turn();
    if (this.#interrupt.aborted) throw new Interrupted(this.#interrupt);
  }

  async turn(): Promise<void> {
    await new Promise((turn) => setImmediate(turn));
    this.#last = this.#now();
  }
}
