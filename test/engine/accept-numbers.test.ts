/**
 * Numbers as accept reads them and as JSON.parse does: any notation, at and around the bounds of a schema.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../rounds.ts';
import { ajvVerdict, type Trial, trySchema } from '../trial.ts';

const BOUNDS = [-1e15, -100, -1, -0.5, 0, 0.1, 0.3, 1, 1.1, 2.5, 99.9, 100, 999.999, 123456789012345, 1e300];

const SCHEMAS: readonly object[] = [
  { type: 'number' },
  { type: 'integer' },
  ...BOUNDS.flatMap((bound) => [
    { type: 'number', minimum: bound },
    { type: 'number', maximum: bound },
    { type: 'number', exclusiveMinimum: bound },
    { type: 'integer', exclusiveMaximum: bound },
    { const: bound },
    { enum: [bound, bound + 1] },
  ]),
];

const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
const zeros = fc.integer({ min: 0, max: 20 }).map((count) => '0'.repeat(count));

/** Notations by the grammar of RFC 8259, section 6. */
const spelling = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constantFrom('0', '1', '9', '10', '99', '100'), digits(25).map(withoutLeadingZeros)),
    fc.oneof(
      fc.constant(''),
      fc.tuple(zeros, digits(20)).map((parts) => `.${parts.join('')}`),
    ),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), zeros, digits(4)).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

/** The bounds and their neighbours, in other notations. */
const near = fc
  .tuple(fc.constantFrom(...BOUNDS), fc.constantFrom('', '0', '00', '1', '9', '000000001', '0'.repeat(30)))
  .map(([bound, tail]) => {
    const text = Math.abs(bound) < 1e20 ? String(bound) : '100000';
    return `${text}${text.includes('.') ? '' : tail === '' ? '' : '.'}${tail}`;
  });

function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, '');
}

async function compileAll(): Promise<readonly { trial: Trial; isValid: (text: string) => boolean }[]> {
  return Promise.all(SCHEMAS.map(async (schema) => ({ trial: await trySchema(schema), isValid: ajvVerdict(schema) })));
}

describe('numbers', () => {
  it('that are accepted are valid, and short ones that are valid are accepted', async () => {
    const all = await compileAll();
    fc.assert(
      fc.property(fc.oneof(spelling, near), (text) => {
        const short = text.length <= 15 && !/[eE]/.test(text);
        const finite = Number.isFinite(JSON.parse(text));
        for (const [i, { trial, isValid }] of all.entries()) {
          const accepted = trial.accept(text) !== null;
          const valid = finite && isValid(text);
          if (accepted || (short && valid)) expect([SCHEMAS[i], accepted]).toEqual([SCHEMAS[i], valid]);
        }
      }),
      { numRuns: rounds(3000) },
    );
  });

  it('of any size are accepted if only their grammar matters', async () => {
    const { accept } = await trySchema({ type: 'number' });
    for (const text of ['1e99', '-1E-99', '1e+5', `${'1'.repeat(200)}`, `0.${'0'.repeat(150)}1`, '1e00', '0e0', '-0']) {
      expect([text, accept(text)]).toEqual([text, 'it']);
    }
    for (const text of ['1e400', '-1e400', '1e308', `${'9'.repeat(400)}`, `${'9'.repeat(300)}e99`, '1e309', '1e1000']) {
      expect([text, accept(text)]).toEqual([text, null]);
    }
  });

  it('that break the grammar are never accepted', async () => {
    const trials = await Promise.all(
      [{}, { type: 'number' }, { type: 'integer', minimum: -1e9 }].map((it) => trySchema(it)),
    );
    const fixed = ['01', '-01', '00', '1.', '.5', '-.5', '+1', '1e', '1e+', '1E-', '-', '--1', '0x1', '1_0', '1e1.5'];
    fixed.push(
      'Infinity',
      '-Infinity',
      'NaN',
      '1.2.3',
      '1..2',
      '1e1e1',
      '１',
      '1\u00a0',
      '1,',
      '0e',
      '-e1',
      '1-1',
      '1+1',
    );
    const broken = (text: string): boolean => {
      try {
        JSON.parse(text);
        return false;
      } catch {
        return true;
      }
    };
    const random = fc.string({ unit: fc.constantFrom(...'00119.-+eE'), minLength: 1, maxLength: 8 }).filter(broken);
    for (const text of [...fixed, ...fc.sample(random, { numRuns: rounds(3000), seed: 1 })]) {
      expect([text, broken(text)]).toEqual([text, true]);
      for (const { accept } of trials) {
        expect([text, accept(text), accept(`[${text}]`)]).toEqual([text, null, null]);
      }
    }
  });
});
