/**
 * The words that make untrusted text harmless: by example, and as properties over text made to hurt.
 * The examples are numbered, not named: a test's name lands in the CI log, and these would act on it.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonText, quote, visible } from '../../src/words/escape.ts';
import { wellFormed } from '../report-sample.ts';
import { rounds } from '../rounds.ts';

/** Text in which dangerous pieces are as frequent as harmless ones. */
const pieces = [
  ...['\u001b[31m', '\u001b]0;x\u0007', '\r', '\n', '\t', '\0', '\u007f', '\u0085', '\u009b2J', '\u2028', '\u2029'],
  ...['\u061c', '\u200e', '\u202e', '\u2066', '\u2069', '\u200b', '\u2060', '\u2064', '\ufeff', '\u00ad', '\u{e0041}'],
  ...['\ud800', '\udc00', ':', '::', ':::', '::error::', '#', '##', '##[', '##[error]', '##vso[task]', '##teamcity['],
  ...['"', '\\', '\u200d', '\ufe0f', '👩‍👩‍👧', '日本', 'é', 'a', ' ', ']]>', '<&>'],
];
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...pieces),
      fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
    ),
  )
  .map((all) => all.join(''));

/** What must never come out, said otherwise than in the code: by listed code points. */
function dangers(text: string): string[] {
  const found: string[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const within = (first: number, last: number) => code >= first && code <= last;
    if (
      within(0, 0x1f) ||
      within(0x7f, 0x9f) ||
      within(0x2028, 0x202e) ||
      within(0x2060, 0x206f) ||
      within(0xd800, 0xdfff) ||
      within(0xe0000, 0xe007f) ||
      [0xad, 0x61c, 0x200b, 0x200e, 0x200f, 0xfeff].includes(code)
    ) {
      found.push(`U+${code.toString(16)}`);
    }
  }
  return found;
}

/** Undoes the escapes of `visible`. */
function unescaped(text: string): string {
  return text.replace(/\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})/g, (_, long, short) =>
    String.fromCodePoint(Number.parseInt(long ?? short, 16)),
  );
}

describe('visible', () => {
  test.each([
    ['plain text, café, 日本語', 'plain text, café, 日本語'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['two\r\nlines\tand a tab', 'two\\u000d\\u000alines\\u0009and a tab'],
    ['\u009b2J\u007f', '\\u009b2J\\u007f'],
    ['user\u202enimda', 'user\\u202enimda'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['tag\u{e0001}', 'tag\\u{e0001}'],
    ['lone \ud83d surrogate', 'lone \\ud83d surrogate'],
    ['arn:aws:iam::123456789012:user, fe80::1, std::string', 'arn:aws:iam::123456789012:user, fe80::1, std::string'],
    ['12:30, a:b', '12:30, a:b'],
    ['## heading, a[0]', '## heading, a[0]'],
    ['family 👩‍👩‍👧‍👦, heart ❤️, می‌خواهم', 'family 👩‍👩‍👧‍👦, heart ❤️, می‌خواهم'],
    ['C:\\u001b "kept"', 'C:\\u001b "kept"'],
  ])('example %#', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  test('lets nothing dangerous through, whatever comes in', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(dangers(visible(text))).toEqual([]);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('is as good once as twice', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });

  test('drops nothing: the escapes can be undone', () => {
    const withoutBackslash = hostile.map((text) => text.replaceAll('\\', ''));
    fc.assert(
      fc.property(withoutBackslash, (text) => {
        expect(unescaped(visible(text))).toBe(text);
      }),
    );
  });
});

describe('quote', () => {
  test.each([
    ['Artcle', 80, '"Artcle"'],
    ['say "hi" \\ bye', 80, '"say \\"hi\\" \\\\ bye"'],
    ['a\nb', 80, '"a\\u000ab"'],
    ['', 80, '""'],
    ['abcdef', 6, '"abcdef"'],
    ['abcdefg', 6, '"abcdef"…'],
    ['👍👍👍', 2, '"👍👍"…'],
    ['a👍', 1, '"a"…'],
    ['std::string', 80, '"std::string"'],
  ])('example %#', (text, max, expected) => {
    expect(quote(text, max)).toBe(expected);
  });

  test('shows 80 code points unless told, however long the text is', () => {
    expect(quote('x'.repeat(10_000_000))).toBe(`"${'x'.repeat(80)}"…`);
  });

  test('shows the beginning of the text and nothing dangerous', () => {
    fc.assert(
      fc.property(hostile, fc.nat(20), (text, max) => {
        const quoted = quote(text, max);
        expect(dangers(quoted)).toEqual([]);
        const inside = quoted.slice(1, quoted.lastIndexOf('"')).replace(/\\(["\\])/g, '$1');
        const start = Array.from(text).slice(0, max).join('');
        expect(inside).toBe(visible(start));
        expect(quoted.endsWith('…')).toBe(start.length < text.length);
      }),
    );
  });
});

describe('jsonText', () => {
  test.each([
    [{ a: ['é', 1, null] }, '{"a":["é",1,null]}'],
    ['::error::', '"\\u003a:error\\u003a:"'],
    ['##[error]', '"\\u0023#[error]"'],
    ['\\::', '"\\\\\\u003a:"'],
    ['\u001b\n\u0085\u202e\u2028', '"\\u001b\\n\\u0085\\u202e\\u2028"'],
    ['\u{e0001}', '"\\udb40\\udc01"'],
    ['\ud800', '"\uFFFD"'],
    ['\\ud800', '"\\\\ud800"'],
    [{ '::': { '##[': 1 } }, '{"\\u003a:":{"\\u0023#[":1}}'],
    [undefined, 'null'],
  ])('example %#', (value, expected) => {
    expect(jsonText(value)).toBe(expected);
  });

  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      hostile,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
      fc.constantFrom(true, false, null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(hostile, tie('value'), { maxKeys: 4 }),
    ),
  })).value;

  test('parses back to the same value', () => {
    fc.assert(
      fc.property(value, (json) => {
        expect(JSON.parse(jsonText(json))).toEqual(wellFormed(json));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('lets nothing dangerous through', () => {
    fc.assert(
      fc.property(value, (json) => {
        expect(dangers(jsonText(json))).toEqual([]);
        expect(jsonText(json)).not.toMatch(/::|##\w*\[/);
      }),
      { numRuns: rounds(1000) },
    );
  });
});
