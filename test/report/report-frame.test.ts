/** Code frames: the carets are under the text that they mark, measured as a terminal shows it. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { drawFrame, mayJoin, prepareFor } from '../../src/report/frame.ts';
import { displayWidth } from '../../src/report/text-width.ts';
import { visible } from '../../src/words/escape.ts';
import { excerpt } from '../report-sample.ts';
import { rounds } from '../rounds.ts';

await prepareFor('\u0301');

/** Two lines as pretty shows them. */
function draw(text: string, from: number, to: number, width = 60, fields = {}): string {
  const frame = drawFrame(excerpt(text, fields), from, to, width);
  return `${frame.text}\n${' '.repeat(frame.caretColumn)}${'^'.repeat(frame.caretWidth)}`;
}

/** All text that is not looked at closely must be harmless. */
test('each character that is dangerous is escaped, alone and among others', () => {
  let count = 0;
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    if (visible(character) === character || character === '\t') continue;
    count++;
    expect(drawFrame(excerpt(`a${character}b`), 0, 1, 60).text).toBe(`a${visible(character)}b`);
  }
  expect(count).toBeGreaterThan(2000);
  for (const text of ['a::b', 'é::b', 'a##[b', 'é##group[b', 'arn:aws:iam::1:user'])
    expect(drawFrame(excerpt(text), 0, 1, 60).text).toBe(visible(text));
});

describe('by example', () => {
  test.each<[string, Parameters<typeof draw>, string]>([
    ['a span', ['{"a": 1}', 6, 7], '{"a": 1}\n      ^'],
    ['an empty span', ['{"a": 1}', 6, 6], '{"a": 1}\n      ^'],
    ['the place after the text', ['{"a": 1', 7, 7], '{"a": 1\n       ^'],
    ['a place far beyond the text', ['{"a": 1', 99, 120], '{"a": 1\n       ^'],
    ['a span that goes on beyond the text', ['{"a": 1', 5, Number.POSITIVE_INFINITY], '{"a": 1\n     ^^'],
    ['nothing', ['', 0, 0], '\n^'],
    ['wide characters', ['"日本": 1', 6, 7], '"日本": 1\n        ^'],
    ['a wide character in the span', ['"日本"', 1, 2], '"日本"\n ^^'],
    ['emoji of several code points', ['"👩‍👩‍👧‍👦❤️": 1', 17, 18], '"👩‍👩‍👧‍👦❤️": 1\n        ^'],
    ['a span in the middle of an emoji', ['👩‍👩‍👧‍👦', 3, 5], '👩‍👩‍👧‍👦\n^^'],
    ['tabs', ['\t"a":\t1', 6, 7], '    "a":    1\n            ^'],
    ['a tab in the span', ['"a\tb"', 0, 5], '"a  b"\n^^^^^^'],
    ['control characters', ['\u001b[1m"x"', 4, 7], '\\u001b[1m"x"\n         ^^^'],
    ['a control character in the span', ['"\u0007"', 1, 2], '"\\u0007"\n ^^^^^^'],
    ['two colons', ['std::x', 5, 6], 'std::x\n     ^'],
    ['a mark with nothing to sit on', ['\u0301x', 1, 2], '\\u0301x\n      ^'],
    ['a mark that would sit on an escape', ['\u0001\u20e3x', 2, 3], '\\u0001\\u20e3x\n            ^'],
    ['a sign without a width', ['a\u{13430}b', 1, 3], 'a\\u{13430}b\n ^^^^^^^^^'],
    ['a skin tone without a hand', ['\u{1f3fb}\u200c', 0, 2], '\\u{1f3fb}\\u200c\n^^^^^^^^^'],
    ['combined letters', ['e\u0301x', 2, 3], 'e\u0301x\n ^'],
    ['the end of a line in two', ['"a\r', 3, 3], '"a\\u000d\n        ^'],
  ])('%s', (_, args, expected) => {
    expect(draw(...args)).toBe(expected);
  });

  const digits = '0123456789'.repeat(3);
  test.each<[string, Parameters<typeof draw>, string]>([
    ['that fits is not cut', [digits, 0, 1, 30], `${digits}\n^`],
    ['is cut after the span', [digits, 0, 1, 20], '012345678901234567…\n^'],
    ['is cut before the span', [digits, 29, 30, 20], '…234567890123456789\n                  ^'],
    ['is cut on both sides', [digits, 15, 16, 11], '…123456789…\n     ^'],
    ['whose span is too long is marked to its end', [digits, 4, 30, 16], '…23456789012345…\n   ^^^^^^^^^^^^^'],
    ['that was cut before says so', [digits.slice(0, 5), 0, 1, 20, { cutBefore: true }], '…01234\n ^'],
    ['that was cut after says so', [digits.slice(0, 5), 4, 9, 20, { cutAfter: true }], '01234…\n    ^^'],
    ['that was cut after ends below the mark', [digits.slice(0, 5), 7, 9, 20, { cutAfter: true }], '01234…\n     ^'],
  ])('a line %s', (_, args, expected) => {
    expect(draw(...args)).toBe(expected);
  });
});

