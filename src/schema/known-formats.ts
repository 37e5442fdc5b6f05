/**
 * Formats that are not asserted, and what they probably mean.
 */
import { ASSERTED_FORMATS, formatNamed } from '../formats/format-table.ts';
import { quote } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';

/** Why `format` asserts nothing, as a sentence without its place; null if it asserts something. */
export function formatFault(format: unknown): string | null {
  if (typeof format !== 'string' || formatNamed(format) !== null) return null;
  const text = quote(format);
  const near = meantFormat(format);
  return `${text} is not a known format, so it asserts nothing${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** `datetime`, `date_time`, `dateTime` and `e-mail` differ from a format only by separators, or by case. */
function meantFormat(format: string): string | null {
  const letters = lettersOf(format);
  return ASSERTED_FORMATS.find((name) => lettersOf(name) === letters) ?? nearMiss(format, ASSERTED_FORMATS);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
