/**
 * Random schemas of all drafts: the built library and commands, Ajv and Hyperjump agree. `scripts/random/run.js` tries more of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { tryRandom } from '../../scripts/random/random.ts';
import { times } from '../rounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylint-random-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the routes and the peers agree on random schemas', async () => {
  const differences: string[] = [];
  const tell = (difference: string): void => void differences.push(difference);
  const dist = new URL('../../dist/', import.meta.url);
  const trial = { count: times(30, 5), seed: 1, commands: 4, dist, folder, tell };
  const { instances, valid, peers, refused } = await tryRandom(trial);
  expect(differences).toEqual([]);
  expect([...refused]).toEqual([]);
  expect(valid / instances).toBeGreaterThan(0.15);
  expect(peers / instances).toBeGreaterThan(0.5);
});
