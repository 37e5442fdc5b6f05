/**
 * `json`: the whole report as one document, `{violations, failures, sources, summary}`, one element per line.
 * Violations are written as they come; only failures and sources are held back until the end.
 *
 * `ndjson`: every event as one JSON object on its own line, with a `type`. Each line is a whole object as soon as it
 * is written, so reports can be followed, cut, and joined; `render` reads them back.
 */
import { FORM_OF_REPORTS, version } from '../package.ts';
import type { Reporter, ReportStyle } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { Cap } from './cap.ts';
import { reporterOf } from './reporter.ts';
import { createRowWriter, recordFormat } from './statement-texts.ts';

export function createJson(style: ReportStyle): Reporter {
  const cap = new Cap(style.maxViolations);
  const write = createRowWriter(recordFormat(`${BETWEEN}{`, ''));
  const failures: string[] = [];
  const sources: string[] = [];
  let begun = false;

  // Only `ndjson` lists what was filled in and removed: there may be more than fits into memory.
  return reporterOf({
    violations(event) {
      const elements = write(cap.admitted(event));
      if (begun || elements.length === 0) return elements;
      begun = true;
      return BEGIN + elements.slice(BETWEEN.length);
    },
    failure: ({ failure }) => void failures.push(jsonText(failure)),
    source: ({ source }) => void sources.push(jsonText(source)),
    summary(event) {
      const head = `${begun ? '\n' : '{"violations":['}],\n"failures":${list(failures)}`;
      const summary = jsonText({ version: version(), ...FORM_OF_REPORTS, ...event.summary });
      return `${head},\n"sources":${list(sources)},\n"summary":${summary}}\n`;
    },
  });
}

const BEGIN = '{"violations":[\n';
const BETWEEN = ',\n';

function list(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n]`;
}

export function createNdjson(style: ReportStyle): Reporter {
  const cap = new Cap(style.maxViolations);
  const write = createRowWriter(recordFormat('{"type":"violation",', '\n'));
  const hidesChanges = style.quiet || style.hidesFills === true;
  const line = (object: object): string => `${jsonText(object)}\n`;
  return reporterOf({
    violations: (event) => write(cap.admitted(event)),
    fill: ({ type, fill }) => (hidesChanges ? '' : line({ type, ...fill })),
    prune: ({ type, prune }) => (hidesChanges ? '' : line({ type, ...prune })),
    failure: ({ type, failure }) => line({ type, ...failure }),
    source: ({ type, source }) => line({ type, ...source }),
    summary: ({ type, summary }) => line({ type, version: version(), ...FORM_OF_REPORTS, ...summary }),
  });
}
