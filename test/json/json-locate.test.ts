/**
 * Pointers to places: against a writer that knows where it wrote what. And pointers to tokens and back.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate } from '../../src/json/locate.ts';
import { escapeToken, formatPointer, parsePointer } from '../../src/json/pointer.ts';
import { writtenTree } from '../json-tree.ts';
import { rounds } from '../rounds.ts';

describe('locate', () => {
  it('finds every value and every name, the last of duplicates', () => {
    fc.assert(
      fc.property(writtenTree, ({ bytes, places, pointers }) => {
        expect(locate(bytes, 0, bytes.length, pointers)).toEqual(places);
      }),
      { numRuns: rounds(1500) },
    );
  });

  it('finds the same for a few pointers as for all of them', () => {
    fc.assert(
      fc.property(writtenTree, fc.infiniteStream(fc.boolean()), ({ bytes, places }, chosen) => {
        const some = new Map([...places].filter(() => chosen.next().value));
        expect(locate(bytes, 0, bytes.length, some.keys())).toEqual(some);
      }),
      { numRuns: rounds(500) },
    );
  });

  it('is silent about what is not there', () => {
    fc.assert(
      fc.property(writtenTree, fc.string(), ({ bytes, places }, token) => {
        for (const pointer of places.keys()) {
          const absent = `${pointer}/${escapeToken(token)}`;
          if (!places.has(absent)) expect(locate(bytes, 0, bytes.length, [absent]).size).toBe(0);
        }
      }),
      { numRuns: rounds(100) },
    );
  });

  it('gives places in the bytes that it was given', () => {
    const bytes = Buffer.from('xx {"a":[1,{"b":2}]} yy');
    expect(locate(bytes, 2, bytes.length - 3, ['', '/a/1/b', '/a/1'])).toEqual(
      new Map([
        ['', { value: { start: 3, end: 20 }, name: null }],
        ['/a/1/b', { value: { start: 16, end: 17 }, name: { start: 12, end: 15 } }],
        ['/a/1', { value: { start: 11, end: 18 }, name: null }],
      ]),
    );
  });
});

describe('pointers', () => {
  it('come back as the tokens they were made of', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('', '~', '/', '~0', '~1', '~01', '0'))), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
      }),
    );
  });

  it.each([
    [[], ''],
    [[''], '/'],
    [['a/b', 0, 'm~n'], '/a~1b/0/m~0n'],
    [['~1'], '/~01'],
  ])('%j is %j', (tokens, pointer) => {
    expect(formatPointer(tokens)).toBe(pointer);
    expect(parsePointer(pointer)).toEqual(tokens.map(String));
  });
});
