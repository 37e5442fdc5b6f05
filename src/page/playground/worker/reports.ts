/**
 * The reports on a check, for copying: what `paylint validate` prints in the format.
 */

import { LINE_FEED } from '../../../json/skip.ts';
import { eventOfTable, ViolationLog } from '../../../log/violation-table.ts';
import { createJson } from '../../../report/json.ts';
import { createPretty } from '../../../report/pretty.ts';
import type { Excerpt, ReportEvent, ReportStyle, Rule, Violation } from '../../../types.ts';
import type { Check } from './check.ts';

const STYLE: ReportStyle = { ...{ colorLevel: 0, width: 100, quiet: false, stats: false, maxViolations: 0 } };
/** Bytes of a line, beyond which it is not shown. */
const LINE = 20_000;

export async function reportOn(check: Check, format: 'pretty' | 'json'): Promise<string> {
  const report = format === 'json' ? await createJson(STYLE) : await createPretty(STYLE);
  const events = eventsOf(check);
  await report.prepare?.(events.filter((event) => event.type === 'violations'));
  return events.map(report).join('');
}

function eventsOf({ listed, bytes, summary }: Check): ReportEvent[] {
  const log = new ViolationLog();
  const left = new Map(Object.entries(summary.rules));
  for (const violation of listed) {
    const { file, payload, line, column, endLine, endColumn, offset, ...statement } = violation;
    const excerpt = excerptOf(bytes, violation);
    const extra = excerpt === null ? null : { excerpt };
    log.add(statement, { file, payload, line, column, endLine, endColumn, offset }, extra);
    left.set(violation.rule, (left.get(violation.rule) ?? 0) - 1);
  }
  const table = log.take();
  const file = listed[0]?.file ?? '<text>';
  const { payloads, valid, invalid, violations, warnings } = summary;
  const hidden = [...left].filter(([, count]) => count > 0);
  return [
    ...(table === null ? [] : [eventOfTable(table)]),
    ...hidden.map(([rule, count]): ReportEvent => {
      return { type: 'hidden', file, rule: rule as Rule, count, fixable: 0 }; // names of its rules
    }),
    { type: 'source', source: { file, payloads, valid, invalid, violations, warnings } },
    { type: 'summary', summary },
  ];
}

/** The line of a violation; null: it is too long. */
function excerptOf(bytes: Uint8Array, { offset, column }: Violation): Excerpt | null {
  const from = offset === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, offset - 1) + 1;
  const next = bytes.indexOf(LINE_FEED, offset);
  const to = next < 0 ? bytes.length : next;
  if (to - from > LINE) return null;
  const decode = (start: number, end: number): string =>
    Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
  const before = decode(from, offset).length;
  return {
    text: decode(from, to).replace(/\r$/, ''),
    ...{ column: column - before, cutBefore: false, cutAfter: false },
  };
}
