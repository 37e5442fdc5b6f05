/**
 * The scan against JSON.parse, on texts that are right and texts that are nearly right; what it notes against a writer that
 * knows what it wrote.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson } from '../../scripts/json-text.ts';
import { scan } from '../../src/json/scan.ts';
import type { ExpectedSyntax } from '../../src/json/vocabulary.ts';
import { writtenTree } from '../json-tree.ts';
import { rounds } from '../rounds.ts';

const ANY_DEPTH = Number.POSITIVE_INFINITY;

function faultOf(text: string) {
  const bytes = Buffer.from(text);
  return scan(bytes, 0, bytes.length, ANY_DEPTH).fault;
}

/** What changes a JSON text into one that is perhaps none. */
const SNIPPETS = [
  ...'{}[]",:\\ \n\t\r\v\u00a0\ufeff\u0000\u001f\u007f0123456789.eE+-tfnrue/\'#é😀',
  'true',
  'null',
  '""',
  '\\u00e9',
  '\\u',
  '01',
  '1.',
  '/**/',
  'NaN',
];

const nearlyJson = fc
  .tuple(writtenTree, fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...SNIPPETS)), { maxLength: 3 }))
  .map(([{ bytes }, changes]) => {
    const characters = [...bytes.toString('utf8')];
    for (const [at, removed, added] of changes) characters.splice(at % (characters.length + 1), removed, added);
    return characters.join('');
  });

const noise = fc.array(fc.constantFrom(...SNIPPETS), { maxLength: 12 }).map((parts) => parts.join(''));

describe('faults', () => {
  it('are found exactly where JSON.parse finds one', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyJson, noise), (text) => {
        expect(faultOf(text) === null).toBe(isJson(text));
      }),
      { numRuns: rounds(3000) },
    );
  });

  it('are at the first byte that is not allowed there', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyJson, noise), (text) => {
        const bytes = Buffer.from(text);
        const { fault } = scan(bytes, 0, bytes.length, ANY_DEPTH);
        if (fault === null) return;
        // What comes before could still become JSON; with the byte itself, nothing helps.
        const before = scan(bytes, 0, fault.at, ANY_DEPTH).fault;
        expect(before === null || before.at === fault.at).toBe(true);
        if (fault.at < bytes.length) expect(scan(bytes, 0, fault.at + 1, ANY_DEPTH).fault).toEqual(fault);
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('do not look beyond the range that is given', () => {
    fc.assert(
      fc.property(nearlyJson, noise, noise, (text, before, after) => {
        const inside = Buffer.from(text);
        const start = Buffer.byteLength(before);
        const bytes = Buffer.concat([Buffer.from(before), inside, Buffer.from(after)]);
        const alone = scan(inside, 0, inside.length, ANY_DEPTH);
        const within = scan(bytes, start, start + inside.length, ANY_DEPTH);
        expect(within.fault?.at).toBe(alone.fault === null ? undefined : alone.fault.at + start);
        expect(within.notes.map(({ pointer }) => pointer)).toEqual(alone.notes.map(({ pointer }) => pointer));
      }),
      { numRuns: rounds(500) },
    );
  });

  const TABLE: [text: string, at: number, expected: ExpectedSyntax][] = [
    ['', 0, 'a value'],
    [' \n', 2, 'a value'],
    ['{', 1, 'a member name or "}"'],
    ['{,', 1, 'a member name or "}"'],
    ['{"a":1,}', 7, 'a member name'],
    ['{"a"', 4, '":"'],
    ['{"a":', 5, 'a value'],
    ['{"a":}', 5, 'a value'],
    ['{"a":1', 6, '"," or "}"'],
    ['{"a":1]', 6, '"," or "}"'],
    ['[', 1, 'a value or "]"'],
    ['[1', 2, '"," or "]"'],
    ['[1}', 2, '"," or "]"'],
    ['[1,]', 3, 'a value'],
    ['1 2', 2, 'the end'],
    ['-', 1, 'a digit'],
    ['-a', 1, 'a digit'],
    ['1.e', 2, 'a digit'],
    ['1e+', 3, 'a digit'],
    ['00', 1, 'no digit after the leading zero'],
    ['-01', 2, 'no digit after the leading zero'],
    ['"', 1, 'the closing quote'],
    ['"\\', 2, 'an escape character after "\\"'],
    ['"\\a"', 2, 'an escape character after "\\"'],
    ['"\\u00g0"', 5, 'four hexadecimal digits after "\\u"'],
    ['"\\u00', 5, 'four hexadecimal digits after "\\u"'],
    ['"\n"', 1, 'an escape for the control character'],
    ['"\u0000"', 1, 'an escape for the control character'],
    ['tru', 3, '"true"'],
    ['trUe', 2, '"true"'],
    ['falsy', 4, '"false"'],
    ['nul!', 3, '"null"'],
  ];
  it.each(TABLE)('%j: at %i, expected %s', (text, at, expected) => {
    expect(faultOf(text)).toEqual({ type: 'syntax', at, expected });
  });
});

