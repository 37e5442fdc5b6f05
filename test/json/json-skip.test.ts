/**
 * The skipper: it ends a value where the value ends, and in pieces of any size it does the same as in one go.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skipValue, ValueSkipper } from '../../src/json/skip.ts';
import { writtenTree } from '../json-tree.ts';
import { rounds } from '../rounds.ts';

/** Index after the value, -1 if it does not end; the bytes are given in pieces of these sizes, over and over. */
function inPieces(bytes: Buffer, sizes: readonly number[]): number {
  const skipper = new ValueSkipper();
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = Math.min(bytes.length, at + sizes[turn % sizes.length]!);
    const after = skipper.run(bytes, at, end);
    if (after >= 0) return after;
    at = end;
  }
  return -1;
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
const odd = fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', '\\"', ',', ' ', '\n', 'x', '1', '\x1e', 'é'), {
  maxLength: 20,
});

describe('a value', () => {
  it('ends where it ends, whatever comes next', () => {
    fc.assert(
      fc.property(
        writtenTree,
        fc.constantFrom(',', '}', ']', ' ', '\n', '\x1e', '', ' 1'),
        ({ bytes, places }, next) => {
          const { start, end } = places.get('')!.value;
          const text = Buffer.concat([bytes.subarray(start, end), Buffer.from(next)]);
          expect(skipValue(text, 0, text.length)).toBe(end - start);
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  it('ends at the same place in pieces of any size, malformed or not', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          writtenTree.map(({ bytes }) => bytes.toString('utf8').trimStart()),
          odd.map((parts) => parts.join('')),
        ),
        sizes,
        (text, pieces) => {
          const bytes = Buffer.from(text);
          expect(inPieces(bytes, pieces)).toBe(inPieces(bytes, [bytes.length || 1]));
        },
      ),
      { numRuns: rounds(2000) },
    );
  });

  it.each([
    ['"a"b', 3],
    ['"a\\"b" ', 6],
    ['"\\\\" ', 4],
    ['{"]":"}"} ', 9],
    ['[1,[2]]x', 7],
    ['12,', 2],
    ['true}', 4],
    ['nonsense here', 8],
    ['1"a"', 1],
    ['12[', 2],
    ['}', 1],
    ['"open', -1],
    ['[open', -1],
    ['open', -1],
    ['"\\', -1],
  ])('%j ends at %i', (text, end) => {
    const bytes = Buffer.from(text);
    expect(inPieces(bytes, [bytes.length])).toBe(end);
    expect(inPieces(bytes, [1])).toBe(end);
  });

  it('says whether it is a bare word or number', () => {
    const skipper = new ValueSkipper();
    skipper.run(Buffer.from('12'), 0, 2);
    expect(skipper.inScalar).toBe(true);
    skipper.reset();
    skipper.run(Buffer.from('[12'), 0, 3);
    expect(skipper.inScalar).toBe(false);
  });
});
