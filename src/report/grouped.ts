/**
 * `pretty` for two schemas that are compared: violations by rule, place in the schema and pointer (with `*` for any index),
 * the most frequent first, each with its number of payloads and one example. The last line sums up the run. The caller
 * writes failures to standard error.
 */
import { patternOfViolation } from '../json/pointer-pattern.ts';
import { GROUPS_IN_MEMORY } from '../limits.ts';
import { type Viewed, viewsOf } from '../log/violation-table.ts';
import type { Reporter, ReportStyle, Summary, ViolationsEvent } from '../types.ts';
import { visible } from '../words/escape.ts';
import { plural } from '../words/number-text.ts';
import { createPalette, type Palette, pointerText } from './paint.ts';
import { reporterOf } from './reporter.ts';
import { summaryLine } from './summary.ts';
import { drawViolations, prepareFor } from './violation.ts';

interface ViolationGroup {
  readonly pointer: string;
  payloads: number;
  /** The last payload that was counted. */
  last: string;
  example: Viewed;
}

export async function createGrouped(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(style.colorLevel);
  const stats = style.stats ? await (await import('./stats.ts')).createStats(style) : null;
  const groups = new Groups();
  let fixable = 0;
  const report = reporterOf({
    violations(event) {
      stats?.(event);
      for (const view of viewsOf(event)) {
        if (view.violation.fixable) fixable++;
        groups.add(view);
      }
      return '';
    },
    summary: (event) => textOf(groups, { ...event, fixable, table: stats?.(event) ?? '' }, style, palette),
  });
  const prepare = async (events: readonly ViolationsEvent[]): Promise<void> => {
    for (const event of events) if (event.table.extras.length > 0) await prepareFor(viewsOf(event), style.width);
  };
  return Object.assign(report, { prepare });
}

class Groups {
  readonly #groups = new Map<string, ViolationGroup>();
  /** Violations of sorts that are not remembered. */
  others = 0;

  add(view: Viewed): void {
    const { violation, excerpt } = view;
    const { rule, schema, file, payload } = violation;
    const pointer = patternOfViolation(violation);
    const key = JSON.stringify([rule, schema, pointer]);
    const at = JSON.stringify([file, payload]);
    const group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= GROUPS_IN_MEMORY) this.others++;
      else this.#groups.set(key, { pointer, payloads: 1, last: at, example: view });
      return;
    }
    // A source whose lines are read by several threads has an example in each part of it.
    if (group.example.excerpt === null && excerpt !== null) group.example = view;
    if (group.last === at) return;
    group.payloads++;
    group.last = at;
  }

  /** The most frequent first; those of equal number in the order of their first violations. */
  get sorted(): readonly ViolationGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.payloads - a.payloads);
  }
}

interface Last {
  readonly summary: Summary;
  readonly fixable: number;
  readonly table: string;
}

function textOf(groups: Groups, { summary, fixable, table }: Last, style: ReportStyle, palette: Palette): string {
  const all = groups.sorted;
  const shown = style.maxViolations === 0 ? all : all.slice(0, style.maxViolations);
  const paragraphs = style.summaryOnly
    ? []
    : shown.map((group) => `${heading(group, palette)}\n${drawViolations([group.example], style, palette)}`);
  const rest = all.length - shown.length;
  if (rest > 0)
    paragraphs.push(palette.quiet(`… and ${plural(rest, 'more sort')} of violations; --max-violations 0 shows all`));
  if (groups.others > 0) paragraphs.push(palette.quiet(`… and ${plural(groups.others, 'violation')} of other sorts`));
  if (table !== '') paragraphs.push(table.trimEnd());
  if (!style.quiet) paragraphs.push(summaryLine(summary, { fixable }, palette));
  return paragraphs.length === 0 ? '' : `${paragraphs.join('\n\n')}\n`;
}

/** `1,203 payloads: minLength at /items/* by order.schema.json#/properties/items/items/minLength` */
function heading({ payloads, pointer, example: { violation } }: ViolationGroup, palette: Palette): string {
  const { rule, schema } = violation;
  const by = schema === null ? '' : ` by ${visible(schema)}`;
  const what = `${palette.rule(visible(rule))} at ${pointerText(pointer)}`;
  return `${palette.file(plural(payloads, 'payload'))}: ${what}${palette.quiet(by)}`;
}
