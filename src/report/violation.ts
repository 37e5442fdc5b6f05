/** One violation as `pretty` shows it: rule, message, place, pointer, code frame and hints. Loaded with the first. */

import { messageText, type Viewed } from '../log/violation-table.ts';
import type { Child, Excerpt, OtherLine, ReportStyle, Violation } from '../types.ts';
import { quote, visible } from '../words/escape.ts';
import { becauseOf, inWords } from '../words/value-text.ts';
import { drawFrame, isPrepared, mayJoin, prepareFor as prepareFrame } from './frame.ts';
import { cutInTheMiddle, nearby, type Palette, place, pointerText } from './paint.ts';
import { displayWidth, wrapped } from './text-width.ts';

export { wrapped };

/** Digits of the widest line number that fits into the common gutter. */
const GUTTER = 4;
/** The least width of a frame, however narrow the terminal is. */
const FRAME_MIN = 16;

/** Must resolve before `drawViolations`: loads what only some texts need. */
export async function prepareFor(violations: Iterable<Viewed>, width: number): Promise<void> {
  for (const { violation, excerpt } of violations) {
    if (isPrepared()) return;
    if (excerpt === null) continue;
    const { earlier, misspelt, below = [] } = excerpt;
    for (const line of [inView(violation, excerpt, width), earlier, misspelt, ...below])
      if (line !== undefined) await prepareFrame(line.text);
  }
}

/** Lines without the last line feed. `events`: one violation, or the members missing in one object, as one block. */
export function drawViolations(events: readonly [Viewed, ...Viewed[]], style: ReportStyle, palette: Palette): string {
  const { width } = style;
  const [{ violation, excerpt }] = events;
  const violations = events.map((event) => event.violation);
  const number = lineNumber(violation.line);
  const blank = ' '.repeat(number.length);
  const where = place(violation);
  const pointer = pointerText(violation.pointer);
  const beside = blank.length + 4 + displayWidth(`${where}  ${pointer}`) <= width;
  const mark = violation.severity === 'warning' ? 'warning: ' : '';
  const rule = visible(violation.rule);
  const [first = '', ...others] = wrapped(mark + visible(messageOf(violations)), width, `  ${rule}  `, '    ');
  const lines = [`  ${palette.rule(rule)}${first.slice(2 + rule.length)}`, ...others];
  lines.push(`${blank} ${palette.quiet('╭─')} ${where}${beside ? `  ${palette.quiet(pointer)}` : ''}`);
  if (!beside) lines.push(`${blank} ${palette.quiet(`│  ${fitted(pointer, width - blank.length - 4)}`)}`);
  const misspelt = misspeltFrames(events, style, palette);
  if (misspelt.length > 0) lines.push(...misspelt);
  else if (excerpt !== null) lines.push(...frame(violation, excerpt, style, palette));
  const help = helpFor(violations);
  const branch = { file: violation.file, prefix: `${blank} `, isEnd: help === '', style };
  lines.push(...tree(violation, branch, palette, excerpt?.below));
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
  readonly style: ReportStyle;
}

/** The list below a violation as a tree: place, pointer, code frame and message. `excerpts`: of the first items. */
function tree(
  parent: Pick<Violation, 'children' | 'line' | 'column'>,
  branch: Branch,
  palette: Palette,
  excerpts: readonly Excerpt[] = [],
): string[] {
  const { file, prefix, isEnd, style } = branch;
  const { width } = style;
  const { children = [] } = parent;
  return children.flatMap((child, i) => {
    const isLast = isEnd && i === children.length - 1;
    const corner = `${prefix}${isLast ? '╰' : '├'}─ `;
    const inside = `${prefix}${isLast ? ' ' : '│'}  `;
    const { line, column } = child;
    const where = `${place({ file, line, column })}  `;
    const columns = Math.max(FRAME_MIN, width - displayWidth(corner + where));
    const rule = visible(child.rule);
    const [first = '', ...others] = wrapped(visible(withHelp(child)), width, `${inside}${rule}  `, `${inside}  `);
    // At the same place, the frame of the violation is above.
    const excerpt = line === parent.line && column === parent.column ? undefined : excerpts[i];
    const inner = { ...style, width: Math.max(FRAME_MIN, width - displayWidth(inside)) };
    const lines = excerpt === undefined ? [] : frame(child, excerpt, inner, palette);
    return [
      `${palette.quiet(corner)}${where}${palette.quiet(fitted(pointerText(child.pointer), columns))}`,
      ...lines.map((text) => palette.quiet(inside) + text),
      `${palette.quiet(inside)}${palette.rule(rule)}${first.slice(inside.length + rule.length)}`,
      ...others.map((text) => palette.quiet(inside) + text.slice(inside.length)),
      ...tree(child, { file, prefix: inside, isEnd: true, style }, palette),
    ];
  });
}