it('every control character in a string is a fault, whatever comes next', () => {
  for (let code = 0; code < 0x20; code++) {
    for (const next of ['', 'n', '"', '\\', 'u0041']) {
      expect([code, next, faultOf(`"${String.fromCharCode(code)}${next}"`)?.at]).toEqual([code, next, 1]);
    }
  }
  expect(faultOf('"\u007f\u0080"')).toBe(null);
});

describe('notes', () => {
  it('are every duplicate name and every number beyond a double, in order, with pointer and place', () => {
    fc.assert(
      fc.property(writtenTree, ({ bytes, notes }) => {
        expect(scan(bytes, 0, bytes.length, ANY_DEPTH)).toEqual({ fault: null, notes });
      }),
      { numRuns: rounds(2000) },
    );
  });

  it('come with the same name spelled with escapes', () => {
    const bytes = Buffer.from('{"é":1,"\\u00E9":2,"\\u00e9":3}');
    const first = { start: 1, end: 5 };
    expect(scan(bytes, 0, bytes.length, 1).notes).toEqual([
      { rule: 'duplicate-member', pointer: '/é', span: { start: 8, end: 16 }, first },
      { rule: 'duplicate-member', pointer: '/é', span: { start: 19, end: 27 }, first },
    ]);
  });
});

describe('depth', () => {
  it('is a fault at the first bracket too deep, and none where the limit holds', () => {
    fc.assert(
      fc.property(writtenTree, fc.integer({ min: 0, max: 8 }), ({ bytes, depth, places }, limit) => {
        const { fault } = scan(bytes, 0, bytes.length, limit);
        expect(fault === null).toBe(depth <= limit);
        if (fault === null) return;
        expect(fault.type).toBe('depth');
        expect('[{').toContain(String.fromCharCode(bytes[fault.at]!));
        const pointer = fault.type === 'depth' ? fault.pointer : '';
        expect(pointer.split('/')).toHaveLength(limit + 1);
        // A later member of the same name has taken the place of an earlier one.
        const known = places.get(pointer);
        expect(known === undefined || known.value.start >= fault.at).toBe(true);
      }),
      { numRuns: rounds(500) },
    );
  });

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"":', '}]'],
  ])('of 100,000 times %s costs no stack', (open, close) => {
    const count = 100_000;
    const text = `${open.repeat(count)}1${close.repeat(count)}`;
    const bytes = Buffer.from(text);
    expect(scan(bytes, 0, bytes.length, ANY_DEPTH)).toEqual({ fault: null, notes: [] });
    expect(scan(bytes, 0, bytes.length, 3).fault?.type).toBe('depth');
    expect(scan(bytes, 0, bytes.length - 1, ANY_DEPTH).fault).toMatchObject({ type: 'syntax', at: bytes.length - 1 });
  });
});
