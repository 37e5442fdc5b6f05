/**
 * A code frame: one line of payload text as a terminal will show it, cut to a width, and where the carets go. The text is
 * harmless, and `caretColumn` is exact in display columns: wide characters, tabs and escapes are measured as they are shown.
 */
import { eastAsianWidth } from 'get-east-asian-width';
import type { Excerpt } from '../types.ts';
import { escapeCodePoint, hazards } from '../words/escape.ts';
import { beforePair } from './paint.ts';

export interface Frame {
  readonly text: string;
  /** Display columns before the first caret. */
  readonly caretColumn: number;
  /** Carets; at least one. */
  readonly caretWidth: number;
}

/** What one or more code units of the line look like: a grapheme, an escape, or the blanks of a tab. */
interface Cell {
  readonly shown: string;
  /** Display columns; at least one. */
  readonly width: number;
  /** Code unit of the text with which it begins. */
  readonly start: number;
}

const TAB = 4;

/**
 * The excerpt's text must have been prepared for.
 * @param from first code unit of the span in `excerpt.text`; beyond the end: the place after the last one
 * @param to code unit after the span; `from` or less is an empty span, which gets one caret
 * @param width display columns for the text, `…` included
 */
export function drawFrame(excerpt: Excerpt, from: number, to: number, width: number): Frame {
  // Only the part near the carets is read: the line may be far longer than the terminal is wide.
  const low = beforePair(excerpt.text, Math.max(0, Math.min(from, excerpt.text.length) - 4 * width));
  const high = beforePair(excerpt.text, Math.min(excerpt.text.length, low + 8 * width));
  const cells = cutIntoCells(excerpt.text.slice(low, high));
  const at = Math.max(
    0,
    cells.findLastIndex(({ start }) => start <= from - low),
  );
  const last = cells.findLastIndex(({ start }) => start < to - low);
  const span = { start: from >= high ? cells.length : at, end: to > from ? last + 1 : 0 };
  const cut = { before: excerpt.cutBefore || low > 0, after: excerpt.cutAfter || high < excerpt.text.length };
  const { first, end } = chooseCells(cells, span, cut, width);

  const before = first > 0 || cut.before ? '…' : '';
  const after = end < cells.length || cut.after ? '…' : '';
  const text = [before, ...cells.slice(first, end).map(({ shown }) => shown), after].join('');
  const covered = widthOf(cells, span.start, Math.min(span.end, end));
  const goesOn = after !== '' && (span.end > end || to > high);
  return {
    text: after === '' ? text.trimEnd() : text,
    caretColumn: before.length + widthOf(cells, first, span.start),
    caretWidth: Math.max(1, covered + (goesOn ? 1 : 0)),
  };
}

/** The cells to show: as much of the span as fits, then the text before it, then the text after it. */
function chooseCells(
  cells: readonly Cell[],
  span: { start: number; end: number },
  cut: { before: boolean; after: boolean },
  width: number,
): { first: number; end: number } {
  const caretAfterText = span.start === cells.length;
  const marks = (cut.before ? 1 : 0) + (cut.after || caretAfterText ? 1 : 0);
  if (widthOf(cells, 0, cells.length) + marks <= width) return { first: 0, end: cells.length };

  const columns = width - 2;
  let first = span.start;
  let end = Math.min(span.start + 1, cells.length);
  let used = widthOf(cells, first, end);
  const growRight = (limit: number, last: number) => {
    while (end < last && used + cells[end]!.width <= limit) used += cells[end++]!.width;
  };
  const growLeft = (limit: number) => {
    while (first > 0 && used + cells[first - 1]!.width <= limit) used += cells[--first]!.width;
  };
  growRight(Math.ceil((columns * 2) / 3), span.end);
  growLeft(used + Math.floor((columns - used) / 2));
  growRight(columns, cells.length);
  growLeft(columns);
  return { first, end };
}

function widthOf(cells: readonly Cell[], first: number, end: number): number {
  return cells.slice(first, Math.max(first, end)).reduce((sum, { width }) => sum + width, 0);
}

