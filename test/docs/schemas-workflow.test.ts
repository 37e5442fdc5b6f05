/**
 * The workflow of docs/guides/schemas.md, run in a repository with a base branch: it passes for a change that breaks no payload, and fails
 * for one that does.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const git = needs('git');
const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/guides/schemas.md'), 'utf8');
const WORKFLOW = DOCUMENT.slice(DOCUMENT.indexOf('<!-- workflow -->'));
const COMMANDS = [...WORKFLOW.matchAll(/- run: npx --no -- paylint (.*)/g)].map(([, command]) =>
  command!.replace(/\$\{\{ github\.base_ref \}\}/, 'main').split(' '),
);

it.skipIf(git.missing)(`fails for a change that breaks payloads, and for no other${git.note}`, async () => {
  expect(COMMANDS.map(([verb]) => verb)).toEqual(['test', 'test', 'compare']);
  const folder = mkdtempSync(join(tmpdir(), 'paylint-workflow-'));
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));
  const run = (...args: string[]): string =>
    git.run('git', ['-c', 'user.name=n', '-c', 'user.email=n@x.test', ...args], { cwd: folder });
  const schema = (most: number): object => ({ type: 'object', properties: { count: { maximum: most, default: 1 } } });
  const codes = async (): Promise<number[]> => {
    const ends: number[] = [];
    for (const args of COMMANDS)
      ends.push((await paylint(args, { cwd: folder, env: { PATH: git.folder, HOME: folder } })).code);
    return ends;
  };
  try {
    run('init', '-q', '-b', 'main');
    mkdirSync(join(folder, 'samples'));
    write('order.schema.json', schema(9));
    write('order.test.json', { target: 'order.schema.json', tests: [{ valid: true, data: { count: 1 } }] });
    write('samples/a.json', [{ count: 2 }, { count: 8 }, { count: 70 }]);
    run('add', '.');
    run('commit', '-qm', 'base');
    run('update-ref', 'refs/remotes/origin/main', 'HEAD');
    write('order.schema.json', schema(8));
    expect(await codes()).toEqual([0, 0, 0]);
    write('order.schema.json', schema(7));
    expect(await codes()).toEqual([0, 0, 1]);
    write('order.schema.json', schema(0));
    expect(await codes()).toEqual([1, 1, 1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
