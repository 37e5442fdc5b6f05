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
import { createRowWriter, recordFormat } from './statement-texts.ts';

export function createJson(style: ReportStyle): Reporter {
  const cap = new Cap(style.maxViolations);
  const write = createRowWriter(recordFormat(`${BETWEEN}{`, ''));
  const failures: string[] = [];
  const sources: string[] = [];
  let begun = false;

  return (event) => {
    switch (event.type) {
      case 'violations': {
        const elements = write(cap.admitted(event));
        if (begun || elements.length === 0) return elements;
        begun = true;
        return BEGIN + elements.slice(BETWEEN.length);
      }
      case 'hidden':
      case 'fill':
        return ''; // only `ndjson` lists them: there may be more than fit into memory
      case 'failure':
        failures.push(jsonText(event.failure));
        return '';
      case 'source':
        sources.push(jsonText(event.source));
        return '';
      case 'summary': {
        const head = `${begun ? '\n' : '{"violations":['}],\n"failures":${list(failures)}`;
        const summary = jsonText({ version: version(), ...FORM_OF_REPORTS, ...event.summary });
        return `${head},\n"sources":${list(sources)},\n"summary":${summary}}\n`;
      }
    }
  };
}

const BEGIN = '{"violations":[\n';
const BETWEEN = ',\n';

function list(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n]`;
}

export function createNdjson(style: ReportStyle): Reporter {
  const cap = new Cap(style.maxViolations);
  const write = createRowWriter(recordFormat('{"type":"violation",', '\n'));
  return (event) => {
    switch (event.type) {
      case 'violations':
        return write(cap.admitted(event));
      case 'hidden':
        return '';
      case 'fill':
        return style.quiet ? '' : `${jsonText({ type: 'fill', ...event.fill })}\n`;
      case 'failure':
        return `${jsonText({ type: 'failure', ...event.failure })}\n`;
      case 'source':
        return `${jsonText({ type: 'source', ...event.source })}\n`;
      case 'summary':
        return `${jsonText({ type: 'summary', version: version(), ...FORM_OF_REPORTS, ...event.summary })}\n`;
    }
  };
}
