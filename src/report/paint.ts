/**
 * What the text formats share: the colours, each named by its meaning; how a place and a pointer are written; and the
 * characters of ASCII in place of others, for terminals that have no others.
 */

import type { Excerpt, Reporter, ReportStyle, Violation } from '../types.ts';
import { escapeCodePoint, visible } from '../words/escape.ts';

/** Colours one text. Not for `map`: chalk joins all its arguments. */
export type Paint = (text: string) => string;

export interface Palette {
  readonly file: Paint;
  readonly rule: Paint;
  readonly caret: Paint;
  readonly help: Paint;
  readonly quiet: Paint;
  readonly good: Paint;
  readonly bad: Paint;
}

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

/** A member name may be megabytes long; this many code units of a pointer are shown. */
const POINTER_MAX = 200;

/**
 * A pointer to show to people, harmless and at most `most` code units long; the root, whose pointer is empty, is
 * `(root)`.
 */
export function pointerText(pointer: string, most = POINTER_MAX): string {
  if (pointer === '') return '(root)';
  const shown = visible(cutInTheMiddle(pointer, POINTER_MAX));
  return cutInTheMiddle(shown, most);
}

/** At most `most` code units of `text`, from its beginning and its end: the member at fault is at the end of a pointer. */
export function cutInTheMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  const tail = text.length - (most - 1 - head);
  return `${text.slice(0, isPair(text, head - 1) ? head - 1 : head)}…${text.slice(isPair(text, tail - 1) ? tail + 1 : tail)}`;
}

/** Whether the two code units from `index` on are one character. */
export function isPair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

// `/0/subLocation/12/name` → `/*/subLocation/*/name`. Equal for the same fault anywhere in an array, so that violations can
// be counted, and recognised in a later run. A member whose name looks like an index is taken for one.
export function foldIndices(pointer: string): string {
  return pointer.replace(/\/(?:0|[1-9]\d*)(?=\/|$)/g, '/*');
}

const LIKES: Readonly<Record<string, string>> = {
  '✓': 'ok',
  '✗': 'x',
  '–': '-',
  '—': '--',
  '·': '-',
  '…': '...',
  '╭': ',',
  '─': '-',
  '│': '|',
  '╰': '`',
  '├': '|',
};

const OTHERS = /[^\0-\x7f]/gu;

/** `text` in ASCII. */
export function ascii(text: string): string {
  return text.replace(OTHERS, (character) => LIKES[character] ?? escapeCodePoint(character));
}

/** The reporter, with what it writes in ASCII. */
export function inAscii(reporter: Reporter): Reporter {
  const report = (...[event]: Parameters<Reporter>): string => ascii(reporter(event));
  const { prepare, flush } = reporter;
  return Object.assign(report, {
    ...(prepare === undefined ? {} : { prepare }),
    ...(flush === undefined ? {} : { flush: () => ascii(flush()) }),
  });
}

/** A line or a part of it, and a place in it, in code units; `to` may be beyond its end. */
export interface ExcerptPlace {
  readonly excerpt: Excerpt;
  readonly from: number;
  readonly to: number;
}

/** The same in ASCII, so that a frame is drawn from the text that is shown. */
export function placeInAscii({ excerpt, from, to }: ExcerptPlace): ExcerptPlace {
  const escaped = (text: string): string => text.replace(OTHERS, escapeCodePoint);
  const { text } = excerpt;
  const before = escaped(text.slice(0, from));
  const marked = escaped(text.slice(from, to));
  const isBeyond = to > text.length;
  return {
    excerpt: { ...excerpt, text: before + marked + escaped(text.slice(Math.max(from, to))) },
    from: from > text.length ? before.length + 1 : before.length,
    to: isBeyond ? Number.POSITIVE_INFINITY : before.length + marked.length,
  };
}
