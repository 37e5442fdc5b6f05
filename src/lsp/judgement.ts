/**
 * Judges an open document by the library. Of NDJSON, only lines that are not known yet are judged: each is a payload
 * by itself. Any other text is judged as a whole. Finds the payload at a position of a document, and turns edits of
 * its text into edits of the document.
 */

import type { Position, TextEdit } from 'vscode-languageserver';
import { byteOrderMark } from '../json/utf8.ts';
import type { Paylint, Verdict } from '../library/api.ts';
import { plainlyOther } from '../source/detect-framing.ts';
import type { Framing, Violation } from '../types.ts';
import type { LineText } from './line-text.ts';

/**
 * What was found in a payload. The lines of its violations are counted from `line`, the index of the line on which its
 * text was judged.
 */
export interface FoundInPayload {
  readonly kind: string | null;
  /** Of those of them that were not kept, there is only the number. */
  readonly violations: readonly Violation[];
  readonly count: number;
  /** It was judged as the first payload or the last line of several: what is wrong there is stated in other words. */
  readonly isEnd: boolean;
  /** Index of the first line that violations count from: 0 if they are judged in the whole text. */
  readonly line: number;
}

/** Shared, because a long text has many payloads without violations. */
const NONE: readonly Violation[] = [];

export type KnownLine = FoundInPayload | typeof BLANK;

/** A line without a payload. */
export const BLANK = 'blank';

/** More violations of one document are only counted, until they are shown. */
const KEPT = 5000;

/** UTF-16 code units of a run of lines: a change may come after each. */
const MOST_AT_ONCE = 1 << 20;

/** A document that is open, and what is known of it. */
export interface JudgedDocument {
  readonly text: LineText<KnownLine>;
  /** The payloads, if the text is judged as a whole. */
  whole: readonly Placed[] | null;
}

/** The framing that the text clearly has although `named` is another; else null. */
export function otherFraming(named: Framing, text: LineText<KnownLine>): Framing | null {
  const head = Buffer.from(text.head(2 * HEAD));
  const mark = byteOrderMark(head);
  return plainlyOther(named, head.subarray(mark, mark + HEAD), text.size <= HEAD);
}

/** In bytes. */
const HEAD = 64 << 10;

export interface DocumentJudge {
  readonly paylint: Paylint;
  /** The path of the file, or a name with its extension. */
  readonly file: string;
  readonly framing: Framing;
}

/** Judges the whole text. */
export async function judgeWhole(document: JudgedDocument, { paylint, file, framing }: DocumentJudge): Promise<void> {
  const text = document.text.text();
  const all: Placed[] = [];
  const keeper = new Keeper();
  let at = 0;
  for await (const payload of paylint.payloads(Buffer.from(text), { file, input: framing })) {
    const start = Math.max(text.indexOf(payload.text, at), at);
    at = start + payload.text.length;
    all.push({ found: keeper.found(payload, false, 0), text: payload.text, offset: -1, line: null, start });
  }
  document.whole = all;
}

/** Judges the lines that are not known, until the text changes. */
export async function judgeLines({ text }: JudgedDocument, judge: DocumentJudge): Promise<void> {
  const { changes, known, lineCount } = text;
  const first = firstPayload(text);
  const isKnown = (line: number): boolean => {
    const found = known[line]!;
    return found === BLANK || (found !== null && found.isEnd === (line === first || line === lineCount - 1));
  };
  const keeper = new Keeper();
  for (let start = 0; start < lineCount; ) {
    let end = start;
    for (let size = 0; end < lineCount && !isKnown(end) && size < MOST_AT_ONCE; end++)
      size += text.line(end)!.length + 1;
    if (end > start) await judgeRun({ text, start, end, first }, judge, keeper);
    if (text.changes !== changes) return;
    start = Math.max(end, start + 1);
  }
}

/** Index of the first line with a payload; that of the last line if there is none. */
function firstPayload(text: LineText<KnownLine>): number {
  let line = 0;
  while (line < text.lineCount - 1 && isBlank(text, line)) line++;
  return line;
}

/** The first line may begin with a byte order mark. */
function isBlank(text: LineText<KnownLine>, line: number): boolean {
  return (line === 0 ? /^\uFEFF?[ \t\r]*$/ : /^[ \t\r]*$/).test(text.line(line)!);
}

/** The lines in [start, end) of a text, whose first payload is on the line `first`. */
interface Run {
  readonly text: LineText<KnownLine>;
  readonly start: number;
  readonly end: number;
  readonly first: number;
}

/** A line with a payload. */
const OTHER = '0\n';

