/**
 * Checks one JSON text, which is one payload, synchronously: no file, no thread.
 */
import { notUtf8, tooLarge } from '../check/cut-findings.ts';
import { NO_LEVELS } from '../check/levels.ts';
import { offsetsOf, violationOf } from '../check/violations.ts';
import type { Examined, Examiner } from '../examine/examine.ts';
import { LineTracker } from '../json/lines.ts';
import { skipSpace, withoutSpace } from '../json/space.ts';
import { byteOrderMark, otherEncoding } from '../json/utf8.ts';
import type { Limits, Violation } from '../types.ts';
import type { Verdict } from './api.ts';
import { bytesOf } from './text-bytes.ts';

/** A text, and where the payload is in it. */
export interface OneText {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** The file name in violations. */
  readonly file: string;
}

/** The text in `input`, without byte order mark and white space around it. Throws a TypeError if it is neither text nor bytes. */
export function oneText(input: string | Uint8Array, file: string): OneText {
  const bytes = bytesOf(input);
  const start = skipSpace(bytes, byteOrderMark(bytes), bytes.length);
  return { bytes, start, end: withoutSpace(bytes, start, bytes.length), file };
}

/** Examines the text; `kind`: its kind, if it is given. Throws errors of the examination. */
export function examineText(
  { bytes, start, end }: OneText,
  examiner: Examiner,
  kind: string | null,
  { maxBytes }: Limits,
): Examined {
  const encoding = otherEncoding(bytes);
  if (encoding !== null) return notUtf8(encoding);
  if (end - start > maxBytes) return tooLarge(start, maxBytes);
  return examiner.examine({ bytes, span: { start, end }, base: 0, ending: 'text' }, kind);
}

/** The verdict on an examined text. */
export function verdictOf({ bytes, file }: OneText, { kind, findings }: Examined): Verdict {
  const all = [...findings];
  const lines = new LineTracker(byteOrderMark(bytes));
  const places = lines.places(bytes, 0, offsetsOf(all, 0));
  const place = { file, payload: 0, kind, prefix: '', base: 0, reject: null, rules: NO_LEVELS };
  const violations: Violation[] = all.map((finding) => violationOf(finding, place, places));
  return { valid: violations.length === 0, kind, violations };
}
