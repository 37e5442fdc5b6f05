/**
 * Judges an open document by the library. Of NDJSON, only lines that are not known yet are judged: each is a payload by
 * itself. Any other text is judged as a whole.
 */
import { plainlyOther } from '../input/detect-framing.ts';
import type { Paylint } from '../library/api.ts';
import type { Framing, Violation } from '../types.ts';
import type { Line, LineText } from './text.ts';

/**
 * What was found in a payload. The lines of its violations are counted from `line`, the index of the line on which its
 * text was judged.
 */
export interface Found {
  readonly kind: string | null;
  /** Of those of them that were not kept, there is only the number. */
  readonly violations: readonly Violation[];
  readonly count: number;
  /** Index of the first line that violations count from: 0 if they are judged in the whole text. */
  readonly line: number;
  /** Of a whole text: the text of the payload, and where it begins, in UTF-16 code units. */
  readonly text: string;
  readonly start: number;
}

export type KnownLine = Found | typeof BLANK;

/** A line without a payload. */
export const BLANK = 'blank';

/** More violations of one document are only counted, until they are shown. */
const KEPT = 5000;

/** UTF-16 code units of a run of lines, so that a long text is not in memory again. */
const MOST_AT_ONCE = 4 << 20;

/** A document that is open, and what is known of it. */
export interface Judged {
  readonly text: LineText<KnownLine>;
  /** The payloads, if the text is judged as a whole. */
  whole: readonly Found[] | null;
  /** The last line when it was judged, and the first one with a payload: what is wrong there is said in other words. */
  ends: readonly Line<KnownLine>[];
}

/** The framing that the text clearly has although `named` is another; else null. */
export function otherFraming(named: Framing, text: LineText<KnownLine>): Framing | null {
  let head = '';
  for (let i = 0; head.length < HEAD && i < text.lines.length; i++) head += `${text.lines[i]!.text}\n`;
  const bytes = Buffer.from(head.replace(/^\ufeff/, '').slice(0, HEAD));
  return plainlyOther(named, bytes, text.length <= HEAD);
}

/** UTF-16 code units. */
const HEAD = 64 << 10;

export interface Judge {
  readonly paylint: Paylint;
  /** The path of the file, or a name with its extension. */
  readonly file: string;
  readonly framing: Framing;
}

/** Judges the whole text. */
export async function judgeWhole(document: Judged, { paylint, file, framing }: Judge): Promise<void> {
  const { text } = document.text;
  const all: Found[] = [];
  let at = 0;
  for await (const payload of paylint.payloads(Buffer.from(text), { file, input: framing })) {
    const start = text.indexOf(payload.text, at);
    at = start < 0 ? at : start + payload.text.length;
    const { kind, violations } = payload;
    const place = { line: 0, text: payload.text, start: Math.max(start, 0) };
    all.push({ kind, violations, count: violations.length, ...place });
  }
  document.whole = all;
}

/** Judges the lines in [from, to) that are not known. */
export async function judgeLines(
  document: Judged,
  judge: Judge,
  from = 0,
  to = document.text.lines.length,
): Promise<void> {
  const { lines } = document.text;
  const first = lines.findIndex(({ text }, index) => !isBlank(text, index === 0));
  const last = lines.at(-1)!;
  const ends = [lines[Math.max(first, 0)]!, last];
  for (const line of [...document.ends, ...ends])
    if (document.ends.includes(line) !== ends.includes(line)) line.known = null;
  document.ends = ends;
  // The text may change meanwhile: what is found belongs to these lines.
  const runs: (readonly Line<KnownLine>[])[] = [];
  /** Indexes of runs that begin after the first payload. */
  const after = new Set<number>();
  for (let i = from; i < Math.min(to, lines.length); ) {
    const start = i;
    for (let units = 0; i < to && lines[i]?.known === null && units < MOST_AT_ONCE; i++)
      units += lines[i]!.text.length;
    if (i === start) {
      i++;
      continue;
    }
    runs.push(lines.slice(start, i));
    if (start > first) after.add(runs.length - 1);
  }
  let kept = 0;
  for (const [i, run] of runs.entries()) {
    // A byte order mark is one only at the beginning, and the first payload is told what the whole source may be instead.
    const before = after.has(i) ? OTHER : run[0] === lines[0] ? '' : '\n';
    kept += await judgeRun({ run, before, isLast: run.at(-1) === last }, judge, KEPT - kept);
  }
}

/** A line with a payload. */
const OTHER = '0\n';

/** `mayHaveMark`: it is the first line, which may begin with a byte order mark. */
function isBlank(line: string, mayHaveMark: boolean): boolean {
  return /^[ \t\r]*$/.test(mayHaveMark ? line.replace(/^\ufeff/, '') : line);
}

interface Run {
  readonly run: readonly Line<KnownLine>[];
  /** The line before it. */
  readonly before: string;
  readonly isLast: boolean;
}

/** Returns the number of violations that were kept. */
async function judgeRun(
  { run, before, isLast }: Run,
  { paylint, file }: Judge,
  most: number,
): Promise<number> {
  const text = before + run.map((line) => line.text).join('\n') + (isLast ? '' : '\n');
  const payloads = run.flatMap((line, i) => (isBlank(line.text, before === '' && i === 0) ? [] : [i]));
  for (const line of run) line.known = BLANK;
  let [i, kept] = [before === OTHER ? -1 : 0, 0];
  for await (const { kind, violations } of paylint.payloads(Buffer.from(text), { file, input: 'lines' })) {
    const index = payloads[i++];
    if (index === undefined) continue;
    const keeps = kept < most || violations.length === 0;
    const count = violations.length;
    const line = run[index]!;
    const place = { line: index + (before === '' ? 0 : 1), text: line.text, start: 0 };
    line.known = { kind, violations: keeps ? violations : [], count, ...place };
    kept += keeps ? count : 0;
  }
  return kept;
}

/** A payload of a document, and the index of the line that its violations count from. */
export interface Placed {
  readonly found: Found;
  /** To be added to the lines of violations, which begin at 1. */
  readonly offset: number;
  /** Where the payload's text begins, in UTF-16 code units of the line at `line`, or of the whole text if it is null. */
  readonly line: number | null;
}

/** The payloads of a document that are known, in order. */
export function* payloadsIn({ whole, text }: Judged): Generator<Placed> {
  if (whole !== null) {
    for (const found of whole) yield { found, offset: -1, line: null };
    return;
  }
  for (const [index, { known }] of text.lines.entries())
    if (known !== null && known !== BLANK)
      yield { found: known, offset: index - known.line - 1, line: index };
}
