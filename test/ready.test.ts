/**
 * What `npm run build` makes is what is made at run time without it: Ajv's functions for the bundled schemas, and the accept functions of `convert`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixturePayloads } from '../scripts/mutations/engines.ts';
import { mutate, seeded } from '../scripts/mutations/mutate.ts';
import { AROUND, LAYOUTS } from '../src/accept/layout.ts';
import { wellFormedModule } from '../src/accept/well-formed.ts';
import { judgedKinds } from '../src/examine/kinds.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../src/package.ts';
import { compileKinds } from '../src/schema/compile.ts';
import { legacyOf, loadSchemas } from '../src/schema/load.ts';
import { linkKinds } from '../src/schema/precompiled.ts';
import { encode } from '../src/wasm/encode.ts';
import { rounds } from './rounds.ts';

const FILE = join(import.meta.dirname, '../dist/payload.kinds.cjs');
const PAYLOADS = fixturePayloads(join(import.meta.dirname, '../fixtures')).map(({ bytes }) => bytes);

describe('the functions of convert', () => {
  it.each(LAYOUTS)('for the layout "%s" are those that would be made now', (layout) => {
    const file = readFileSync(join(import.meta.dirname, `../dist/json-${layout.replace(' ', '-')}.wasm`));
    const made = encode(wellFormedModule(AROUND[layout]).module);
    // The sections that are only in the file come last.
    expect(file.subarray(0, made.length).equals(made)).toBe(true);
  });
});

describe('linked kinds', async () => {
  const set = loadSchemas(bundledSchema(ENTRY_SCHEMA));
  const compiled = await compileKinds(set);

  it('are there once the project is built', () => {
    expect(existsSync(FILE), 'npm run build makes it').toBe(true);
    expect(linkKinds(set, join(import.meta.dirname, 'no such file.cjs'))).toBe(null);
  });

  const linked = linkKinds(set, FILE)!;

  it('are the same kinds', () => {
    expect(linked.map(({ kind }) => kind)).toEqual(compiled.map(({ kind }) => kind));
    expect(linked.map(({ test }) => typeof test)).toEqual(compiled.map(({ test }) => typeof test));
  });

  it('give the verdicts of examine, for fixtures and mutations of them', async () => {
    const { all, judge } = await judgedKinds(set);
    const random = seeded(11);
    const seen = { valid: 0, invalid: 0 };
    for (const payload of PAYLOADS) {
      for (let i = 0; i < rounds(20); i++) {
        const value = parsed(i === 0 ? payload : mutate(payload, random));
        if (value === undefined) continue;
        for (const [k, { step, test }] of all.entries()) {
          const walked = { size: payload.length };
          const { test: ajvTest, validate } = linked[k]!;
          expect(judge.judge(test!, value, walked)).toBe(ajvTest!(value));
          const isValid = judge.judge(step, value, walked);
          expect(isValid).toBe(validate(value));
          seen[isValid ? 'valid' : 'invalid']++;
        }
      }
    }
    expect(seen.valid).toBeGreaterThan(100);
    expect(seen.invalid).toBeGreaterThan(rounds(1000));
  });

  it('name the subschema from which an error comes, the very object', () => {
    for (const [i, { validate, test }] of linked.entries()) {
      expect(validate({})).toBe(false);
      for (const { parentSchema } of validate.errors!)
        expect(legacyOf(set).locations.has(parentSchema!)).toBe(true);
      const fresh = compiled[i]!.validate;
      expect(fresh({})).toBe(false);
      expect(validate.errors).toEqual(fresh.errors);
      expect(test!({})).toBe(false);
    }
  });
});

/** The value of a text; undefined if it is not JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
