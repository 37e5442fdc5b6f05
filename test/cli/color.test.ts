/**
 * Whether a stream gets colour.
 */
import { describe, expect, it } from 'vitest';
import { colorLevel } from '../../src/cli/terminal.ts';

const TERMINAL = { isTTY: true };
const PIPE = {};

describe('FORCE_COLOR', () => {
  it.each([
    ['0', 0],
    ['false', 0],
    ['1', 1],
    ['true', 1],
    ['yes', 1],
    ['3', 1],
  ])('%s: level %d, on a terminal and in a pipe', (text, level) => {
    expect(colorLevel(null, { FORCE_COLOR: text }, TERMINAL)).toBe(level);
    expect(colorLevel(null, { FORCE_COLOR: text }, PIPE)).toBe(level);
  });

  it('that is empty does not count', () => {
    expect(colorLevel(null, { FORCE_COLOR: '' }, TERMINAL)).toBe(1);
    expect(colorLevel(null, { FORCE_COLOR: '' }, PIPE)).toBe(0);
  });

  it('wins over TERM=dumb, and loses against NO_COLOR and flags', () => {
    expect(colorLevel(null, { FORCE_COLOR: '2', TERM: 'dumb' }, PIPE)).toBe(1);
    expect(colorLevel(null, { FORCE_COLOR: '2', NO_COLOR: '1' }, TERMINAL)).toBe(0);
    expect(colorLevel(false, { FORCE_COLOR: '2' }, TERMINAL)).toBe(0);
    expect(colorLevel(true, { FORCE_COLOR: 'false' }, PIPE)).toBe(1);
  });
});
