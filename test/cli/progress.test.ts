/**
 * The line of progress.
 */
import { expect, it } from 'vitest';
import { progressLine } from '../../src/cli/terminal.ts';

const HALF = { done: 1.2e9, total: 4e9, payloads: 1_200_000, seconds: 2 };

it('has bytes, payloads, the rate and the time left', () => {
  expect(progressLine(HALF)).toBe('1.2 GB of 4.0 GB (30%) · 1,200,000 payloads · 600 MB/s · 5 s left');
});

it('of a pipe, whose size is not known', () => {
  expect(progressLine({ ...HALF, total: Number.NaN })).toBe('1.2 GB · 1,200,000 payloads · 600 MB/s');
});
