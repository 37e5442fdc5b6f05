/**
 * Counts violations against `--max-violations`: which ones may still be shown, and how many were not, by rule and file.
 */
import type { Rule } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number, plural } from './numbers.ts';

/** What is counted. */
interface Place {
  readonly rule: Rule;
  readonly file: string;
  /** Absent: not known. */
  readonly payload?: number;
}

export interface Cap {
  /** Whether a violation may be shown. Call it once for each violation, in order. */
  admits(violation: Place): boolean;
  /** `count` violations are not shown. */
  hide(violations: Place & { readonly count: number }): void;
  /** `… and 137 more: required 80, type 57`; null if all were shown. */
  more(): string | null;
  /** The same if the number is not known. `invalid`: the number of payloads with violations. */
  uncounted(invalid: number): string | null;
  /**
   * `in a.json 130, b.json 7; --max-violations 0 shows all`: the files with the violations that were not shown, and how
   * to show them.
   */
  where(): string;
}

/** Most files in the message. */
const FILES = 3;

/** @param max violations to show; 0 shows all */
export function createCap(max: number): Cap {
  let shown = 0;
  /** Payloads of which violations are shown. They come in order. */
  let payloads = 0;
  let last: Place | null = null;
  const byRule = new Map<string, number>();
  const byFile = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string, count: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + count);
  };
  const hide: Cap['hide'] = ({ rule, file, count }) => {
    add(byRule, rule, count);
    add(byFile, file, count);
  };
  return {
    admits(place) {
      const { rule, file, payload } = place;
      if (max === 0 || shown < max) {
        shown++;
        if (payload !== last?.payload || file !== last?.file) payloads++;
        last = place;
        return true;
      }
      hide({ rule, file, count: 1 });
      return false;
    },
    hide,
    more() {
      if (byRule.size === 0) return null;
      const total = [...byRule.values()].reduce((sum, count) => sum + count, 0);
      return `… and ${number(total)} more: ${listed(byRule).join(', ')}`;
    },
    uncounted(invalid) {
      if (byRule.size === 0 && payloads >= invalid) return null;
      return '… and more, which are not counted';
    },
    where() {
      const files = listed(byFile);
      const others = files.length > FILES ? ` and ${plural(files.length - FILES, 'more file')}` : '';
      return `in ${files.slice(0, FILES).join(', ')}${others}; --max-violations 0 shows all`;
    },
  };
}

/** Names with their counts, in an order that does not depend on the order of the violations. */
function listed(counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1));
  return sorted.map(([name, count]) => `${visible(name)} ${number(count)}`);
}
