/** Events that wait: they come back in their order, whether they fit into memory or not, and violations can be shortened to counts. */
import { afterEach, describe, expect, it } from 'vitest';
import { EventLog } from '../../src/log/event-log.ts';
import { eventOfTable, ViolationLog } from '../../src/log/violation-table.ts';
import type { ReportEvent, Statement, ViolationPlace } from '../../src/types.ts';

const FACTS = { kind: 'emoji', severity: 'error', pointer: '/a', message: 'no', params: {}, schema: null } as const;

/** An event with violations of a rule on some lines. */
function violations(rule: string, lines: readonly number[], fixable = false): ReportEvent {
  const log = new ViolationLog();
  const statement = { ...FACTS, rule, fixable } as unknown as Statement;
  for (const line of lines) {
    const place: ViolationPlace = { file: 'a', payload: 0, line, column: 1, endLine: line, endColumn: 2, offset: line };
    log.add(statement, place);
  }
  return eventOfTable(log.take()!);
}

const hidden = (rule: string, count: number, fixable = 0): ReportEvent => ({
  ...{ type: 'hidden', file: 'a', rule, count, fixable },
});
const failure = (message: string): ReportEvent => ({ type: 'failure', failure: { file: 'a', message } });

const logs: EventLog[] = [];
afterEach(() => {
  for (const log of logs.splice(0)) log.clear();
});

function logOf(events: readonly ReportEvent[], memory?: number): EventLog {
  const log = new EventLog(memory);
  logs.push(log);
  for (const event of events) log.add(event);
  return log;
}

/** What can be compared of an event: in the spool, rows are lists. */
const plain = (event: ReportEvent): unknown =>
  event.type === 'violations' ? { ...event, table: { ...event.table, rows: Array.from(event.table.rows) } } : event;

describe.each([
  ['in memory', undefined],
  ['in a temporary file', 1],
])('%s', (_, memory) => {
  const EVENTS = [violations('type', [1, 2]), failure('x'), violations('enum', [3], true), failure('y')];

  it('events come back in their order', () => {
    const log = logOf(EVENTS, memory);
    expect([...log.replay()].map(plain)).toEqual(EVENTS.map(plain));
    expect([log.error, log.isShortened]).toEqual([null, false]);
  });

  it('violations can be replaced by their counts from some moment on', () => {
    let isShort = false;
    const log = logOf(EVENTS, memory);
    const replayed: ReportEvent[] = [];
    for (const event of log.replay(() => isShort)) {
      replayed.push(event);
      isShort = true;
    }
    expect(replayed.map(plain)).toEqual([EVENTS[0]!, failure('x'), hidden('enum', 1, 1), failure('y')].map(plain));
    expect(log.isShortened).toBe(true);
  });
});

it('what is only counted is added up, and comes last', () => {
  const log = logOf([hidden('type', 2, 1), failure('x'), hidden('enum', 1), hidden('type', 3, 2)]);
  expect([...log.replay()]).toEqual([failure('x'), hidden('type', 5, 3), hidden('enum', 1)]);
});

it('a log that is cleared has nothing, and takes more', () => {
  const log = logOf([failure('x'), hidden('type', 1)], 1);
  expect(log.weight).toBe(Number.POSITIVE_INFINITY);
  log.clear();
  expect([[...log.replay()], log.weight]).toEqual([[], 0]);
  log.add(failure('y'));
  expect([...log.replay()]).toEqual([failure('y')]);
});

it('the weight grows with what is kept in memory', () => {
  const log = logOf([failure('x')]);
  const one = log.weight;
  log.add(violations('type', [1, 2, 3]));
  expect(one).toBeGreaterThan(0);
  expect(log.weight).toBeGreaterThan(one);
});
