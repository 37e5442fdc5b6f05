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
  /** `… and 137 more: required 80, type 57`; null where all were shown. */
  more(): string | null;
}

/** @param max violations to show; 0 shows all */
export function createCap(max: number): Cap {
  let shown = 0;
  const hidden = new Map<Rule, number>();
  return {
    admits(rule) {
      if (max === 0 || shown < max) {
        shown++;
        return true;
      }
      hidden.set(rule, (hidden.get(rule) ?? 0) + 1);
      return false;
    },
    more() {
      if (hidden.size === 0) return null;
      const total = [...hidden.values()].reduce((sum, count) => sum + count, 0);
      const byRule = [...hidden].sort(([, a], [, b]) => b - a);
      return `… and ${number(total)} more: ${byRule.map(([rule, count]) => `${visible(rule)} ${number(count)}`).join(', ')}`;
    },
  };
}
