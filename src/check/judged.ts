/**
 * The report of an examined payload: its findings without those of rules that are off, and whether one of them is an
 * error.
 */
import { HiddenCounter, type HiddenCounts } from '../examine/counted.ts';
import type { Examined } from '../examine/examine.ts';
import type { Finding, Hidden, Rule } from '../types.ts';
import { type Judging, levelOf, type RuleLevel } from './levels.ts';

/** What is reported of a payload. */
export interface Judged {
  readonly findings: readonly Finding[];
  /** Findings that are left out because their rules are off. */
  readonly off: HiddenCounts;
  /** There is no error. */
  readonly valid: boolean;
}

/** Leaves out what is off, and says whether there are errors. */
export function judged(
  { findings, hidden }: Pick<Examined, 'findings' | 'hidden'>,
  { rules, advice }: Judging,
): Judged {
  const isEmpty = findings.length + hidden.length === 0;
  if (isEmpty || (advice !== true && Object.keys(rules).length === 0))
    return { findings, off: [], valid: isEmpty };
  const remembered = new Map<Rule, RuleLevel>();
  const level = ({ rule }: Finding | Hidden): RuleLevel => {
    const known = remembered.get(rule) ?? levelOf(rule, rules);
    remembered.set(rule, known);
    return known;
  };
  const off = new HiddenCounter();
  const kept = findings.filter((finding) => {
    if (level(finding) === 'off') off.add({ rule: finding.rule, fixable: false });
    return level(finding) !== 'off';
  });
  const isError = (one: Finding | Hidden): boolean => level(one) === 'error';
  const valid = !kept.some(isError) && !hidden.some(([one]) => isError(one));
  return { findings: kept.length === findings.length ? findings : kept, off: off.counts, valid };
}