/** Cut to `columns` columns. */
function fitted(pointer: string, columns: number): string {
  let text = pointer;
  for (let most = columns; displayWidth(text) > columns && most > 0; most--) text = cutInTheMiddle(pointer, most);
  return text;
}

/** Whether two violations are shown as one block. */
export function isSameBlock({ violation: a }: Viewed, { violation: b }: Viewed): boolean {
  if (a.rule !== 'required' || b.rule !== 'required' || a.params.missing === undefined) return false;
  if (a.authorMessage !== undefined || b.authorMessage !== undefined) return false;
  if (a.reason !== b.reason) return false;
  return a.file === b.file && a.payload === b.payload && a.offset === b.offset && a.pointer === b.pointer;
}

/** A violation, or an item that is listed below one. */
type FramedPlace = Pick<Child, 'line' | 'column' | 'endLine' | 'endColumn' | 'rule' | 'params'>;

/** The line of the violation, and carets below it. */
function frame(violation: FramedPlace, whole: Excerpt, style: ReportStyle, palette: Palette): string[] {
  const excerpt = inView(violation, whole, style.width);
  const { earlier } = whole;
  const { text } = excerpt;
  const at = Math.max(0, violation.column - excerpt.column);
  const isSyntax = violation.rule === 'json-syntax';
  const isComma = isSyntax && (violation.params as { cause?: string }).cause === 'trailing-comma'; // the params of this rule
  const comma = isComma && earlier === undefined ? text.lastIndexOf(',', at) : -1;
  const from = comma >= 0 ? comma : isSyntax ? wordStart(text, at) : at;
  const to = comma >= 0 ? comma + 1 : endInFrame(violation, excerpt, at);
  const { line } = violation;
  const marked = { excerpt, columns: columnsFor(line, style.width), from, to, line };
  if (earlier === undefined) return painted(drawnLine(marked), palette);
  // A comma too many has the caret.
  const cause = { ...marked, ...placeIn(earlier), line: line - earlier.above };
  return [
    ...painted(drawnLine(cause), palette).slice(0, isComma ? 2 : 1),
    ...(earlier.above > 1 ? [palette.quiet(`${' '.repeat(lineNumber(line).length)} ┆`)] : []),
    ...painted(drawnLine(marked), palette).slice(0, isComma ? 1 : 2),
  ];
}

/** A line, and the part of it that is underlined. */
interface Marked {
  readonly excerpt: Excerpt;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly columns: number;
}

function drawnLine({ line, columns, excerpt, from, to }: Marked) {
  const { text, caretColumn, caretWidth } = drawFrame(excerpt, from, to, columns);
  return { line, text, carets: ' '.repeat(caretColumn) + '^'.repeat(caretWidth) };
}

/** Two lines: the text with its number, and the carets below it. */
function painted({ line, text, carets }: ReturnType<typeof drawnLine>, palette: Palette): [string, string] {
  const number = lineNumber(line);
  return [
    `${palette.quiet(`${number} │`)} ${text}`.trimEnd(),
    `${' '.repeat(number.length)} ${palette.quiet('│')} ${carets.replace(/\^+/g, (run) => palette.caret(run))}`,
  ];
}

function placeIn({ at, length, ...line }: OtherLine): Pick<Marked, 'excerpt' | 'from' | 'to'> {
  return { excerpt: { ...line, column: 1 }, from: at, to: at + length };
}

