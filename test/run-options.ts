/**
 * The default options of a run in tests.
 */

import { NO_BUDGET, type RunOptions } from '../src/run/check/flow.ts';

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
