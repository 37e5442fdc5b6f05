/** Checks one JSON text, which is one payload, synchronously: no file, no thread. */

import type { ExamineSettings } from '../engine/compile/acceptor.ts';
import type { Examined, Examiner, PayloadBytes } from '../engine/judge/examine.ts';
import { judged } from '../engine/judge/judged.ts';
import { LineTracker, type TextCounter } from '../json/lines.ts';
import { skipSpace, withoutSpace } from '../json/skip.ts';
import { byteOrderMark, otherEncoding } from '../json/utf8.ts';
import { violationAt } from '../log/violation-table.ts';
import { notUtf8, tooLarge } from '../run/check/cut-findings.ts';
import { offsetsOf, placeOf, statementOf } from '../run/check/violations.ts';
import type { Finding, Violation } from '../types.ts';
import type { Judging, RuleLevels } from '../words/rule-levels.ts';
import type { Verdict } from './api.ts';
import { bytesOf } from './inputs.ts';

export const TEXT_NAME = '<text>';

export interface OneText {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Without byte order mark and white space around it. Throws a TypeError if `input` is neither text nor bytes. */
export function oneText(input: string | Uint8Array): OneText {
  const bytes = bytesOf(input);
  const start = skipSpace(bytes, byteOrderMark(bytes), bytes.length);
  return { bytes, start, end: withoutSpace(bytes, start, bytes.length) };
}

/** Examines the text. `reader`: in whose memory it is; `kind`: the given kind. Throws errors of the examination. */
export function examineText(
  { bytes, start, end, reader }: OneText & Pick<PayloadBytes, 'reader'>,
  examiner: Examiner,
  kind: string | null,
  { maxBytes }: ExamineSettings,
): Examined {
  const encoding = otherEncoding(bytes);
  if (encoding !== null) return notUtf8(encoding);
  if (end - start > maxBytes) return tooLarge(start, maxBytes);
  const payload = { bytes, span: { start, end }, base: 0, ending: 'text' } as const;
  return examiner.examine(reader === undefined ? payload : { ...payload, reader }, kind);
}

export function verdictOf({ bytes }: OneText, examined: Examined, judging: Judging): Verdict {
  const { kind } = examined;
  const { findings, valid } = judged(examined, judging);
  const violations = violationsOf(bytes, { kind, findings: [...findings], rules: judging.rules }, null);
  return { valid, kind, violations };
}

/** The violations of a text, with places. `counter`: for a text in the memory of an engine; null: there is none. */
export function violationsOf(
  bytes: Buffer,
  found: { readonly kind: string | null; readonly findings: readonly Finding[]; readonly rules: RuleLevels },
  counter: TextCounter | null,
): Violation[] {
  const { kind, findings, rules } = found;
  const lines = new LineTracker(byteOrderMark(bytes), counter);
  const places = lines.places(bytes, 0, offsetsOf(findings, 0));
  const place = { file: TEXT_NAME, payload: 0, kind, prefix: '', base: 0, reject: null, rules, patterns: null };
  return findings.map((finding) => violationAt(placeOf(finding, place, places), statementOf(finding, place, places)));
}

export function failed(failure: string): Verdict & { readonly failure: string } {
  const violation = {
    ...{ file: TEXT_NAME, payload: 0, line: 1, column: 1, endLine: 1, endColumn: 1, offset: 0 },
    ...{ kind: null, severity: 'error', pointer: '', rule: 'failure', message: failure, params: {}, schema: null },
    fixable: false,
  } as unknown as Violation; // of a rule without params, which no schema has
  return { valid: false, kind: null, violations: [violation], failure };
}
