/**
 * The report of an examined payload: its findings without those of rules that are off, and whether one of them is an
 * error.
 */
import type { Examined } from '../examine/examine.ts';
import { type Findings, type HiddenCounts, type HiddenList, SLICE } from '../examine/lists.ts';
import type { Finding, Hidden, Rule } from '../types.ts';
import { type Judging, levelOf, type RuleLevel } from './levels.ts';

/** What is reported of a payload. */
export interface Judged {
  readonly findings: Findings;
  /** Violations that are only counted, those of rules that are off among them. */
  readonly hidden: Iterable<Hidden> & Pick<HiddenList, 'counts'>;
  /** Findings that are left out because their rules are off. */
  readonly off: HiddenCounts;
  /** There is no error. */
  readonly valid: boolean;
}

/** Leaves out what is off, and says whether there are errors. */
export function judged({ findings, hidden }: Examined, { rules, advice }: Judging): Judged {
  const isEmpty = findings.length + hidden.length === 0;
  if (isEmpty || (advice !== true && Object.keys(rules).length === 0))
    return { findings, hidden, off: [], valid: isEmpty };
  const remembered = new Map<Rule, RuleLevel>();
  const level = ({ rule }: Finding | Hidden): RuleLevel => {
    const known = remembered.get(rule) ?? levelOf(rule, rules);
    remembered.set(rule, known);
    return known;
  };
  let valid = true;
  const indexes: number[] = [];
  const off = new Map<Rule, number>();
  let i = 0;
  for (const finding of findings) {
    if (level(finding) === 'error') valid = false;
    if (level(finding) !== 'off') indexes.push(i);
    else off.set(finding.rule, (off.get(finding.rule) ?? 0) + 1);
    i++;
  }
  for (const counted of hidden) if (level(counted) === 'error') valid = false;
  return {
    findings:
      off.size === 0 ? findings : pick(findings, indexes, (finding: Finding) => level(finding) !== 'off'),
    hidden,
    off: Array.from(off, ([rule, count]) => [{ rule, fixable: false }, count] as const),
    valid,
  };
}

/** The `findings` at `indexes`, which ascend: those for which `isOn` returns true. */
function pick(findings: Findings, indexes: readonly number[], isOn: (finding: Finding) => boolean): Findings {
  const slice = (from: number, to = indexes.length): readonly Finding[] => {
    const some = indexes.slice(from, to);
    return some.length === 0 ? [] : findings.slice(some[0]!, some.at(-1)! + 1).filter(isOn);
  };
  return {
    length: indexes.length,
    slice,
    *[Symbol.iterator]() {
      for (let from = 0; from < indexes.length; from += SLICE) yield* slice(from, from + SLICE);
    },
  };
}
