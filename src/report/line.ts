/**
 * `line`: one violation per line, `file:line:col: rule message`, for editors and `grep`. A violation is one line,
 * whatever the payload contains. What is listed below it follows on lines of its own, `file:line:col: note: rule at
 * pointer: message`. The caller writes failures to standard error.
 */
import type { ReportEvent, Reporter, ReportStyle, Violation } from '../types.ts';
import { visible } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { below, childText } from './children.ts';
import { FillCounts, fillList } from './filled.ts';
import { createNotedWriter, type NotedTemplate } from './noted.ts';
import { createPalette, place } from './paint.ts';
import { saidInLine } from './said.ts';
import { createStats } from './stats.ts';
import { summaryLine } from './summary.ts';

export async function createLine(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(style.colorLevel);
  const cap = createCap(style.maxViolations);
  const stats = style.stats ? await createStats(style) : null;
  const fills = new FillCounts();
  let fixable = 0;

  const report = (event: ReportEvent): string => {
    const table = stats?.(event) ?? '';
    switch (event.type) {
      case 'violation':
        if (event.violation.fixable) fixable++;
        return cap.admits(event.violation)
          ? `${place(event.violation)}${saidInLine(event.violation, palette)}\n${notes(event.violation)}`
          : '';
      case 'hidden':
        cap.hide(event);
        fixable += event.fixable;
        return '';
      case 'noted': // see below
      case 'fill':
      case 'failure':
        return '';
      case 'source': {
        const { source, patterns } = event;
        fills.add(source);
        if (patterns === undefined || patterns.size === 0 || style.quiet) return '';
        return `${visible(source.file)}: ${fillList(patterns)}\n`;
      }
      case 'summary': {
        const more = cap.more();
        return [
          more === null ? '' : `${palette.quiet(`${more}\n  ${cap.where()}`)}\n`,
          table === '' ? '' : `\n${table}\n`,
          style.quiet ? '' : `${summaryLine(event.summary, { fixable, fills }, palette)}\n`,
        ].join('');
      }
    }
  };
  if (style.maxViolations > 0 || style.stats || style.colorLevel > 0) return report;
  const noted = createNotedWriter(NOTED_LINE, (count) => {
    fixable += count;
  });
  return Object.assign(report, { noted });
}

/** The list below a violation, as notes in the style of compilers. */
function notes(violation: Violation): string {
  const { file } = violation;
  return Array.from(
    below(violation),
    ({ child: { line, column }, child }) => `${place({ file, line, column })}: note: ${childText(child)}\n`,
  ).join('');
}

/** The file name and the line and column are escaped as one text; this is that text without the line and column. */
const NOTED_LINE: NotedTemplate = {
  head: (file) => place({ file, line: 1, column: 1 }).slice(0, -'1:1'.length),
  numbers: [
    ['line', ':'],
    ['column', ''],
  ],
  form: 'line',
  end: '\n',
};
