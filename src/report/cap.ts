/**
 * Counts violations against `--max-violations`: which ones may still be shown, and how many were not, by rule and file.
 */
import { MOST_LISTED } from '../engine/judge/records.ts';
import type { Rule, ViolationsEvent } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number, plural } from '../words/number-text.ts';
import { COLUMN, ROW } from './violation-table.ts';

/** Violations of a rule that are not shown, and how many of them are fixable. */
interface HiddenOfFile {
  readonly rule: Rule;
  readonly file: string;
  readonly count: number;
  readonly fixable: number;
}

export interface Cap {
  /** Fixable violations, shown or not. */
  readonly fixable: number;
  /** The violations of an event that may be shown, the first ones. Call it once for each event, in order. */
  admitted(event: ViolationsEvent): ViolationsEvent;
  hide(violations: HiddenOfFile): void;
  /** `… and 137 more: required 80, type 57`; null if all were shown. */
  more(): string | null;
  /** The same if the number is not known. `invalid`: the number of payloads with violations. */
  uncounted(invalid: number): string | null;
  /**
   * `in a.json 130, b.json 7; --max-violations 0 shows all`: the files with the violations that were not shown, and how
   * to show them; "": all were shown. `unlisted`: how many no flag shows.
   */
  where(unlisted?: number): string;
}

/** Most files in the message. */
const FILES = 3;

/** @param max violations to show; 0 shows all */
export function createCap(max: number): Cap {
  let shown = 0;
  let fixable = 0;
  /** Payloads of which violations are shown. They come in order. */
  let payloads = 0;
  let last = { file: '', payload: -1 };
  const byRule = new Map<string, number>();
  const byFile = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string, count: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + count);
  };
  const hide: Cap['hide'] = (hidden) => {
    fixable += hidden.fixable;
    add(byRule, hidden.rule, hidden.count);
    add(byFile, hidden.file, hidden.count);
  };
  return {
    get fixable() {
      return fixable;
    },
    admitted(event) {
      const { table, from, before } = event;
      const { file, rows, statements } = table;
      const to = max === 0 ? event.to : Math.min(event.to, from + max - shown);
      for (let row = from; row < to; row++) {
        const payload = before.payloads + rows[row * ROW + COLUMN.payload]!;
        if (statements[rows[row * ROW]!]!.fixable) fixable++;
        if (payload === last.payload && file === last.file) continue;
        payloads++;
        last = { file, payload };
      }
      for (let row = to; row < event.to; row++) {
        const said = statements[rows[row * ROW]!]!;
        hide({ rule: said.rule, file, count: 1, fixable: said.fixable ? 1 : 0 });
      }
      shown += to - from;
      return { ...event, to };
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
    where(unlisted = 0) {
      if (byRule.size === 0) return '';
      const total = [...byRule.values()].reduce((sum, count) => sum + count, 0);
      const most = `at most ${number(MOST_LISTED)} violations of a payload are listed`;
      const all = `--max-violations 0 shows all${unlisted === 0 ? '' : ` but ${number(unlisted)}: ${most}`}`;
      const files = listed(byFile);
      const others = files.length > FILES ? ` and ${plural(files.length - FILES, 'more file')}` : '';
      return `in ${files.slice(0, FILES).join(', ')}${others}; ${unlisted < total ? all : most}`;
    },
  };
}

/** Names with their counts, in an order that does not depend on the order of the violations. */
function listed(counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1));
  return sorted.map(([name, count]) => `${visible(name)} ${number(count)}`);
}
