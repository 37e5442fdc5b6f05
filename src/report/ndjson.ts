/**
 * `ndjson`: every event as one JSON object on its own line, with a `type`. Each line is a whole object as soon as it is
 * written, so reports can be followed, cut, and joined; `render` reads them back.
 */

import { version } from '../package.ts';
import type { ReportEvent, Reporter, ReportStyle } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { createRowWriter } from './row-writer.ts';
import { recordFormat } from './statement-texts.ts';

export function createNdjson(style: ReportStyle): Reporter {
  const cap = createCap(style.maxViolations);
  const write = createRowWriter(recordFormat('{"type":"violation",', '\n'));
  const report = (event: ReportEvent): string => {
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
        return `${jsonText({ type: 'summary', version: version(), ...event.summary })}\n`;
    }
  };
  return report;
}
