/** The ends of sources: each is reported when its destination is done with it, in order, with the messages after it. */
import { describe, expect, it } from 'vitest';
import { EventLog } from '../../src/log/event-log.ts';
import { NO_BUDGET } from '../../src/run/check/flow.ts';
import { Counts } from '../../src/run/counts.ts';
import type { Job } from '../../src/run/job.ts';
import { ALL_WRITTEN, type Destination, type SourceOutcome } from '../../src/run/outlets/outlet.ts';
import { SourceEnds, type SourceResults, unlistedHint } from '../../src/run/source-ends.ts';
import type { Io } from '../../src/source/io.ts';
import type { ReportEvent, Source } from '../../src/types.ts';
import { RUN_OPTIONS } from '../run-options.ts';

/** What happens, in order: lines of standard error, and events of the report. */
class Ends {
  readonly log: string[] = [];
  now = 0;
  readonly ends: SourceEnds;

  constructor(destination: Partial<Destination> | null = null, job: Partial<Job> = {}) {
    const report = { event: (event: ReportEvent) => this.log.push(wordsOf(event)), flush: async () => {} };
    const stderr = { write: (text: string) => this.log.push(text.trimEnd()) };
    const io = { stderr, now: () => this.now, interrupt: new AbortController().signal } as unknown as Io;
    const options = { ...RUN_OPTIONS, budget: NO_BUDGET };
    const given = { options, hints: true, mayBeEmpty: false, destination, ...job } as Job;
    this.ends = new SourceEnds(given, report, { clear: () => {}, update: () => {} } as never, io);
  }

  /** Takes what has happened since the last call. */
  take(): string[] {
    return this.log.splice(0);
  }
}

function wordsOf(event: ReportEvent): string {
  if (event.type === 'source') return `source ${event.source.file}: ${event.source.payloads}`;
  return event.type === 'failure' ? `failure ${event.failure.file}: ${event.failure.message}` : event.type;
}

function results(name: string, more: Partial<SourceResults> = {}, payloads = 1): SourceResults {
  const counts = new Counts();
  if (payloads > 0) counts.take({ type: 'accepted', kind: 'a', count: payloads });
  const source: Source = { name, path: null, regular: false, framing: 'json', kind: null };
  return {
    ...{ source, held: null, shown: 0, counts, patterns: { fill: new Map(), prune: new Map() } },
    ...{ before: { payloads: 0, lines: 0 }, opened: true, failed: false, unread: false },
    ...more,
  };
}

/** A log of a violation that is only counted. */
function heldLog(): EventLog {
  const log = new EventLog();
  log.add({ type: 'hidden', file: 'x', rule: 'type', count: 1, fixable: 0 });
  return log;
}

/** A destination whose outcomes are given, call by call. */
function destinationOf(outcomes: readonly (readonly SourceOutcome[])[], settled: readonly SourceOutcome[] = []) {
  const left = [...outcomes];
  return { begin: () => {}, end: async () => left.shift() ?? [], settle: async () => settled, close: async () => {} };
}

const UNWRITTEN: SourceOutcome = { done: false, failure: 'the disk is full' };

describe('a source', () => {
  it('is reported at once without a destination', async () => {
    const all = new Ends();
    await all.ends.end(results('a'), true);
    expect(all.take()).toEqual(['source a: 1']);
  });

  it('whose file cannot be written is a failure, and nothing else of it is reported', async () => {
    const all = new Ends(destinationOf([[UNWRITTEN]]));
    await all.ends.end(results('a', { held: heldLog() }), true);
    expect(all.take()).toEqual(['failure a: the disk is full', 'paylint: a: the disk is full']);
    expect([all.ends.counts.failures, all.ends.counts.payloads]).toEqual([1, 0]);
  });

  it('that is written has its events before its end, and a warning before both', async () => {
    const all = new Ends(destinationOf([[{ ...ALL_WRITTEN, warning: 'its owner is lost' }]]));
    await all.ends.end(results('a', { held: heldLog() }), true);
    expect(all.take()).toEqual(['paylint: a: warning: its owner is lost', 'hidden', 'source a: 1']);
  });

  it('that could not be read to its end is not reported if its file must be whole', async () => {
    const all = new Ends(destinationOf([[{ done: false, failure: null }]]));
    await all.ends.end(results('a', { held: heldLog(), failed: true }), false);
    expect(all.take()).toEqual([]);
  });
});

