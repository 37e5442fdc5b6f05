/**
 * The recipes of docs/guides/ci.md for a project with its own schema, baseline and checks, for the package on a runner, and for the hook with the
 * paylint of the project: run as they are written, with pull requests that try to turn rules off.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocks, Repository, read } from '../repository.ts';
import { needs } from '../tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const SHELL = blocks('docs/guides/ci.md', 'sh');
const blockWith = (text: string): string => SHELL.find((block) => block.includes(text))!;

const SCHEMA = '{"$ref":"https://x.example/part"}';
const PART = '{"$id":"https://x.example/part","properties":{"n":{"type":"integer"},"m":{"type":"integer"}}}';
const BASELINE =
  '{"format":"paylint-baseline","version":1}\n{"file":"payloads/old.json","pointer":"/m","rule":"type","count":1}\n';
const CONFIG = { schema: 'schemas/order.schema.json', refs: ['schemas'], baseline: 'paylint-baseline.ndjson' };
const WEAK = { ...CONFIG, rules: { type: 'off' } };
const CHECKS = '[{"id":"positive","message":"n is positive","assert":"self.n > 0"}]';

/** A project whose payloads are right, or known to be wrong. */
function project(config: object, npx: 'of npm' | 'quick' = 'quick'): Repository {
  const made = new Repository(npx);
  made.write('schemas/order.schema.json', SCHEMA);
  made.write('schemas/part.json', PART);
  made.write('checks.json', CHECKS);
  made.write('paylint.config.json', JSON.stringify(config));
  made.write('paylint-baseline.ndjson', BASELINE);
  made.write('payloads/old.json', '{"n":1,"m":"known"}\n');
  expect(made.run('git add -A && git commit --quiet -m base')).toEqual({ code: 0, out: '' });
  return made;
}

describe('a project with its own schema', () => {
  const typed = blockWith('--baseline paylint-baseline.ndjson --format auto');
  const ofBase = blockWith('git checkout "$BASE"');

  it.each([
    ['with all that counts typed', typed, CONFIG],
    ['with the config of the base branch', ofBase, { ...CONFIG, checks: 'checks.json' }],
  ] as const)('%s is not judged by a config of a pull request', (_, command, config) => {
    const made = project(config);
    const BASE = made.run('git rev-parse HEAD').out.trim();
    const run = () => made.run(command, { env: { BASE } });
    expect(run()).toMatchObject({ code: 0 });
    made.write('payloads/new.json', '{"n":"x"}\n');
    made.write('paylint.config.json', JSON.stringify(WEAK));
    made.write('checks.json', '[]');
    made.run('git add -A && git commit --quiet -m change');
    const { code, out } = run();
    expect([code, out]).toEqual([1, expect.stringContaining('expected an integer, found "x"')]);
    expect(out).not.toContain('old.json:1');
  });

  it('has its checks with the config of the base branch', () => {
    const made = project({ ...CONFIG, checks: 'checks.json' });
    const BASE = made.run('git rev-parse HEAD').out.trim();
    made.write('payloads/new.json', '{"n":-1}\n');
    made.write('checks.json', '[]');
    made.run('git add -A && git commit --quiet -m change');
    expect(made.run(ofBase, { env: { BASE } })).toEqual({ code: 1, out: expect.stringContaining('n is positive') });
  });
});

const npm = needs('npm');

it.skipIf(npm.missing)(`the package in vendor/ is what npm ci installs in a clone${npm.note}`, () => {
  const made = new Repository('of npm');
  rmSync(join(made.folder, 'node_modules'), { recursive: true });
  const lines = blockWith('vendor/paylint-0.1.0.tgz').split('\n').slice(1).join('\n');
  expect(made.run(`mkdir vendor && npm pack --ignore-scripts --silent --pack-destination vendor '${ROOT}'`).code).toBe(
    0,
  );
  const added = made.run(lines);
  expect(added.code, added.out).toBe(0);
  made.run('git commit --quiet -m x && git clone --quiet . clone');
  const installed = made.run('npm ci && npx --no -- paylint --version', { within: 'clone' });
  expect(installed).toEqual({ code: 0, out: expect.stringContaining('0.1.0') });
});

const hooks = needs('pre-commit', 'git', 'npm');

it.skipIf(hooks.missing)(`the local hook runs the paylint of the project${hooks.note}`, () => {
  const made = project(CONFIG, 'of npm');
  const config = blocks('docs/guides/ci.md', 'yaml').find((text) => text.includes('repo: local'))!;
  made.write('.pre-commit-config.yaml', config);
  const installed = made.run('pre-commit install && git add -A && git commit --quiet -m hook');
  expect(installed.code, installed.out).toBe(0);
  made.write('payloads/deep/new.json', '{"n":"x"}\n');
  const { code, out } = made.run('git add -A && git commit --quiet -m new');
  expect([code, out]).toEqual([1, expect.stringContaining('payloads/deep/new.json')]);
  expect(out).toContain('expected an integer, found "x"');
  made.write('payloads/deep/new.json', '{"n":1}\n');
  expect(made.run('git add -A && git commit --quiet -m new')).toMatchObject({ code: 0 });
});

it('what was run, and with which versions, is in footnotes', () => {
  const page = read('docs/guides/ci.md');
  for (const [, name] of page.matchAll(/[^\n]\[\^([\w-]+)\](?!:)/g)) expect(page).toContain(`\n[^${name}]: `);
});
