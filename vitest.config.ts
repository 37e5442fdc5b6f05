import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** Files that start processes or threads, need what the build makes, or try thousands of random payloads. */
const SLOW = [
  'accept-numbers',
  'automaton',
  'bench-data',
  'bundled-packages',
  'bundling',
  'checkout',
  'declarations',
  'engines',
  'environment-process',
  'fill',
  'fill-attributes',
  'fill-backup',
  'fill-denied',
  'fill-diff',
  'fill-diff-refused',
  'fill-faults',
  'fill-gzip',
  'fill-held',
  'fill-only',
  'fill-process',
  'fill-properties',
  'fill-refused',
  'fill-report',
  'fill-schemas',
  'fill-unsafe',
  'flow',
  'framing',
  'html-page',
  'json-scan',
  'json-utf8',
  'linear-patterns',
  'many-violations',
  'narrowing',
  'package',
  'payload-faults',
  'process',
  'quick-parse',
  'readme',
  'ready',
  'report-frame',
  'schema-keywords',
  'standard-output',
  'start',
  'suites',
  'threads',
  'threads-deep',
  'threads-lost',
  'threads-pace',
  'tools',
];

/** The files that one process can run one after another with what it has loaded: neither slow nor with modules of their own making. */
const TOGETHER = readdirSync(join(import.meta.dirname, 'test'))
  .filter((name) => name.endsWith('.test.ts') && !SLOW.includes(name.slice(0, -'.test.ts'.length)))
  .filter((name) => !/\bvi\.(?:mock|doMock|resetModules)\(/.test(readTest(name)))
  .map((name) => `test/${name}`);

function readTest(name: string): string {
  return readFileSync(join(import.meta.dirname, 'test', name), 'utf8');
}

// `--mode fast`: all that takes seconds.
export default defineConfig(({ mode }) => ({
  test: {
    setupFiles: ['./test/shared-schemas.ts'],
    // Against tests that hang; none is about time, and the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest would leave a core to itself, which is half of two.
    maxWorkers: availableParallelism(),
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: TOGETHER,
          isolate: false,
          env: { FAST: mode === 'fast' ? '1' : '' },
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          env: { FAST: mode === 'fast' ? '1' : '' },
          include: ['test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ...TOGETHER,
            ...(mode === 'fast' ? SLOW.map((name) => `test/${name}.test.ts`) : []),
          ],
        },
      },
    ],
    reporters: ['default', './test/skipped.ts'],
  },
}));
