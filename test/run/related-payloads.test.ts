/**
 * What payloads have in common, without a run: claims in, the events of a report out. Which place counts as the first, what is
 * listed and what is only counted, and what is not said because it is not known.
 */
import { describe, expect, it } from 'vitest';
import { LISTED_VIOLATIONS } from '../../src/limits.ts';
import { violationsOf } from '../../src/log/violation-table.ts';
import { budgetOf, NO_BUDGET } from '../../src/run/check/flow.ts';
import { Counts } from '../../src/run/counts.ts';
import type { Claim } from '../../src/run/outlets/sink.ts';
import { RelatedPayloads } from '../../src/run/related-payloads.ts';
import type { Relation, ReportEvent, Source, SourceCounts } from '../../src/types.ts';
import type { RuleLevels } from '../../src/words/rule-levels.ts';

const UNIQUE: Relation = { id: 'u', kind: null, at: '/id', to: null, message: null };
const REFERENCE: Relation = {
  id: 'r',
  kind: 'order',
  at: '/to',
  to: { kind: null, at: '/id' },
  message: 'no such one',
};

interface Given {
  readonly value: string;
  readonly role?: Claim['role'];
  readonly payload?: number;
  readonly listed?: number;
  readonly valid?: boolean;
  readonly text?: string | null;
}

function claimOf({ value, role = 'unique', payload = 0, listed = 0, valid = true, text = `"${value}"` }: Given): Claim {
  const relation = role === 'unique' ? 0 : 1;
  const bytes = Buffer.from(value.padEnd(12, '\0'));
  const hash = [relation, ...[0, 4, 8].map((at) => bytes.readInt32LE(at))];
  const place = { payload, line: payload + 1, column: 8, endLine: payload + 1, endColumn: 9, offset: 7 };
  return { relation, role, hash, text, valid, listed, ...place, kind: 'order', pointer: '/id' };
}

interface Options {
  readonly rules?: RuleLevels;
  readonly shown?: number;
  readonly isWhole?: boolean;
  readonly interrupt?: AbortSignal;
}

/** The report of files of claims, each of a source of that name. */
async function reported(files: Readonly<Record<string, readonly Given[]>>, options: Options = {}) {
  const { rules = {}, shown, isWhole = true, interrupt = new AbortController().signal } = options;
  const events: ReportEvent[] = [];
  const hints: string[] = [];
  const hint = (file: string, text: string): void => void hints.push(`${file}: ${text}`);
  const budget = shown === undefined ? NO_BUDGET : budgetOf(shown, true);
  const taker = { event: (event: ReportEvent) => void events.push(event), flush: async () => {} };
  const related = new RelatedPayloads(taker, { budget, rules }, [UNIQUE, REFERENCE], hint);
  const counts = new Counts();
  for (const [name, claims] of Object.entries(files)) {
    const source: Source = { name, path: null, regular: false, framing: null, kind: null };
    for (const claim of claims) related.take(claimOf(claim), { payloads: 0, lines: 0 }, source);
    const own = new Counts();
    const valid = new Set(claims.map(({ payload = 0 }) => payload)).size;
    own.take({ type: 'accepted', kind: 'order', count: valid });
    related.event({ type: 'source', source: counts.addSource(name, own, false) });
  }
  expect(events).toEqual([]); // all wait
  const fault = await related.settle({ counts, hint }, isWhole, { now: () => 0, interrupt });
  const violations = events.flatMap((event) => (event.type === 'violations' ? [...violationsOf(event)] : []));
  const sources = events.flatMap((event): SourceCounts[] => (event.type === 'source' ? [event.source] : []));
  const texts = violations.map(({ file, line, rule, message }) => `${file}:${line} ${rule} ${message}`);
  return { events, violations, texts, sources, hints, counts, fault, isCut: related.isCut };
}

describe('values that must differ', () => {
  it('are each compared with the first place, in another file as well', async () => {
    const { texts, violations, sources, counts } = await reported({
      'a.json': [{ value: 'x' }, { value: 'y', payload: 1 }, { value: 'x', payload: 2 }],
      'b.json': [{ value: 'x', payload: 4 }],
    });
    expect(texts).toEqual(['a.json:3 check/u "x" is also at a.json:1', 'b.json:5 check/u "x" is also at a.json:1']);
    expect(violations[1]).toMatchObject({ payload: 4, pointer: '/id', kind: 'order', severity: 'error' });
    expect(violations[1]!.params).toEqual({ first: { file: 'a.json', line: 1 } });
    expect(sources.map(({ file, valid, invalid, violations }) => [file, valid, invalid, violations])).toEqual([
      ['a.json', 2, 1, 1],
      ['b.json', 0, 1, 1],
    ]);
    expect([counts.valid, counts.invalid, counts.violations]).toEqual([2, 2, 2]);
  });

  it('are not shown if they must not be', async () => {
    const hidden = { value: 'x', text: null };
    expect((await reported({ 'a.json': [hidden, hidden] })).texts).toEqual([
      'a.json:1 check/u this value is also at a.json:1',
    ]);
  });

  it('make a payload invalid once, and not one that was so before', async () => {
    const twice = { value: 'x', payload: 1 };
    const { sources } = await reported({
      'a.json': [{ value: 'x' }, twice, twice, { ...twice, payload: 2, valid: false }],
    });
    expect(sources).toMatchObject([{ valid: 2, invalid: 1, violations: 3 }]);
  });
});

