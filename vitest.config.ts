import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { isOnlyInAll, provedBy, slowBecause, TEST_FILES } from './scripts/test-kinds.js';

/** What a mode leaves out; without one all is run, so that files can be named. */
const LEFT_OUT: Readonly<Record<string, (path: string) => boolean>> = {
  fast: (path) => slowBecause(path) !== null || isOnlyInAll(path),
  usual: isOnlyInAll,
  // What `npm test` has just proved: `.ci/run` runs both.
  all: (path) => PROVED.includes(path),
};

const PROVED = provedBy(process.env.NPM_TEST_RESULTS);

/** The files whose modules are of their own making. All others share a process, and what it has loaded. */
const APART = TEST_FILES.filter((name) => /\bvi\.(?:mock|doMock|resetModules)\(/.test(readTest(name)));

function readTest(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

// `--mode fast`: `npm run test:fast`; `usual`: `npm test`; `all`: `npm run test:all`, which tries random tests as often as they say.
export default defineConfig(({ mode }) => {
  const left = LEFT_OUT[mode];
  const exclude = [...configDefaults.exclude, ...(left === undefined ? [] : TEST_FILES.filter(left))];
  // Processes that tests start do not write to the user's cache of compiled code.
  const env = { TESTS: mode, XDG_CACHE_HOME: join(import.meta.dirname, 'test/tmp/caches') };
  return {
    test: {
      setupFiles: ['./test/shared-schemas.ts', './test/eager-threads.ts', './test/set-up.ts'],
      // Against tests that hang; none is about time, and the machine may be busy with ten times as much.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // Vitest would leave a core to itself, which is half of two.
      maxWorkers: availableParallelism(),
      // One after the other: a process is only used again for a file of the same project that is next in the queue.
      projects: [
        { extends: true, test: { name: 'apart', include: APART, exclude, env, sequence: { groupOrder: 1 } } },
        {
          extends: true,
          test: {
            name: 'together',
            include: ['test/**/*.test.ts'],
            exclude: [...exclude, ...APART],
            env,
            isolate: false,
            sequence: { groupOrder: 2 },
          },
        },
      ],
      reporters: ['default', './test/skipped.ts'],
    },
  };
});
