/** Detects the framing of a source by its content, if neither its name nor a flag determines it. */
import { scan } from '../json/scan.ts';
import { skipSpace, ValueSkipper } from '../json/skip.ts';
import type { Framing } from '../json/vocabulary.ts';

/** Nesting does not matter here. */
const ANY_DEPTH = Number.POSITIVE_INFINITY;

/**
 * `head`: the beginning of the source, after a byte order mark; `complete`: it is the whole source.
 *
 * A record separator means stream. A text over several lines, or a second text on the line of the first, means stream
 * too, or json if it is an array and alone. Otherwise, texts on separate lines mean lines. A malformed first text is
 * regarded as a bad line if a later line is a complete object.
 */
export function detectFraming(head: Buffer, complete: boolean): Framing {
  const early = settledFraming(head);
  if (early !== null) return early;
  const start = skipSpace(head, 0, head.length);
  if (head[start] === 0x1e) return 'stream';
  const alone: Framing = head[start] === 0x5b ? 'json' : 'stream';
  let texts = 0;
  let lastLineEnd = -1;
  for (let at = start; at < head.length; ) {
    const { end, fault } = textAt(head, at, complete);
    if (fault !== null) {
      const goesOn = !complete && fault.at >= head.length && head.indexOf(0x0a, at) >= 0;
      if (goesOn) return texts > 0 ? 'stream' : alone;
      if (texts > 0) return 'lines';
      return alone === 'stream' && (hasObjectLine(head, at, complete) || head.indexOf(0x0a, at) < 0) ? 'lines' : alone;
    }
    const next = skipSpace(head, end < 0 ? head.length : end, head.length);
    const lineEnd = head.indexOf(0x0a, at);
    const spansLines = lineEnd >= 0 && (end < 0 || lineEnd < end);
    if (texts === 0 && next === head.length && (complete || spansLines)) return alone;
    if (spansLines || at < lastLineEnd) return 'stream';
    lastLineEnd = lineEnd < 0 ? head.length : lineEnd;
    texts++;
    at = next;
  }
  return texts === 0 ? alone : 'lines';
}

/** The framing that the content clearly has, if another than `named`; else null. The others: see `detectFraming`. */
export function plainlyOther(named: Framing, head: Buffer, complete: boolean): Framing | null {
  const start = skipSpace(head, 0, head.length);
  if (start === head.length || (named === 'json' && !mayHoldLines(head, start))) return null;
  const { end, fault } = textAt(head, start, complete);
  if (fault !== null && (complete || fault.at < head.length)) return null;
  const lineFeed = head.indexOf(0x0a, start);
  const spansLines = lineFeed >= 0 && (end < 0 || lineFeed < end);
  const next = end < 0 ? head.length : skipSpace(head, end, head.length);
  if (named === 'lines') {
    if (head[start] === 0x5b && (spansLines || (complete && next === head.length))) return 'json';
    return spansLines ? 'stream' : null;
  }
  const isLine = named === 'json' && !spansLines && lineFeed >= 0 && next < head.length && lineFeed < next;
  return isLine && (head[next] === 0x7b || head[next] === 0x5b) ? 'lines' : null;
}

/** False if it is certain that no text begins on the line after the first one, or that the first text continues there. */
function mayHoldLines(head: Buffer, start: number): boolean {
  const lineFeed = head.indexOf(0x0a, start);
  const next = lineFeed < 0 ? head.length : skipSpace(head, lineFeed, head.length);
  if (head[next] !== 0x7b && head[next] !== 0x5b) return false;
  let last = lineFeed - 1;
  while (head[last] === 0x20 || head[last] === 0x0d || head[last] === 0x09) last--;
  return !GOES_ON.has(head[last]!); // the text begins before the line feed
}

/** No text ends with `,` `:` `[` or `{`. */
const GOES_ON: ReadonlySet<number> = new Set([0x2c, 0x3a, 0x5b, 0x7b]);

/**
 * The framing, if `head` determines it regardless of what follows; else null. A line with one object with members,
 * after lines that hold one text each, means `lines`: no printer produces such a layout. The same holds for such a line
 * after a malformed first text. A first text that is an object over several lines means `stream`.
 */
export function settledFraming(head: Buffer): Framing | null {
  const start = skipSpace(head, 0, head.length);
  if (head[start] === 0x1e) return 'stream';
  for (let at = start; ; ) {
    const lineEnd = head.indexOf(0x0a, at);
    if (lineEnd < 0) return null;
    const { end, fault } = textAt(head, at, false);
    if (fault !== null) {
      if (at > start || fault.at >= head.length) return null;
      if (head[start] === 0x5b) return 'json';
      return hasObjectLine(head, start, false) ? 'lines' : null;
    }
    if (end < 0) return null;
    if (end > lineEnd) return head[at] === 0x7b && at === start ? 'stream' : null;
    if (skipSpace(head, end, lineEnd) < lineEnd) return null;
    if (isFullObject(head, at, end)) return 'lines';
    at = skipSpace(head, lineEnd, head.length);
  }
}

/** True if the text in `head[at, end)`, which is well-formed, is an object with members. */
export function isFullObject(head: Buffer, at: number, end: number): boolean {
  return head[at] === 0x7b && head[skipSpace(head, at + 1, end)] !== 0x7d;
}

/**
 * True if `head` begins with lines that hold one text each: then they can be read as lines before it is known whether
 * all lines do. After an array, another text must have begun, because an array alone would be a list of payloads.
 */
export function beginsWithLines(head: Buffer): boolean {
  const start = skipSpace(head, 0, head.length);
  const lineEnd = head.indexOf(0x0a, start);
  if (lineEnd < 0) return false;
  const { end, fault } = textAt(head, start, false);
  if (end < 0 || fault !== null || end > lineEnd || skipSpace(head, end, lineEnd) < lineEnd) return false;
  return head[start] !== 0x5b || skipSpace(head, lineEnd, head.length) < head.length;
}

/**
 * The framing after lines that hold one text each, none of them an object with members. `rest` begins with the first
 * other line; `complete`: nothing follows `rest`. Null: the framing depends on what follows.
 */
export function framingAfterLines(rest: Buffer, complete: boolean): Framing | null {
  const at = skipSpace(rest, 0, rest.length);
  const { end, fault } = textAt(rest, at, complete);
  if (fault !== null && (complete || fault.at < rest.length)) return 'lines';
  return end < 0 || fault !== null ? null : 'stream';
}

/** What is wrong with the text at `at`; and the index after it, or -1 if the head ends first. */
function textAt(head: Buffer, at: number, complete: boolean) {
  const skipper = new ValueSkipper();
  const after = skipper.run(head, at, head.length);
  const end = after < 0 && complete && skipper.inScalar ? head.length : after;
  return { end, fault: scan(head, at, end < 0 ? head.length : end, ANY_DEPTH).fault };
}

/** True if some line after `at` is a complete JSON object. The last one may go on, unless `head` is `complete`. */
function hasObjectLine(head: Buffer, at: number, complete: boolean): boolean {
  for (let lineFeed = head.indexOf(0x0a, at); lineFeed >= 0; ) {
    const from = lineFeed + 1;
    lineFeed = head.indexOf(0x0a, from);
    if (lineFeed < 0 && !complete) return false;
    const to = lineFeed < 0 ? head.length : lineFeed;
    if (head[from] === 0x7b && scan(head, from, to, ANY_DEPTH).fault === null) return true;
  }
  return false;
}
