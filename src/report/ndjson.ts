/**
 * `ndjson`: every event as one JSON object on its own line, with a `type`. Each line is a whole object as soon as it is
 * written, so reports can be followed, cut, and joined; `render` reads them back.
 */
import { version } from '../package.ts';
import type { Reporter, ReportStyle } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { createRecord } from './record.ts';

export function createNdjson(style: ReportStyle): Reporter {
  const cap = createCap(style.maxViolations);
  const record = createRecord();
  return (event) => {
    switch (event.type) {
      case 'violation':
        return cap.admits(event.violation) ? `{"type":"violation",${record(event.violation)}}\n` : '';
      case 'hidden':
        return '';
      case 'preformatted':
        return event.text;
      case 'fill':
        return style.quiet ? '' : `${jsonText({ type: 'fill', ...event.fill })}\n`;
      case 'failure':
        return `${jsonText({ type: 'failure', ...event.failure })}\n`;
      case 'source':
        return style.quiet ? '' : `${jsonText({ type: 'source', ...event.source })}\n`;
      case 'summary':
        return style.quiet ? '' : `${jsonText({ type: 'summary', version: version(), ...event.summary })}\n`;
    }
  };
}
