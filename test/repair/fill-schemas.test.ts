/**
 * Filling by random schemas of one's own: the same as Ajv, in both engines.
 */

import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EndlessDefaults, isEndless, SchemaError } from '../../src/errors.ts';
import { CASES, type Case, type Schema, textForPaylint, valueForAjv } from '../fill-arbitraries.ts';
import { createFiller, type Filled, loadForFilling } from '../fill-world.ts';
import { seededUnlessAll, times } from '../rounds.ts';

const RUNS = times(30, 12);

const AJV_OPTIONS = {
  allErrors: true,
  strict: false,
  ownProperties: true,
  logger: false,
  validateSchema: false,
  useDefaults: true,
} as const;

/**
 * What Ajv makes of the payloads, again and again until it makes no more of them, but for those that are valid only as they are; null where
 * there is no end to it.
 */
function truths(schema: Schema, payloads: readonly unknown[]): unknown[] | null {
  const [validate, isValid] = [true, false].map((useDefaults) => {
    const ajv = new Ajv2020({ ...AJV_OPTIONS, useDefaults });
    // Inside an "if", Ajv takes a missing member "" for none.
    ajv.removeKeyword('required');
    ajv.addKeyword({
      keyword: 'required',
      type: 'object',
      validate: (names: string[], value: object) => names.every((name) => Object.hasOwn(value, name)),
    });
    return ajv.compile(schema);
  }) as [ValidateFunction, ValidateFunction]; // one for each of the two
  try {
    return payloads.map((payload) => {
      const value = structuredClone(payload);
      for (let before = '', pass = 0; before !== JSON.stringify(value); pass++) {
        if (pass === 100) throw new EndlessDefaults();
        before = JSON.stringify(value);
        validate(value);
      }
      return isValid(payload) && !isValid(value) ? payload : value;
    });
  } catch (error) {
    if (isEndless(error)) return null;
    throw error;
  }
}

interface Seen {
  kept: number;
  inserted: number;
  accepted: number;
}

async function check({ schema, payloads }: Case, seen: Seen): Promise<void> {
  const loaded = await loadForFilling(textForPaylint(schema)).catch((error) => {
    if (!(error instanceof SchemaError)) throw error;
    expect(error.message).toMatch(/does not allow its own default|has no end|refers to itself without end/);
    return null;
  });
  if (loaded === null) return;
  seen.kept++;
  const expected = truths(schema, payloads);
  const bytes = Buffer.from(payloads.map((payload) => `${textForPaylint(payload)}\n`).join(''));
  const fast = createFiller(loaded.schemas, loaded.defaults, true);
  const slow = createFiller(loaded.schemas, loaded.defaults, false);
  const one = await fast(bytes, { framing: 'lines' });
  if (expected !== null) expect(valuesOf(one)).toEqual(expected);
  const two = await slow(bytes, { framing: 'lines' });
  expect({ ...one, accepted: 0 }).toEqual(two);
  const three = await fast(bytes, { framing: 'lines', wantsFills: true });
  expect({ ...three, accepted: 0, places: [] }).toEqual(two);
  if (expected !== null) expect((await fast(one.bytes, { framing: 'lines' })).insertions).toEqual([]);
  seen.inserted += one.insertions.length;
  if (one.insertions.length > 0) seen.accepted += one.accepted;
}

function valuesOf({ bytes }: Filled): unknown[] {
  return bytes.toString().trimEnd().split('\n').map(valueForAjv);
}

describe('random schemas', () => {
  it.each([
    ['of keywords that the fast engine knows', CASES.gentle, RUNS / 4],
    ['that refer to one another', CASES.referring, 0],
    ['of all keywords', CASES.rich, 0],
  ])('%s: the same as Ajv, in all ways, and twice is once', async (_, cases, accepted) => {
    const seen = { kept: 0, inserted: 0, accepted: 0 };
    await fc.assert(
      fc.asyncProperty(cases, (one) => check(one, seen)),
      seededUnlessAll(RUNS),
    );
    expect(seen.kept).toBeGreaterThan(RUNS / 4);
    expect(seen.inserted).toBeGreaterThan(RUNS / 4);
    expect(seen.accepted).toBeGreaterThanOrEqual(accepted);
  });
});
