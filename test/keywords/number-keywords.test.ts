/**
 * Keywords compare the numbers that texts write: near the limits of a schema, in any notation, both engines say what big
 * integers say.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createEngines, type Engines } from '../../scripts/mutations/engines.ts';
import { asBigInt, SHIFT } from '../exact-numbers.ts';
import { rounds } from '../rounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-numbers-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function enginesFor(schema: string): Promise<Engines> {
  const path = join(folder, 'it.json');
  writeFileSync(path, schema);
  return createEngines(path);
}

const LIMITS = [
  ...['0', '5', '-3', '99.9', '0.1', '1e-400', '-1e-400', '0.1000000000000000055511151231257827'],
  ...['123456789012345', '1234567890123456', '9007199254740992', '9007199254740993', '-9007199254740993'],
  ...['123456789012345678', '999999999999999999', '9223372036854775807', '-9223372036854775808'],
  ...['18446744073709551615', '1e20', '123456789012345678901234567890', '0.3', '4.35', '1e22', '1e23'],
];

/** By keyword: whether it holds for a number and the limit. */
const KEYWORDS: readonly (readonly [keyword: string, holds: (number: bigint, limit: bigint) => boolean])[] = [
  ['minimum', (number, limit) => number >= limit],
  ['maximum', (number, limit) => number <= limit],
  ['exclusiveMinimum', (number, limit) => number > limit],
  ['exclusiveMaximum', (number, limit) => number < limit],
  ['const', (number, limit) => number === limit],
  ['multipleOf', (number, limit) => number % limit === 0n],
];

/** The decimal text of a big integer of `asBigInt`. */
function decimalText(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(SHIFT + 1, '0');
  const text = `${digits.slice(0, -SHIFT)}.${digits.slice(-SHIFT)}`.replace(/\.?0+$/, '');
  return value < 0n && text !== '0' ? `-${text}` : text;
}

/** Numbers at the limit and next to it, in several notations. */
const near = (limit: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: -30, max: 1 }),
      fc.constantFrom('', '0', '00000000000000000000', 'E0'),
    )
    .map(([steps, power, ending]) => {
      const step = 10n ** BigInt(SHIFT + power);
      const text = decimalText(asBigInt(limit) + BigInt(steps) * step);
      // Zeros come after a point.
      const point = text.includes('.') || !ending.startsWith('0') ? '' : '.';
      return `${text}${point}${ending}`;
    });
const number = (limit: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: near(limit) },
    // With the same digits, and a fraction or not.
    fc.constantFrom(limit, ...(limit.includes('e') ? [] : [`${limit}e-1`, `${limit}e1`])),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
    fc.constantFrom('0', '-0', '1e-400', '1e-5', '1E2', '1.5', '9999999999999999999', '-9999999999999999999'),
  );

it.each(KEYWORDS)('%s', async (keyword, holds) => {
  for (const limit of LIMITS) {
    if (keyword === 'multipleOf' && Number(limit) <= 0) continue;
    const engines = await enginesFor(`{"${keyword}":${limit}}`);
    fc.assert(
      fc.property(number(limit), (text) => {
        const bytes = Buffer.from(text);
        const truth = holds(asBigInt(text), asBigInt(limit));
        expect([limit, text, engines.examine(bytes) !== null]).toEqual([limit, text, truth]);
        const sure = [engines.accept(bytes) !== null || null, !engines.refuses(bytes) && null];
        expect([limit, text, sure.filter((one) => one !== null && one !== truth)]).toEqual([limit, text, []]);
      }),
      { numRuns: rounds(200), seed: 26 },
    );
  }
});

it('type: integer', async () => {
  const engines = await enginesFor('{"type":"integer"}');
  const one = 10n ** BigInt(SHIFT);
  fc.assert(
    fc.property(fc.constantFrom(...LIMITS).chain(number), (text) => {
      const bytes = Buffer.from(text);
      const truth = asBigInt(text) % one === 0n;
      expect([text, engines.examine(bytes) !== null]).toEqual([text, truth]);
      if (engines.accept(bytes) !== null) expect([text, truth]).toEqual([text, true]);
      if (engines.refuses(bytes)) expect([text, truth]).toEqual([text, false]);
    }),
    { numRuns: rounds(1500), seed: 26 },
  );
});

it('uniqueItems', async () => {
  const engines = await enginesFor('{"uniqueItems":true}');
  fc.assert(
    fc.property(
      fc.constantFrom(...LIMITS).chain((limit) => fc.array(number(limit), { maxLength: 4 })),
      (texts) => {
        const bytes = Buffer.from(`[${texts.join()}]`);
        const truth = new Set(texts.map(asBigInt)).size === texts.length;
        expect([texts, engines.examine(bytes) !== null]).toEqual([texts, truth]);
        if (engines.accept(bytes) !== null) expect([texts, truth]).toEqual([texts, true]);
        if (engines.refuses(bytes)) expect([texts, truth]).toEqual([texts, false]);
      },
    ),
    { numRuns: rounds(1500), seed: 26 },
  );
});
