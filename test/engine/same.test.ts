/**
 * The replacement of `expect` in long loops gives the results of `expect`.
 */
import { expect, it } from 'vitest';
import { expectSame } from '../same.ts';

it.each([
  ['bytes', { a: [1, Buffer.from('x')] }, { a: [1, Buffer.from('x')] }, true],
  ['other bytes', Buffer.from('x'), Buffer.from('y'), false],
  ['a member that is undefined', { a: 1, b: undefined }, { a: 1 }, true],
  ['a member that is not there', { a: 1, b: 2 }, { a: 1 }, false],
  ['another order of elements', [1, 2], [2, 1], false],
  ['text and a number', { a: '1' }, { a: 1 }, false],
  ['pieces of a title', 'a b', expect.stringMatching(/^a/), true],
])('%s', (_, actual, expected, same) => {
  if (same) expectSame(actual, expected);
  else expect(() => expectSame(actual, expected)).toThrow('to deeply equal');
});
