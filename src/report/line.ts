/**
 * `line`: one violation per line, `file:line:col: rule message`, for editors and `grep`. A violation is one line, whatever the
 * payload contains. The caller writes failures to standard error.
 */
import type { Reporter, ReportStyle, Violation } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { FillCounts, fillList } from './filled.ts';
import { createPalette, type Palette, place } from './paint.ts';
import { createStats } from './stats.ts';
import { summaryLine } from './summary.ts';

export async function createLine(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(style.colorLevel);
  const cap = createCap(style.maxViolations);
  const stats = style.stats ? await createStats(style) : null;
  const fills = new FillCounts();
  let fixable = 0;

  return (event) => {
    const table = stats?.(event) ?? '';
    switch (event.type) {
      case 'violation':
        if (event.violation.fixable) fixable++;
        return cap.admits(event.violation) ? `${violationLine(event.violation, palette)}\n` : '';
      case 'hidden':
        cap.hide(event);
        fixable += event.fixable;
        return '';
      case 'preformatted':
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
}

function violationLine(violation: Violation, palette: Palette): string {
  const { rule, severity, message, suggestion } = violation;
  const mark = severity === 'warning' ? 'warning: ' : '';
  const help = suggestion === undefined ? '' : `; did you mean ${palette.help(quote(suggestion))}?`;
  return `${place(violation)}: ${mark}${palette.rule(visible(rule))} ${visible(message)}${help}`;
}
