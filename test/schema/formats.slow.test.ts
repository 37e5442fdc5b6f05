/**
 * Formats: automata give the verdicts of RegExp, the patterns of accept fit what examine says, and no text takes long. `test/verdicts/formats.tsv`
 * has the verdicts themselves.
 */

import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../src/regex/matcher.ts';
import { linear } from '../../src/schema/formats/format.ts';
import {
  ASSERTED_FORMATS,
  FORMATS,
  formatNamed,
  type LoadedFormat,
  loadFormats,
  necessaryPattern,
  sufficientPattern,
} from '../../src/schema/formats/format-table.ts';
import { URL, wholeText } from '../../src/schema/formats/patterns.ts';
import { EXAMPLES, reasonFor, whyNotIn } from '../../src/schema/formats/reasons.ts';

const JUDGES = await loadFormats(ASSERTED_FORMATS);
const OF_TEXTS = [...JUDGES].filter(([, { type }]) => type === 'string');
const PATTERNS = Object.entries({ ...FORMATS, url: { pattern: URL } }).flatMap(([name, { pattern }]) =>
  pattern === undefined ? [] : [{ name, pattern }],
);

/** Whether a text is in a format. */
function isIn({ test }: LoadedFormat, text: string): boolean {
  return test(text as never); // a format of texts
}

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
  'http://exämple.com/ä?ü#ö',
  'dör@exämple.com',
  'o.neil@example.org',
  'example.com',
  'https://example.com:80/x',
  'http://xn--nxasmq6b/',
  '123e4567-e89b-12d3-a456-426614174000',
  '^a[bc]+$',
  '23:59:60Z',
  '2023-12-31',
  '12:30:45z',
  '192.168.0.1',
];

const text = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom(...TEXTS), fc.nat(), fc.nat(2), fc.constantFrom(...PARTS)).map(([whole, at, cut, part]) => {
    const index = at % (whole.length + 1);
    return whole.slice(0, index) + part + whole.slice(index + cut);
  }),
);

describe.each(PATTERNS)('the pattern of $name', ({ pattern }) => {
  const expression = new RegExp(wholeText(pattern), 'u');
  const { matches, reason } = compileMatcher(wholeText(pattern));

  it('has an automaton with the verdicts of RegExp', () => {
    expect(reason).toBe(null);
    const wrong = (one: string): boolean => matches!(one) !== expression.test(one);
    expect([...TEXTS, ...PARTS].filter(wrong)).toEqual([]);
    fc.assert(
      fc.property(text, (one) => !wrong(one)),
      { numRuns: 3000, seed: 9 },
    );
  });
});

describe.each(OF_TEXTS)('what accept knows of %s', (name, judge) => {
  const format = formatNamed(name)!; // it has a judge

  it('is what examine says', () => {
    const sufficient = new RegExp(sufficientPattern(format)!, 'u');
    // fast-check does not read six digits.
    const sample = new RegExp(sufficient.source.replaceAll(/\\u\{10....\}-\\u\{10....\}/g, ''), 'u');
    const necessary = new RegExp(necessaryPattern(format) ?? '', 'u');
    const isRight = (one: string): boolean => (isIn(judge, one) ? necessary.test(one) : !sufficient.test(one));
    fc.assert(fc.property(text, isRight), { numRuns: 3000, seed: 10 });
    fc.assert(fc.property(fc.stringMatching(sample), isRight), { numRuns: 300, seed: 10 });
  });

  it('is enough for some text', () => {
    const sufficient = new RegExp(sufficientPattern(format)!, 'u');
    expect(TEXTS.some((one) => sufficient.test(one))).toBe(true);
  });
});

/** A right value with one character changed, added or left out, or as it is. */
const nearly = (whole: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(whole.length), fc.nat(1), fc.oneof(fc.constantFrom(...PARTS), fc.string({ maxLength: 2 })))
    .map(([at, cut, part]) => whole.slice(0, at) + part + whole.slice(at + cut));

describe.each([...JUDGES])('the reason why a value is not in the format %s', (name, judge) => {
  it('is said of what is refused, and nothing is wrong with what is accepted', () => {
    const example = JSON.parse(EXAMPLES[name]!) as unknown;
    expect(judge.test(example as never)).toBe(true);
    expect(whyNotIn(name, undefined, true)).toBe(`; an example is ${EXAMPLES[name]}`);
    if (judge.type === 'number') return;
    const isRight = (one: string): boolean =>
      isIn(judge, one) ? reasonFor(name, one) === null : /^(?:: .|; an example is)/s.test(whyNotIn(name, one, true));
    const texts = fc.oneof(text, nearly(String(example)), ...TEXTS.map(nearly));
    fc.assert(fc.property(texts, isRight), { numRuns: 5000, seed: 12 });
  });
});

