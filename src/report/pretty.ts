/**
 * `pretty`: for people at a terminal. Violations under the name of their file, each with its rule, message, place,
 * pointer, a code frame and hints; the last line sums up the run. Members that are missing in one
 * object are one block. Frames are cut to the width, and messages are wrapped. The caller writes failures to standard error.
 */
import type { ReportEvent, Reporter, ReportStyle, ViolationEvent } from '../types.ts';
import { visible } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { FillCounts, fillTable } from './filled.ts';
import { createPalette } from './paint.ts';
import { summaryLine } from './summary.ts';

export async function createPretty(style: ReportStyle): Promise<Reporter> {
  const palette = await createPalette(style.colorLevel);
  const cap = createCap(style.maxViolations);
  const stats = style.stats ? await (await import('./stats.ts')).createStats(style) : null;
  const fills = new FillCounts();
  let fixable = 0;
  /** Violations that are shown together, as far as they are known. */
  let block: [ViolationEvent, ...ViolationEvent[]] | null = null;
  let file: string | null = null;
  let begun = false;
  /** Loaded with the first violation. */
  let drawing: typeof import('./violation.ts') | null = null;

  /** A paragraph, after a blank line unless it is the first. */
  const paragraph = (lines: string) => {
    const text = `${begun ? '\n' : ''}${lines}\n`;
    begun = true;
    return text;
  };

  const wrap = (line: string, first: string): readonly string[] =>
    drawing === null ? [first + line] : drawing.wrapped(line, style.width, first, '    ');

  const takeBlock = (): string => {
    if (block === null) return '';
    const events = block;
    block = null;
    const { violation } = events[0];
    const header = violation.file === file ? '' : paragraph(palette.file(visible(violation.file)));
    file = violation.file;
    return header + paragraph(drawing!.drawViolations(events, style, palette)); // `prepare` came before
  };

  const report = (event: ReportEvent): string => {
    const table = stats?.(event) ?? '';
    switch (event.type) {
      case 'violation': {
        const { violation } = event;
        if (violation.fixable) fixable++;
        if (!cap.admits(violation)) return '';
        // `prepare` came before.
        if (block !== null && drawing!.isSameBlock(block[0], event)) {
          block.push(event);
          return '';
        }
        const before = takeBlock();
        block = [event];
        return before;
      }
      case 'hidden':
        cap.hide(event);
        fixable += event.fixable;
        return '';
      case 'noted': // it gets objects
      case 'fill':
      case 'failure':
        return '';
      case 'source': {
        const before = takeBlock();
        const { source, patterns } = event;
        fills.add(source);
        if (patterns === undefined || patterns.size === 0 || style.quiet) return before;
        const header = source.file === file ? '' : `${palette.file(visible(source.file))}\n`;
        file = source.file;
        return before + paragraph(header + fillTable(patterns, palette, { ...source, width: style.width }));
      }
      case 'summary': {
        const before = takeBlock();
        const { summary } = event;
        const more = summary.uncounted ? cap.uncounted(summary.invalid) : cap.more();
        const where = summary.uncounted ? '--reasons FILE writes all of them' : cap.where();
        const hidden = more === null ? [] : [...wrap(more, ''), ...wrap(where, '  ')];
        const uncounted = summary.uncounted && more !== null;
        return [
          before,
          hidden.length === 0 ? '' : paragraph(palette.quiet(hidden.join('\n'))),
          table === '' ? '' : paragraph(table.trimEnd()),
          style.quiet ? '' : paragraph(summaryLine(summary, { fixable, fills, uncounted }, palette)),
        ].join('');
      }
    }
  };
  const prepare = async (violations: readonly ViolationEvent[]) => {
    drawing ??= await import('./violation.ts');
    await drawing.prepareFor(violations, style.width);
  };
  return Object.assign(report, { prepare, flush: takeBlock });
}