describe('values that refer to others', () => {
  const reference = { value: 'x', role: 'reference' } as const;
  const target = { value: 'x', role: 'target', payload: 5 } as const;

  it('may come before them, also in another file', async () => {
    expect((await reported({ 'a.json': [reference], 'b.json': [target, target] })).texts).toEqual([]);
  });

  it('to none are violations, with the words of the author', async () => {
    const { violations } = await reported({ 'a.json': [reference] });
    const message = '"x" is not at /id of any payload';
    expect(violations).toMatchObject([{ rule: 'check/r', message, authorMessage: 'no such one' }]);
    expect(violations[0]!.params).toEqual({ to: { kind: null, at: '/id' } });
  });

  it('are not judged if not all was read', async () => {
    const { texts, sources } = await reported({ 'a.json': [reference] }, { isWhole: false });
    expect([texts, sources[0]!.violations]).toEqual([[], 0]);
  });
});

describe('the level of a rule', () => {
  const files = { 'a.json': [{ value: 'x' }, { value: 'x', payload: 1 }] };

  it('warning leaves the payload valid', async () => {
    const { violations, sources } = await reported(files, { rules: { 'check/u': 'warning' } });
    expect(violations).toMatchObject([{ severity: 'warning' }]);
    expect(sources).toMatchObject([{ valid: 2, invalid: 0, violations: 0, warnings: 1 }]);
  });

  it('off is only counted, as such', async () => {
    const { events, sources, counts } = await reported(files, { rules: { 'check/u': 'off' } });
    expect(events.map(({ type }) => type)).toEqual(['source']);
    expect(sources).toMatchObject([{ valid: 2, violations: 0 }]);
    expect(counts.off).toBe(1);
  });
});

describe('what is only counted', () => {
  it('is what is beyond the violations that a payload may have, those of its schema included', async () => {
    const twice = (payload: number, listed: number) => ({ value: 'x', payload, listed });
    const { texts, sources, hints, counts } = await reported({
      'a.json': [{ value: 'x' }, ...Array(4).fill(twice(1, LISTED_VIOLATIONS - 1)), twice(2, LISTED_VIOLATIONS - 1)],
    });
    expect(texts.map((text) => text.slice(0, 16))).toEqual(['a.json:2 check/u', 'a.json:3 check/u']);
    expect(sources).toMatchObject([{ violations: 5, unlisted: 3 }]);
    expect(counts.unlisted).toBe(3);
    expect(hints).toEqual([
      'a.json: payload 1: 3 more are only counted: at most 100,000 violations of a payload are listed',
    ]);
  });

  it('is what is beyond those that are shown', async () => {
    const twice = { value: 'x', payload: 1 };
    const { texts, events, sources } = await reported(
      { 'a.json': [{ value: 'x' }, twice, twice, twice] },
      { shown: 2 },
    );
    expect(texts).toHaveLength(2);
    const hidden = events.filter(({ type }) => type === 'hidden');
    expect(hidden).toEqual([{ type: 'hidden', file: 'a.json', rule: 'check/u', count: 1, fixable: 0 }]);
    expect(sources).toMatchObject([{ violations: 3 }]);
  });
});

it('the claims of a part are where its source has them', async () => {
  const events: ReportEvent[] = [];
  const taker = { event: (event: ReportEvent) => void events.push(event), flush: async () => {} };
  const related = new RelatedPayloads(taker, { budget: NO_BUDGET, rules: {} }, [UNIQUE], () => {});
  const source: Source = { name: 'a', path: null, regular: false, framing: null, kind: null };
  related.take(claimOf({ value: 'x' }), { payloads: 10, lines: 100 }, source);
  related.take(claimOf({ value: 'x', payload: 1 }), { payloads: 20, lines: 200 }, source);
  const counts = new Counts();
  related.event({ type: 'source', source: counts.addSource('a', new Counts(), false) });
  await related.settle({ counts, hint: () => {} }, true, { now: () => 0, interrupt: new AbortController().signal });
  const [found] = events.flatMap((event) => (event.type === 'violations' ? [...violationsOf(event)] : []));
  expect(found).toMatchObject({ payload: 21, line: 202, endLine: 202, params: { first: { file: 'a', line: 101 } } });
});

it('an error of the report comes out at the end, and nothing more is listed', async () => {
  const taker = { event: () => {}, flush: () => Promise.reject(new Error('EPIPE')) };
  const related = new RelatedPayloads(taker, { budget: NO_BUDGET, rules: {} }, [UNIQUE], () => {});
  const settled = related.settle({ counts: new Counts(), hint: () => {} }, true, {
    now: () => 0,
    interrupt: new AbortController().signal,
  });
  await expect(settled).rejects.toThrow('EPIPE');
});
