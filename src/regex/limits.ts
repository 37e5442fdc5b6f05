/**
 * Why a regular expression has no automaton, and limits on the cost of one: then RegExp matches it, with the same result,
 * perhaps slower. Work is counted, not timed, so that an expression has the same result on every machine.
 */

export interface AutomatonLimits {
  /** States of the deterministic automaton before it is minimised. */
  readonly states: number;
  /** Steps of the construction: edges made and followed. A million steps take about 20 ms. */
  readonly work: number;
}

/** For an automaton that is made once and used often. */
export const LIMITS: AutomatonLimits = { states: 10_000, work: 2_000_000 };
/** For an automaton that may be used for a single text. */
export const QUICK: AutomatonLimits = { states: 1000, work: 100_000 };

/** The rest of the limits for one expression. */
export class AutomatonBudget {
  readonly limits: AutomatonLimits;
  #work: number;

  constructor(limits: AutomatonLimits) {
    this.limits = limits;
    this.#work = limits.work;
  }

  /** Throws TooLarge if nothing is left. */
  spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new TooLarge('its automaton would take too long to make');
  }

  /** Throws TooLarge for more states than the limits allow. */
  checkStates(states: number): void {
    if (states > this.limits.states) throw new TooLarge('its automaton would be too large');
  }
}

/** The message is a clause about the expression, such as "it looks behind". */
export class UnsupportedPattern extends Error {
  override readonly name: string = 'Unsupported';
}

/** An automaton exists but costs too much. */
export class TooLarge extends UnsupportedPattern {
  override readonly name = 'TooLarge';
}
