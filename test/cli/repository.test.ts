/**
 * Names of files in reports for code hosts count from the top of the checkout, which the CI system may name by a link.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paylint } from '../world.ts';

describe.each(['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'])('%s', (variable) => {
  let top: string;
  let cwd: string;

  beforeAll(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'paylint-top-')));
    cwd = join(top, 'checkout/data');
    mkdirSync(cwd, { recursive: true });
    symlinkSync(join(top, 'checkout'), join(top, 'link'), 'junction');
    for (const name of ['data/a.json', 'b.json']) writeFileSync(join(top, 'checkout', name), '{"emoji":1}');
  });
  afterAll(() => rmSync(top, { recursive: true }));

  const named = async (workspace: string, path: string): Promise<unknown> => {
    const env = { [variable]: join(top, workspace) };
    const { stdout } = await paylint(['validate', path, '--format', 'gitlab'], { cwd, env });
    const [issue] = JSON.parse(stdout) as { location: { path: string } }[]; // GitLab's form
    return issue!.location.path;
  };

  it.each([
    ['checkout', 'a.json', 'data/a.json'],
    ['link', 'a.json', 'data/a.json'],
    ['checkout', '../b.json', 'b.json'],
    ['link', '../b.json', 'b.json'],
    ['nowhere', 'a.json', 'a.json'],
    ['', 'a.json', 'checkout/data/a.json'],
  ])('"%s": %s is named %s', async (workspace, path, name) => {
    expect(await named(workspace, path)).toBe(name);
  });

  it('a file that is named by the link is one of the checkout', async () => {
    expect(await named('link', join(top, 'link/b.json'))).toBe('b.json');
  });
});
