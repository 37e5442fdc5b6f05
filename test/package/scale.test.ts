/**
 * `scripts/scale`: what docs/guides/scale.md says of programs that start many workers, on little data.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Need, needs } from '../tools.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts/scale');

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
  'find',
  'head',
  'mkfifo',
  'sleep',
);

const machines = needs(
  'bash',
  'awk',
  'cat',
  'chmod',
  'cut',
  'date',
  'diff',
  'dirname',
  'du',
  'env',
  'find',
  'ln',
  'mkdir',
  'mktemp',
  'rm',
  'sed',
  'sleep',
  'time',
  'wc',
);

it.skipIf(parallel.missing)(`workers of GNU parallel say together what one run says${parallel.note}`, () => {
  const printed = run(parallel, 'parallel.sh', '3', '1');
  expect(printed).toBe('report of 3 shards, merged: the same\nwhat is filtered out of 3 blocks: the same\n');
});

it.skipIf(ssh.missing)(`and so do workers to which files are sent over ssh${ssh.note}`, () => {
  const printed = run(ssh, 'ssh.sh', '2', '1', '2');
  expect(printed).toBe('reports of 2 files sent over ssh to 2 workers, merged: the same\n');
});

it.skipIf(partitions.missing)(`and processes that have a partition each on standard input${partitions.note}`, () => {
  const printed = run(partitions, 'partitions.sh', '3', '1');
  expect(printed).toBe('what 3 partitions print: the same\ncounts of their reports, merged: the same\n');
});

it.skipIf(machines.missing)(`and workers at once, one of which is killed and run again${machines.note}`, () => {
  const printed = run(machines, 'machines.sh', '4', '2', '4');
  expect(printed).toMatch(
    /^worker 2 was killed \(exit code 137\), and left 0 reports\npaylint: reports\/1.report:\d+: .* 2\/2 is missing$/m,
  );
  expect(printed).toContain('report of 2 workers, merged: the same\n');
});

it('the worker lines of the document are those that the scripts run', () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
  const document = read('docs/guides/scale.md');
  const [, worker] = /^exec (paylint filter .*)$/m.exec(document)!;
  expect(read('scripts/scale/partitions.sh')).toContain(worker);
  // Of GNU parallel, ssh and Slurm: the numbers of shares are variables there, and quotes are escaped.
  const plain = (text: string) =>
    text
      .replaceAll('\\', '')
      .replaceAll('$work/', '')
      .replace(/\/(?:4|\$\w+)(?= --format)/g, '/N');
  const shells = plain(['parallel', 'ssh', 'slurm'].map((name) => read(`scripts/scale/${name}.sh`)).join('\n'));
  const commands = plain(document).match(/paylint \w+ .*? \|\| \[ \$\? -eq 1 \]/g)!;
  expect(commands).toHaveLength(4);
  expect(commands.filter((command) => !shells.includes(command))).toEqual([]);
  const tasks = read('scripts/scale/dask-tasks.py');
  const [python] = [...document.matchAll(/^```python\n([\s\S]*?)^```$/gm)]
    .map(([, text]) => text!)
    .filter((text) => text.includes('def share'));
  const lines = python!.split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !tasks.includes(line))).toEqual([]);
  const [, shard] = /^(paylint validate in --shard .*)$/m.exec(document)!;
  expect(read('scripts/scale/machines.sh')).toContain(shard!.replaceAll('$K/$N', '$1/$workers').replaceAll('$K', '$1'));
});
