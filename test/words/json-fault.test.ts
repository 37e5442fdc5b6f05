/** The first fault of a file that a person writes: its sentence, and the line and the column of the byte to correct. */
import { describe, expect, it } from 'vitest';
import { jsonFault } from '../../src/words/json-fault.ts';
import { LATIN_1 } from '../../src/words/own-rules.ts';

const BOM = Buffer.of(0xef, 0xbb, 0xbf);

describe('a file without a fault', () => {
  it.each([
    ['plain', Buffer.from(' {"a": [1, "é"]}\n')],
    ['after a byte order mark', Buffer.concat([BOM, Buffer.from('{}')])],
    ['of any depth', Buffer.from('['.repeat(5000) + ']'.repeat(5000))],
  ])('%s', (_, bytes) => {
    expect(jsonFault(bytes)).toBeNull();
  });
});

describe('the first fault', () => {
  it.each([
    // The comma is to be removed, not the bracket after it.
    ['[1,\n  2,\n]', 2, 4, 'a trailing comma: JSON allows no comma before "]"'],
    ['{"a": 1,}', 1, 8, 'a trailing comma: JSON allows no comma before "}"'],
    ['{}\n{}', 2, 1, 'there is more after the JSON text: "{"'],
    ['{},', 1, 3, 'there is more after the JSON text: ","'],
    ['{"é": tru}', 1, 10, 'expected "true", found "}"'],
    ['{"a": ', 1, 7, 'expected a value, found the end of the text'],
    ['', 1, 1, 'this is empty: expected a JSON text'],
    ["{'a': 1}", 1, 2, 'single quotes: JSON has double quotes (")'],
  ])('of %j', (text, line, column, sentence) => {
    expect(jsonFault(Buffer.from(text))).toEqual({ line, column, sentence });
  });

  it('a byte order mark has no column', () => {
    const bytes = Buffer.concat([BOM, Buffer.from("{'a': 1}")]);
    expect(jsonFault(bytes)).toMatchObject({ line: 1, column: 2 });
  });
});

describe('bytes that are not UTF-8', () => {
  it('are named, with a hint if it looks like Latin-1', () => {
    expect(jsonFault(Buffer.from('{"a":\n "caf\xe9"}', 'latin1'))).toEqual({
      line: 2,
      column: 6,
      sentence: `the byte 0xE9 is not UTF-8; ${LATIN_1}`,
    });
  });

  it('of another encoding have a command that converts them', () => {
    expect(jsonFault(Buffer.from('{"a": 1}', 'utf16le'))).toEqual({
      line: 1,
      column: 1,
      sentence: 'this is UTF-16LE; iconv -f UTF-16LE -t UTF-8 converts it',
    });
  });
});
