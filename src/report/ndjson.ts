/**
 * `ndjson`: every event as one JSON object on its own line, with a `type`. Each line is a whole object as soon as it is
 * written, so reports can be followed, cut, and joined; `render` reads them back.
 */
import { version } from '../package.ts';
import type { ReportEvent, Reporter, ReportStyle } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { createNotedWriter, type NotedTemplate } from './noted.ts';
import { createRecord, RECORD_NUMBERS, recordHead } from './record.ts';

export function createNdjson(style: ReportStyle): Reporter {
  const cap = createCap(style.maxViolations);
  const record = createRecord();
  const report = (event: ReportEvent): string => {
    switch (event.type) {
      case 'violation':
        return cap.admits(event.violation) ? `{"type":"violation",${record(event.violation)}}\n` : '';
      case 'hidden':
        return '';
      case 'fill':
        return style.quiet ? '' : `${jsonText({ type: 'fill', ...event.fill })}\n`;
      case 'failure':
        return `${jsonText({ type: 'failure', ...event.failure })}\n`;
      case 'source':
        return `${jsonText({ type: 'source', ...event.source })}\n`;
      case 'summary':
        return `${jsonText({ type: 'summary', version: version(), ...event.summary })}\n`;
      case 'noted':
        return ''; // see below
    }
  };
  return style.maxViolations > 0 ? report : Object.assign(report, { noted: createNotedWriter(NOTED_LINE) });
}

const NOTED_LINE: NotedTemplate = {
  head: (file) => `{"type":"violation",${recordHead(file)}`,
  numbers: RECORD_NUMBERS,
  form: 'record',
  end: '\n',
};
