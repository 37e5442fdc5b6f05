/**
 * One violation as `pretty` shows it: rule and message, place and pointer, a code frame, and hints. Loaded with the first
 * violation, because most runs have none.
 */
import type { Child, EarlierLine, Excerpt, ReportStyle, Violation } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { placeInAscii } from './ascii.ts';
import { drawFrame, isPrepared, mayJoin, prepareFor as prepareFrame } from './frame.ts';
import { cutInTheMiddle, isPair, type Palette, place, pointerText } from './paint.ts';
import { displayWidth, wrapped } from './text-width.ts';
import type { Viewed } from './violation-table.ts';
import { said } from './violation-table.ts';

export { wrapped };

/** Marks text that is cut off in a frame, if only ASCII is shown: one column wide, as `…` is. */
const CUT = '~';
/** Digits of the widest line number that fits into the common gutter. */
const GUTTER = 4;
/** The least width of a frame, however narrow the terminal is. */
const FRAME_MIN = 16;

/** Must resolve before `drawViolations`: loads what only some texts need. */
export async function prepareFor(violations: Iterable<Viewed>, width: number): Promise<void> {
  for (const { violation, excerpt } of violations) {
    if (isPrepared()) return;
    if (excerpt === null) continue;
    await prepareFrame(nearby(violation, excerpt, width).excerpt.text);
    if (excerpt.earlier !== undefined) await prepareFrame(excerpt.earlier.text);
  }
}

/**
 * Several lines, without the line feed at the end. `events`: one violation, or several members that are missing in one
 * object, which are shown as one block.
 */
export function drawViolations(
  events: readonly [Viewed, ...Viewed[]],
  style: ReportStyle,
  palette: Palette,
): string {
  const { width } = style;
  const [{ violation, excerpt }] = events;
  const violations = events.map((event) => event.violation);
  const number = lineNumber(violation);
  const blank = ' '.repeat(number.length);
  const where = place(violation);
  const pointer = pointerText(violation.pointer);
  const beside = blank.length + 4 + displayWidth(`${where}  ${pointer}`) <= width;
  const mark = violation.severity === 'warning' ? 'warning: ' : '';
  const rule = visible(violation.rule);
  const [first = '', ...others] = wrapped(
    mark + visible(messageOf(violations)),
    width,
    `  ${rule}  `,
    '    ',
  );
  const lines = [`  ${palette.rule(rule)}${first.slice(2 + rule.length)}`, ...others];
  lines.push(`${blank} ${palette.quiet('╭─')} ${where}${beside ? `  ${palette.quiet(pointer)}` : ''}`);
  if (!beside) lines.push(`${blank} ${palette.quiet(`│  ${fitted(pointer, width - blank.length - 4)}`)}`);
  if (excerpt !== null) lines.push(...frame(violation, excerpt, style, palette));
  const help = helpFor(violations);
  const branch = { file: violation.file, prefix: `${blank} `, isEnd: help === '', width };
  lines.push(...tree(violation, branch, palette));
  if (help !== '') {
    const [start = '', ...more] = wrapped(help, width, `${blank} ╰─ `, `${blank}    `);
    lines.push(`${blank} ${palette.quiet('╰─')} ${palette.help(start.slice(blank.length + 4))}`);
    for (const line of more) lines.push(palette.help(line));
  }
  return lines.join('\n');
}

/** How a list of children is drawn. */
interface Branch {
  readonly file: string;
  /** Before each line; plain text. */
  readonly prefix: string;
  /** True for the end of the list: nothing follows on its level. */
  readonly isEnd: boolean;
  readonly width: number;
}

/** The list below a violation as a tree: for each item its place, its pointer and its message. */
function tree({ children = [] }: Pick<Violation, 'children'>, branch: Branch, palette: Palette): string[] {
  const { file, prefix, isEnd, width } = branch;
  return children.flatMap((child, i) => {
    const isLast = isEnd && i === children.length - 1;
    const corner = `${prefix}${isLast ? '╰' : '├'}─ `;
    const inside = `${prefix}${isLast ? ' ' : '│'}  `;
    const { line, column } = child;
    const where = `${place({ file, line, column })}  `;
    const room = Math.max(FRAME_MIN, width - displayWidth(corner + where));
    const rule = visible(child.rule);
    const [first = '', ...others] = wrapped(
      visible(withHelp(child)),
      width,
      `${inside}${rule}  `,
      `${inside}  `,
    );
    return [
      `${palette.quiet(corner)}${where}${palette.quiet(fitted(pointerText(child.pointer), room))}`,
      `${palette.quiet(inside)}${palette.rule(rule)}${first.slice(inside.length + rule.length)}`,
      ...others.map((text) => palette.quiet(inside) + text.slice(inside.length)),
      ...tree(child, { file, prefix: inside, isEnd: true, width }, palette),
    ];
  });
}

