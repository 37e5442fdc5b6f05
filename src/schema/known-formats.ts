/**
 * The names of formats: those that are asserted, and what an unknown one probably means.
 */
import { quote } from '../words/escape.ts';
import { nearMiss } from '../words/near.ts';

/** The formats that examine asserts; `test/schema-warnings.test.ts` compares them with those of Ajv. */
export const ASSERTED_FORMATS: readonly string[] = `
  date time date-time iso-time iso-date-time duration email hostname ipv4 ipv6 uri uri-reference uri-template url uuid
  json-pointer json-pointer-uri-fragment relative-json-pointer regex byte binary password int32 int64 float double`
  .trim()
  .split(/\s+/);

const ASSERTED = new Set(ASSERTED_FORMATS);

/** Formats of JSON Schema that are not asserted. */
const ONLY_ANNOTATIONS = new Set(['idn-email', 'idn-hostname', 'iri', 'iri-reference']);

/** Why `format` asserts nothing, as a sentence without its place; null if it does. */
export function formatFault(format: unknown): string | null {
  if (typeof format !== 'string' || ASSERTED.has(format)) return null;
  const text = quote(format);
  if (ONLY_ANNOTATIONS.has(format)) return `paylint does not assert the format ${text}`;
  const near = meantFormat(format);
  return `${text} is not a known format, so it asserts nothing${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** `datetime`, `date_time`, `dateTime` and `e-mail` differ from a format only by what is between words, or by case. */
function meantFormat(format: string): string | null {
  const letters = lettersOf(format);
  return ASSERTED_FORMATS.find((name) => lettersOf(name) === letters) ?? nearMiss(format, ASSERTED_FORMATS);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
