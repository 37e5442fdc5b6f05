/**
 * The options of a run: one plain, frozen object that every thread gets.
 */
import type { OutletSpec } from '../outlet/outlet.ts';
import type { Framing, Limits } from '../types.ts';
import type { BudgetData } from './budget.ts';
import type { Judging } from './levels.ts';

export interface RunOptions extends Limits, Judging {
  /** Overrides what names and content say; null: they say it. */
  readonly framing: Framing | null;
  /** A top-level array is itself the payload. */
  readonly whole: boolean;
  /** Stop at the first invalid payload. */
  readonly bail: boolean;
  /** Code frames are wanted. */
  readonly excerpts: boolean;
  /** Only whole `ndjson` reports are written, so that threads can make their text. */
  readonly preformatted: boolean;
  readonly budget: BudgetData;
  /** Each violation is wanted, even if many have the same cause: a baseline looks at it. Absent: not so. */
  readonly each?: boolean;
  /** Null: nothing but the report is wanted. */
  readonly outlet: OutletSpec | null;
}
