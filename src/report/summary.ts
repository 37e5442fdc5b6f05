/**
 * The last line of the text formats: the whole run in numbers, with failures and what `fill` would fix.
 */
import type { Summary } from '../types.ts';
import { visible } from '../words/escape.ts';
import { loweredBy, unusedIn } from './config-effects.ts';
import type { FillCounts } from './filled.ts';
import { duration, number, plural } from './numbers.ts';
import type { Palette } from './paint.ts';

/** Facts of the summary line that are not in the summary. */
export interface SummaryFacts {
  /** How many of the violations are fixable. */
  readonly fixable: number;
  /** Absent: members that were filled in are not mentioned. */
  readonly fills?: FillCounts;
  /** Not all violations are counted. Absent: false. */
  readonly uncounted?: boolean | undefined;
}

/** `✗ 12 violations in 4 of 1,000 payloads (3 files) · 5 fixable with paylint fill · 0.3 s` */
export function summaryLine(
  summary: Summary,
  { fixable, fills, uncounted = false }: SummaryFacts,
  palette: Palette,
): string {
  const text = fills?.text ?? null;
  const facts = [verdict(summary, uncounted, palette)];
  if (text !== null && summary.violations === 0 && fills?.verb !== 'filled') {
    // What is missing comes before what is valid.
    const fails = fills?.verb === 'checked' || summary.failures > 0;
    const first = fails ? palette.bad(`✗ ${text}`) : palette.rule(`– ${text}`);
    facts[0] = `${first}${palette.quiet(' · ')}${share(summary)}`;
  } else if (text !== null) {
    const paint =
      fills?.verb === 'checked' ? palette.bad : fills?.verb === 'shown' ? palette.rule : palette.good;
    facts.push(paint(text));
  }
  if (summary.warnings > 0) facts.push(palette.rule(plural(summary.warnings, 'warning')));
  if (summary.known !== undefined) facts.push(palette.quiet(knownText(summary)));
  if (summary.arrays !== undefined) facts.push(palette.quiet(arraysText(summary.arrays)));
  if (fixable > 0 && !uncounted) facts.push(palette.help(`${number(fixable)} fixable with paylint fill`));
  if (summary.empty !== undefined && summary.payloads > 0) facts.push(palette.rule(emptyText(summary.empty)));
  if (summary.failures > 0) facts.push(palette.bad(plural(summary.failures, 'failure')));
  for (const clause of [...loweredBy(summary), ...unusedIn(summary)])
    facts.push(palette.rule(visible(clause)));
  if (summary.interrupted) facts.push(palette.bad('stopped early'));
  facts.push(palette.quiet(duration(summary.elapsedMs)));
  return facts.join(palette.quiet(' · '));
}

/** The schema, and not a flag, made them payloads. */
export function arraysText(arrays: number): string {
  const are = arrays === 1 ? '1 array is one payload' : `${number(arrays)} arrays are one payload each`;
  return `${are}, as the schema says`;
}

function verdict(summary: Summary, uncounted: boolean, palette: Palette): string {
  const { payloads, invalid, violations, failures } = summary;
  if (violations > 0) {
    const of =
      payloads > 1 ? `${number(invalid)} of ${plural(payloads, 'payload')}` : plural(payloads, 'payload');
    const files = filesOf(summary);
    const what = uncounted ? `${of} invalid` : `${plural(violations, 'violation')} in ${of}`;
    return palette.bad(`✗ ${what}${files && ` (${files})`}`);
  }
  const text = (summary.known ?? 0) > 0 ? 'no new violations' : share(summary);
  if (failures > 0) return palette.bad(`✗ ${text}`);
  return payloads > 0 ? palette.good(`✓ ${text}`) : palette.rule(`– ${text}`);
}

/** `6 known in 5 payloads` */
function knownText({ known = 0, knownPayloads = 0 }: Summary): string {
  const where = knownPayloads > 0 ? ` in ${plural(knownPayloads, 'payload')}` : '';
  return `${number(known)} known${where}`;
}

/** `2 files have no payload` */
function emptyText(files: number): string {
  return `${plural(files, 'file')} ${files === 1 ? 'has' : 'have'} no payload`;
}

/** `3 payloads valid in 2 files` */
function share(summary: Summary): string {
  const { payloads, valid, invalid } = summary;
  const of = invalid > 0 ? `${number(valid)} of ` : '';
  const files = filesOf(summary);
  return `${payloads > 0 ? `${of}${plural(payloads, 'payload')} valid` : 'no payloads'}${files && ` in ${files}`}`;
}

/** Empty for one. */
function filesOf({ sources }: Summary): string {
  return sources > 1 ? plural(sources, 'file') : '';
}
