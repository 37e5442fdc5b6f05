/**
 * UTF-8 against the decoder of the platform; other encodings by what their first bytes look like.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteOrderMark, firstInvalidUtf8, otherEncoding } from '../../src/json/utf8.ts';
import { rounds } from '../rounds.ts';

function decodes(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Where the longest prefix ends that is UTF-8; -1 if that is all of it. */
function reference(bytes: Uint8Array): number {
  if (decodes(bytes)) return -1;
  let at = bytes.length - 1;
  while (!decodes(bytes.subarray(0, at))) at--;
  return at;
}

/** Bytes on both sides of every bound that Unicode's table 3-7 has. */
const EDGES = [
  0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
  0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
];
const piece = fc.oneof(
  fc.constantFrom(...EDGES).map((byte) => Buffer.from([byte])),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => Buffer.from(text)),
);
const bytes = fc.array(piece, { maxLength: 10 }).map((pieces) => Buffer.concat(pieces));

describe('the first byte that is no UTF-8', () => {
  it('is where the platform stops, too', () => {
    fc.assert(
      fc.property(bytes, (all) => {
        expect(firstInvalidUtf8(all, 0, all.length)).toBe(reference(all));
      }),
      { numRuns: rounds(3000) },
    );
  });

  it('is an index into all bytes, and a range ends a character', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.nat(), (all, a, b) => {
        const [start, end] = [a % (all.length + 1), b % (all.length + 1)].sort((x, y) => x - y) as [number, number];
        const inside = reference(all.subarray(start, end));
        expect(firstInvalidUtf8(all, start, end)).toBe(inside < 0 ? -1 : start + inside);
      }),
      { numRuns: rounds(1000) },
    );
  });

  it('is found for all pairs and triples of bytes at the bounds', () => {
    for (const a of EDGES) {
      for (const b of EDGES) {
        for (const c of EDGES) {
          const all = Buffer.from([a, b, c, 0x80]);
          expect([a, b, c, firstInvalidUtf8(all, 0, 4)]).toEqual([a, b, c, reference(all)]);
        }
      }
    }
  });
});

describe('other encodings', () => {
  const json = '{"a":1}';
  const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
  const utf32 = (text: string, big: boolean): Buffer =>
    Buffer.concat(
      [...text].map((character) => {
        const four = Buffer.alloc(4);
        if (big) four.writeUInt32BE(character.codePointAt(0)!);
        else four.writeUInt32LE(character.codePointAt(0)!);
        return four;
      }),
    );

  it.each([
    ['UTF-16LE', Buffer.from(json, 'utf16le')],
    ['UTF-16LE', Buffer.from(`\ufeff${json}`, 'utf16le')],
    ['UTF-16LE', Buffer.from('"中"', 'utf16le')],
    ['UTF-16LE', Buffer.from('7', 'utf16le')],
    ['UTF-16BE', swapped(json)],
    ['UTF-16BE', swapped(`\ufeff${json}`)],
    ['UTF-16BE', swapped('7')],
    ['UTF-32LE', utf32(json, false)],
    ['UTF-32LE', utf32(`\ufeff${json}`, false)],
    ['UTF-32BE', utf32(json, true)],
    ['UTF-32BE', utf32(`\ufeff${json}`, true)],
  ])('%s', (encoding, head) => expect(otherEncoding(head)).toBe(encoding));

  it.each(['', '7', '{}', json, '\ufeff', `\ufeff${json}`, '😀', '\n\n7', '"\u0001'])('none in %j', (text) => {
    expect(otherEncoding(Buffer.from(text))).toBe(null);
  });

  it('none in any UTF-8 text of JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(otherEncoding(Buffer.from(text))).toBe(null);
      }),
    );
  });

  it('byte order marks have three bytes', () => {
    expect(byteOrderMark(Buffer.from('\ufeff{}'))).toBe(3);
    expect(byteOrderMark(Buffer.from('{}'))).toBe(0);
    expect(byteOrderMark(Buffer.from([0xef, 0xbb]))).toBe(0);
    expect(byteOrderMark(Buffer.alloc(0))).toBe(0);
  });
});
