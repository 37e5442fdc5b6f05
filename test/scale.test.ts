/**
 * `scripts/scale/parallel.sh`: what docs/scale.md says of GNU parallel, on little data.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needs } from './tools.ts';

const SCRIPT = join(import.meta.dirname, '../scripts/scale/parallel.sh');
const need = needs('bash', 'cat', 'diff', 'mktemp', 'parallel', 'sed', 'seq', 'split');

it.skipIf(need.missing)(
  `workers of GNU parallel say together what one run says${need.note}`,
  { timeout: 120_000 },
  () => {
    const printed = need.run('bash', [SCRIPT, '3', '300'], { cwd: import.meta.dirname });
    expect(printed).toBe(
      'report of 3 shares, merged: the same\nwhat is filtered out of 3 blocks: the same\n',
    );
  },
);
