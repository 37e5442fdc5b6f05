/** What is found in the sources becomes counts and events, in order, whether this thread finds it or another one has. */
import { describe, expect, it } from 'vitest';
import { Interrupted } from '../../src/errors.ts';
import { EventLog } from '../../src/log/event-log.ts';
import type { Budget } from '../../src/run/check/flow.ts';
import type { Job } from '../../src/run/job.ts';
import type { Part } from '../../src/run/part.ts';
import { Results } from '../../src/run/results.ts';
import { Blocks, Gatherer } from '../../src/run/workers/gather.ts';
import type { Io } from '../../src/source/io.ts';
import type { ReportEvent, Source, Statement, ViolationPlace } from '../../src/types.ts';
import { RUN_OPTIONS } from '../run-options.ts';

const STATEMENT = {
  ...{
    kind: 'a',
    severity: 'error',
    pointer: '',
    rule: 'type',
    message: 'no',
    params: {},
    schema: null,
    fixable: false,
  },
} as unknown as Statement;
const FIXABLE = { ...STATEMENT, rule: 'required', fixable: true } as Statement;
const placeOn = (line: number): ViolationPlace => ({
  ...{ file: 'a', payload: 0, line, column: 1, endLine: line, endColumn: 2, offset: 0 },
});
const END = { opened: true, failure: null, lines: 10, unread: false, bytes: 5 };

/** The results of a run, with all that is reported, in order. */
class ResultsOf {
  readonly log: string[] = [];
  readonly results: Results;
  readonly #parts = new Map<string, Source>();
  readonly stop = new AbortController();

  constructor(options: Partial<Job['options']> = {}, job: Partial<Job> = {}) {
    const report = { event: (event: ReportEvent) => this.log.push(...wordsOf(event)), flush: async () => {} };
    const stderr = { write: (text: string) => this.log.push(text.trimEnd()) };
    const io = { stderr, now: () => 0, interrupt: this.stop.signal } as unknown as Io;
    const given = {
      options: { ...RUN_OPTIONS, ...options },
      hints: true,
      mayBeEmpty: false,
      destination: null,
      held: null,
    };
    this.results = new Results({ ...given, ...job } as Job, report, { clear: () => {}, update: () => {} } as never, io);
  }

  part(name: string, last = true): Part {
    const made: Source = { name, path: null, regular: false, framing: 'lines', kind: null };
    const source = this.#parts.get(name) ?? made;
    this.#parts.set(name, source);
    return { source, last } as Part;
  }

  /** Checks a part in which `find` finds what it finds. */
  async check(
    name: string,
    find: (results: Results) => void,
    end: Partial<typeof END> = {},
    last = true,
  ): Promise<void> {
    const part = this.part(name, last);
    this.results.beginPart(part);
    find(this.results);
    await this.results.endPart(part, { ...END, ...end });
  }

  take(): string[] {
    return this.log.splice(0);
  }
}

function wordsOf(event: ReportEvent): string[] {
  switch (event.type) {
    case 'violations':
      return [
        `${event.to - event.from} violations after ${event.before.payloads} payloads, ${event.before.lines} lines`,
      ];
    case 'hidden':
      return [`hidden ${event.rule} ${event.count}, fixable ${event.fixable}`];
    case 'source': {
      const { file, payloads, valid, violations, warnings } = event.source;
      return [`source ${file}: ${payloads} ${valid} ${violations} ${warnings}`];
    }
    case 'failure':
      return [`failure ${event.failure.file}: ${event.failure.message}`];
    default:
      return [event.type];
  }
}

const find = (sink: Pick<Results, 'violation' | 'emit'>): void => {
  sink.emit({ type: 'hint', text: 'look' });
  sink.violation(STATEMENT, placeOn(1), null);
  sink.violation(FIXABLE, placeOn(2), null);
  sink.emit({ type: 'hidden', rule: 'enum', count: 3, fixable: 2 });
  sink.violation(STATEMENT, placeOn(3), null);
  sink.emit({ type: 'payload', kind: 'a', valid: false });
  sink.emit({ type: 'accepted', kind: 'a', count: 4 });
};

