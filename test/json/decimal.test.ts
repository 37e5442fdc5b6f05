/**
 * Numbers as JSON writes them: order, integers, multiples and equality are those of fractions of big integers.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareNumbers,
  Decimal,
  exactValue,
  isInteger,
  isMultipleOf,
  type JsonNumber,
  jsonNumber,
} from '../../src/json/decimal.ts';
import { asBigInt, SHIFT } from '../exact-numbers.ts';

const digits = (most: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const number: fc.Arbitrary<string> = fc
  .record({
    sign: fc.constantFrom('', '', '-'),
    whole: fc.oneof(fc.constant('0'), digits(20)),
    fraction: fc.oneof(
      fc.constant(''),
      digits(20),
      digits(20).map((text) => `${text}000`),
    ),
    exponent: fc.oneof(
      fc.constant(''),
      fc.integer({ min: -330, max: 250 }).map((power) => `e${power}`),
      fc.constantFrom('E+2', 'e-007'),
    ),
  })
  .map(
    ({ sign, whole, fraction, exponent }) =>
      `${sign}${BigInt(whole)}${fraction === '' ? '' : `.${fraction}`}${exponent}`,
  );
/** Numbers that are next to one another, or written in another way. */
const pair = fc
  .oneof(
    fc.tuple(number, number),
    number.map((text) => [text, text] as const),
    fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 22n }), fc.integer({ min: -2, max: 2 }))
      .map(([a, by]) => [`${a}`, `${a + BigInt(by)}`.replace('--', '-')] as const),
    fc
      .tuple(fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e200, max: 1e200 }), digits(3))
      .map(([a, more]) => [String(a), longer(String(a), more)] as const),
  )
  .filter((texts) => texts.every((text) => asBigInt(text) < 10n ** BigInt(SHIFT + 300)));

/** With more digits after the last one. */
function longer(text: string, digits: string): string {
  const [number = '', power] = text.split('e');
  return `${number}${number.includes('.') ? '' : '.'}${digits}${power === undefined ? '' : `e${power}`}`;
}

const sign = (value: bigint | number): number => (value < 0 ? -1 : value > 0 ? 1 : 0);
const RUNS = { numRuns: 5000, seed: 26 };

describe('numbers of generated texts', () => {
  it('have the order of their values, and one key for equal ones', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [x, y] = [jsonNumber(a), jsonNumber(b)];
        const expected = sign(asBigInt(a) - asBigInt(b));
        expect([a, b, sign(compareNumbers(x, y))]).toEqual([a, b, expected]);
        expect([a, b, keyOf(x) === keyOf(y)]).toEqual([a, b, expected === 0]);
      }),
      RUNS,
    );
  });

  it('are integers if nothing is after the point', () => {
    const one = 10n ** BigInt(SHIFT);
    fc.assert(
      fc.property(number, (text) => {
        expect([text, isInteger(jsonNumber(text))]).toEqual([text, asBigInt(text) % one === 0n]);
      }),
      RUNS,
    );
  });

  it('are multiples where the rest is 0', () => {
    const product = fc
      .tuple(number, fc.integer({ min: 1, max: 9999 }))
      .map(([text, by]) => ({ text, by: `${by}`, times: timesOf(text, by) }));
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const divisor = asBigInt(b) < 0n ? -asBigInt(b) : asBigInt(b);
        fc.pre(divisor > 0n && Number(b) !== 0);
        const text = b.replace(/^-/, '');
        expect([a, b, isMultipleOf(jsonNumber(a), jsonNumber(text))]).toEqual([a, b, asBigInt(a) % divisor === 0n]);
      }),
      RUNS,
    );
    fc.assert(
      fc.property(product, ({ by, times }) => {
        expect([times, by, isMultipleOf(jsonNumber(times), jsonNumber(by))]).toEqual([times, by, true]);
      }),
      RUNS,
    );
  });
});

/** An integer as text: that of `text` without point and exponent, times `by`. */
function timesOf(text: string, by: number): string {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?/.exec(text)!; // a number
  return String(BigInt(`${sign}${whole}${fraction}`) * BigInt(by));
}

function keyOf(number: JsonNumber): unknown {
  // A Set of one regards -0 as 0, as Map does.
  return number instanceof Decimal ? number.key : number === 0 ? 0 : number;
}

describe('a number', () => {
  it.each([
    ['1', 1],
    ['1.0', 1],
    ['-0', -0],
    ['0.0000000000000000000', 0],
    ['1.00000000000000000000000', 1],
    ['10000000000000000000000', 1e22],
    ['9007199254740992', 9007199254740992],
    ['0.1', 0.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['5e-324', 5e-324],
    ['1e999', Number.POSITIVE_INFINITY],
  ])('%s is a double', (text, double) => expect(jsonNumber(text)).toBe(double));

  it.each([
    '9007199254740993',
    '9223372036854775807',
    '1e-400',
    '-1e-400',
    '0.1000000000000000055511151231257827',
    '4.9e-324',
    '1e-99999999999999999999',
  ])('%s is none', (text) => {
    const number = jsonNumber(text);
    expect(number).toBeInstanceOf(Decimal);
    expect((number as Decimal).text).toBe(text);
    expect((number as Decimal).double).toBe(Number(text));
  });

  it.each([
    '1e-400',
    '[9007199254740993]',
    '[1,-9007199254740993]',
    '{"a":9007199254740993}',
    '{"a":\t9007199254740993}',
    '["x","y"\r\n,\n-1.00000000000000000001e1]',
  ])('is found wherever it is in a text: %j', (text) => {
    const [, long] = /(-?\d[-.\de]{3,})/.exec(text)!; // one number of each text
    const found: string[] = [];
    JSON.stringify(exactValue(text), (_, value) => {
      if (value instanceof Decimal) found.push(value.text);
      return value;
    });
    expect(found).toEqual([long]);
  });

  it.each(['["9007199254740993"]', '["1, 9007199254740993"]', '{"a: 9007199254740993":"sha1-3e-400"}'])(
    'is not one if it is in a string: %j',
    (text) => expect(exactValue(text)).toEqual(JSON.parse(text)),
  );

  it.each([
    ['1e-400', '0', 1],
    ['-1e-400', '0', -1],
    ['1e-400', '1e-401', 1],
    ['-1e-400', '-1e-401', -1],
    ['9223372036854775807', '9223372036854775808', -1],
    ['1.0000000000000000000000001', '1', 1],
    ['1e-99999999999999999999', '0', 1],
    ['-0', '0.00000000000000000', 0],
  ])('%s compared with %s: %i', (a, b, order) => {
    expect(sign(compareNumbers(jsonNumber(a), jsonNumber(b)))).toBe(order);
    expect(sign(compareNumbers(jsonNumber(b), jsonNumber(a)))).toBe(0 - order);
  });

  it.each([
    ['1e-400', false],
    ['9007199254740993', true],
    ['9007199254740993.5', false],
    ['90071992547409935e-1', false],
    ['1e300', true],
    ['0e-999', true],
    ['123456789012345678901234567890.0', true],
  ])('%s is an integer: %s', (text, expected) => expect(isInteger(jsonNumber(text))).toBe(expected));
});
