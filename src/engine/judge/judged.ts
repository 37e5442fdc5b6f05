/** What is reported of an examined payload: the level of each rule decides, and whether the payload is valid by that. */

import { NO_FILLS } from '../../json/edits.ts';
import { memoized } from '../../json/on-demand.ts';
import type { Finding, Hidden, Rule } from '../../types.ts';
import { type Judging, levelOf, type RuleLevel } from '../../words/rule-levels.ts';
import type { Examined } from './examine.ts';
import { HiddenCounter, type HiddenCounts } from './fault.ts';

/** A payload of no kind without findings, but for what is given. */
export function examinedAs(given: Partial<Examined>): Examined {
  return { kind: null, findings: [], hidden: [], fills: NO_FILLS, wellFormed: true, ...given };
}

/** What is reported of a payload. */
interface Judged {
  readonly findings: readonly Finding[];
  /** Findings that are left out because their rules are off. */
  readonly off: HiddenCounts;
  /** There is no error. */
  readonly valid: boolean;
}

/** A check could not be evaluated: a warning of it may only come from what else is wrong. */
function isEvaluation(rule: Rule): boolean {
  return rule.startsWith('check/') && rule.endsWith('/evaluation');
}

/** Leaves out what is off, and says whether there are errors. */
export function judged(
  { findings, hidden }: Pick<Examined, 'findings' | 'hidden'>,
  { rules, advice }: Judging,
): Judged {
  const isEmpty = findings.length + hidden.length === 0;
  if (isEmpty || (advice !== true && Object.keys(rules).length === 0)) return { findings, off: [], valid: isEmpty };
  const levelFor = memoized((rule: Rule) => levelOf(rule, rules));
  const level = ({ rule }: Finding | Hidden): RuleLevel => levelFor(rule);
  const off = new HiddenCounter();
  const isError = (one: Finding | Hidden): boolean => level(one) === 'error';
  const valid = !findings.some(isError) && !hidden.some(([one]) => isError(one));
  const shown = findings.filter((finding) => {
    if (level(finding) === 'off') off.add({ rule: finding.rule, fixable: false });
    return level(finding) !== 'off' && (valid || level(finding) === 'error' || !isEvaluation(finding.rule));
  });
  return { findings: shown.length === findings.length ? findings : shown, off: off.counts, valid };
}