/** Cuts text into cells. A mark or joiner without a base is escaped: it would change its neighbour, or take no columns. */
function cutIntoCells(text: string): Cell[] {
  const cells: Cell[] = [];
  let start = 0;
  let column = 0;
  const add = (source: string, shown: string, width: number) => {
    cells.push({ shown, width, start });
    start += source.length;
    column += width;
  };
  const addEscaped = (character: string) => {
    const shown = character === '\t' ? ' '.repeat(TAB - (column % TAB)) : escapeCodePoint(character);
    add(character, shown, shown.length);
  };
  const addSingle = (piece: string) => {
    for (const character of piece) {
      const point = character.codePointAt(0)!;
      add(character, character, point < 0x7f ? 1 : eastAsianWidth(point));
    }
  };
  const addHarmless = (run: string) => {
    let singleFrom = 0;
    for (const { 0: piece, index: at } of run.matchAll(JOINING)) {
      addSingle(run.slice(singleFrom, at));
      singleFrom = at + piece.length;
      const { graphemes, widthOf } = joining!; // see `prepareFor`
      for (const { segment: grapheme, index } of graphemes.segment(piece)) {
        const width = widthOf(grapheme);
        const isOutermost = at + index === 0 || at + index + grapheme.length === run.length;
        // One that needs a character before or after it, which is missing here.
        const joins = isOutermost && Array.from(graphemes.segment(` ${grapheme} `)).length !== 3;
        if (width === 0 || joins) {
          for (const character of grapheme) addEscaped(character);
        } else add(grapheme, grapheme, width);
      }
    }
    addSingle(run.slice(singleFrom));
  };
  if (!UNCOMMON.test(text)) {
    addSingle(text);
    return cells;
  }
  for (const { 0: character, index } of text.matchAll(hazards())) {
    addHarmless(text.slice(start, index));
    addEscaped(character);
  }
  addHarmless(text.slice(start));
  return cells;
}

/**
 * Characters that never join with one another, each as wide as Unicode's East Asian Width says: letters and signs of
 * Latin, Greek, Cyrillic, Chinese, Japanese and Korean, and emoji that are one character.
 */
const SINGLE =
  '[ -~\\u00A1-\\u00AC\\u00AE-\\u02FF\\u0370-\\u0482\\u048A-\\u052F\\u2010-\\u2027\\u2030-\\u205E\\u20A0-\\u20C0\\u2100-\\u23FF' +
  '\\u2500-\\u27BF\\u3001-\\u3029\\u3030-\\u3096\\u309B-\\u30FF\\u3400-\\u9FFF\\uAC00-\\uD7A3\\uFF01-\\uFF60' +
  '\\u{1F300}-\\u{1F3FA}\\u{1F400}-\\u{1F64F}\\u{1F680}-\\u{1F6FF}\\u{1F900}-\\u{1F9FF}]';

/** Runs of other characters, with the single characters on both sides, which may join them. */
const JOINING = new RegExp(`(?:${SINGLE}?${SINGLE.replace('[', '[^')}+)+${SINGLE}?`, 'gu');

/** A text without a match has only single characters, none of which is escaped or begins a command of a CI log. */
const UNCOMMON = new RegExp(`${SINGLE.replace('[', '[^')}|::|##`, 'u');

/** Loaded for text whose characters may join: that takes longer than checking a small file does. */
let joining: { readonly graphemes: Intl.Segmenter; readonly widthOf: (grapheme: string) => number } | null = null;

export function isPrepared(): boolean {
  return joining !== null;
}

/** Loads what is needed to draw lines with `text` in them. */
export async function prepareFor(text: string): Promise<void> {
  if (joining !== null || !mayJoin(text)) return;
  joining = { graphemes: new Intl.Segmenter(), widthOf: (await import('string-width')).default };
}

/** False if each character of `text` is shown on its own, or escaped. */
export function mayJoin(text: string): boolean {
  if (!UNCOMMON.test(text)) return false;
  return text.split(hazards()).some((run) => run.search(JOINING) >= 0);
}