async function judgeRun(
  { text, start, end, first }: Run,
  { paylint, file }: DocumentJudge,
  keeper: Keeper,
): Promise<void> {
  const { changes } = text;
  const isLast = end === text.lineCount;
  // A byte order mark is one only at the beginning, and the first payload is told what the whole source may be instead.
  const before = start > first ? OTHER : start === 0 ? '' : '\n';
  const bytes = Buffer.from(before + text.text(start, end) + (isLast ? '' : '\n'));
  const found = new Array<KnownLine>(end - start).fill(BLANK);
  const payloads = [...found.keys()].filter((i) => !isBlank(text, start + i));
  let i = before === OTHER ? -1 : 0;
  for await (const payload of paylint.payloads(bytes, { file, input: 'lines' })) {
    const index = payloads[i++];
    if (index === undefined) continue;
    const isEnd = start + index === first || start + index === text.lineCount - 1;
    found[index] = keeper.found(payload, isEnd, index + (before === '' ? 0 : 1));
  }
  if (text.changes === changes) for (const [i, one] of found.entries()) text.setKnown(start + i, one);
}

/** Makes what was found in payloads. After some violations, the others are only counted. */
class Keeper {
  #left = KEPT;

  /** `isEnd` and `line`: see `FoundInPayload`. */
  found({ kind, violations }: Verdict, isEnd: boolean, line: number): FoundInPayload {
    const count = violations.length;
    if (count === 0 || this.#left <= 0) return counted(kind, count, isEnd);
    this.#left -= count;
    return { kind, violations, count, isEnd, line };
  }
}

/** Found without violations that were kept: by kind, then by count. Shared, because a long text has many of them. */
const COUNTED = new Map<string | null, Map<number, FoundInPayload>>();

function counted(kind: string | null, count: number, isEnd: boolean): FoundInPayload {
  if (isEnd) return { kind, violations: NONE, count, isEnd, line: 0 };
  const byCount = COUNTED.get(kind) ?? new Map<number, FoundInPayload>();
  const found = byCount.get(count) ?? { kind, violations: NONE, count, isEnd, line: 0 };
  COUNTED.set(kind, byCount.set(count, found));
  return found;
}

/** A payload of a document, and the index of the line that its violations count from. */
export interface Placed {
  readonly found: FoundInPayload;
  /** Of the payload. */
  readonly text: string;
  /** To be added to the lines of violations, which begin at 1. */
  readonly offset: number;
  /** Index of the payload's line; null: the text is judged as a whole. */
  readonly line: number | null;
  /** Where the payload's text begins, in UTF-16 code units of its line or of the whole text. */
  readonly start: number;
}

/** The payloads of a document that are known, in order. */
export function* payloadsIn({ whole, text }: JudgedDocument, which: 'all' | 'invalid' = 'all'): Generator<Placed> {
  const isWanted = ({ count }: FoundInPayload): boolean => which === 'all' || count > 0;
  if (whole !== null) {
    yield* whole.filter(({ found }) => isWanted(found));
    return;
  }
  for (const [line, found] of text.known.entries()) {
    if (found === null || found === BLANK || !isWanted(found)) continue;
    yield { found, text: text.line(line)!, offset: line - found.line - 1, line, start: 0 };
  }
}

/** A position in the text of a payload. */
export interface At {
  readonly placed: Placed;
  /** In UTF-16 code units of the payload's text. */
  readonly offset: number;
}

/** A change of a payload's text, in UTF-16 code units. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Null: there is no payload at the position, or it is not known. */
export function payloadAt(document: JudgedDocument, position: Position): At | null {
  const { text, whole } = document;
  if (whole === null) {
    const { line } = position;
    const payload = text.line(line);
    const found = text.known[line] ?? null;
    if (payload === null || found === null || found === BLANK) return null;
    const placed = { found, text: payload, offset: line - found.line - 1, line, start: 0 };
    return { placed, offset: text.unitsIn(position) };
  }
  const offset = text.offsetAt(position);
  for (const placed of payloadsIn(document)) {
    const { length } = placed.text;
    const within = offset - placed.start;
    if (length > 0 && within >= 0 && within <= length) return { placed, offset: within };
  }
  return null;
}

/** The position of an offset in a payload's text. */
export function positionIn({ start, line }: Placed, offset: number, text: LineText<KnownLine>): Position {
  return line === null ? text.positionAt(start + offset) : text.position(line, offset);
}

export function editsOf(placed: Placed, changes: readonly TextChange[], text: LineText<KnownLine>): TextEdit[] {
  return changes.map(({ offset, length, text: newText }) => ({
    range: { start: positionIn(placed, offset, text), end: positionIn(placed, offset + length, text) },
    newText,
  }));
}
