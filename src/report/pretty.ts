/**
 * `pretty`: for people at a terminal. Violations under the name of their file, each with its rule, message, place,
 * pointer, a code frame and hints; the last line sums up the run. Members that are missing in one
 * object are one block. Frames are cut to the width, and messages are wrapped. The caller writes failures to standard error.
 */

import { type Viewed, viewsOf } from '../log/violation-table.ts';
import type { ChangedPatterns, Reporter, ReportStyle, SourceCounts, Summary, ViolationsEvent } from '../types.ts';
import { visible } from '../words/escape.ts';
import { Cap } from './cap.ts';
import { createPalette, type Palette } from './paint.ts';
import { reporterOf } from './reporter.ts';
import { ChangeCounts, changeTables, summaryLine } from './summary.ts';

export async function createPretty(style: ReportStyle): Promise<Reporter> {
  if (style.grouped) return (await import('./grouped.ts')).createGrouped(style);
  const palette = await createPalette(style.colorLevel);
  const stats = style.stats ? await (await import('./stats.ts')).createStats(style) : null;
  const pretty = new Pretty(style, palette);
  const report = reporterOf({
    violations(event) {
      stats?.(event);
      return pretty.violations(event);
    },
    hidden: (event) => void pretty.cap.hide(event),
    source: ({ source, patterns }) => pretty.source(source, patterns),
    summary: (event) => pretty.summary(event.summary, stats?.(event) ?? ''),
  });
  return Object.assign(report, {
    prepare: (events: readonly ViolationsEvent[]) => pretty.prepare(events),
    flush: () => pretty.takeBlock(),
  });
}

class Pretty {
  readonly #style: ReportStyle;
  readonly #palette: Palette;
  readonly cap: Cap;
  readonly #changes = new ChangeCounts();
  /** Violations that are shown together: those known so far. */
  #block: [Viewed, ...Viewed[]] | null = null;
  #file: string | null = null;
  #begun = false;
  /** Loaded with the first violation. */
  #drawing: typeof import('./violation.ts') | null = null;

  constructor(style: ReportStyle, palette: Palette) {
    this.#style = style;
    this.#palette = palette;
    this.cap = new Cap(style.maxViolations);
  }

  async prepare(events: readonly ViolationsEvent[]): Promise<void> {
    this.#drawing ??= await import('./violation.ts');
    for (const event of events)
      if (event.table.extras.length > 0) await this.#drawing.prepareFor(viewsOf(event), this.#style.width);
  }

  /** Returns the text of all blocks but the last, to which later violations may belong. */
  violations(event: ViolationsEvent): string {
    let text = '';
    for (const one of viewsOf(this.cap.admitted(event))) {
      // `prepare` has loaded it
      if (this.#block !== null && this.#drawing!.isSameBlock(this.#block[0], one)) this.#block.push(one);
      else {
        text += this.takeBlock();
        this.#block = [one];
      }
    }
    return text;
  }

  /** `patterns`: see the event. */
  source(source: SourceCounts, patterns: ChangedPatterns | undefined): string {
    const before = this.takeBlock();
    const { quiet, hidesFills } = this.#style;
    this.#changes.add(source);
    if (patterns === undefined || quiet || hidesFills) return before;
    const tables = changeTables(patterns, this.#palette, source);
    if (tables.length === 0) return before;
    const header = this.#goesTo(source.file) ? `${this.#palette.file(visible(source.file))}\n` : '';
    return before + this.#paragraph(header + tables.join('\n'));
  }

  /** `table`: the counts of `--stats`. */
  summary(summary: Summary, table: string): string {
    const before = this.takeBlock();
    const { quiet, summaryOnly, tests } = this.#style;
    const more = summary.uncounted ? this.cap.uncounted(summary.invalid) : this.cap.more();
    const where = summary.uncounted ? '--reasons FILE writes all of them' : this.cap.where(summary.unlisted);
    const hidden = more === null || summaryOnly ? [] : [...this.#wrap(more, ''), ...this.#wrap(where, '  ')];
    const counts = {
      fixable: this.cap.fixable,
      changes: this.#changes,
      tests,
      uncounted: summary.uncounted && more !== null,
    };
    return [
      before,
      hidden.length === 0 ? '' : this.#paragraph(this.#palette.quiet(hidden.join('\n'))),
      table === '' ? '' : this.#paragraph(table.trimEnd()),
      quiet ? '' : this.#paragraph(summaryLine(summary, counts, this.#palette)),
    ].join('');
  }

  /** Returns the text of the block. */
  takeBlock(): string {
    const events = this.#block;
    if (events === null) return '';
    this.#block = null;
    const { file } = events[0].violation;
    const header = this.#goesTo(file) ? this.#paragraph(this.#palette.file(visible(file))) : '';
    return header + this.#paragraph(this.#drawing!.drawViolations(events, this.#style, this.#palette)); // see `prepare`
  }

  /** Begins the text about a file. True if the text before is about another one. */
  #goesTo(file: string): boolean {
    const isNext = file !== this.#file;
    this.#file = file;
    return isNext;
  }

  /** The lines, with a blank line before them unless they are the first. */
  #paragraph(lines: string): string {
    const text = `${this.#begun ? '\n' : ''}${lines}\n`;
    this.#begun = true;
    return text;
  }

  #wrap(line: string, first: string): readonly string[] {
    const { width } = this.#style;
    return this.#drawing === null ? [first + line] : this.#drawing.wrapped(line, width, first, '    ');
  }
}