/** The lines of members that are meant by missing ones, with carets below all of them. */
function misspeltFrames(events: readonly Viewed[], style: ReportStyle, palette: Palette): string[] {
  const drawn = events
    .flatMap(({ violation: { line }, excerpt }) => {
      const misspelt = excerpt?.misspelt;
      return misspelt === undefined ? [] : [{ ...placeIn(misspelt), line: line - misspelt.above }];
    })
    .sort((a, b) => a.line - b.line || a.from - b.from)
    .map((place) => drawnLine({ ...place, columns: columnsFor(place.line, style.width) }));
  // Of a line that is cut, each place has a text of its own.
  const lines = new Map(drawn.map((one) => [`${one.line} ${one.text}`, { ...one, carets: '' }]));
  for (const { line, text, carets } of drawn) {
    const all = lines.get(`${line} ${text}`)!; // made above
    all.carets += carets.slice(all.carets.length);
  }
  return [...lines.values()].flatMap((one) => painted(one, palette));
}

/** Code units of a word, of which no more are looked at. */
const LONGEST_WORD = 100;

/** Start of the word in which parsing failed: all of `nan` is underlined, though its `n` could begin `null`. */
function wordStart(text: string, at: number): number {
  const isInWord = /^[\p{L}\p{N}_$]/u.test(text.slice(at));
  return isInWord ? at - /[\p{L}\p{N}_$]*$/u.exec(text.slice(Math.max(0, at - LONGEST_WORD), at))![0].length : at;
}

/** Code unit after the underlined text. Of an object or array, only the bracket is underlined: it may be long. */
function endInFrame({ line, endLine, endColumn }: FramedPlace, { text, column }: Excerpt, from: number): number {
  if (text[from] === '{' || text[from] === '[') return from + 1;
  return endLine > line ? Number.POSITIVE_INFINITY : endColumn - column;
}

/** The message of one violation, or of several missing members together. */
function messageOf(violations: readonly Violation[]): string {
  const [violation] = violations;
  if (violations.length === 1) return messageText(violation!);
  return `the members ${inWords(missingIn(violations))} are missing${becauseOf(violation!.reason)}`;
}

function missingIn(violations: readonly Violation[]): string[] {
  return violations.map((one) => (one.rule === 'required' ? quote(one.params.missing) : ''));
}

function lineNumber(line: number): string {
  return String(line).padStart(GUTTER);
}

/** As much of the excerpt as a frame may show: joining characters take 30 ms to draw, and count only if in view. */
function inView({ line, column }: FramedPlace, excerpt: Excerpt, width: number): Excerpt {
  const at = Math.min(Math.max(0, column - excerpt.column), excerpt.text.length);
  // A character that does not join takes at least one column. One at the cut may join its neighbour, so one more is taken.
  const reach = columnsFor(line, width) + 1;
  const narrow = nearby(excerpt, at, [reach, reach]);
  const near = /[\ud800-\udfff]/.test(narrow.text) ? nearby(excerpt, at, [2 * reach, 2 * reach]) : narrow;
  // Joined characters take fewer columns, and the width of a tab depends on where the text begins.
  if (mayJoin(near.text) || near.text.includes('\t')) return excerpt;
  return { ...near, column: excerpt.column + near.first };
}

function columnsFor(line: number, width: number): number {
  return Math.max(FRAME_MIN, width - lineNumber(line).length - 3);
}

/** `did you mean "Article"? · fixable with paylint fill`, one of the two, or nothing. Harmless. */
function helpFor(violations: readonly Violation[]): string {
  const help: string[] = [];
  for (const violation of violations) {
    const { suggestion, misspelt } = violation;
    // The message of several missing members does not name those that are misspelt.
    const before = violations.length === 1 || misspelt === undefined ? '' : `there is ${quote(misspelt)}; `;
    if (suggestion !== undefined) help.push(`${before}did you mean ${quote(suggestion)}?`);
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
  return suggestion === undefined ? messageText(one) : `${messageText(one)}; did you mean ${quote(suggestion)}?`;
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
