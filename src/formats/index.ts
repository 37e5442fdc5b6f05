/**
 * What is known of formats by name, without the functions that judge them (`load-formats.ts`).
 */
import type { Format } from './format.ts';
import { FORMATS } from './format-table.ts';
import { wholeText } from './patterns.ts';

/** The names of all formats that are asserted. */
export const ASSERTED_FORMATS: readonly string[] = Object.keys(FORMATS);

/** Null: the format is not asserted. */
export function formatNamed(name: string): Format | null {
  return Object.hasOwn(FORMATS, name) ? FORMATS[name]! : null;
}

/** A pattern that matches only texts of the format; null: there is none. */
export function sufficientPattern({ pattern, accepts = pattern }: Format): string | null {
  return accepts === undefined ? null : wholeText(accepts);
}

/** A pattern that matches all texts of the format; null: there is none. */
export function necessaryPattern({ pattern, accepts, needs }: Format): string | null {
  if (needs !== undefined) return needs;
  return pattern === undefined || accepts !== undefined ? null : wholeText(pattern);
}

/** The patterns for accept of all formats. */
export function formatPatterns(): string[] {
  const patterns = Object.values(FORMATS).flatMap((format) => [
    sufficientPattern(format),
    necessaryPattern(format),
  ]);
  return [...new Set(patterns.filter((pattern) => pattern !== null))];
}
