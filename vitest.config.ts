import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** Files that start processes or threads, need what the build makes, or take seconds: they try thousands of schemas or payloads. */
const SLOW = [
  'accept-assembler',
  'accept-entry-schemas',
  'accept-limits',
  'accept-names',
  'accept-numbers',
  'accept-schemas',
  'automaton',
  'baseline',
  'bench-data',
  'bundled-packages',
  'bundling',
  'changed-files',
  'checkout',
  'compare',
  'compare-revision',
  'config-effects',
  'convert',
  'declarations',
  'engines',
  'environment-process',
  'fill',
  'fill-attributes',
  'fill-denied',
  'fill-diff',
  'fill-diff-refused',
  'fill-empty',
  'fill-faults',
  'fill-gzip',
  'fill-held',
  'fill-only',
  'fill-process',
  'fill-properties',
  'fill-refused',
  'fill-report',
  'fill-schemas',
  'fill-stale',
  'fill-unsafe',
  'filter',
  'flow',
  'framing',
  'gate',
  'golden',
  'html-page',
  'input-bytes',
  'json-scan',
  'json-utf8',
  'library-open',
  'library-transforms',
  'linear-patterns',
  'lsp',
  'lsp-clients',
  'lsp-life',
  'lsp-requests',
  'many-errors',
  'many-invalid',
  'many-violations',
  'narrowing',
  'notes',
  'package',
  'payload-faults',
  'playground',
  'process',
  'quick-parse',
  'random',
  'readme',
  'ready',
  'references',
  'release',
  'report-formats',
  'report-frame',
  'scale',
  'schema-keywords',
  'sarif-fixes',
  'shard',
  'slow-streams',
  'standard-output',
  'start',
  'suites',
  'syntax-causes',
  'threads',
  'threads-deep',
  'threads-lost',
  'threads-pace',
  'tools',
  'unknown-kind',
  'verdicts',
  'vscode-extension',
  'watch',
];

/** The files whose modules are of their own making. All others share a process, and what it has loaded. */
const APART = readdirSync(join(import.meta.dirname, 'test'), { withFileTypes: true })
  .flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'tmp'
      ? readdirSync(join(import.meta.dirname, 'test', entry.name)).map((name) => `${entry.name}/${name}`)
      : entry.name,
  )
  .filter((name) => name.endsWith('.test.ts') && /\bvi\.(?:mock|doMock|resetModules)\(/.test(readTest(name)))
  .map((name) => `test/${name}`);

function readTest(name: string): string {
  return readFileSync(join(import.meta.dirname, 'test', name), 'utf8');
}

// `--mode fast`: all that takes seconds.
export default defineConfig(({ mode }) => {
  const isFast = mode === 'fast';
  const exclude = [...configDefaults.exclude, ...(isFast ? SLOW.map((name) => `test/**/${name}.test.ts`) : [])];
  // Processes that tests start do not write to the user's cache of compiled code.
  const env = { FAST: isFast ? '1' : '', XDG_CACHE_HOME: join(import.meta.dirname, 'test/tmp/caches') };
  return {
    test: {
      setupFiles: ['./test/shared-schemas.ts', './test/eager-threads.ts', './test/set-up.ts'],
      // Against tests that hang; none is about time, and the machine may be busy with ten times as much.
      testTimeout: 600_000,
      hookTimeout: 600_000,
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