/** Cut to `room` columns. */
function fitted(pointer: string, room: number): string {
  let text = pointer;
  for (let most = room; displayWidth(text) > room && most > 0; most--) text = cutInTheMiddle(pointer, most);
  return text;
}

/** Whether two violations are shown as one block. */
export function isSameBlock({ violation: a }: Viewed, { violation: b }: Viewed): boolean {
  if (a.rule !== 'required' || b.rule !== 'required' || a.params.missing === undefined) return false;
  if (a.authorMessage !== undefined || b.authorMessage !== undefined) return false;
  if (reasonIn(a) !== reasonIn(b)) return false;
  return a.file === b.file && a.payload === b.payload && a.offset === b.offset && a.pointer === b.pointer;
}

/** The condition under which the schema requires a missing member, as the end of the message; or an empty text. */
function reasonIn({ message }: Violation): string {
  return /; the schema asks for this .*$/.exec(message)?.[0] ?? '';
}

/** The line of the violation, and carets below it. */
function frame(
  violation: Violation,
  excerpt: Excerpt,
  { width, unicode }: ReportStyle,
  palette: Palette,
): string[] {
  const number = lineNumber(violation);
  const near = nearby(violation, excerpt, width);
  const { earlier } = excerpt;
  const at = Math.max(0, violation.column - near.excerpt.column);
  const isComma = violation.rule === 'json-syntax' && violation.params.cause === 'trailing-comma';
  const comma = isComma && earlier === undefined ? near.excerpt.text.lastIndexOf(',', at) : -1;
  const from = comma >= 0 ? comma : violation.rule === 'json-syntax' ? wordStart(near.excerpt.text, at) : at;
  const place = { ...near, from, to: comma >= 0 ? comma + 1 : endInFrame(violation, near.excerpt, at) };
  const shown = unicode ? place : placeInAscii(place);
  const drawn = drawFrame(shown.excerpt, shown.from, shown.to, near.room);
  const carets = ' '.repeat(drawn.caretColumn) + palette.caret('^'.repeat(drawn.caretWidth));
  const text = unicode ? drawn.text : drawn.text.replaceAll('…', CUT);
  const line = `${palette.quiet(`${number} │`)} ${text}`.trimEnd();
  const style = { room: near.room, unicode, isComma };
  return [
    ...(earlier === undefined ? [] : earlierLines(violation, earlier, style, palette)),
    line,
    ...(isComma && earlier !== undefined
      ? []
      : [`${' '.repeat(number.length)} ${palette.quiet('│')} ${carets}`]),
  ];
}

/** Start of the word in which parsing failed: all of `nan` is underlined, though its `n` could begin `null`. */
function wordStart(text: string, at: number): number {
  const isInWord = /^[\p{L}\p{N}_$]/u.test(text.slice(at));
  return isInWord ? at - /[\p{L}\p{N}_$]*$/u.exec(text.slice(0, at))![0].length : at;
}

/**
 * Code unit after the underlined text. For an object or array only the bracket is underlined, because a payload on one
 * line would be underlined from end to end.
 */
function endInFrame(
  { line, endLine, endColumn }: Violation,
  { text, column }: Excerpt,
  from: number,
): number {
  if (text[from] === '{' || text[from] === '[') return from + 1;
  return endLine > line ? Number.POSITIVE_INFINITY : endColumn - column;
}

/** The message of one violation, or of several missing members together. */
function messageOf(violations: readonly Violation[]): string {
  const [violation] = violations;
  if (violations.length === 1) return said(violation!);
  const names = missingIn(violations);
  return `the members ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are missing${reasonIn(violation!)}`;
}

/** `there is "color"; `, from the message about a missing member; or an empty text. */
function misspeltIn({ message }: Violation): string {
  const [, near] = /; (there is "(?:[^"\\]|\\.)*")/.exec(message) ?? [];
  return near === undefined ? '' : `${near}; `;
}

/** The names of missing members, quoted. */
function missingIn(violations: readonly Violation[]): string[] {
  return violations.map((one) => (one.rule === 'required' ? quote(one.params.missing) : ''));
}

/**
 * The line of the cause above that of the violation, and a mark if there are lines between them. A comma too many has the
 * caret.
 */
