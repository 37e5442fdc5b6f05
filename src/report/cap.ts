/**
 * Counts violations against `--max-violations`: says which ones may still be shown, and in the end
 * how many were not, by rule.
 */
import type { Rule } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number } from './numbers.ts';

export interface Cap {
  /** To be asked once for each violation, in order. */
  admits(rule: Rule): boolean;
  /** Violations that are not to be shown. */
  hide(rule: Rule, count: number): void;
  /** `… and 137 more: required 80, type 57`; null where all were shown. */
  more(): string | null;
}

/** @param max violations to show; 0 shows all */
export function createCap(max: number): Cap {
  let shown = 0;
  const hidden = new Map<Rule, number>();
  const hide = (rule: Rule, count: number): void => {
    hidden.set(rule, (hidden.get(rule) ?? 0) + count);
  };
  return {
    admits(rule) {
      if (max === 0 || shown < max) {
        shown++;
        return true;
      }
      hide(rule, 1);
      return false;
    },
    hide,
    more() {
      if (hidden.size === 0) return null;
      const total = [...hidden.values()].reduce((sum, count) => sum + count, 0);
      // In an order that does not depend on when they were met.
      const byRule = [...hidden].sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1));
      return `… and ${number(total)} more: ${byRule.map(([rule, count]) => `${visible(rule)} ${number(count)}`).join(', ')}`;
    },
  };
}
