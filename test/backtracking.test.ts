/**
 * How many ways RegExp can try is never counted too low: expressions that take it long have more than it is left.
 */
import { describe, expect, it } from 'vitest';
import { waysToMatch } from '../src/accept/backtracking.ts';

describe('ways to match', () => {
  it.each([
    ['^abc$', 3, 1],
    ['abc', 3, 4],
    ['^.+$', 500, 501],
    ['^\\d+\\.\\d+\\.\\d+$', 9, 220],
    ['^(a|b|c){3}$', 0, 27],
    ['^(a|bc)?(d|e)$', 0, 6],
    ['^(?:[0-9a-f]{4}-){3}\\u{1F600}$', 20, 1],
    ['^[^/|(]{1,32}$', 10, 121],
    ['^(ab)*$', 10, 11],
    ['a|b', 1, 4],
  ])('%s of %i: %i', (expression, length, ways) => {
    expect(waysToMatch(expression)(length)).toBe(ways);
  });

  // Each takes RegExp seconds or more.
  it.each([
    ['^(a+)+$', 30],
    ['^(a|a)*$', 30],
    ['^(a*)*$', 30],
    ['^(x+x+)+y$', 30],
    ['(a?){30}a{30}', 30],
    ['^(?:a?){40}a{40}$', 40],
    ['^(a{1,100}){1,100}$', 100],
    ['^((ab)*c?)*$', 60],
    ['^a*a*a*a*a*a*b$', 100],
    ['x*x*x*x*y', 200],
    ['^(?=(a+)+$)', 30],
    ['^(?:a|aa)+$', 40],
    ['^(a+)\\1+$', 10],
    ['^(?<x>a+)\\k<x>+$', 10],
    ['^x|a*a*a*a*b', 100],
    ['^(?:[a]+){2,}$', 10],
    ['^(a|(b|(c|(a|b)*)))+$', 10],
  ])('%s of %i: too many', (expression, length) => {
    expect(waysToMatch(expression)(length)).toBeGreaterThan(1e6);
  });
});
