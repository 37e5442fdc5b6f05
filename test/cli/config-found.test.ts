/**
 * The config that is found on the way up: where the search ends, whose files it takes, and where they may have reports written.
 */
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isRoot } from '../tools.ts';
import { paylint, type WorldResult } from '../world.ts';

const CONFIG = 'paylint.config.json';
const EMOJI = '{"@context":"c","@type":"t","emoji":"x"}';
const root = mkdtempSync(join(tmpdir(), 'paylint-config-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A new folder with these files; a name that ends with `/` is a folder. */
function place(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'x'));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(name.endsWith('/') ? path : join(path, '..'), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, text);
  }
  return folder;
}

interface Place {
  readonly home?: string;
  readonly uid?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Validates a payload in `cwd`. */
function validate(cwd: string, { home, uid, args = ['-'], env = {} }: Place = {}): Promise<WorldResult> {
  return paylint(['validate', ...args], {
    cwd,
    stdin: EMOJI,
    env: { ...(home === undefined ? {} : { HOME: home }), ...env },
    ...(uid === undefined ? {} : { uid }),
  });
}

/** Whether the config of a folder above was read: it makes the payload one of another kind. */
async function isRead(cwd: string, where: Place = {}): Promise<boolean> {
  const { code, stderr } = await validate(cwd, where);
  expect(stderr).toBe('');
  return code === 1;
}

const CONTRACTS = '{"kind":"contract"}';

describe('the search', () => {
  it('goes on to the folders above', async () => {
    expect(await isRead(join(place({ [CONFIG]: CONTRACTS, 'a/b/c/': '' }), 'a/b/c'))).toBe(true);
  });

  it.each([
    ['a folder .git', { 'a/.git/': '' }],
    ['a file .git, as a worktree and a submodule have', { 'a/.git': 'gitdir: /elsewhere\n' }],
    ['an empty file .git', { 'a/.git': '' }],
  ])('ends at the root of a repository: %s', async (_, files) => {
    const folder = place({ [CONFIG]: CONTRACTS, 'a/b/': '', ...files });
    expect(await isRead(join(folder, 'a/b'))).toBe(false);
    expect(await isRead(join(folder, 'a'))).toBe(false);
    writeFileSync(join(folder, 'a', CONFIG), CONTRACTS);
    expect(await isRead(join(folder, 'a/b'))).toBe(true);
  });

  it('ends at a link that is called .git, even a broken one', async () => {
    const folder = place({ [CONFIG]: CONTRACTS, 'a/b/': '' });
    symlinkSync('/nowhere', join(folder, 'a/.git'));
    expect(await isRead(join(folder, 'a/b'))).toBe(false);
  });

  it('ends at the home folder, whose config counts', async () => {
    const folder = place({ [CONFIG]: CONTRACTS, 'home/a/': '' });
    const home = join(folder, 'home');
    expect(await isRead(join(home, 'a'), { home })).toBe(false);
    expect(await isRead(home, { home })).toBe(false);
    expect(await isRead(join(home, 'a'), { home: `${home}/` })).toBe(false);
    expect(await isRead(join(home, 'a'), { env: { USERPROFILE: home } })).toBe(false);
    writeFileSync(join(home, CONFIG), CONTRACTS);
    expect(await isRead(join(home, 'a'), { home })).toBe(true);
  });

  it('ends at the home folder under any of its names', async () => {
    const folder = place({ [CONFIG]: CONTRACTS, 'home/a/': '' });
    symlinkSync('home', join(folder, 'link'));
    expect(await isRead(join(folder, 'home/a'), { home: join(folder, 'link') })).toBe(false);
    expect(await isRead(join(folder, 'link/a'), { home: join(folder, 'home') })).toBe(false);
  });

  it.each([
    ['not set', undefined],
    ['empty', ''],
    ['relative', '.'],
    ['not there', '/nowhere/at/all'],
    ['elsewhere', '/'],
  ])('goes on if the home folder is %s', async (_, home) => {
    const folder = place({ [CONFIG]: CONTRACTS, 'a/': '' });
    expect(await isRead(join(folder, 'a'), home === undefined ? {} : { home })).toBe(true);
  });

  it('is the same for kinds, explain, fill, filter and convert', async () => {
    const folder = place({ [CONFIG]: '{"oops":1}', 'a/.git': '' });
    for (const verb of [['kinds'], ['explain', 'type'], ['fill'], ['filter'], ['convert', '--to', 'json']]) {
      const at = (cwd: string) => paylint(verb, { cwd, stdin: EMOJI });
      expect([verb, (await at(folder)).code]).toEqual([verb, 2]);
      expect([verb, (await at(join(folder, 'a'))).code]).toEqual([verb, 0]);
    }
  });
});

describe('a config of another user', () => {
  /** As root a file is given away; as anyone else, another user looks at it. */
  const owner = isRoot ? 65_534 : (process.getuid?.() ?? 0);
  const other = owner + 1;
  const give = (path: string): void => {
    if (isRoot) chownSync(path, owner, owner);
  };

  it('is passed over, and a note says so; the search goes on', async () => {
    const folder = place({ [CONFIG]: CONTRACTS, 'a/b/': '', [`a/${CONFIG}`]: '{"kind":"emoji","oops":1}' });
    give(join(folder, 'a', CONFIG));
    if (!isRoot) rmSync(join(folder, CONFIG));
    const { code, stderr } = await validate(join(folder, 'a/b'), { uid: other, args: ['-', '--quiet'] });
    expect(stderr).toBe(
      `paylint: note: ../${CONFIG} belongs to another user, so it is passed over; --config ../${CONFIG} takes it\n`,
    );
    expect(code).toBe(isRoot ? 1 : 0);
  });

  it('is taken if --config names it, and is not looked for with --no-config', async () => {
    const folder = place({ [CONFIG]: CONTRACTS });
    give(join(folder, CONFIG));
    const named = await validate(folder, { uid: other, args: ['-', '--config', CONFIG] });
    expect([named.code, named.stderr]).toEqual([1, '']);
    const none = await validate(folder, { uid: other, args: ['-', '--no-config'] });
    expect([none.code, none.stderr]).toEqual([0, '']);
  });

  it('is passed over if only a link to it belongs to the user', async () => {
    const folder = place({ 'a/': '', theirs: CONTRACTS });
    symlinkSync('../theirs', join(folder, 'a', CONFIG));
    give(join(folder, 'theirs'));
    const uid = isRoot ? 0 : other;
    expect((await validate(join(folder, 'a'), { uid })).stderr).toContain('belongs to another user');
  });

  it('is taken if it belongs to the user, to root, or to the user who has called sudo', async () => {
    const folder = place({ [CONFIG]: CONTRACTS });
    if (isRoot) expect(await isRead(folder, { uid: other })).toBe(true);
    give(join(folder, CONFIG));
    expect(await isRead(folder, { uid: owner })).toBe(true);
    expect(await isRead(folder, { uid: 0, env: { SUDO_UID: String(owner) } })).toBe(true);
    if (!isRoot) return;
    expect((await validate(folder, { uid: 0 })).stderr).toContain('belongs to another user');
    expect((await validate(folder, { uid: other, env: { SUDO_UID: String(owner) } })).stderr).toContain('note');
  });

  it('is taken on a system without such owners', async () => {
    const folder = place({ [CONFIG]: CONTRACTS });
    give(join(folder, CONFIG));
    expect(await isRead(folder)).toBe(true);
  });
});

describe('reports of a config that was found', () => {
  const refusal = (file: string, key = 'format'): string =>
    `paylint: ${CONFIG}#/${key}: expected a path inside the folder of the config, without "..", found ${file}; ` +
    'with --config FILE, any path is accepted\n';

  it.each([
    '/tmp/report.json',
    '../report.json',
    '..',
    'sub/../../report.json',
    'sub/../report.json',
    'sub/..',
    '/dev/stderr',
    '/proc/self/fd/2',
    'C:\\report.json',
    'c:report.json',
    '\\report.json',
    '..\\report.json',
    'sub\\..\\..\\report.json',
    '\\\\server\\share\\report.json',
    '//server/share/report.json',
  ])('are refused outside of its folder: %s', async (file) => {
    for (const format of [`json=${file}`, ['line', `json=${file}`], ['line', 'ndjson=r', `html=${file}`]]) {
      const folder = place({ [CONFIG]: JSON.stringify({ format }), 'sub/': '' });
      expect(await validate(folder)).toEqual({ code: 2, stdout: '', stderr: refusal(file) });
      expect(existsSync(join(folder, 'r'))).toBe(false);
    }
  });

  it.each(['r.json', './r.json', 'sub/r.json', '..r.json', 'sub/...', 'a..b'])(
    'are written inside of it: %s',
    async (file) => {
      const folder = place({ [CONFIG]: JSON.stringify({ format: [`json=${file}`] }), 'sub/a/': '' });
      expect((await validate(join(folder, 'sub/a'))).code).toBe(0);
      expect(existsSync(join(folder, file))).toBe(true);
    },
  );

  it('are refused where a link leads out', async () => {
    const outside = place({ 'there.json': 'kept' });
    for (const [link, target, file] of [
      ['reports', outside, 'reports/new.json'],
      ['reports', outside, 'reports/there.json'],
      ['reports', '..', 'reports/new.json'],
      ['r.json', join(outside, 'there.json'), 'r.json'],
      ['r.json', join(outside, 'new.json'), 'r.json'],
      ['r.json', 'nowhere/at/all', 'r.json'],
      ['r.json', '/dev/stderr', 'r.json'],
      ['loop', 'loop', 'loop'],
    ] as const) {
      const folder = place({ [CONFIG]: JSON.stringify({ format: `json=${file}` }) });
      symlinkSync(target, join(folder, link));
      expect(await validate(folder)).toEqual({ code: 2, stdout: '', stderr: refusal(file) });
      expect(existsSync(join(outside, 'new.json'))).toBe(false);
    }
  });

  it('are written where a link stays inside, also if the working directory is reached by one', async () => {
    const folder = place({ [CONFIG]: '{"format":"json=reports/r.json"}', 'real/': '' });
    symlinkSync('real', join(folder, 'reports'));
    symlinkSync(folder, `${folder}-link`);
    expect((await validate(`${folder}-link`)).code).toBe(0);
    expect(existsSync(join(folder, 'real/r.json'))).toBe(true);
  });

  it('may be anywhere if --config names the file, or --format the report', async () => {
    const folder = place({ [CONFIG]: '{"format":"json=../r.json"}', 'a/': '' });
    symlinkSync(join('..', CONFIG), join(folder, 'a', CONFIG));
    const a = join(folder, 'a');
    expect((await validate(a, { args: ['-', '--config', CONFIG] })).code).toBe(0);
    expect(existsSync(join(folder, 'r.json'))).toBe(true);
    expect((await validate(a, { args: ['-', '--format', `json=${join(root, 's.json')}`] })).code).toBe(0);
    expect(existsSync(join(root, 's.json'))).toBe(true);
  });

  it.each(['fill', 'filter', 'convert --to ndjson'])('are refused by %s, too', async (verb) => {
    const folder = place({ [CONFIG]: '{"format":"json=../r.json"}' });
    const result = await paylint(verb.split(' '), { cwd: folder, stdin: EMOJI });
    expect(result).toEqual({ code: 2, stdout: '', stderr: refusal('../r.json') });
  });

  it('are all that it has written: other outputs are no settings', async () => {
    for (const key of ['rejects', 'reasons', 'output', 'outDir', 'updateBaseline', 'write']) {
      const folder = place({ [CONFIG]: JSON.stringify({ advice: true, [key]: '../x' }) });
      const { code, stderr } = await paylint(['filter'], { cwd: folder, stdin: EMOJI });
      expect([key, code]).toEqual([key, 2]);
      expect(stderr).toContain(`the member "${key}" is not allowed`);
    }
  });

  it('do not include a baseline outside, which is read but not written', async () => {
    const folder = place({ 'b.ndjson': '', 'a/a.json': '{"emoji":1}', [`a/${CONFIG}`]: '{"baseline":"../b.ndjson"}' });
    const a = join(folder, 'a');
    rmSync(join(folder, 'b.ndjson'));
    const refused = await validate(a, { args: ['a.json', '--update-baseline'] });
    expect(refused).toEqual({ code: 2, stdout: '', stderr: refusal('../b.ndjson', 'baseline') });
    const typed = await validate(a, { args: ['a.json', '--baseline', '../b.ndjson', '--update-baseline'] });
    expect(typed.code).toBe(0);
    expect((await validate(a, { args: ['a.json'] })).code).toBe(0);
  });
});
