/**
 * `line`: one violation per line, `file:line:col: rule message`, for editors and `grep`. A violation is one line,
 * whatever the payload contains. What is listed below it follows on lines of its own, `file:line:col: note: rule at
 * pointer: message`. The caller writes failures to standard error.
 */
import { once } from '../json/on-demand.ts';
import type { Reporter, ReportStyle, Statement } from '../types.ts';
import { visible } from '../words/escape.ts';
import { Cap } from './cap.ts';
import { createPalette, place } from './paint.ts';
import { reporterOf } from './reporter.ts';
import { createRowWriter, lineText } from './statement-texts.ts';
import { createStats } from './stats.ts';
import { ChangeCounts, changeLists, summaryLine } from './summary.ts';
import { below, childText } from './violation.ts';

export async function createLine(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(style.colorLevel);
  const cap = new Cap(style.maxViolations);
  const stats = style.stats ? await createStats(style) : null;
  const changes = new ChangeCounts();
  const writer = once(() =>
    createRowWriter({
      text: (statement, file) => [lineText(statement, palette), ...linesBelow(statement, file)].join('\n'),
      row: (at, text) => `${place(at)}${text}\n`,
    }),
  );

  return reporterOf({
    violations(event) {
      stats?.(event);
      return writer()(cap.admitted(event));
    },
    hidden: (event) => void cap.hide(event),
    source({ source, patterns }) {
      changes.add(source);
      if (patterns === undefined || style.quiet || style.hidesFills) return '';
      return changeLists(patterns)
        .map((list) => `${visible(source.file)}: ${list}\n`)
        .join('');
    },
    summary(event) {
      const { summary } = event;
      const table = stats?.(event) ?? '';
      const more = cap.more();
      const facts = { fixable: cap.fixable, changes, tests: style.tests };
      return [
        more === null ? '' : `${palette.quiet(`${more}\n  ${cap.where(summary.unlisted)}`)}\n`,
        table === '' ? '' : `\n${table}\n`,
        style.quiet ? '' : `${summaryLine(summary, facts, palette)}\n`,
      ].join('');
    },
  });
}

/** The list below a violation, as notes in the style of compilers. */
function linesBelow(statement: Statement, file: string): string[] {
  return Array.from(
    below(statement),
    ({ child: { line, column }, child }) => `${place({ file, line, column })}: note: ${childText(child)}`,
  );
}
