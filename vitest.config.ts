import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['./test/shared-schemas.ts'],
    testTimeout: 30_000,
    // Vitest would leave a core to itself, which is half of two.
    maxWorkers: availableParallelism(),
    reporters: ['default', './test/skipped.ts'],
  },
});
