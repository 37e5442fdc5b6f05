/**
 * `json`: the whole report as one document, `{violations, failures, sources, summary}`, one element per line.
 * Violations are written as they come; only failures and sources are held back until the end.
 */

import { once } from '../input/seldom.ts';
import { version } from '../package.ts';
import type { ReportEvent, Reporter, ReportStyle, Statement } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { createRecord, recordTemplate } from './statement-texts.ts';
import { createTemplateWriter } from './template.ts';

export function createJson(style: ReportStyle): Reporter {
  const cap = createCap(style.maxViolations);
  const write = once(() => createTemplateWriter(recordTemplate(`${BETWEEN}{`, '')));
  const failures: string[] = [];
  const sources: string[] = [];
  let begun = false;

  const report = (event: ReportEvent): string | Buffer => {
    switch (event.type) {
      case 'violations': {
        const elements = write()(cap.admitted(event));
        if (begun || elements.length === 0) return elements;
        begun = true;
        return Buffer.concat([Buffer.from(BEGIN), Buffer.from(elements).subarray(BETWEEN.length)]);
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
        const summary = jsonText({ version: version(), ...event.summary });
        return `${head},\n"sources":${list(sources)},\n"summary":${summary}}\n`;
      }
    }
  };
  const record = once(() => createRecord());
  return Object.assign(report, {
    texts: { form: 'record', make: (statement: Statement) => record()(statement) } as const,
  });
}

const BEGIN = '{"violations":[\n';
const BETWEEN = ',\n';

function list(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n]`;
}
