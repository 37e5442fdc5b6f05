/**
 * Guesses what a line that does not belong to an NDJSON report is instead: a report in another format, or a baseline.
 */

import { FORMAT_NAMES, FORMATS } from '../report/formats.ts';

const NDJSON = 'render reads those of --format ndjson';

/** A sentence about `head`, the first bytes of a file that should be an NDJSON report; null: the content is unknown. */
export function otherReport(head: string): string | null {
  const text = head.trimStart();
  // The last one first: a document of another format can begin like a line of `line`.
  const format = FORMAT_NAMES.findLast((name) => FORMATS[name].beginning?.test(text));
  if (format !== undefined) return `this is a report of --format ${format}; ${NDJSON}`;
  if (text.startsWith('{"format":"paylint-baseline"')) return `this is a baseline, not a report; ${NDJSON}`;
  return /^[{[]\s*$/m.test(text) && !/^[{[]\s*[}\]]/.test(text)
    ? `this is JSON laid out over several lines, not an NDJSON report; ${NDJSON}`
    : null;
}
