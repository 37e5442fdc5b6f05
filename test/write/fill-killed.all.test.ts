/**
 * A folder of small files that a process fills, and that is ended while it does so: each file is as it was, or filled.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CONTRACT, CONTRACT_FILLED, place } from '../fill-run.ts';
import { times } from '../rounds.ts';
import { outcomeOf, sh, start } from '../spawned.ts';

const textOf = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

describe('a folder that a process fills', () => {
  const names = Array.from({ length: 300 }, (_, i) => `${1000 + i}.json`);
  const files = Object.fromEntries(names.map((name) => [name, CONTRACT]));

  it('few descriptors are enough', async () => {
    const folder = place(files);
    const { code, stderr } = await sh(folder, 'ulimit -n 40; paylint fill --write --quiet --threads 1 . >/dev/null');
    expect([code, stderr]).toEqual([0, '']);
    for (const name of names) expect(textOf(folder, name)).toBe(CONTRACT_FILLED);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)('%s leaves each file as it was or filled', async (signal) => {
    for (let i = 0; i < times(10, 4); i++) {
      const folder = place(files);
      const child = start(folder, 'fill', '--write', '--quiet', '.');
      const outcome = outcomeOf(child);
      while (child.exitCode === null && !readdirSync(folder).some((name) => name.startsWith('.paylint-')))
        await setTimeout(1);
      await setTimeout(i);
      child.kill(signal);
      const { stdout } = await outcome;
      for (const name of names) expect([CONTRACT, CONTRACT_FILLED]).toContain(textOf(folder, name));
      if (signal === 'SIGINT') {
        expect(readdirSync(folder)).toEqual(names);
        expect(stdout.split('\n').slice(0, -1)).toEqual(
          names.filter((name) => textOf(folder, name) === CONTRACT_FILLED),
        );
      }
    }
  });
});
