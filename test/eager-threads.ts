/**
 * Set up before every test file: threads are started at once wherever there is more than one piece of work, so that little work is
 * enough to share. How much work is worth a thread is tested in `threads-pace.test.ts`.
 */
import { vi } from 'vitest';
import type * as pace from '../src/run/workers/thread-count.ts';

vi.mock('../src/run/workers/thread-count.ts', async (original) => {
  const actual = await original<typeof pace>();
  const atOnce: pace.Pace = { patience: 0, worth: 0, gain: 0 };
  const threadsWorth: typeof pace.threadsWorth = (work, own) => actual.threadsWorth(work, own ?? atOnce);
  return { ...actual, threadsWorth };
});
