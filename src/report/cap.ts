/** Counts violations against `--max-violations`: which ones may still be shown, and how many were not, by rule and file. */
import { LISTED_VIOLATIONS } from '../limits.ts';
import { COLUMN, ROW } from '../log/violation-table.ts';
import type { ReportEvent, ViolationsEvent } from '../types.ts';
import { visible } from '../words/escape.ts';
import { number, plural } from '../words/number-text.ts';

const FILES = 3;

export class Cap {
  readonly #max: number;
  #shown = 0;
  /** Payloads of which violations are shown. They come in order. */
  #payloads = 0;
  #lastFile = '';
  #lastPayload = -1;
  readonly #byRule = new Map<string, number>();
  readonly #byFile = new Map<string, number>();
  /** Fixable violations, shown or not. */
  fixable = 0;

  /** `max`: violations to show; 0 shows all. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The violations of an event that may be shown, the first ones. Call it once for each event, in order. */
  admitted(event: ViolationsEvent): ViolationsEvent {
    const { table, from, before } = event;
    const { file, rows, statements } = table;
    const to = this.#max === 0 ? event.to : Math.min(event.to, from + this.#max - this.#shown);
    for (let row = from; row < to; row++) {
      const payload = before.payloads + rows[row * ROW + COLUMN.payload]!;
      if (statements[rows[row * ROW]!]!.fixable) this.fixable++;
      if (payload === this.#lastPayload && file === this.#lastFile) continue;
      this.#payloads++;
      this.#lastFile = file;
      this.#lastPayload = payload;
    }
    for (let row = to; row < event.to; row++) {
      const statement = statements[rows[row * ROW]!]!;
      this.hide({ rule: statement.rule, file, count: 1, fixable: statement.fixable ? 1 : 0 });
    }
    this.#shown += to - from;
    return { ...event, to };
  }

  /** Violations of a rule in a file that are not shown, and how many of them are fixable. */
  hide({ rule, file, count, fixable }: Omit<Extract<ReportEvent, { readonly type: 'hidden' }>, 'type'>): void {
    this.fixable += fixable;
    this.#byRule.set(rule, (this.#byRule.get(rule) ?? 0) + count);
    this.#byFile.set(file, (this.#byFile.get(file) ?? 0) + count);
  }

  get #total(): number {
    return [...this.#byRule.values()].reduce((sum, count) => sum + count, 0);
  }

  /** `… and 137 more: required 80, type 57`; null if all were shown. */
  more(): string | null {
    return this.#byRule.size === 0 ? null : `… and ${number(this.#total)} more: ${listed(this.#byRule).join(', ')}`;
  }

  /** The same if the number is not known. `invalid`: the number of payloads with violations. */
  uncounted(invalid: number): string | null {
    return this.#byRule.size === 0 && this.#payloads >= invalid ? null : '… and more, which are not counted';
  }

  /**
   * `in a.json 130, b.json 7; --max-violations 0 shows all`: the files with the violations that were not shown, and how
   * to show them; "": all were shown. `unlisted`: how many no flag shows.
   */
  where(unlisted = 0): string {
    if (this.#byRule.size === 0) return '';
    const most = `at most ${number(LISTED_VIOLATIONS)} violations of a payload are listed`;
    const all = `--max-violations 0 shows all${unlisted === 0 ? '' : ` but ${number(unlisted)}: ${most}`}`;
    const files = listed(this.#byFile);
    const others = files.length > FILES ? ` and ${plural(files.length - FILES, 'more file')}` : '';
    return `in ${files.slice(0, FILES).join(', ')}${others}; ${unlisted < this.#total ? all : most}`;
  }
}

/** Names with their counts, in an order that does not depend on the order of the violations. */
function listed(counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1));
  return sorted.map(([name, count]) => `${visible(name)} ${number(count)}`);
}
