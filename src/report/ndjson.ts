/**
 * `ndjson`: every event as one JSON object on its own line, with a `type`. Each line is a whole object as soon as it is
 * written, so reports can be followed, cut, and joined; `render` reads them back.
 */

import { once } from '../input/seldom.ts';
import { version } from '../package.ts';
import type { ReportEvent, Reporter, ReportStyle, Statement } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { createRecord, recordTemplate } from './statement-texts.ts';
import { createTemplateWriter } from './template.ts';

export function createNdjson(style: ReportStyle): Reporter {
  const cap = createCap(style.maxViolations);
  const write = once(() => createTemplateWriter(recordTemplate('{"type":"violation",', '\n')));
  const report = (event: ReportEvent): string | Buffer => {
    switch (event.type) {
      case 'violations':
        return write()(cap.admitted(event));
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
  const record = once(() => createRecord());
  return Object.assign(report, {
    texts: { form: 'record', make: (statement: Statement) => record()(statement) } as const,
  });
}
