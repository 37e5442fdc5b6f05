/**
 * One violation as `pretty` shows it: rule and message, place and pointer, a code frame, and what may help. Loaded with the first
 * violation, for most runs have none.
 */
import stringWidth from 'fast-string-width';
import type { Excerpt, ReportStyle, Violation, ViolationEvent } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { placeInAscii } from './ascii.ts';
import { drawFrame, mayJoin, prepareFor as prepareFrame } from './frame.ts';
import { type Palette, place, pointerText } from './paint.ts';

/** Marks text that is cut off in a frame, if only ASCII is shown: one column wide, as `…` is. */
const CUT = '~';
/** Line numbers up to so many digits share one gutter. */
const GUTTER = 4;
/** In a terminal too narrow for anything, the frame is still so wide. */
const FRAME_MIN = 16;

/** To be awaited before `drawViolation`: loads what only some texts need. */
export async function prepareFor(violations: readonly ViolationEvent[], width: number): Promise<void> {
  for (const { violation, excerpt } of violations) {
    if (excerpt !== null) await prepareFrame(nearby(violation, excerpt, width).excerpt.text);
  }
}

/** Several lines, without the line feed at the end. */
export function drawViolation(
  { violation, excerpt }: ViolationEvent,
  { width, unicode }: ReportStyle,
  palette: Palette,
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
  if (excerpt !== null) {
    const near = nearby(violation, excerpt, width);
    const from = Math.max(0, violation.column - near.excerpt.column);
    const to =
      violation.endLine > violation.line
        ? Number.POSITIVE_INFINITY
        : violation.endColumn - near.excerpt.column;
    const place = unicode ? { ...near, from, to } : placeInAscii({ ...near, from, to });
    const drawn = drawFrame(place.excerpt, place.from, place.to, near.room);
    const carets = ' '.repeat(drawn.caretColumn) + palette.caret('^'.repeat(drawn.caretWidth));
    const text = unicode ? drawn.text : drawn.text.replaceAll('…', CUT);
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
function nearby(violation: Violation, excerpt: Excerpt, width: number): { excerpt: Excerpt; room: number } {
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
