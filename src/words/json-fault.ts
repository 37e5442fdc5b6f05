/** Why a schema, a config or a baseline is not JSON in UTF-8: one sentence, as for payloads, and its place. */
import { LineTracker, type Place } from '../json/lines.ts';
import { scan } from '../json/scan.ts';
import { diagnose } from '../json/syntax-cause.ts';
import { byteOrderMark, firstInvalidUtf8, looksLikeLatin1, otherEncoding } from '../json/utf8.ts';
import { quote } from './escape.ts';
import { LATIN_1 } from './own-rules.ts';
import { syntaxSentence } from './syntax.ts';

export interface JsonFault extends Place {
  readonly sentence: string;
}

/** The first fault of `bytes`, a whole file; null: it is one JSON text. */
export function jsonFault(bytes: Buffer): JsonFault | null {
  const encoding = otherEncoding(bytes);
  if (encoding !== null) {
    const sentence = `this is ${encoding}; iconv -f ${encoding} -t UTF-8 converts it`;
    return { line: 1, column: 1, sentence };
  }
  const start = byteOrderMark(bytes);
  const at = firstInvalidUtf8(bytes, start, bytes.length);
  if (at >= 0) {
    const byte = bytes.toString('hex', at, at + 1).toUpperCase();
    const hint = looksLikeLatin1(bytes, at, bytes.length) ? `; ${LATIN_1}` : '';
    return { ...new LineTracker(start).at(bytes, 0, at), sentence: `the byte 0x${byte} is not UTF-8${hint}` };
  }
  const { fault } = scan(bytes, start, bytes.length, Number.POSITIVE_INFINITY);
  if (fault?.type !== 'syntax') return null; // no fault: a depth fault is impossible without a limit
  const where = { bytes, base: 0, from: start, to: bytes.length };
  const { cause, found, earlier } = diagnose({ ...where, at: fault.at, expected: fault.expected });
  const text = bytes.toString('utf8', found.start, found.end);
  // The sentences for these two are about payloads.
  const isMore = cause === 'two-texts' || cause === 'comma-after-text';
  const facts = { cause, expected: fault.expected, ending: 'text', found: text } as const;
  const sentence = isMore ? `there is more after the JSON text: ${quote(text)}` : syntaxSentence(facts);
  // There is no code frame, so the place is that of the comma, not of the bracket after it.
  const fixAt = cause === 'trailing-comma' && earlier !== null ? earlier.start : found.start;
  return { ...new LineTracker(start).at(bytes, 0, fixAt), sentence };
}
