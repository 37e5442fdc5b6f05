/**
 * How bad the violations of each rule are: what the config says of rules, and what holds without it. Plain data, so
 * that all threads agree.
 */
import type { Rule, Severity } from '../types.ts';

/** `off`: violations are not reported, and counted only as such. */
export type RuleLevel = Severity | 'off';

/** By rule, what the config says; the other rules are errors, and advice is a warning. */
export type RuleLevels = Readonly<Record<string, RuleLevel>>;

export const NO_LEVELS: RuleLevels = Object.freeze({});

/** What the names of the rules of `--advice` begin with. */
const ADVICE = 'advice/';

/** The rule of advice that compares payloads of the same `@id`, which costs a run more than the others. */
export const ID_CONFLICT = 'advice/id-conflict';

export function levelOf(rule: Rule, levels: RuleLevels): RuleLevel {
  const level = Object.hasOwn(levels, rule) ? levels[rule] : undefined;
  return level ?? (isAdvice(rule) ? 'warning' : 'error');
}

export function isAdvice(rule: Rule): boolean {
  return rule.startsWith(ADVICE);
}

/** What decides how bad violations are. */
export interface Judging {
  readonly rules: RuleLevels;
  /** Rules of advice are looked at, too. */
  readonly advice?: boolean;
}
