/**
 * `pretty`: for people at a terminal. Violations under the name of their file, each with its rule, message, place,
 * pointer, a code frame and what may help; one line in the end says how the run went. Only the frame is cut to the
 * width; the terminal wraps the rest. Failures are left to the caller, who always says them on stderr.
 */
import type { ReportEvent, Reporter, ReportStyle, ViolationEvent } from '../types.ts';
import { visible } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { fillTable } from './filled.ts';
import { createPalette } from './paint.ts';
import { summaryLine } from './summary.ts';

export async function createPretty(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(style.colorLevel);
  const cap = createCap(style.maxViolations);
  const stats = style.stats ? await (await import('./stats.ts')).createStats(style) : null;
  let fixable = 0;
  let file: string | null = null;
  let begun = false;
  /** Loaded with the first violation. */
  let drawing: typeof import('./violation.ts') | null = null;

  /** A paragraph: a blank line stands before it, unless nothing does. */
  const paragraph = (lines: string) => {
    const text = `${begun ? '\n' : ''}${lines}\n`;
    begun = true;
    return text;
  };

  const report = (event: ReportEvent): string => {
    const table = stats?.(event) ?? '';
    switch (event.type) {
      case 'violation': {
        const { violation } = event;
        if (violation.fixable) fixable++;
        if (!cap.admits(violation.rule)) return '';
        const header = violation.file === file ? '' : paragraph(palette.file(visible(violation.file)));
        file = violation.file;
        return header + paragraph(drawing!.drawViolation(event, style, palette)); // `prepare` came before
      }
      case 'hidden':
        cap.hide(event.rule, event.count);
        fixable += event.fixable;
        return '';
      case 'drawn':
      case 'fill':
      case 'failure':
        return '';
      case 'source': {
        const { source, patterns } = event;
        if (patterns === undefined || patterns.size === 0 || style.quiet) return '';
        const header = source.file === file ? '' : `${palette.file(visible(source.file))}\n`;
        file = source.file;
        return paragraph(header + fillTable(patterns, palette));
      }
      case 'summary': {
        const more = cap.more();
        return [
          more === null ? '' : paragraph(palette.quiet(more)),
          table === '' ? '' : paragraph(table.trimEnd()),
          style.quiet ? '' : paragraph(summaryLine(event.summary, fixable, palette)),
        ].join('');
      }
    }
  };
  const prepare = async (violations: readonly ViolationEvent[]) => {
    drawing ??= await import('./violation.ts');
    await drawing.prepareFor(violations, style.width);
  };
  return Object.assign(report, { prepare });
}
