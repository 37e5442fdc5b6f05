/**
 * `.pre-commit-hooks.yaml`, with pre-commit itself: the hooks come from a repository with the content of the package, and run in a repository
 * of a user. `scripts/hooks.sh` does more, with other programs, and needs a network.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sh } from '../spawned.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const GOOD = '{"@context":"c","@type":"Emoji","emoji":"x"}\n';
const BAD = '{"@context":"c","@type":"Emoji","emoji":1}\n';

const temporary = mkdtempSync(join(tmpdir(), 'paylint-hooks-'));
afterAll(() => rmSync(temporary, { recursive: true }));

describe.each([
  ['.pre-commit-hooks.yaml', 'pre-commit-hooks.json', (text: string) => parse(text)],
  ['docs/guides/ci.md', 'pre-commit-config.json', (text: string) => parse(yamlOf(text, '.pre-commit-config.yaml'))],
] as const)('%s', (name, schema, read) => {
  it(`has what the schema of SchemaStore wants: ${schema}`, async () => {
    const value = read(readFileSync(join(ROOT, name), 'utf8'));
    const args = ['validate', '--schema', join(import.meta.dirname, '../standards', schema), '--whole', '--quiet'];
    const judge = (one: unknown) => paylint(args, { cwd: ROOT, stdin: JSON.stringify(one) });
    expect(await judge(value)).toMatchObject({ code: 0, stdout: '' });
    expect((await judge({ repos: 1, min_version: 1 })).code).toBe(1);
  });
});

function yamlOf(text: string, file: string): string {
  const [, rest] = text.split(`\n\`${file}\`:\n\n\`\`\`yaml\n`);
  return rest!.split('```')[0]!;
}

const need = needs('pre-commit', 'git', 'basename', 'sed', 'uname', 'npm', 'tar', 'gzip', 'env', 'bash', 'which', 'rm');

describe.skipIf(need.missing)(`pre-commit${need.note}`, () => {
  const user = join(temporary, 'user');
  /** Runs a line in the repository of the user. */
  const run = (line: string, cwd = user) => {
    const identity = 'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b';
    const own = `export HOME='${temporary}' PRE_COMMIT_HOME='${temporary}/pre-commit' npm_config_offline=true`;
    return sh(cwd, `${identity}; ${own}; ${line}`, need);
  };
  const write = (name: string, text: string) => writeFileSync(join(user, 'payloads', name), text);
  const commit = () => run('git add . && git commit -qm x 2>&1');

  beforeAll(async () => {
    const packed = await run(
      `npm pack --ignore-scripts --silent --pack-destination . '${ROOT}' && tar xzf *.tgz`,
      temporary,
    );
    expect(packed).toMatchObject({ code: 0 });
    const repository = join(temporary, 'package');
    // What only the build needs is not in the package.
    const {
      devDependencies: _,
      scripts: __,
      ...manifest
    } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    writeFileSync(join(repository, 'package.json'), JSON.stringify(manifest));
    expect(await run('git init -q && git add -A -f && git commit -qm x && git tag v0.1.0', repository)).toMatchObject({
      code: 0,
    });
    mkdirSync(join(user, 'payloads'), { recursive: true });
    // It does the work of both: what it cannot fill in stops the commit.
    const hooks = [{ id: 'paylint-fill', files: '^payloads/' }];
    writeFileSync(
      join(user, '.pre-commit-config.yaml'),
      JSON.stringify({ repos: [{ repo: repository, rev: 'v0.1.0', hooks }] }),
    );
    writeFileSync(join(user, 'package.json'), '{}');
    const made = await run('git init -q && pre-commit install && pre-commit install-hooks 2>&1');
    expect(made.code, made.stdout + made.stderr).toBe(0);
  });

  it('passes a commit without payloads, with valid ones, and with an empty file', async () => {
    expect(await commit()).toMatchObject({ code: 0 });
    write('empty.ndjson', '');
    expect(await commit()).toMatchObject({ code: 0 });
    write('a b.json', GOOD);
    write('empty.jsonl', '');
    expect(await commit()).toMatchObject({ code: 0 });
  });

  it('stops what is invalid, and says where, once', async () => {
    write('b.json', BAD);
    write('empty-2.ndjson', '');
    const { code, stdout } = await commit();
    expect([code, stdout.split('payloads/b.json:1:41').length]).toEqual([1, 2]);
    await run('git rm -qf payloads/b.json');
  });

  it('fills and fails, and passes after staging', async () => {
    const filled = readFileSync(join(ROOT, 'fixtures/contract/valid/name.ndjson'), 'utf8').split('\n')[0]!;
    write('c.json', filled.replace('"active":true,', ''));
    const { code, stdout } = await commit();
    expect([code, stdout]).toEqual([1, expect.stringContaining('files were modified by this hook')]);
    expect(readFileSync(join(user, 'payloads/c.json'), 'utf8')).toContain('"active":false');
    expect(await commit()).toMatchObject({ code: 0 });
    expect((await run('git show HEAD:payloads/c.json')).stdout).toContain('"active":false');
  });
});
