/**
 * Threads that cannot be started, or that end before their work is done: the main thread does what they leave, and every batch is
 * reported once.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Claims } from '../../src/run/workers/claims.ts';
import type { Offer, ThreadData } from '../../src/run/workers/pool.ts';
import { plan } from '../../src/run/workers/schedule.ts';
import type { Source } from '../../src/types.ts';
import { VALID } from '../flow-world.ts';
import { textOf, workedThrough } from '../threads-world.ts';

type Fate = 'works' | 'is refused' | { readonly endsWith: Error | null; readonly takes: number };

/** What becomes of each thread, by its number; and what has. */
const world = vi.hoisted(() => ({
  fates: [] as Fate[],
  started: 0,
  offered: [] as number[],
  taken: [] as number[],
  /** Is told of the first batch that a thread has done. */
  onDone: (): void => {},
}));

vi.mock('node:worker_threads', async (load) => {
  const real = await load<typeof import('node:worker_threads')>();
  const { EventEmitter } = await import('node:events');

  /** Takes batches as a thread does, and ends without a word of the last. */
  class Doomed extends EventEmitter {
    constructor({ claims, slot }: ThreadData, { endsWith, takes }: Exclude<Fate, string>) {
      super();
      const own = new Claims(claims, slot);
      const turn = (left: number): void => {
        const batch = left === 0 ? null : own.take(false);
        if (typeof batch === 'number') {
          expect(world.offered, 'what may be taken').toContain(batch);
          world.taken.push(batch);
        }
        if (batch !== null) {
          setImmediate(turn, batch === 'wait' ? left : left - 1);
          return;
        }
        if (endsWith !== null) this.emit('error', endsWith);
        this.emit('exit', 1);
      };
      setImmediate(turn, takes);
    }

    postMessage({ index }: Offer): void {
      world.offered.push(index);
    }

    async terminate(): Promise<void> {}
  }

  return {
    ...real,
    Worker: new Proxy(real.Worker, {
      construct(Worker, [script, options]: ConstructorParameters<typeof real.Worker>) {
        const fate = world.fates[world.started] ?? 'works';
        if (fate === 'is refused') throw failure('ERR_ACCESS_DENIED');
        world.started++;
        if (typeof fate === 'object') return new Doomed(options?.workerData as ThreadData, fate);
        return new Worker(script, options).on('message', () => world.onDone());
      },
    }),
  };
});

let cwd: string;
let source: Source;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'paylint-lost-'));
  const path = join(cwd, 'many.ndjson');
  const lines = VALID.filter((payload) => !payload.includes(0x0a)).map((payload) => `${payload}\n`);
  const some = `${lines.join('')}{"emoji":1}\n`;
  writeFileSync(path, some.repeat(Math.ceil((24 << 20) / some.length)));
  source = { name: 'many.ndjson', path, regular: true, framing: 'lines', kind: null };
});
afterAll(() => rmSync(cwd, { recursive: true }));
beforeEach(() => Object.assign(world, { fates: [], started: 0, offered: [], taken: [], onDone: () => {} }));

const OUT_OF_MEMORY = failure('ERR_WORKER_OUT_OF_MEMORY');

function failure(code: string): Error {
  return Object.assign(new Error('the limit is reached'), { code });
}

/** What is reported, by `threads` of which the others meet `fates`. */
async function reported(
  threads: number,
  fates: readonly Fate[],
  pause: number | Promise<unknown> = 1,
): Promise<string> {
  world.fates = [...fates];
  return textOf(await workedThrough(plan([source], null), threads, pause));
}

describe('what is reported is the same', () => {
  let alone: string;
  beforeAll(async () => {
    alone = await reported(1, []);
    expect(alone.length).toBeGreaterThan(10_000);
  });

  it('where no thread may be started', async () => {
    expect(await reported(3, ['is refused'])).toBe(alone);
    expect(world.started).toBe(0);
  });

  it.each([
    ['before its first batch', 0],
    ['at its first batch', 1],
  ])('where every thread ends %s', async (_, takes) => {
    const fates = [failure('ERR_WORKER_INIT_FAILED'), OUT_OF_MEMORY, null].map((endsWith) => ({ endsWith, takes }));
    expect(await reported(4, fates)).toBe(alone);
    expect([world.started, world.taken.length]).toEqual([3, 3 * takes]);
  });

  it('where one of two ends at its first batch, and the other works', async () => {
    const isDone = new Promise<void>((resolve) => {
      world.onDone = resolve;
    });
    expect(await reported(3, [{ endsWith: OUT_OF_MEMORY, takes: 1 }, 'works'], isDone)).toBe(alone);
    expect(world.taken).toHaveLength(1);
  });
});

it('a thread is sent the batches that it may take, not the whole plan', async () => {
  const batches = plan([source], null);
  world.fates = [{ endsWith: null, takes: 1 }];
  await workedThrough(batches, 2, 1, 1);
  const [first = 0] = world.offered;
  expect(world.offered).toEqual(world.offered.map((_, i) => first + i));
  expect(world.offered.length).toBeGreaterThan(0);
  expect(world.offered.length).toBeLessThan(batches.length / 2);
});

it('a bug in a thread ends the run', async () => {
  await expect(reported(2, [{ endsWith: new TypeError('x is not a function'), takes: 1 }])).rejects.toThrow(
    'x is not a function',
  );
});
