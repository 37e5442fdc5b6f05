/**
 * The options of a run: one plain, frozen object that every thread gets.
 */
import type { OutletSpec } from '../outlet/outlet.ts';
import type { Framing, Limits, StatementForm } from '../types.ts';
import type { BudgetData } from './budget.ts';
import type { Judging } from './levels.ts';

export interface RunOptions extends Limits, Judging {
  /** Overrides names and content; null: they decide. */
  readonly framing: Framing | null;
  /** A top-level array is itself the payload. */
  readonly whole: boolean;
  /** Stop at the first invalid payload. */
  readonly bail: boolean;
  /** Code frames are shown; `near`: of pieces of lines only. */
  readonly excerpts: boolean | 'near';
  /** A report shows the violations in the bytes of their files. Absent: false. */
  readonly inFile?: boolean;
  /** What the reports need of violations. */
  readonly forms: readonly StatementForm[];
  readonly budget: BudgetData;
  /**
   * When the budget is used up, no more is needed of a payload than whether it is valid: violations are not even
   * counted. Absent: false.
   */
  readonly verdicts?: boolean;
  /** True: report each violation, even if many have the same cause, because the baseline needs it. Absent: false. */
  readonly each?: boolean;
  /** Null: only the report is needed. */
  readonly outlet: OutletSpec | null;
}