/** Text around an `X`, which nothing else contains, from what moves carets. */
const units = [
  ...[
    'a',
    '"',
    ' ',
    '\\',
    ':',
    '#',
    '##[',
    '1',
    '\t',
    '\t',
    '\n',
    '\u001b[',
    '\u0000',
    '\u0001',
    '\u200b',
    '\u202e',
    '\ufeff',
  ],
  ...[
    'é',
    'e\u0301',
    '\u0301',
    '\u20e3',
    '\ufe0f',
    '\u200d',
    '\u200c',
    '日',
    '語',
    'ｱ',
    'ﾞ',
    '한',
    '\u1112',
    '\u1161',
    '\u11ab',
  ],
  ...[
    '👩‍👩‍👧‍👦',
    '👍🏽',
    '❤️',
    '❤',
    '🇩🇪',
    '🇩',
    '1️⃣',
    '\ud83d',
    '\udc69',
    '\u{1f3fb}',
    '\u{e0041}',
    '\u0e33',
    'क्षि',
    '\u093f',
    '\u0600',
  ],
];
const around = fc
  .array(fc.oneof(fc.constantFrom(...units), fc.string({ unit: 'binary', minLength: 1, maxLength: 3 })), {
    maxLength: 80,
  })
  .map((all) => all.join('').replaceAll('X', ''));
const width = fc.integer({ min: 16, max: 120 });

describe('characters that do not join', () => {
  const points = Array.from({ length: 0x20000 }, (_, point) => point).filter((point) => !isSurrogate(point));
  const single = points
    .map((point) => String.fromCodePoint(point))
    .filter((character) => !mayJoin(character) && visible(character) === character);
  const segmenter = new Intl.Segmenter();

  test('are most of those that are written', () => {
    expect(single.length).toBeGreaterThan(20_000);
    expect(mayJoin('{"name": "Müller, Łódź, Αθήνα, Москва, 東京タワー, 서울, “100 €” → 😀"}')).toBe(false);
    expect(mayJoin('\t\t"a":\t1 \u001b[1m')).toBe(false);
    for (const text of ['e\u0301', '❤️', '👩‍👧', '🇩🇪', '👍🏽', '1️⃣', 'กำ', 'क्ष', 'ﾊﾟ', '\u200d'])
      expect(mayJoin(text)).toBe(true);
  });

  test('never join, and are as wide as string-width says', () => {
    const random = seeded(1);
    for (const character of single) {
      const other = single[random(single.length)]!;
      const text = `${other}${character}${other}`;
      expect([text, [...segmenter.segment(text)].length]).toEqual([text, 3]);
      const { caretColumn } = drawFrame(excerpt(`${character}X`), character.length, character.length + 1, 60);
      expect([character, caretColumn]).toEqual([character, stringWidth(character)]);
    }
  });
});

describe('the width of lines without frames', () => {
  test('is that of string-width, or more', () => {
    const texts = ['{"name": "Müller, 東京, 서울"}', 'e\u0301 ❤️ 1️⃣ 🇩🇪 ☎️ नि ก็ 각 ©️ ꀀ', ''];
    for (const text of texts) expect([text, displayWidth(text)]).toEqual([text, stringWidth(text)]);
    for (const text of ['👩‍👧', '👍🏽', '🏴‍☠️', '\u1112\u1161\u11ab'])
      expect(displayWidth(text)).toBeGreaterThanOrEqual(stringWidth(text));
  });

  test('is never too little', () => {
    const harmless = fc.string({ unit: 'grapheme' }).map(visible);
    fc.assert(
      fc.property(harmless, (text) => {
        expect(displayWidth(text)).toBeGreaterThanOrEqual(stringWidth(text));
      }),
    );
  });
});

const isSurrogate = (point: number): boolean => point >= 0xd800 && point < 0xe000;

describe('always', () => {
  test('the caret is under the text that it marks', () => {
    fc.assert(
      fc.property(around, around, width, fc.boolean(), fc.boolean(), (before, after, columns, cutBefore, cutAfter) => {
        const text = `${before}X${after}`;
        fc.pre(new Intl.Segmenter().segment(text).containing(before.length)?.index === before.length);
        const frame = drawFrame(excerpt(text, { cutBefore, cutAfter }), before.length, before.length + 1, columns);
        expect(stringWidth(frame.text.slice(0, frame.text.indexOf('X')))).toBe(frame.caretColumn);
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('text and carets keep to the width, and the text is harmless', () => {
    fc.assert(
      fc.property(around, fc.nat(200), fc.nat(200), width, fc.boolean(), (text, from, length, columns, cut) => {
        const frame = drawFrame(excerpt(text, { cutAfter: cut }), from, from + length, columns);
        expect(stringWidth(frame.text)).toBeLessThanOrEqual(columns);
        expect(frame.caretWidth).toBeGreaterThan(0);
        expect(frame.caretColumn + frame.caretWidth).toBeLessThanOrEqual(columns);
        expect(frame.text).not.toMatch(/\p{Cc}|[\u2028-\u202e\u200b\ufeff]/u);
      }),
      { numRuns: rounds(3000) },
    );
  });
});
