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
import { Examiner } from '../src/examine/examine.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../src/package.ts';
import { compileKinds } from '../src/schema/compile.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { linkKinds } from '../src/schema/precompiled.ts';
import { encode } from '../src/wasm/encode.ts';
import { rounds } from './rounds.ts';
import { expectSame } from './same.ts';

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

  it('examine alike, fixtures and mutations of them', () => {
    const options = { maxDepth: 1000, redact: false };
    const [ready, fresh] = [linked, compiled].map((kinds) => new Examiner(kinds, set.locations, options));
    const random = seeded(11);
    let findings = 0;
    for (const payload of PAYLOADS) {
      for (let i = 0; i < rounds(20); i++) {
        const bytes = i === 0 ? payload : mutate(payload, random);
        for (const forced of [null, 'content', 'contract', 'emoji']) {
          const all = { bytes, span: { start: 0, end: bytes.length }, base: 0, ending: 'text' } as const;
          const examined = ready!.examine(all, forced);
          expectSame(examined, fresh!.examine(all, forced));
          findings += examined.findings.length;
        }
      }
    }
    expect(findings).toBeGreaterThan(rounds(10_000));
  });

  it('name the subschema from which an error comes, the very object', () => {
    for (const [i, { validate, test }] of linked.entries()) {
      expect(validate({})).toBe(false);
      for (const { parentSchema } of validate.errors!) expect(set.locations.has(parentSchema!)).toBe(true);
      const fresh = compiled[i]!.validate;
      expect(fresh({})).toBe(false);
      expect(validate.errors).toEqual(fresh.errors);
      expect(test!({})).toBe(false);
    }
  });
});
