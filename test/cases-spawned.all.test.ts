/**
 * The cases of `test/cases` that say so come out the same of a process, which `bin/paylint.js` is.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { argsIn, type Case, check, place, readCases } from './case-files.ts';
import { times } from './rounds.ts';
import { outcomeOf, startIn } from './spawned.ts';
import type { WorldResult } from './world.ts';

const spawned = readCases().filter(({ told }) => told.spawned);

it('there are many of them', () => {
  expect(spawned.length).toBeGreaterThan(100);
});

// In CI all of them; elsewhere a third, for each is a process.
const now = spawned.filter((_, i) => i % times(1, 3) === 0);

it.concurrent.each(now.map((one) => [one.told.title, one] as const))('%s', async (_, one) => {
  const cwd = place(one);
  check(one, await run(one, cwd), cwd);
});

async function run(one: Case, cwd: string): Promise<WorldResult> {
  const child = startIn({ PATH: process.env.PATH, ...one.env }, join(cwd, one.cd), argsIn(one, cwd));
  child.stdin!.on('error', () => {}); // not everything that is offered need be read
  child.stdin!.end(one.told.stdin ?? undefined);
  const { code, stdout, stderr } = await outcomeOf(child);
  return { code: code ?? -1, stdout, stderr };
}
