/**
 * Formats in linear time have the verdicts of ajv-formats: for texts that match, for changes of them, and for texts of the same parts.
 */
import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neededByFormat } from '../src/accept/formats.ts';
import { compileMatcher } from '../src/automaton/compile.ts';
import { linearFormats, withoutCase } from '../src/schema/linear-formats.ts';

const EXPRESSIONS = Object.entries(fullFormats).flatMap(([name, format]) =>
  format instanceof RegExp
    ? [{ name, expression: format, ...compileMatcher(withoutCase(format), format.unicode) }]
    : [],
);

/** Parts of texts in these formats, and what could be mistaken for them. */
const PARTS = [
  ...[
    'http',
    'HTTPS',
    'ftp',
    'httpſ',
    '://',
    '//',
    '/',
    ':',
    '::',
    '@',
    '.',
    '-',
    '_',
    '~',
    '?',
    '#',
    '&',
    '=',
    ',',
    '+',
    '%',
    '%4a',
  ],
  ...[
    '%',
    '{',
    '}',
    '{a}',
    '{+A,b*}',
    '{a:3}',
    '[',
    ']',
    '~0',
    '~1',
    '~2',
    'a',
    'B',
    'k',
    'K',
    'ſ',
    'é',
    'ÿ',
    '€',
    '😀',
    '\ud800',
    ' ',
    '\u00a0',
    '\n',
  ],
  ...[
    '0',
    '1',
    '10',
    '127',
    '169.254',
    '172.16',
    '192.168.0.1',
    '223',
    '224',
    '255',
    '256',
    '80',
    '65536',
    'com',
    'co',
    'c',
    'xn--',
  ],
  ...[
    'P',
    'T',
    'Y',
    'M',
    'W',
    'S',
    '1Y',
    'T1S',
    'ab',
    'AB==',
    'urn:uuid:',
    '12345678',
    '1234',
    'abcdef',
    'v1.',
    "'",
    '"',
    '!',
    '$',
    '(',
    ')',
    '*',
    ';',
    '^',
    '|',
  ],
];
const TEXTS = [
  'http://user:pass@example.com:8080/p?q#f',
  'ftp://10.0.0.1',
  'http://223.255.255.254',
  'http://a-b.c-d.éé',
  '//[::1]:80/a/%20?x#y',
  'urn:uuid:123E4567-e89b-12d3-A456-426614174000',
  "o'Neil.k+x@sub.example-1.org",
  '1:2:3:4:5:6:7:8',
  '::ffff:192.168.0.1',
  'P1Y2M3DT4H5M6S',
  '/a~0b/~1/é',
  '#/a%41/~0',
  '12/a/b',
  '0#',
  'http://x/{a}{?b,c*}{#d:12}',
  'QUJD',
  'QQ==',
  '2024-02-29T23:59:59.5+01:30',
  '2023-12-31',
  '12:30:45z',
  '192.168.0.1',
];

const text = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom(...TEXTS), fc.nat(), fc.nat(2), fc.constantFrom(...PARTS))
    .map(([whole, at, cut, part]) => {
      const index = at % (whole.length + 1);
      return whole.slice(0, index) + part + whole.slice(index + cut);
    }),
);

it('all but two have automata', () => {
  const without = EXPRESSIONS.filter(({ matches }) => matches === null).map(({ name }) => name);
  // Their lookaheads need no second pass.
  expect(without).toEqual(['duration', 'hostname']);
});

describe.each(EXPRESSIONS.filter(({ matches }) => matches !== null))(
  '$name',
  ({ name, expression, matches }) => {
    it('has the same verdicts', () => {
      const wrong = (one: string): boolean => matches!(one) !== expression.test(one);
      expect([...TEXTS, ...PARTS].filter(wrong)).toEqual([]);
      fc.assert(
        fc.property(text, (one) => !wrong(one)),
        { numRuns: 3000, seed: 9 },
      );
    });

    it('has the same verdicts for every character', () => {
      const points = [...Array.from({ length: 0x300 }, (_, i) => i), 0x2028, 0x212a, 0xfeff, 0xffff, 0x10000];
      for (const point of points) {
        const one = String.fromCodePoint(point);
        for (const whole of [
          one,
          `a${one}`,
          `http://${one}.com`,
          `http${one}://a.com`,
          `a@${one}.a`,
          `{${one}}`,
          `//${one}`,
          `#/${one}`,
        ])
          if (matches!(whole) !== expression.test(whole)) expect.fail(`${name}: ${JSON.stringify(whole)}`);
      }
    });
  },
);

describe.each(Object.keys(fullFormats).filter((name) => neededByFormat(name) !== null))(
  'what accept needs of %s',
  (name) => {
    it('is in every text of the format, and not in all others', () => {
      const ajv = new Ajv({ strict: false, formats: { ...fullFormats } as Record<string, RegExp> });
      const valid = ajv.compile({ format: name });
      const needed = new RegExp(neededByFormat(name)!, 'u'); // there is one
      const refused = (one: string): boolean => valid(one) && !needed.test(one);
      expect(TEXTS.some((one) => valid(one))).toBe(true);
      expect(TEXTS.some((one) => !needed.test(one))).toBe(true);
      fc.assert(
        fc.property(text, (one) => !refused(one)),
        { numRuns: 3000, seed: 10 },
      );
    });
  },
);

it.each([
  ['url', `http://${':'.repeat(1_000_000)}@`, false],
  ['url', `http://a.bc/${'/'.repeat(1_000_000)}`, true],
  ['url', `http://${'a@'.repeat(500_000)}!`, false],
  ['email', `${'a.'.repeat(3_000_000)}a@a.aa`, true],
  ['email', `a@${'a.'.repeat(3_000_000)}-`, false],
])('%s has a verdict for a long text', (format, long, valid) => {
  const ajv = new Ajv({ strict: false, formats: { ...fullFormats } as Record<string, RegExp> });
  linearFormats(ajv);
  expect(ajv.validate({ format }, long)).toBe(valid);
});
