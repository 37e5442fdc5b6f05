/**
 * `scripts/scale`: what docs/scale.md says of programs that start many workers, on little data.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Need, needs } from './tools.ts';

const SCRIPTS = join(import.meta.dirname, '../scripts/scale');

function run(need: Need<'bash'>, script: string, ...args: readonly string[]): string {
  return need.run('bash', [join(SCRIPTS, script), ...args], { cwd: import.meta.dirname });
}

const parallel = needs(
  'bash',
  'basename',
  'cat',
  'chmod',
  'diff',
  'dirname',
  'mkdir',
  'mktemp',
  'rm',
  'sed',
  'split',
  'parallel',
  'seq',
);
const ssh = needs(
  'bash',
  'basename',
  'cat',
  'chmod',
  'diff',
  'dirname',
  'mkdir',
  'mktemp',
  'rm',
  'sed',
  'split',
  'cp',
  'find',
  'id',
  'parallel',
  'rmdir',
  'rsync',
  'sleep',
  'sort',
  'ssh',
  'ssh-keygen',
  'sshd',
  'wc',
);
const partitions = needs(
  'bash',
  'basename',
  'cat',
  'chmod',
  'diff',
  'dirname',
  'mkdir',
  'mktemp',
  'rm',
  'sed',
  'split',
  'jq',
  'sh',
);

it.skipIf(parallel.missing)(
  `workers of GNU parallel say together what one run says${parallel.note}`,
  { timeout: 120_000 },
  () => {
    const printed = run(parallel, 'parallel.sh', '3', '1');
    expect(printed).toBe(
      'report of 3 shares, merged: the same\nwhat is filtered out of 3 blocks: the same\n',
    );
  },
);

it.skipIf(ssh.missing)(
  `and so do workers to which files are sent over ssh${ssh.note}`,
  { timeout: 120_000 },
  () => {
    const printed = run(ssh, 'ssh.sh', '2', '1', '2');
    expect(printed).toBe('reports of 2 files sent over ssh to 2 workers, merged: the same\n');
  },
);

it.skipIf(partitions.missing)(
  `and processes that have a partition each on standard input${partitions.note}`,
  () => {
    const printed = run(partitions, 'partitions.sh', '3', '1');
    expect(printed).toBe('what 3 partitions print: the same\ncounts of their reports, merged: the same\n');
  },
);
