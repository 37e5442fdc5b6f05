/**
 * Judges an open document by the library. Of NDJSON, only lines that are not known yet are judged: each is a payload by
 * itself. Any other text is judged as a whole.
 */
import { plainlyOther } from '../input/detect-framing.ts';
import { skipSpace } from '../json/space.ts';
import { byteOrderMark } from '../json/utf8.ts';
import type { Paylint, Verdict } from '../library/api.ts';
import type { Framing, Violation } from '../types.ts';
import { joined, type Line, type LineText, Piece } from './text.ts';

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
}

/** What was found in a payload of a text that is judged as a whole. */
export class FoundInWhole extends Piece implements Found {
  readonly kind: string | null;
  readonly violations: readonly Violation[];
  readonly line = 0;
  /** Where the payload begins, in UTF-16 code units. */
  readonly start: number;

  constructor(piece: Piece, { kind, violations }: Verdict, start: number) {
    super(piece.bytes, piece.from, piece.to);
    this.kind = kind;
    this.violations = violations.length === 0 ? NONE : violations;
    this.start = start;
  }

  get count(): number {
    return this.violations.length;
  }
}

/** Shared, because a long text has many payloads without violations. */
const NONE: readonly Violation[] = [];

export type KnownLine = Found | typeof BLANK;

/** A line without a payload. */
export const BLANK = 'blank';

/** More violations of one document are only counted, until they are shown. */
const KEPT = 5000;

/** Bytes of a run of lines, so that a long text is not in memory again. */
const MOST_AT_ONCE = 1 << 20;

/** A document that is open, and what is known of it. */
export interface Judged {
  readonly text: LineText<KnownLine>;
  /** The payloads, if the text is judged as a whole. */
  whole: readonly FoundInWhole[] | null;
  /** The last line when it was judged, and the first one with a payload: what is wrong there is said in other words. */
  ends: readonly Line<KnownLine>[];
}

/** The framing that the text clearly has although `named` is another; else null. */
export function otherFraming(named: Framing, text: LineText<KnownLine>): Framing | null {
  const lines: Piece[] = [];
  for (let size = 0; size < HEAD && lines.length < text.lines.length; ) {
    const { bytes, from, to } = text.lines[lines.length]!;
    // A line may be as long as the text.
    const line = new Piece(bytes, from, Math.min(to, from + 2 * HEAD));
    size += sizeOf(line);
    lines.push(line);
  }
  const head = joined(lines);
  const mark = byteOrderMark(head);
  return plainlyOther(named, head.subarray(mark, mark + HEAD), text.size <= HEAD);
}

/** In bytes. */
const HEAD = 64 << 10;

export interface Judge {
  readonly paylint: Paylint;
  /** The path of the file, or a name with its extension. */
  readonly file: string;
  readonly framing: Framing;
}

/** Judges the whole text. */
export async function judgeWhole(document: Judged, { paylint, file, framing }: Judge): Promise<void> {
  const { bytes } = document.text;
  const all: FoundInWhole[] = [];
  /** After the last payload, in bytes and in UTF-16 code units. */
  let [at, units] = [0, 0];
  for await (const payload of paylint.payloads(bytes, { file, input: framing })) {
    const { text } = payload;
    const from = Math.max(bytes.indexOf(text, at), at);
    const start = units + bytes.toString('utf8', at, from).length;
    at = from + Buffer.byteLength(text);
    units = start + text.length;
    all.push(new FoundInWhole(new Piece(bytes, from, at), payload, start));
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
  const first = lines.findIndex((line, index) => !isBlank(line, index === 0));
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
    for (let size = 0; i < to && lines[i]?.known === null && size < MOST_AT_ONCE; i++)
      size += sizeOf(lines[i]!);
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

/** Bytes of a line with its line feed. */
function sizeOf({ from, to }: Piece): number {
  return to - from + 1;
}

/** `mayHaveMark`: it is the first line, which may begin with a byte order mark. */
function isBlank({ bytes, from, to }: Piece, mayHaveMark: boolean): boolean {
  const mark = mayHaveMark ? byteOrderMark(bytes.subarray(from, to)) : 0;
  return skipSpace(bytes, from + mark, to) === to;
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
  const lines = joined(run, before);
  const bytes = isLast ? lines.subarray(0, -1) : lines;
  const payloads = run.flatMap((line, i) => (isBlank(line, before === '' && i === 0) ? [] : [i]));
  for (const line of run) line.known = BLANK;
  let [i, kept] = [before === OTHER ? -1 : 0, 0];
  for await (const { kind, violations } of paylint.payloads(bytes, { file, input: 'lines' })) {
    const index = payloads[i++];
    if (index === undefined) continue;
    const keeps = kept < most || violations.length === 0;
    const count = violations.length;
    const line = index + (before === '' ? 0 : 1);
    run[index]!.known =
      count === 0 ? valid(kind) : { kind, violations: keeps ? violations : NONE, count, line };
    kept += keeps ? count : 0;
  }
  return kept;
}

/** By kind: shared, because a long text has many of them. */
const VALID = new Map<string | null, Found>();

function valid(kind: string | null): Found {
  const found = VALID.get(kind) ?? { kind, violations: NONE, count: 0, line: 0 };
  VALID.set(kind, found);
  return found;
}

/** A payload of a document, and the index of the line that its violations count from. */
export interface Placed {
  readonly found: Found;
  /** The payload's text. */
  readonly piece: Piece;
  /** To be added to the lines of violations, which begin at 1. */
  readonly offset: number;
  /** Index of the payload's line; null: the text is judged as a whole. */
  readonly line: number | null;
  /** Where the payload's text begins, in UTF-16 code units of its line or of the whole text. */
  readonly start: number;
}

/** The payloads of a document that are known, in order. */
export function* payloadsIn({ whole, text }: Judged): Generator<Placed> {
  if (whole !== null) {
    for (const found of whole) yield { found, piece: found, offset: -1, line: null, start: found.start };
    return;
  }
  for (const [index, piece] of text.lines.entries()) {
    const found = piece.known;
    if (found === null || found === BLANK) continue;
    yield { found, piece, offset: index - found.line - 1, line: index, start: 0 };
  }
}
