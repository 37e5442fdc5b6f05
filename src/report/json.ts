/**
 * `json`: the whole report as one document, `{violations, failures, sources, summary}`, one element per line.
 * Violations are written as they come; only failures and sources are held back until the end.
 */
import { version } from '../package.ts';
import type { NotedEvent, ReportEvent, Reporter, ReportStyle } from '../types.ts';
import { jsonText } from '../words/escape.ts';
import { createCap } from './cap.ts';
import { createNotedWriter, type NotedTemplate } from './noted.ts';
import { createRecord, RECORD_NUMBERS, recordHead } from './record.ts';

export function createJson(style: ReportStyle): Reporter {
  const cap = createCap(style.maxViolations);
  const record = createRecord();
  const failures: string[] = [];
  const sources: string[] = [];
  let begun = false;

  const report = (event: ReportEvent): string => {
    switch (event.type) {
      case 'violation': {
        if (!cap.admits(event.violation)) return '';
        const before = begun ? BETWEEN : BEGIN;
        begun = true;
        return `${before}{${record(event.violation)}}`;
      }
      case 'hidden':
        return '';
      case 'noted': // see below
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
  if (style.maxViolations > 0) return report;
  const { form, write } = createNotedWriter(NOTED_ELEMENT);
  return Object.assign(report, {
    noted: {
      form,
      write: (event: NotedEvent) => {
        const elements = write(event);
        if (begun) return elements;
        begun = true;
        return Buffer.concat([Buffer.from(BEGIN), elements.subarray(BETWEEN.length)]);
      },
    },
  });
}

const BEGIN = '{"violations":[\n';
const BETWEEN = ',\n';

const NOTED_ELEMENT: NotedTemplate = {
  head: (file) => `${BETWEEN}{${recordHead(file)}`,
  numbers: RECORD_NUMBERS,
  form: 'record',
  end: '',
};

function list(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n]`;
}
