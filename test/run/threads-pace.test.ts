/**
 * How many threads are started: no more than the work is worth, than there are cores, or than were asked for.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { plan } from '../../src/run/workers/schedule.ts';
import { threadsWorth, type Work } from '../../src/run/workers/thread-count.ts';
import type { Source } from '../../src/types.ts';
import { workedThrough } from '../threads-world.ts';
import { paylint } from '../world.ts';

vi.unmock('../../src/run/workers/thread-count.ts');
const machine = vi.hoisted(() => ({ cores: 0, threads: [] as number[], started: 0, slots: [] as number[] }));
vi.mock('node:os', async (load) => ({
  ...(await load<typeof import('node:os')>()),
  availableParallelism: () => machine.cores,
}));
vi.mock('../../src/run/workers/schedule.ts', async (load) => {
  const real = await load<typeof import('../../src/run/workers/schedule.ts')>();
  class SharedWork extends real.SharedWork {
    constructor(...given: ConstructorParameters<typeof real.SharedWork>) {
      super(...given);
      machine.threads.push(given[2].threads);
    }
  }
  return { ...real, SharedWork };
});
vi.mock('node:worker_threads', async (load) => ({
  ...(await load<typeof import('node:worker_threads')>()),
  Worker: new Proxy(class {}, {
    construct(_, [, { workerData }]: [string, { workerData: { claims: { shared: Int32Array } } }]) {
      machine.started++;
      machine.slots.push(workerData.claims.shared.length);
      throw Object.assign(new Error('refused'), { code: 'ERR_WORKER_INIT_FAILED' });
    },
  }),
}));
beforeEach(() => Object.assign(machine, { cores: 0, threads: [], started: 0, slots: [] }));

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'paylint-pace-'));
  for (const name of ['a.json', 'b.json']) writeFileSync(join(cwd, name), '{}');
  writeFileSync(join(cwd, 'lines.ndjson'), '{"@context":"c","@type":"t","emoji":"x"}\n'.repeat(110_000));
});
afterAll(() => rmSync(cwd, { recursive: true }));

describe('threads that may work', () => {
  it.each([
    [1, []],
    [2, []],
    [8, []],
    [64, []],
    [1, ['--threads', '64']],
    [64, ['--threads', '64']],
  ])('on %d cores, with %j', async (cores, args) => {
    machine.cores = cores;
    await paylint(['validate', 'a.json', 'b.json', ...args], { cwd });
    expect(machine.threads).toEqual([Number(args[1] ?? Math.min(8, cores))]);
  });
});

describe('threads that the work is worth', () => {
  const ranges = (work: Partial<Work>): Work => ({ ofFiles: false, elapsed: 50, taken: 10, left: 0, ...work });

  it.each([
    ['at first, while the pace is not known', { elapsed: 9, taken: 1, left: 200 }, 1],
    ['at first, of more ranges than necessary', { elapsed: 0, taken: 1, left: 255 }, 1],
    ['at first, of more ranges than necessary', { elapsed: 0, taken: 1, left: 256 }, 3],
    ['for 160 ms', { left: 32 }, 1],
    ['for more', { left: 33 }, 2],
    ['for a second', { left: 200 }, 7],
    ['for ten seconds', { left: 2000 }, 22],
    ['for a minute', { elapsed: 300, left: 2000 }, 54],
    ['for nothing', { left: 0 }, 1],
    ['for a second of files', { ofFiles: true, left: 200 }, 1],
    ['for more of files', { ofFiles: true, left: 201 }, 7],
    ['for many files that are not begun', { ofFiles: true, elapsed: 1, taken: 1, left: 900 }, 1],
  ])('%s', (_, work, threads) => expect(threadsWorth(ranges(work))).toBe(threads));

  it('are as many as there may be for those in pace', () => {
    expect(threadsWorth(ranges({ elapsed: 0.1, taken: 1, left: 1 }), { patience: 0, worth: 0, gain: 0 })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});

it('no more are started, or thought of, than there are batches', async () => {
  const path = join(cwd, 'lines.ndjson');
  const source: Source = { name: 'lines.ndjson', path, regular: true, framing: 'lines', kind: null };
  const batches = plan([source], null);
  expect(batches).toHaveLength(5);
  const results = await workedThrough(batches, 1_000_000_000, 0);
  expect(results).toHaveLength(5);
  // The first is refused, and no other is asked for; there is room for the four numbers of each.
  expect([machine.started, machine.slots]).toEqual([1, [2 + 4 * 5]]);
});