describe('what is found', () => {
  it('is the same when another thread has found it', async () => {
    const [here, there] = [new ResultsOf(), new ResultsOf()];
    const gatherer = new Gatherer({ bail: false }, new Blocks());
    find(gatherer);
    await here.check('a', find);
    await there.check('a', (results) => results.replay(gatherer.take()));
    expect(here.take()).toEqual([
      'paylint: a: note: look',
      '2 violations after 0 payloads, 0 lines',
      'hidden enum 3, fixable 2',
      '1 violations after 0 payloads, 0 lines',
      'source a: 5 4 6 0',
    ]);
    // What is only counted has no place among the others.
    const sorted = there.take();
    expect(sorted).toEqual([
      ...['hidden enum 3, fixable 2', 'paylint: a: note: look', '3 violations after 0 payloads, 0 lines'],
      'source a: 5 4 6 0',
    ]);
    expect([...here.results.ends.counts.fixable].map(({ name }) => name)).toEqual(['a']);
    expect(there.results.ends.counts.fixable.size).toBe(1);
  });

  it('in a later part of a source comes after the payloads and lines of the earlier ones', async () => {
    const all = new ResultsOf();
    for (const count of [7, 2])
      await all.check('a', (results) => results.emit({ type: 'accepted', kind: 'a', count }), {}, false);
    expect(all.take()).toEqual([]);
    await all.check('a', (results) => results.violation(STATEMENT, placeOn(1), null));
    expect(all.take()).toEqual(['1 violations after 9 payloads, 20 lines', 'source a: 9 9 1 0']);
  });

  it('of rules that are off is counted, and no report knows of it', async () => {
    const all = new ResultsOf({ rules: { enum: 'off', type: 'warning' } });
    await all.check('a', find);
    expect(all.take()).toEqual([
      ...['paylint: a: note: look', '3 violations after 0 payloads, 0 lines', 'source a: 5 4 1 2'],
    ]);
    expect(all.results.ends.counts.off).toBe(3);
  });

  it('is shown as far as the budget goes; the rest is counted', async () => {
    const left = new Int32Array(new SharedArrayBuffer(4)).fill(2);
    const budget: ConstructorParameters<typeof Budget>[0] = { left, countsOthers: true };
    const all = new ResultsOf({ budget }, { held: () => new EventLog() });
    await all.check('a', (results) => {
      for (let line = 1; line <= 3; line++) results.violation(FIXABLE, placeOn(line), null);
    });
    expect(all.take()).toEqual([
      ...['2 violations after 0 payloads, 0 lines', 'hidden required 1, fixable 1', 'source a: 0 0 3 0'],
    ]);
  });
});

describe('a payload that could not be checked', () => {
  const fault = { payload: 1, line: 2, message: 'too many steps', stack: null };

  it('is a failure with its place in the source, and an invalid payload', async () => {
    const all = new ResultsOf();
    await all.check('a', (results) => results.emit({ type: 'accepted', kind: 'a', count: 7 }), {}, false);
    await all.check('a', (results) => {
      results.violation(STATEMENT, placeOn(1), null);
      results.emit({ type: 'fault', fault });
    });
    const [first, second] = all.take();
    expect(first).toBe('1 violations after 7 payloads, 10 lines');
    expect(second).toMatch(/^failure a: .*\b8\b.*\b12\b.*: too many steps$/);
    expect([all.results.ends.counts.failures, all.results.ends.counts.invalid]).toEqual([1, 1]);
  });

  it('because of a bug shows where, once in a run', async () => {
    const all = new ResultsOf();
    const bug = { ...fault, stack: 'Error: x\n    at y\u0007' };
    await all.check('a', (results) => {
      results.emit({ type: 'fault', fault: bug });
      results.emit({ type: 'fault', fault: bug });
    });
    const shown = all.take().filter((line) => line.includes('this is a bug'));
    expect(shown).toEqual(['paylint: this is a bug in paylint, please report it\nError: x\n    at y\\u0007']);
  });
});

describe('a run', () => {
  it('ends at the first invalid payload with bail, also of another thread', async () => {
    for (const bail of [false, true]) {
      const [here, there] = [new ResultsOf({ bail }), new ResultsOf({ bail })];
      await here.check('a', (results) => results.emit({ type: 'payload', kind: 'a', valid: false }));
      const gatherer = new Gatherer({ bail }, new Blocks());
      gatherer.emit({ type: 'payload', kind: 'a', valid: false });
      await there.check('a', (results) => results.replay(gatherer.take()));
      expect([here.results.stopped, there.results.stopped]).toEqual([bail, bail]);
    }
  });

  it('has one failure for a file of which every part fails, and none of what was not opened', async () => {
    const all = new ResultsOf();
    await all.check('a', () => {}, { failure: 'gone', opened: false } as never, false);
    await all.check('a', () => {}, { failure: 'gone', opened: false } as never);
    expect(all.take()).toEqual(['failure a: gone', 'paylint: a: gone']);
  });

  it('for which all payloads matter fails where a source was not read to its end', async () => {
    const plain = new ResultsOf();
    await plain.check('a', () => {}, { unread: true });
    expect(plain.results.ends.counts.failures).toBe(0);
    const covering = new ResultsOf({ engine: 'covering' });
    await covering.check('a', () => {}, { unread: true });
    expect(covering.take()[0]).toMatch(/^failure a: it was not read to its end/);
  });

  it('that is interrupted names the payload at which another thread was', () => {
    const all = new ResultsOf();
    all.stop.abort('SIGINT');
    const batch = { parts: [all.part('a')] } as never;
    expect(() => all.results.interruptAt(batch, { part: 0, payload: 2, line: 3 })).toThrow(Interrupted);
    expect(all.take()[0]).toMatch(/^failure a: .*\b2\b.*\b3\b/);
    expect(all.results.unfinished()?.source.name).toBe('a');
  });
});
