/**
 * The default options of a run in tests.
 */

import type { RunOptions } from '../src/run/check/flow.ts';
import { NO_BUDGET } from '../src/run/check/levels.ts';

export const RUN_OPTIONS: RunOptions = {
  framing: null,
  whole: false,
  maxBytes: 64 << 20,
  maxDepth: 1000,
  redact: false,
  bail: false,
  excerpts: false,
  budget: NO_BUDGET,
  outlet: null,
  rules: {},
};