describe('sources that wait', () => {
  it('are reported in their order, with the messages between them', async () => {
    const all = new Ends(destinationOf([[], [], [ALL_WRITTEN, UNWRITTEN, ALL_WRITTEN]]));
    await all.ends.end(results('a', { held: heldLog() }), true);
    all.ends.hint('b', 'look');
    await all.ends.end(results('b', { held: heldLog() }), true);
    all.ends.fail({ file: 'c', message: 'no' });
    expect(all.take()).toEqual([]);
    await all.ends.end(results('d', { held: heldLog() }), true);
    expect(all.take()).toEqual([
      ...['hidden', 'source a: 1', 'paylint: b: note: look', 'failure b: the disk is full'],
      ...['paylint: b: the disk is full', 'failure c: no', 'paylint: c: no', 'hidden', 'source d: 1'],
    ]);
  });

  it('are due after some time, and settled then', async () => {
    const all = new Ends(destinationOf([[]], [ALL_WRITTEN]));
    expect(all.ends.isDue).toBe(false);
    await all.ends.end(results('a', { held: heldLog() }), true);
    expect(all.ends.isDue).toBe(false);
    all.now = 1000;
    expect(all.ends.isDue).toBe(true);
    await all.ends.settle();
    expect([all.take(), all.ends.isDue]).toEqual([['hidden', 'source a: 1'], false]);
  });

  it('are a thousand at most', async () => {
    const many = Array.from({ length: 1000 }, () => ALL_WRITTEN);
    const all = new Ends(destinationOf([], many));
    for (let i = 0; i < 999; i++) await all.ends.end(results(`${i}`), true);
    expect(all.take()).toEqual([]);
    await all.ends.end(results('last'), true);
    expect(all.take()).toHaveLength(1000);
  });

  it('of which no outcome is known are not reported, but messages are', async () => {
    const all = new Ends(destinationOf([[]]));
    await all.ends.end(results('a', { held: heldLog() }), true);
    all.ends.fail({ file: 'b', message: 'no' });
    await all.ends.abandon(results('c'));
    expect(all.take()).toEqual(['failure b: no', 'paylint: b: no', 'source c: 1']);
  });
});

describe('the end of a run', () => {
  it('names the first three sources without payloads, if others have some', async () => {
    const all = new Ends();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await all.ends.end(results(name, {}, 0), true);
    await all.ends.finish(true);
    expect(all.take().filter((line) => line.startsWith('paylint'))).toEqual([]);
    await all.ends.end(results('f'), true);
    await all.ends.finish(true);
    expect(all.take().at(-1)).toBe('paylint: note: no payload in a, b, c and 2 more files');
  });

  it.each<[string, number, boolean, boolean]>([
    ['empty', 0, true, false],
    ['whole', 0, true, true],
    ['whole', 1, true, false],
    ['part', 1, false, false],
  ])('is %s with %i payloads, passed through: %s, may be empty: %s', async (extent, payloads, whole, mayBeEmpty) => {
    const extents: string[] = [];
    const finish = async (found: string) => {
      extents.push(found);
      return [{ file: 'out', message: 'not kept' }];
    };
    const all = new Ends({ ...destinationOf([[ALL_WRITTEN]]), finish }, { mayBeEmpty });
    await all.ends.end(results('a', {}, payloads), true);
    await all.ends.finish(whole);
    expect(extents).toEqual([extent]);
    expect(all.take().at(-1)).toBe('paylint: out: not kept');
  });

  it('says no hints if none are wanted', () => {
    const all = new Ends(null, { hints: false });
    all.ends.hint('a', 'look');
    expect(all.take()).toEqual([]);
  });

  it('says how many violations of a payload are not listed', () => {
    expect(unlistedHint(3, 2000)).toBe(
      'payload 3: 2,000 more are only counted: at most 100,000 violations of a payload are listed',
    );
  });
});
