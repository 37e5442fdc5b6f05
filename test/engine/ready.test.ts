/**
 * What `npm run build` makes is what is made at run time without it: Ajv's functions for the guards, and the accept functions of `convert`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgedKinds } from '../../scripts/judged-kinds.ts';
import { fixturePayloads } from '../../scripts/mutations/engines.ts';
import { mutate, seeded } from '../../scripts/mutations/mutate.ts';
import { wellFormedModule } from '../../src/engine/compile/well-formed.ts';
import type * as guards from '../../src/library/guards.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import { encode } from '../../src/wasm/encode.ts';
import { AROUND, LAYOUTS } from '../../src/wasm/layout.ts';
import { rounds } from '../rounds.ts';

const PAYLOADS = fixturePayloads(join(import.meta.dirname, '../../fixtures')).map(({ bytes }) => bytes);

describe('the functions of convert', () => {
  it.each(LAYOUTS)('for the layout "%s" are those that would be made now', (layout) => {
    const file = readFileSync(join(import.meta.dirname, `../../dist/json-${layout.replace(' ', '-')}.wasm`));
    const made = encode(wellFormedModule(AROUND[layout]).module);
    // The sections that are only in the file come last.
    expect(file.subarray(0, made.length).equals(made)).toBe(true);
  });
});

it('the functions of the guards give the verdicts of examine, for fixtures and mutations of them', async () => {
  const { all, judge } = await judgedKinds(loadSchemas(bundledSchema(ENTRY_SCHEMA)));
  const module = join(import.meta.dirname, '../../dist/guards.js');
  const { isContentItem, isContract, isEmoji } = (await import(module)) as typeof guards;
  const verdicts = [isContentItem, isContract, isEmoji];
  const random = seeded(11);
  const seen = { valid: 0, invalid: 0 };
  for (const payload of PAYLOADS) {
    for (let i = 0; i < rounds(20); i++) {
      const value = parsed(i === 0 ? payload : mutate(payload, random));
      if (value === undefined) continue;
      for (const [k, { step }] of all.entries()) {
        const isValid = judge.judge(step, value, { size: payload.length });
        // JSON has no other numbers beyond a double, which examine reports by themselves.
        if (!hasInfinity(value)) expect(verdicts[k]!(value)).toBe(isValid);
        seen[isValid ? 'valid' : 'invalid']++;
      }
    }
  }
  expect(seen.valid).toBeGreaterThan(100);
  expect(seen.invalid).toBeGreaterThan(rounds(1000));
});

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** The value of a text; undefined if it is not JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
