/** The level of a rule: its violations are errors, warnings or off, by the config, the checks and `--advice`. */

/** `off`: violations are not reported, and counted only as such. */
export type RuleLevel = 'error' | 'warning' | 'off';

/** By rule, what the config and the checks say; the other rules are errors, and `deprecated` is a warning. */
export type RuleLevels = Readonly<Record<string, RuleLevel>>;

export const NO_LEVELS: RuleLevels = Object.freeze({});

/** The rule of the keyword of this name: a warning, and off unless it is turned on. */
export const DEPRECATED = 'deprecated';

/** What decides the level of violations. */
export interface Judging {
  readonly rules: RuleLevels;
  /** `--advice`: deprecated members are warned of. */
  readonly advice?: boolean;
}

export function levelOf(rule: string, levels: RuleLevels): RuleLevel {
  const level = Object.hasOwn(levels, rule) ? levels[rule] : undefined;
  return level ?? (rule === DEPRECATED ? 'warning' : 'error');
}

/** Whether violations of the rule are looked for. `deprecated` needs no `--advice` if the config has a level for it. */
export function isSought(rule: string, { rules, advice = false }: Judging): boolean {
  if (levelOf(rule, rules) === 'off') return false;
  return rule !== DEPRECATED || advice || Object.hasOwn(rules, rule);
}
