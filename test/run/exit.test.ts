/**
 * The exit code is one function of the counts and the settings, and it names the settings that it owes to.
 */
import { describe, expect, it } from 'vitest';
import { exitOf, type Gate, type GateCounts } from '../../src/run/exit.ts';

const NONE: GateCounts = { payloads: 10, invalid: 0, failures: 0 };
const outcome = (counts: Partial<GateCounts>, gate: Gate = {}): string => {
  const { code, causes, by } = exitOf({ ...NONE, ...counts }, gate);
  return [code, ...causes, ...by].join(' ');
};

describe('the exit code', () => {
  it.each<[string, Partial<GateCounts>, Gate, string]>([
    ['all is valid', {}, {}, '0'],
    ['violations', { invalid: 1 }, {}, '1 invalid'],
    ['a failure beside violations', { invalid: 1, failures: 1 }, { exitZero: true }, '2 failures'],
    ['no payload', { payloads: 0 }, { exitZero: true }, '2 empty'],
    ['no payload, and warnings', { payloads: 0, warnings: 1 }, { exitZero: true, maxWarnings: 0 }, '2 empty'],
    ['no payload, which is allowed', { payloads: 0 }, { mayBeEmpty: true }, '0 mayBeEmpty'],
    ['violations that are allowed', { invalid: 1 }, { exitZero: true }, '0 exitZero'],
    ['nothing to allow', {}, { exitZero: true, mayBeEmpty: true, maxInvalid: 9 }, '0'],
    ['too many warnings', { warnings: 2 }, { maxWarnings: 1 }, '1 warnings'],
    ['as many as are tolerated', { invalid: 2 }, { maxInvalid: 2 }, '0 maxInvalid'],
    ['more than are tolerated', { invalid: 3 }, { maxInvalid: 2 }, '1 invalid'],
    ['tolerated, but too many warnings', { invalid: 2, warnings: 1 }, { maxInvalid: 2, maxWarnings: 0 }, '1 warnings'],
    ['a run that was ended early', { isCut: true, invalid: 1 }, { exitZero: true }, '2 cut'],
    ['violations in it', { isCut: true, invalid: 1 }, {}, '1 invalid'],
    ['fill --check found something', { wouldChange: true, invalid: 1 }, { exitZero: true }, '1 wouldChange'],
  ])('%s', (_, counts, gate, expected) => {
    expect(outcome(counts, gate)).toBe(expected);
  });

  it('is exact for shares that no double is', () => {
    expect(outcome({ payloads: 10_000, invalid: 29 }, { maxInvalid: '0.29%' })).toBe('0 maxInvalid');
    expect(outcome({ payloads: 10_000, invalid: 30 }, { maxInvalid: '0.29%' })).toBe('1 invalid');
    expect(outcome({ payloads: 1000, invalid: 1 }, { maxInvalid: '0.1%' })).toBe('0 maxInvalid');
    expect(outcome({ payloads: 999, invalid: 1 }, { maxInvalid: '0.1%' })).toBe('1 invalid');
    expect(outcome({ payloads: 3, invalid: 3 }, { maxInvalid: '100%' })).toBe('0 maxInvalid');
  });
});
