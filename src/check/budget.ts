/**
 * How many violations the reports still show. Threads that check later parts of the input look at it, so that they make no texts and no code
 * frames for violations that only count.
 */

/** Plain data; threads share the memory. */
export interface BudgetData {
  /** One number, shared: how many more violations are shown. Null: all are. */
  readonly left: Int32Array | null;
  /** Violations beyond the budget are only counted; else they are reported without a code frame. */
  readonly countsOthers: boolean;
}

/** All violations are shown. */
export const NO_BUDGET: BudgetData = { left: null, countsOthers: false };

/** Threads count down in 32 bits; no run shows more. */
const MOST = 0x7fff_ffff;

/** Data for a budget of `shown` violations. */
export function budgetOf(shown: number, countsOthers: boolean): BudgetData {
  if (shown > MOST) return NO_BUDGET;
  return { left: new Int32Array(new SharedArrayBuffer(4)).fill(shown), countsOthers };
}

export class Budget {
  readonly #left: Int32Array | null;
  readonly #countsOthers: boolean;

  constructor({ left, countsOthers }: BudgetData) {
    this.#left = left;
    this.#countsOthers = countsOthers;
  }

  /** Infinity if all violations are shown. It only falls: once it is 0, no violation further on in the input is shown. */
  get left(): number {
    return this.#left === null ? Number.POSITIVE_INFINITY : Atomics.load(this.#left, 0);
  }

  /** `count` violations were reported. */
  take(count: number): void {
    if (this.#left !== null) Atomics.sub(this.#left, 0, count);
  }

  /** True if a violation is only to be counted once `shown` more were shown. */
  hidesAfter(shown: number): boolean {
    return this.#countsOthers && shown >= this.left;
  }
}
