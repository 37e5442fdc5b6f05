/** What the text formats share: the colours, each named by its meaning, and how a place and a pointer are written. */
import { SHOWN_POINTER } from '../limits.ts';
import type { Excerpt, ReportStyle, Violation } from '../types.ts';
import { visible } from '../words/escape.ts';

/** Colours one text. Not for `map`: chalk joins all its arguments. */
export type Paint = (text: string) => string;

export type Palette = Readonly<Record<'file' | 'rule' | 'caret' | 'help' | 'quiet' | 'good' | 'bad', Paint>>;

const NO_COLOUR: Palette = {
  file: String,
  rule: String,
  caret: String,
  help: String,
  quiet: String,
  good: String,
  bad: String,
};

/** Loads chalk only for reports that have colour. */
export async function createPalette(level: ReportStyle['colorLevel']): Promise<Palette> {
  if (level === 0) return NO_COLOUR;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  return {
    file: chalk.bold.underline,
    rule: chalk.yellow,
    caret: chalk.red,
    help: chalk.cyan,
    quiet: chalk.dim,
    good: chalk.green,
    bad: chalk.red,
  };
}

/** `file:line:column`, harmless; escaped as a whole, because a file name may end in a colon. */
export function place(violation: Pick<Violation, 'file' | 'line' | 'column'>): string {
  return visible(`${violation.file}:${violation.line}:${violation.column}`);
}

/** A pointer to show to people, harmless and at most `most` code units long; `(root)` for the empty one. */
export function pointerText(pointer: string, most = SHOWN_POINTER): string {
  if (pointer === '') return '(root)';
  const shown = visible(cutInTheMiddle(pointer, SHOWN_POINTER));
  return cutInTheMiddle(shown, most);
}

/** At most `most` code units of `text`, from its beginning and its end: the member at fault is at the end of a pointer. */
export function cutInTheMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  const tail = text.length - (most - 1 - head);
  return `${text.slice(0, beforePair(text, head))}…${text.slice(isPair(text, tail - 1) ? tail + 1 : tail)}`;
}

/** Code units of a line before and after the beginning of a violation, for reports with many code frames. */
const BEFORE = 100;
const AFTER = 160;

/** A piece of a line, and whether the line continues before or after it. */
export type Piece = Pick<Excerpt, 'text' | 'cutBefore' | 'cutAfter'>;

/**
 * The piece of a line around `at`, the place of the violation: about as many code units `before` and `after` it, without
 * half of a surrogate pair. `first` is its first code unit.
 */
export function nearby(
  { text, cutBefore, cutAfter }: Piece,
  at: number,
  [before, after]: readonly [number, number] = [BEFORE, AFTER],
): Piece & { readonly first: number } {
  const first = beforePair(text, Math.max(0, at - before));
  const end = beforePair(text, Math.min(text.length, at + after));
  return {
    text: text.slice(first, end),
    cutBefore: cutBefore || first > 0,
    cutAfter: cutAfter || end < text.length,
    first,
  };
}

/** `index`, or one less if it is in the middle of a surrogate pair. */
export function beforePair(text: string, index: number): number {
  return index > 0 && isPair(text, index - 1) ? index - 1 : index;
}

/** Whether the two code units from `index` on are one character. */
function isPair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
