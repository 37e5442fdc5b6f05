/**
 * The default options of a run in tests.
 */

import { NO_BUDGET, type Plan } from '../src/run/check/flow.ts';

export const RUN_OPTIONS: Plan = {
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
  engine: 'plain',
};
