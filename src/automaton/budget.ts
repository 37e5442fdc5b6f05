/**
 * How much an automaton may cost. Work is counted, not timed, so that the same expression has an automaton on every machine.
 */
import { TooLarge } from './unsupported.ts';

export interface Limits {
  /** States of the deterministic automaton before it is minimised. */
  readonly states: number;
  /** Steps of the construction: edges made and followed. A million take some 20 ms. */
  readonly work: number;
}

/** For an automaton that is made once and used for much. */
export const LIMITS: Limits = { states: 10_000, work: 2_000_000 };
/** For one that may be asked for a single text. */
export const QUICK: Limits = { states: 1000, work: 100_000 };

/** What is left of the limits for one expression. */
export class Budget {
  readonly limits: Limits;
  #work: number;

  constructor(limits: Limits) {
    this.limits = limits;
    this.#work = limits.work;
  }

  /** Throws TooLarge once there is nothing left. */
  spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new TooLarge('its automaton would take too long to make');
  }

  /** Throws TooLarge for more states than there may be. */
  checkStates(states: number): void {
    if (states > this.limits.states) throw new TooLarge('its automaton would be too large');
  }
}
