/**
 * The line with which the text formats close: the whole run in numbers, failures and what `fill` would fix included.
 */
import type { Summary } from '../types.ts';
import type { FillCounts } from './filled.ts';
import { duration, number, plural } from './numbers.ts';
import type { Palette } from './paint.ts';

/** What a summary line says beside the summary. */
export interface SummaryFacts {
  /** How many of the violations are fixable. */
  readonly fixable: number;
  /** Absent: nothing is said of members that were filled in. */
  readonly fills?: FillCounts;
}

/** `✗ 12 violations in 4 of 1,000 payloads (3 files) · 5 fixable with paylint fill · 0.3 s` */
export function summaryLine(summary: Summary, { fixable, fills }: SummaryFacts, palette: Palette): string {
  const facts: string[] = [];
  const isLeft = fills?.isLeft === true;
  const text = fills?.text ?? null;
  if (text !== null) facts.push(isLeft ? palette.bad(text) : palette.good(text));
  if (summary.warnings > 0) facts.push(palette.rule(plural(summary.warnings, 'warning')));
  if (summary.known !== undefined) facts.push(palette.quiet(`${number(summary.known)} known`));
  if (fixable > 0) facts.push(palette.help(`${number(fixable)} fixable with paylint fill`));
  if (summary.failures > 0) facts.push(palette.bad(plural(summary.failures, 'failure')));
  if (summary.interrupted) facts.push(palette.bad('stopped early'));
  facts.push(palette.quiet(duration(summary.elapsedMs)));
  return [verdict(summary, isLeft, palette), ...facts].join(palette.quiet(' · '));
}

/** `isLeft`: something is missing that was only looked for. */
function verdict(summary: Summary, isLeft: boolean, palette: Palette): string {
  const { sources, payloads, invalid, violations, failures } = summary;
  const files = sources > 1 ? plural(sources, 'file') : '';
  if (violations > 0) {
    const share =
      payloads > 1 ? `${number(invalid)} of ${plural(payloads, 'payload')}` : plural(payloads, 'payload');
    return palette.bad(`✗ ${plural(violations, 'violation')} in ${share}${files && ` (${files})`}`);
  }
  const share = invalid > 0 ? `${number(summary.valid)} of ` : '';
  const text = `${payloads > 0 ? `${share}${plural(payloads, 'payload')} valid` : 'no payloads'}${files && ` in ${files}`}`;
  if (failures > 0 || isLeft) return palette.bad(`✗ ${text}`);
  return payloads > 0 ? palette.good(`✓ ${text}`) : palette.rule(`– ${text}`);
}
