/**
 * The line of progress: in a narrow terminal the speed and the time left are what stays.
 */
import { expect, it } from 'vitest';
import { progressLine } from '../../src/cli/terminal.ts';

const HALF = { done: 1.2e9, total: 4e9, payloads: 1_200_000, seconds: 2 };

it.each([
  [79, '1.2 GB of 4.0 GB (30%) · 1,200,000 payloads · 600 MB/s · 5 s left'],
  [49, '1.2 GB of 4.0 GB (30%) · 600 MB/s · 5 s left'],
  [30, '30% · 600 MB/s · 5 s left'],
  [5, '30% · 600 MB/s · 5 s left'], // it is cut
])('with %d columns: %s', (columns, line) => {
  expect(progressLine(HALF, columns)).toBe(line);
});

it('of a pipe, whose size is not known', () => {
  const pipe = { ...HALF, total: Number.NaN };
  expect(progressLine(pipe, 79)).toBe('1.2 GB · 1,200,000 payloads · 600 MB/s');
  expect(progressLine(pipe, 20)).toBe('1.2 GB · 600 MB/s');
});
