/**
 * Two engines, one truth: what accept calls valid, examine finds nothing wrong with, and something with what it calls invalid; and accept is
 * sure of nearly all valid payloads, or a function that always says "unsure" would pass.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEngines, type Engines, tryMutations, weighted } from '../../scripts/mutations/engines.ts';
import { FAULT_NAMES } from '../../scripts/mutations/faults.ts';
import { fixturePayloads } from '../../scripts/mutations/payloads.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { rounds } from '../rounds.ts';

const entrySchema = bundledSchema(ENTRY_SCHEMA);
const payloads = fixturePayloads(join(import.meta.dirname, '../../fixtures'));
/** Enough to find every planted fault, in a few seconds. */
const COUNT = 60_000;

let engines: Engines;
/** What mutations begin with: most of all what is valid. */
let seeds: Buffer[];
beforeAll(async () => {
  engines = await createEngines(entrySchema);
  const all = payloads.map(({ bytes }) => bytes);
  seeds = weighted(all, engines);
});

describe('accept and examine', () => {
  it('agree on every fixture', () => {
    for (const { file, bytes: payload } of payloads) {
      const kind = engines.accept(payload);
      if (kind !== null) expect([file, engines.examine(payload)]).toEqual([file, kind]);
    }
  });

  it.each(['content', 'contract', 'emoji'])('accept is sure of nearly every valid %s', (kind) => {
    const valid = payloads.filter(({ bytes: payload }) => engines.examine(payload) === kind);
    const sure = valid.filter(({ bytes: payload }) => engines.accept(payload) === kind);
    expect(valid.length).toBeGreaterThan(20);
    // The fixtures are rich in odd spellings, of which accept may be unsure.
    expect(sure.length / valid.length).toBeGreaterThan(0.85);
  });

  it('agree on mutations of fixtures', () => {
    const { accepted, refused, wrong } = tryMutations(engines, seeds, rounds(COUNT), 1);
    expect(wrong.map(({ payload, accept, examine }) => ({ text: payload.toString(), accept, examine }))).toEqual([]);
    const total = [...accepted.values()].reduce((a, b) => a + b, 0);
    expect(total).toBeGreaterThan(rounds(COUNT) / 10);
    expect(refused).toBeGreaterThan(rounds(COUNT) / 10);
  });
});

describe('a fault in accept is caught', () => {
  it.each(FAULT_NAMES)('%s', async (fault) => {
    const faulty = await createEngines(entrySchema, { fault });
    // The first one is enough.
    let found = 0;
    for (let seed = 1; found === 0 && seed <= 20; seed++)
      found = tryMutations(faulty, seeds, COUNT / 20, seed).wrong.length;
    expect(found).toBeGreaterThan(0);
  });
});
