import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Files that start processes or threads, need what the build makes, or try thousands of random payloads. */
const SLOW = [
  'bench-data',
  'bundled-packages',
  'bundling',
  'checkout',
  'declarations',
  'engines',
  'environment-process',
  'fill-attributes',
  'fill-denied',
  'fill-diff',
  'fill-gzip',
  'fill-process',
  'fill-properties',
  'fill-schemas',
  'fill',
  'flow',
  'framing',
  'narrowing',
  'package',
  'process',
  'readme',
  'ready',
  'report-frame',
  'standard-output',
  'start',
  'suites',
  'threads',
  'threads-lost',
  'tools',
];

// `--mode fast`: all that takes seconds.
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(mode === 'fast' ? SLOW.map((name) => `test/${name}.test.ts`) : []),
    ],
    env: { FAST: mode === 'fast' ? '1' : '' },
    setupFiles: ['./test/shared-schemas.ts'],
    // Against tests that hang; none is about time, and the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest would leave a core to itself, which is half of two.
    maxWorkers: availableParallelism(),
    reporters: ['default', './test/skipped.ts'],
  },
}));
