/**
 * Guesses what a line that does not belong to an NDJSON report is instead: a report in another format, or a baseline.
 */

/** Report formats by their first bytes, after white space. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^\{\s*"violations"\s*:/, 'json'],
  [/^\{\s*"\$schema"\s*:\s*"[^"]*sarif|^\{\s*"version"\s*:\s*"2\.1\.0"|^\{[^{}[\]]*"runs"\s*:/, 'sarif'],
  [/^\[?\s*\{\s*"(?:description|check_name)"\s*:/, 'gitlab'],
  [/^<\?xml[^>]*>\s*<testsuites?\b|^<testsuites?\b/, 'junit'],
  [/^<!doctype html/i, 'html'],
  [/^::(?:error|warning|notice|group)/, 'github'],
  [/^.+:\d+:\d+: \S+ /, 'line'],
];

const NDJSON = 'render reads those of --format ndjson';

/** A sentence about `head`, the first bytes of a file that should be an NDJSON report; null: the content is unknown. */
export function otherReport(head: string): string | null {
  const text = head.trimStart();
  const format = BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1];
  if (format !== undefined) return `this is a report of --format ${format}; ${NDJSON}`;
  if (text.startsWith('{"format":"paylint-baseline"')) return `this is a baseline, not a report; ${NDJSON}`;
  return /^[{[]\s*$/m.test(text) && !/^[{[]\s*[}\]]/.test(text)
    ? `this is JSON laid out over several lines, not an NDJSON report; ${NDJSON}`
    : null;
}
