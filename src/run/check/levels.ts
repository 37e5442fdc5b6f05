/**
 * Which violations are errors, and which are shown: the level of the violations of each rule, from the config or the
 * default; and how many more violations the reports will show, so that threads that check later parts of the input
 * make no texts and code frames for violations that are only counted. Plain data, so that all threads agree.
 */
import type { Rule, Severity } from '../../types.ts';

/** `off`: violations are not reported, and counted only as such. */
export type RuleLevel = Severity | 'off';

/** By rule, what the config and the checks say; the other rules are errors, and `deprecated` is a warning. */
export type RuleLevels = Readonly<Record<string, RuleLevel>>;

export const NO_LEVELS: RuleLevels = Object.freeze({});

/** The rule of the keyword of this name: a warning, and off unless it is turned on. */
export const DEPRECATED = 'deprecated';

export function levelOf(rule: Rule, levels: RuleLevels): RuleLevel {
  const level = Object.hasOwn(levels, rule) ? levels[rule] : undefined;
  return level ?? (rule === DEPRECATED ? 'warning' : 'error');
}

/** Whether violations of the rule are looked for. `deprecated` needs no `--advice` if the config has a level for it. */
export function isSought(rule: Rule, { rules, advice = false }: Judging): boolean {
  if (levelOf(rule, rules) === 'off') return false;
  return rule !== DEPRECATED || advice || Object.hasOwn(rules, rule);
}

/** What decides the level of violations. */
export interface Judging {
  readonly rules: RuleLevels;
  /** `--advice`: deprecated members are warned of. */
  readonly advice?: boolean;
}

/** Plain data with shared memory, for threads. */
export interface BudgetData {
  /** One shared number: how many more violations are shown. Null: all are. */
  readonly left: Int32Array | null;
  /** True: violations beyond the budget are only counted. False: they are reported without a code frame. */
  readonly countsOthers: boolean;
}

/** All violations are shown. */
export const NO_BUDGET: BudgetData = { left: null, countsOthers: false };

/** The largest shared count: it has 32 bits. No run shows more violations. */
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

  /** Infinity if all violations are shown. It only falls: once it is 0, no later violation in the input is shown. */
  get left(): number {
    return this.#left === null ? Number.POSITIVE_INFINITY : Atomics.load(this.#left, 0);
  }

  /** Call this after `count` violations were reported. */
  take(count: number): void {
    if (this.#left !== null) Atomics.sub(this.#left, 0, count);
  }

  /** How many more violations are reported; the others are only counted. */
  get room(): number {
    return this.#countsOthers ? Math.max(0, this.left) : Number.POSITIVE_INFINITY;
  }

  /** True if a violation will only be counted after `shown` more are shown. */
  hidesAfter(shown: number): boolean {
    return shown >= this.room;
  }
}
