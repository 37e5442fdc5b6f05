/**
 * Reports for terminals that show nothing but ASCII: signs become similar ASCII signs, and other text becomes escapes,
 * so that nothing is shown as a question mark.
 */
import type { Excerpt, Reporter } from '../types.ts';
import { escapeCodePoint } from '../words/escape.ts';

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
  '┆': ':',
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
