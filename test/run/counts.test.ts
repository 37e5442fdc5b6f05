/** What is counted of payloads and violations, for a source, for a part that a thread has checked, and for the run. */
import { describe, expect, it } from 'vitest';
import { Counts } from '../../src/run/counts.ts';

function counted(...events: readonly Parameters<Counts['take']>[0][]): Counts {
  const counts = new Counts();
  for (const event of events) counts.take(event);
  return counts;
}

describe('payloads', () => {
  it('are counted by kind, those of no kind by a name of their own', () => {
    const counts = new Counts();
    expect(counts.take({ type: 'accepted', kind: 'emoji', count: 3 })).toBe(true);
    counts.take({ type: 'payload', kind: 'emoji', valid: false });
    counts.take({ type: 'payload', kind: null, valid: false });
    expect([counts.payloads, counts.valid, counts.invalid]).toEqual([5, 3, 2]);
    expect(Object.fromEntries(counts.kinds)).toEqual({
      emoji: { payloads: 4, valid: 3, invalid: 1 },
      unknown: { payloads: 1, valid: 0, invalid: 1 },
    });
  });

  it('of which one turns out to be invalid are corrected', () => {
    const counts = counted({ type: 'accepted', kind: 'emoji', count: 2 });
    counts.makeInvalid('emoji');
    expect([counts.payloads, counts.valid, counts.kinds.get('emoji')]).toEqual([
      2,
      1,
      { payloads: 2, valid: 1, invalid: 1 },
    ]);
  });

  it('are the only thing that is taken here, with arrays and outcomes', () => {
    const counts = new Counts();
    expect(counts.take({ type: 'array' })).toBe(true);
    expect(counts.take({ type: 'hint', text: 'x' })).toBe(false);
    expect(counts.arrays).toBe(1);
  });
});

describe('violations', () => {
  it('are counted by the levels of their rules', () => {
    const counts = new Counts();
    counts.addViolations('type', 2, {});
    counts.addViolations('enum', 3, { enum: 'warning' });
    counts.addViolations('const', 4, { const: 'off' });
    counts.addViolations('deprecated', 5, { deprecated: 'off' });
    expect([counts.violations, counts.warnings, counts.off]).toEqual([2, 3, 4]);
    expect([...counts.rules]).toEqual([
      ['type', 2],
      ['enum', 3],
    ]);
  });
});

describe('the summary', () => {
  it('adds up sources, with names in order and without what is 0', () => {
    const run = new Counts();
    const first = counted({ type: 'accepted', kind: 'b', count: 1 }, { type: 'payload', kind: 'a', valid: false });
    first.addViolations('type', 1, {});
    first.addViolations('enum', 2, {});
    const source = run.addSource('one.json', first, false);
    expect(source).toEqual({
      ...{ file: 'one.json', payloads: 2, valid: 1, invalid: 1, violations: 3, warnings: 0, filled: 0, pruned: 0 },
    });
    run.addSource('two.json', counted({ type: 'accepted', kind: 'b', count: 2 }), false);
    const summary = run.summary(7);
    expect(summary).toEqual({
      ...{ sources: 2, payloads: 4, valid: 3, invalid: 1, violations: 3, warnings: 0, failures: 0 },
      kinds: { a: { payloads: 1, valid: 0, invalid: 1 }, b: { payloads: 3, valid: 3, invalid: 0 } },
      rules: { enum: 2, type: 1 },
      elapsedMs: 7,
    });
    expect([Object.keys(summary.kinds), Object.keys(summary.rules)]).toEqual([
      ['a', 'b'],
      ['enum', 'type'],
    ]);
  });

  it('has what was not read, not listed, off, empty and fillable, if there is some', () => {
    const run = new Counts();
    const part = new Counts();
    part.unlisted = 4;
    part.addViolations('x', 1, { x: 'off' });
    part.take({ type: 'array' });
    expect(run.addSource('cut.json', part, true)).toMatchObject({ unlisted: 4, unread: true });
    run.empty = 2;
    expect(run.summary(0, 9)).toMatchObject({
      ...{ unlisted: 4, off: 1, arrays: 1, fillable: 9, empty: 2 },
      unread: { sources: 1, files: ['cut.json'] },
    });
  });

  it('of two schemas says how many become broken or valid, or stay', () => {
    const part = counted(
      { type: 'accepted', kind: 'a', count: 5 },
      { type: 'payload', kind: 'a', valid: false },
      { type: 'compared', outcome: 'healed' },
      { type: 'compared', outcome: 'invalid' },
    );
    const run = new Counts();
    run.addSource('a', part, false);
    expect(run.outcomes(false)).toEqual({ broken: 1, healed: 1, invalid: 1, valid: 3 });
    run.compared.failed = 1;
    expect(run.outcomes(false)).toEqual({ broken: 1, healed: 1, invalid: 1, valid: 2, failed: 1 });
    // What two judges say of the same schema: what heals is reported, so it is among the invalid ones.
    expect(run.outcomes(true)).toMatchObject({ broken: 0, healed: 1, invalid: 1, valid: 3, judge: 'ajv' });
  });
});
