/**
 * `pretty`: for people at a terminal. Violations under the name of their file, each with its rule, message, place,
 * pointer, a code frame and what may help; one line in the end says how the run went. Only the frame is cut to the
 * width; the terminal wraps the rest. Failures are left to the caller, who always says them on stderr.
 */
import stringWidth from 'fast-string-width';
import type { Excerpt, ReportEvent, Reporter, ReportStyle, Violation, ViolationEvent } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { fillTable } from './filled.ts';
import { createPalette, type Palette, place, pointerText } from './paint.ts';
import { createStats } from './stats.ts';
import { summaryLine } from './summary.ts';

export function createPretty(style: ReportStyle): Reporter {
  const palette = createPalette(style.colorLevel);
  const cap = createCap(style.maxViolations);
  const stats = style.stats ? createStats(style) : null;
  let fixable = 0;
  let file: string | null = null;
  let begun = false;
  let frame: FrameModule | null = null;

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
        const { violation, excerpt } = event;
        if (violation.fixable) fixable++;
        if (!cap.admits(violation.rule)) return '';
        const header = violation.file === file ? '' : paragraph(palette.file(visible(violation.file)));
        file = violation.file;
        return header + paragraph(drawViolation(violation, excerpt, style.width, palette, frame));
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
    frame = await import('./frame.ts');
    for (const { violation, excerpt } of violations) {
      if (excerpt !== null)
        await frame.prepareFor(nearby(violation, excerpt, style.width, frame).excerpt.text);
    }
  };
  return Object.assign(report, { prepare });
}

type FrameModule = typeof import('./frame.ts');

/** Line numbers up to so many digits share one gutter. */
const GUTTER = 4;
/** In a terminal too narrow for anything, the frame is still so wide. */
const FRAME_MIN = 16;

function drawViolation(
  violation: Violation,
  excerpt: Excerpt | null,
  width: number,
  palette: Palette,
  frame: FrameModule | null,
): string {
  const number = lineNumber(violation);
  const blank = ' '.repeat(number.length);
  const help = helpFor(violation, palette);
  const where = place(violation);
  const pointer = pointerText(violation.pointer);
  const beside = blank.length + 4 + stringWidth(`${where}  ${pointer}`) <= width;
  const lines = [`  ${palette.rule(visible(violation.rule))}  ${visible(violation.message)}`];
  lines.push(`${blank} ${palette.quiet('╭─')} ${where}${beside ? `  ${palette.quiet(pointer)}` : ''}`);
  if (!beside) lines.push(`${blank} ${palette.quiet(`│  ${pointer}`)}`);
  if (excerpt !== null && frame !== null) {
    const near = nearby(violation, excerpt, width, frame);
    const from = Math.max(0, violation.column - near.excerpt.column);
    const to =
      violation.endLine > violation.line
        ? Number.POSITIVE_INFINITY
        : violation.endColumn - near.excerpt.column;
    const { text, caretColumn, caretWidth } = frame.drawFrame(near.excerpt, from, to, near.room);
    const carets = ' '.repeat(caretColumn) + palette.caret('^'.repeat(caretWidth));
    lines.push(`${palette.quiet(`${number} │`)} ${text}`.trimEnd());
    lines.push(`${blank} ${palette.quiet('│')} ${carets}`);
  }
  if (help !== '') lines.push(`${blank} ${palette.quiet('╰─')} ${help}`);
  return lines.join('\n');
}

function lineNumber({ line }: Violation): string {
  return String(line).padStart(GUTTER);
}

/** No more of the line than can be shown in a terminal so wide, and the room that there is for it: measuring text takes its time. */
function nearby(
  violation: Violation,
  excerpt: Excerpt,
  width: number,
  { mayJoin }: FrameModule,
): { excerpt: Excerpt; room: number } {
  const room = Math.max(FRAME_MIN, width - lineNumber(violation).length - 3);
  const from = Math.max(0, violation.column - excerpt.column);
  // A character that stands for itself has at least a column; what joins takes less room. What is cut off at the ends could have
  // belonged to what is there: one character more to each side, and neither can be shown.
  const near = around(excerpt, from, room + 1);
  // How wide a tab is depends on where the text begins.
  const isEnough = !mayJoin(near.text) && !near.text.includes('\t');
  return { excerpt: isEnough ? near : around(excerpt, from, 3 * room), room };
}

/** The part of `excerpt` that is not further than `reach` characters from code unit `from`. */
function around({ text, column, cutBefore, cutAfter }: Excerpt, from: number, reach: number): Excerpt {
  let start = Math.min(from, text.length);
  let end = start;
  for (let i = 0; i < reach && start > 0; i++) start -= isPair(text, start - 2) ? 2 : 1;
  for (let i = 0; i < reach && end < text.length; i++) end += isPair(text, end) ? 2 : 1;
  return {
    text: text.slice(start, end),
    column: column + start,
    cutBefore: cutBefore || start > 0,
    cutAfter: cutAfter || end < text.length,
  };
}

/** True where the two code units at `index` are one character. */
function isPair(text: string, index: number): boolean {
  return index >= 0 && text.codePointAt(index)! > 0xffff;
}

/** `did you mean "Article"? · fixable with paylint fill`, one of the two, or nothing. */
function helpFor(violation: Violation, palette: Palette): string {
  const help: string[] = [];
  if (violation.suggestion !== undefined) help.push(`did you mean ${quote(violation.suggestion)}?`);
  if (violation.fixable) help.push('fixable with paylint fill');
  return help.map((text) => palette.help(text)).join(palette.quiet(' · '));
}
