/**
 * The level of the violations of each rule: from the config, or the default. Plain data, so that all threads agree.
 */
import type { Rule, Severity } from '../types.ts';

/** `off`: violations are not reported, and counted only as such. */
export type RuleLevel = Severity | 'off';

/** By rule, what the config says; the other rules are errors, and advice is a warning. */
export type RuleLevels = Readonly<Record<string, RuleLevel>>;

export const NO_LEVELS: RuleLevels = Object.freeze({});

/** The prefix of the names of the rules of `--advice`. */
const ADVICE = 'advice/';

/** The advice rule that compares payloads of the same `@id`. It makes a run slower than the others do. */
export const ID_CONFLICT = 'advice/id-conflict';

export function levelOf(rule: Rule, levels: RuleLevels): RuleLevel {
  const level = Object.hasOwn(levels, rule) ? levels[rule] : undefined;
  return level ?? (isAdvice(rule) ? 'warning' : 'error');
}

export function isAdvice(rule: Rule): boolean {
  return rule.startsWith(ADVICE);
}

/** What decides the level of violations. */
export interface Judging {
  readonly rules: RuleLevels;
  /** Advice rules are checked, too. */
  readonly advice?: boolean;
}