function earlierLines(
  { line }: Violation,
  earlier: EarlierLine,
  { room, unicode, isComma }: { readonly room: number; readonly unicode: boolean; readonly isComma: boolean },
  palette: Palette,
): string[] {
  const excerpt = { ...earlier, column: 1 };
  const place = { excerpt, from: earlier.at, to: earlier.at + 1 };
  const drawable = unicode ? place : placeInAscii(place);
  const { text, caretColumn } = drawFrame(drawable.excerpt, drawable.from, drawable.to, room);
  const shown = unicode ? text : text.replaceAll('…', CUT);
  const number = String(line - earlier.above).padStart(GUTTER);
  const lines = [`${palette.quiet(`${number} │`)} ${shown}`.trimEnd()];
  if (isComma)
    lines.push(
      `${' '.repeat(number.length)} ${palette.quiet('│')} ${' '.repeat(caretColumn)}${palette.caret('^')}`,
    );
  if (earlier.above > 1) lines.push(palette.quiet(`${' '.repeat(number.length)} ┆`));
  return lines;
}

function lineNumber({ line }: Violation): string {
  return String(line).padStart(GUTTER);
}

/** The part of the line that fits the width, and the columns for it. To measure all of a long line would take too long. */
function nearby(violation: Violation, excerpt: Excerpt, width: number): { excerpt: Excerpt; room: number } {
  const room = Math.max(FRAME_MIN, width - lineNumber(violation).length - 3);
  const from = Math.max(0, violation.column - excerpt.column);
  // A character that does not join takes at least one column; joined ones take fewer. A character at the cut could join
  // its neighbour, so one more is taken on each side, and not shown.
  const near = around(excerpt, from, room + 1);
  // The width of a tab depends on where the text begins.
  const isEnough = !mayJoin(near.text) && !near.text.includes('\t');
  return { excerpt: isEnough ? near : around(excerpt, from, 3 * room), room };
}

/** The part of `excerpt` that is not further than `reach` characters from code unit `from`. */
function around({ text, column, cutBefore, cutAfter }: Excerpt, from: number, reach: number): Excerpt {
  const middle = Math.min(from, text.length);
  let start = Math.max(0, middle - reach);
  let end = Math.min(text.length, middle + reach);
  if (/[\ud800-\udfff]/.test(text.slice(start, end))) {
    start = middle;
    end = middle;
    for (let i = 0; i < reach && start > 0; i++) start -= isPair(text, start - 2) ? 2 : 1;
    for (let i = 0; i < reach && end < text.length; i++) end += isPair(text, end) ? 2 : 1;
  }
  return {
    text: text.slice(start, end),
    column: column + start,
    cutBefore: cutBefore || start > 0,
    cutAfter: cutAfter || end < text.length,
  };
}

/** `did you mean "Article"? · fixable with paylint fill`, one of the two, or nothing. Harmless. */
function helpFor(violations: readonly Violation[]): string {
  const help: string[] = [];
  for (const violation of violations) {
    const { suggestion } = violation;
    // The message of several missing members does not name those that are misspelt.
    const near = violations.length === 1 ? '' : misspeltIn(violation);
    if (suggestion !== undefined) help.push(`${near}did you mean ${quote(suggestion)}?`);
  }
  if (violations[0]?.rule === 'json-syntax') help.push('not checked further');
  for (const fix of new Set(violations.flatMap(({ fix }) => fix ?? []))) {
    const fixed = violations.filter((violation) => violation.fix === fix);
    const which = fixed.length < violations.length ? ` (${missingIn(fixed).join(', ')})` : '';
    help.push(`fixable with paylint ${fix}${which}`);
  }
  return help.join(' · ');
}

/** All items below a violation, each before its own list; `level`: 1 for the items of the violation itself. */
export function* below(
  { children = [] }: Pick<Violation, 'children'>,
  level = 1,
): Generator<{ readonly child: Child; readonly level: number }> {
  for (const child of children) {
    yield { child, level };
    yield* below(child, level + 1);
  }
}

/** The same, and what was probably meant. */
export function withHelp(one: Pick<Child, 'message' | 'suggestion' | 'authorMessage'>): string {
  const { suggestion } = one;
  return suggestion === undefined ? said(one) : `${said(one)}; did you mean ${quote(suggestion)}?`;
}

/** `type at /n: expected an integer, found "x"`; harmless, on one line. */
export function childText(child: Child): string {
  return visible(`${child.rule} at ${pointerText(child.pointer)}: ${withHelp(child)}`);
}

/** A line for each, with its place in the file: `3:9 type at /n: expected an integer, found "x"`. */
export function childLines(violation: Pick<Violation, 'children'>): string[] {
  return Array.from(below(violation), ({ child, level }) => {
    const { line, column } = child;
    return `${'  '.repeat(level)}${line}:${column} ${childText(child)}`;
  });
}