it.each([
  ['date', '2026-02-30', 'February has 28 days in 2026'],
  ['date', '2024-02-30', 'February has 29 days in 2024'],
  ['date', '2026-04-31', 'April has 30 days'],
  ['date', '2026-13-01', 'there is no month 13'],
  ['date', '2026-5-1', 'a year has four digits, a month and a day have two each'],
  ['time', '12:00:00', 'the time zone is missing: Z or an offset such as +01:00'],
  ['time', '12:00Z', 'the seconds are missing'],
  ['time', '24:00:00Z', 'there is no hour 24'],
  ['time', '12:00:60Z', 'the second 60 is only in the last minute of a day in UTC'],
  ['time', '12:00:00+24:00', 'the offset +24:00 has more than 23 hours or 59 minutes'],
  ['time', '12:00:00 CET', 'after the seconds comes Z or an offset such as +01:00, not " CET"'],
  ['date-time', '2024-01-01T12:00:00', 'the time zone is missing: Z or an offset such as +01:00'],
  ['date-time', '2024-01-01 12:00:00Z', '"T" must stand between date and time, not " "'],
  ['date-time', '2023-02-29T12:00:00Z', 'February has 28 days in 2023'],
  ['date-time', '2024-01-01', 'the time is missing'],
  ['duration', '1D', 'it must begin with "P"'],
  ['duration', 'P1Y2D', 'a unit is left out between "Y" and "D"'],
  ['duration', 'P1H', 'hours and seconds must come after "T"'],
  ['duration', 'PT', 'a number and its unit are missing after "T"'],
  ['email', 'root@localhost', 'the domain has no dot'],
  ['email', 'root', '"@" is missing'],
  ['email', 'a b@example.org', '" " is not allowed before the last "@"'],
  ['email', 'a@-b.org', 'the part "-b" of the domain begins or ends with "-"'],
  ['hostname', 'a_b.org', '"_" is not allowed in the name'],
  ['hostname', `${'a'.repeat(64)}.org`, `the part "${'a'.repeat(64)}" has more than 63 characters`],
  ['hostname', 'a..b', 'a part of the name is empty'],
  ['uri', 'http://h.example?p[a]=1', '"[" must be written as %5B'],
  ['uri', '/a/b', 'the scheme is missing, such as "https:"'],
  ['uri', 'http://a/ b', '" " must be written as %20'],
  ['uri', 'http://a/\u00e9', '"\u00e9" must be written as %C3%A9'],
  ['uri', 'http://a/%zz', '"%" must be followed by two hexadecimal digits'],
  ['uri', 'http://a:b/', 'the port "b" is not a number'],
  ['uuid', '123e4567-e89b-12d3-a456-42661417400g', '"g" is not a hexadecimal digit'],
  ['uuid', '123e4567-e89b-12d3-a456', 'it has 4 groups of digits, not 5'],
  ['uuid', '123e4567-e89b-12d3-a456-42661417400', 'group 5 has 11 digits, not 12'],
  ['ipv4', '10.0.0.256', '256 is above 255'],
  ['ipv4', '10.0.0', 'it has 3 parts, not 4'],
  ['ipv4', '10.0.0.01', '"01" begins with 0'],
  ['ipv6', '1:2:3:4:5:6:7', 'it has 7 groups, not 8'],
  ['ipv6', '1::2::3', 'two colons may stand side by side once, and no three'],
  ['ipv6', '::12345', 'the group "12345" has more than 4 digits'],
  ['ipv6', '::ffff:10.0.0.256', 'of the IPv4 address at the end, 256 is above 255'],
  ['ipv6', 'fe80::1%eth0', '"%" is not allowed'],
])('the reason why it is not a right %s: %s', (name, one, reason) => {
  expect(isIn(JUDGES.get(name)!, one)).toBe(false);
  expect(reasonFor(name, one)).toBe(reason);
});

describe('formats that ajv-formats has too', () => {
  const ajv = new Ajv({ strict: false, formats: { ...fullFormats } as Record<string, RegExp> });
  // The others are wider or narrower there; `test/verdicts/formats.tsv` shows in what.
  it.each(['date', 'ipv4', 'ipv6', 'url', 'json-pointer', 'relative-json-pointer', 'json-pointer-uri-fragment'])(
    '%s has the same texts',
    (name) => {
      const validate = ajv.compile({ format: name });
      const same = (one: string): boolean => isIn(JUDGES.get(name)!, one) === validate(one);
      expect(TEXTS.filter((one) => !same(one))).toEqual([]);
      fc.assert(fc.property(text, same), { numRuns: 3000, seed: 11 });
    },
  );
});

it.each([
  ['url', `http://${':'.repeat(1_000_000)}@`, false],
  ['url', `http://a.bc/${'/'.repeat(1_000_000)}`, true],
  ['url', `http://${'a@'.repeat(500_000)}!`, false],
  ['email', `${'a.'.repeat(3_000_000)}a@a.aa`, true],
  ['email', `a@${'a.'.repeat(3_000_000)}-`, false],
  ['email', `"${'\\"'.repeat(3_000_000)}`, false],
  ['idn-email', `${'\u00e9.'.repeat(3_000_000)}a@a.aa`, true],
  ['idn-email', `a@${'a.'.repeat(1_000_000)}a`, false],
  ['hostname', `${'a.'.repeat(3_000_000)}a`, false],
  ['idn-hostname', '\u00ad'.repeat(3_000_000), false],
  ['idn-hostname', `xn--${'a'.repeat(3_000_000)}`, false],
  ['uri', `data:${'%20'.repeat(2_000_000)}`, true],
  ['uri', `http://${'a'.repeat(6_000_000)}@@`, false],
  ['iri', `urn:${'\u{10000}'.repeat(2_000_000)}`, true],
  ['iri-reference', `${'\u00e9/'.repeat(2_000_000)}:`, true],
  ['uri-reference', `${'a'.repeat(6_000_000)}:`, true],
  ['uri-template', `{${'a,'.repeat(2_000_000)}}`, false],
  ['time', `10:00:00.${'9'.repeat(6_000_000)}Z`, true],
  ['duration', `P${'1'.repeat(6_000_000)}`, false],
  ['regex', `${'('.repeat(1_000_000)}`, false],
  ['byte', 'AAAA'.repeat(1_500_000), true],
])('%s has a verdict for a long text', (name, long, valid) => {
  expect(isIn(JUDGES.get(name)!, long)).toBe(valid);
});

it('a pattern has the same verdicts for short and long texts', () => {
  const [short, long] = [linear('(?:a|\u00e9)*b'), linear('(?:a|\u00e9)*b', 0)];
  for (const one of ['b', 'a\u00e9b', 'a', 'ba', '\ud800b']) expect(long(one)).toBe(short(one));
});
