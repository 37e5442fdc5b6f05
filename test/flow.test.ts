/**
 * Whole sources through the flow: with the fast engine and without it, and however their bytes come in, the same violations
 * (with their places and excerpts), the same counts and the same lines.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seeded } from '../scripts/mutations/mutate.ts';
import { bundledSchema, DOOR } from '../src/package.ts';
import { loadSchemas, type SchemaSet } from '../src/schema/load.ts';
import type { Framing } from '../src/types.ts';
import {
  allAtOnce,
  type Checker,
  createChecker,
  type Limits,
  randomSizes,
  randomSource,
  type Said,
  type SourceOptions,
} from './flow-world.ts';

const FRAMINGS = ['lines', 'json', 'stream'] as const;
const ROOMY = { maxDepth: 1000, maxBytes: 64 << 20 };

const door = loadSchemas(bundledSchema(DOOR));
/** A schema for which bare numbers, words and strings are payloads. */
const scalars = load({
  type: ['string', 'number', 'boolean', 'null', 'array'],
  maxLength: 5,
  maximum: 100,
  maxItems: 3,
});

function load(schema: unknown): SchemaSet {
  const folder = mkdtempSync(join(tmpdir(), 'paylint-test-'));
  try {
    writeFileSync(join(folder, 'scalars.json'), JSON.stringify(schema));
    return loadSchemas(join(folder, 'scalars.json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Pair {
  readonly fast: Checker;
  readonly slow: Checker;
}

const pairs = new Map<string, Pair>();
function pairFor(schemas: SchemaSet, limits: Limits): Pair {
  const key = `${schemas === door} ${JSON.stringify(limits)}`;
  let pair = pairs.get(key);
  if (pair === undefined) {
    pair = { fast: createChecker(schemas, limits, true), slow: createChecker(schemas, limits, false) };
    pairs.set(key, pair);
  }
  return pair;
}

/** Checks a source in many ways, all of which must say the same; what they say. */
async function checkAll(
  { fast, slow }: Pair,
  bytes: Buffer,
  options: SourceOptions,
  seed: number,
): Promise<Said> {
  const truth = await slow.check(bytes, options, allAtOnce);
  const hint = { seed, options, text: bytes.toString('latin1') };
  const random = seeded(seed);
  const ways = [
    [fast, allAtOnce],
    [fast, randomSizes(random, 10)],
    [fast, randomSizes(random, 500)],
    [slow, randomSizes(random, 100)],
  ] as const;
  for (const [checker, sizes] of ways) {
    expect({ ...hint, ...(await checker.check(bytes, options, sizes)) }).toEqual({ ...hint, ...truth });
  }
  return truth;
}

/** Most payloads are of their own kind, and most limits are wide. */
function randomOptions(framing: Framing, seed: number): { options: SourceOptions; limits: Limits } {
  const random = seeded(seed * 7919);
  const kinds = ['content', 'contract', 'emoji'];
  const limits = [ROOMY, ROOMY, ROOMY, { maxDepth: 2, maxBytes: 600 }, { maxDepth: 1, maxBytes: 40 }];
  const options = {
    framing: random(5) === 0 ? null : framing,
    ...(random(5) === 0 ? { kind: kinds[random(3)]! } : {}),
    whole: random(10) === 0,
    redact: random(10) === 0,
  };
  return { options, limits: limits[random(limits.length)]! };
}

describe.each(FRAMINGS)('random sources in %s', (framing) => {
  it('are the same in all ways', async () => {
    const rules = new Set<string>();
    let payloads = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const { options, limits } = randomOptions(framing, seed);
      const bytes = randomSource(framing, seeded(seed));
      const { found, counts } = await checkAll(pairFor(door, limits), bytes, options, seed);
      for (const rule of JSON.stringify(found).matchAll(/"rule":"([^"]*)"/g)) rules.add(rule[1]!);
      for (const count of Object.values(counts)) payloads += count;
    }
    // The sources were worth it.
    expect(payloads).toBeGreaterThan(1000);
    const builtin = ['json-syntax', 'json-encoding', 'duplicate-member', 'unknown-kind', 'payload-too-large'];
    expect([...rules]).toEqual(
      expect.arrayContaining([...builtin, 'nested-too-deep', 'required', 'type', 'enum']),
    );
  });

  it('are the same in all ways where payloads are not objects', async () => {
    for (let seed = 1; seed <= 150; seed++) {
      const { options, limits } = randomOptions(framing, seed);
      const bytes = randomSource(framing, seeded(seed + 1000));
      await checkAll(pairFor(scalars, limits), bytes, { ...options, kind: null }, seed);
    }
  });
});
