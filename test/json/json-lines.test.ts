/**
 * Lines and columns against counting in strings.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Acceptor } from '../../src/engine/compile/acceptor.ts';
import { compileJson } from '../../src/engine/compilers.ts';
import { LineTracker, type TextCounter } from '../../src/json/lines.ts';
import { Window } from '../../src/source/window.ts';
import { rounds } from '../rounds.ts';
import { putBytes } from '../window-bytes.ts';

const PIECES = [
  'a',
  '\n',
  '\r\n',
  '\r',
  '\t',
  'é',
  '中',
  '😀',
  '👩‍👩‍👧',
  '\u2028',
  'x'.repeat(150),
  `${'é'.repeat(90)}😀`,
  `${'y'.repeat(140)}\n`,
];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => [...pieces.join('')]);

/** By counting in the string: a string's length is in UTF-16 code units. */
function placeOf(before: string): { line: number; column: number } {
  const lines = before.split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

function counterOf(bytes: Buffer): TextCounter {
  return {
    lineFeeds: (start, end) => bytes.toString('latin1', start, end).split('\n').length - 1,
    codeUnits: (start, end) => {
      const text = bytes.toString('utf8', start, end);
      return text.includes('\n') ? -1 : text.length;
    },
  };
}

describe('what WebAssembly counts', () => {
  it('is what is in the string, from any byte to any other', () => {
    const window = new Window();
    const limits = { maxDepth: 1, maxBytes: 1 };
    const { counter } = new Acceptor(compileJson('lines'), window.memory, limits);
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (characters, one, another) => {
        const bytes = Buffer.from(characters.join(''));
        putBytes(window, bytes);
        const [start, end] = [one, another]
          .map((at) => Buffer.byteLength(characters.slice(0, at % (characters.length + 1)).join('')))
          .sort((a, b) => a - b) as [number, number];
        const wanted = counterOf(bytes);
        expect(counter.lineFeeds(start, end)).toBe(wanted.lineFeeds(start, end));
        expect(counter.codeUnits(start, end)).toBe(wanted.codeUnits(start, end));
      }),
      { numRuns: rounds(1000) },
    );
  });
});

describe('places', () => {
  it.each([true, false])('are those of the string, for any offsets in order (with a counter: %s)', (counts) => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (characters, chosen) => {
        const cuts = [...new Set(chosen.map((at) => at % (characters.length + 1)))].sort((a, b) => a - b);
        const prefixes = cuts.map((at) => characters.slice(0, at).join(''));
        const bytes = Buffer.from(characters.join(''));
        const tracker = new LineTracker(0, counts ? counterOf(bytes) : null);
        const offsets = prefixes.map((prefix) => Buffer.byteLength(prefix));
        const places = tracker.places(bytes, 0, offsets);
        expect(offsets.map((offset) => places.get(offset))).toEqual(prefixes.map(placeOf));
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('are the same if earlier bytes are dropped, and after a byte order mark', () => {
    fc.assert(
      fc.property(text, text, text, (dropped, before, after) => {
        const all = Buffer.from(`\ufeff${[...dropped, ...before, ...after].join('')}`);
        const tracker = new LineTracker(3);
        const base = 3 + Buffer.byteLength(dropped.join(''));
        tracker.advance(all, 0, base);
        const window = all.subarray(base);
        const offset = base + Buffer.byteLength(before.join(''));
        expect(tracker.places(window, base, [offset]).get(offset)).toEqual(placeOf([...dropped, ...before].join('')));
        expect(tracker.line).toBe(placeOf([...dropped, ...before].join('')).line);
      }),
      { numRuns: rounds(500) },
    );
  });

  it('go on from a line that someone else has found', () => {
    const bytes = Buffer.from('a\nb\né😀c');
    const tracker = new LineTracker(0);
    tracker.jump(4, 2);
    expect(tracker.places(bytes, 0, [4, 6, 10]).get(10)).toEqual({ line: 3, column: 4 });
  });

  it.each([
    ['', 1, 1],
    ['\r', 1, 2],
    ['\r\n', 2, 1],
    ['a\r\nb', 2, 2],
    ['\t', 1, 2],
    ['é', 1, 2],
    ['中', 1, 2],
    ['😀', 1, 3],
    ['\u2028x', 1, 3],
  ])('after %j: %i:%i', (before, line, column) => {
    const bytes = Buffer.from(`${before}X`);
    const offset = bytes.length - 1;
    expect(new LineTracker(0).places(bytes, 0, [offset]).get(offset)).toEqual({ line, column });
  });
});
