/**
 * `compare --against REV:PATH`: the old schema, and what it refers to, from a revision of git. git fetches nothing, runs no
 * filter, and is never taken from the working directory.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../tools.ts';
import { paylint, type WorldResult } from '../world.ts';

const git = needs('git');
const IDENTITY = ['-c', 'user.name=n', '-c', 'user.email=n@x.test', '-c', 'init.defaultBranch=main'];

let folder: string;
let repository: string;
const run = (...args: string[]): string => git.run('git', [...IDENTITY, ...args], { cwd: repository });
const write = (name: string, value: unknown): void =>
  writeFileSync(join(repository, name), typeof value === 'string' ? value : JSON.stringify(value));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-revision-'));
  repository = join(folder, 'repository');
  mkdirSync(join(repository, 'schemas'), { recursive: true });
  if (git.missing) return;
  run('init', '-q');
  write('schemas/a.json', { type: 'object', properties: { n: { $ref: 'n.json' } } });
  write('schemas/n.json', { type: 'integer', minimum: 0 });
  write('schemas/api.json', { one: { type: 'object', required: ['n'] } });
  write('schemas/known.json', { $id: 'https://x.test/known', type: 'integer', maximum: 5 });
  write('schemas/by-id.json', { type: 'object', properties: { n: { $ref: 'https://x.test/known' } } });
  write('schemas/gone.json', { $id: 'https://x.test/gone', type: 'integer', maximum: 5 });
  write('schemas/by-gone.json', { type: 'object', properties: { n: { $ref: 'https://x.test/gone' } } });
  run('add', '.');
  run('commit', '-qm', 'one: of them');
  write('schemas/n.json', { type: 'integer', minimum: 5 });
  write('schemas/new.json', { type: 'object', properties: { n: { minimum: 5 } } });
  write('schemas/known.json', { $id: 'https://x.test/known', type: 'integer', maximum: 9 });
  write('p.ndjson', '{"n":3}\n{"n":7}\n{"n":-1}\n');
  rmSync(join(repository, 'schemas/api.json'));
  rmSync(join(repository, 'schemas/gone.json'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function compare(
  against: string,
  { schema = 'schemas/a.json', flags = [], ...world }: Options = {},
): Promise<WorldResult> {
  const args = ['compare', '--schema', schema, '--against', against, ...flags, join(repository, 'p.ndjson')];
  return paylint([...args, '--no-config', '--format', 'ndjson'], {
    cwd: repository,
    env: { PATH: git.folder, HOME: folder },
    ...world,
  });
}

interface Options {
  readonly schema?: string;
  readonly flags?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

describe.skipIf(git.missing)(`symbolic links${git.note}`, () => {
  beforeAll(() => {
    mkdirSync(join(repository, 'links/deep'), { recursive: true });
    const link = (target: string, name: string): void => symlinkSync(target, join(repository, 'links', name));
    writeFileSync(join(repository, 'links/plain.json'), '{"type":"object","properties":{"n":{"minimum":0}}}');
    link('plain.json', 'a.json');
    link('a.json', 'chain.json');
    link('../schemas', 'all');
    link('../chain.json', 'deep/a.json');
    link('../../outside.json', 'out.json');
    link('/etc/hosts', 'absolute.json');
    link('nowhere.json', 'dangling.json');
    link('loop.json', 'loop.json');
    writeFileSync(join(folder, 'outside.json'), '{}');
    // As in the first commit; the work tree has another one.
    run('add', 'links');
    run('commit', '-qm', 'links', '--', 'links');
  });

  it.each(['a.json', 'chain.json', 'all/a.json', 'deep/a.json'])(
    '%s leads to a schema of the revision',
    async (name) => {
      for (const against of [`HEAD:links/${name}`, `:links/${name}`]) {
        const { code, stdout, stderr } = await compare(against);
        expect({ code, stderr }, against).toEqual({ code: 1, stderr: '' });
        // The old schema, which the link leads to, has a minimum of 0.
        expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({
          compare: { broken: 1, healed: 0, invalid: 1, valid: 1 },
        });
      }
    },
  );

  it.each([
    ['out.json', 'links/out.json is a symbolic link that leads out of the repository'],
    ['absolute.json', 'links/absolute.json is a symbolic link that leads out of the repository'],
    ['dangling.json', /links\/dangling\.json is a symbolic link to nothing|has no file links\/dangling\.json/],
    ['loop.json', 'links/loop.json is a symbolic link that leads to itself'],
  ])('%s is refused with the reason', async (name, reason) => {
    for (const against of [`HEAD:links/${name}`, `:links/${name}`]) {
      const { code, stderr } = await compare(against);
      expect(code).toBe(2);
      expect(stderr).toMatch(reason);
    }
  });
});

const outcomes = ({ stdout, stderr }: WorldResult): unknown =>
  stdout === '' ? stderr : (JSON.parse(stdout.trim().split('\n').at(-1)!) as { compare: unknown }).compare; // the summary

describe.skipIf(git.missing)(`with a repository${git.note}`, () => {
  it('reads a file, and what it refers to, from the revision', async () => {
    const one = { broken: 1, healed: 0, invalid: 1, valid: 1 };
    expect(outcomes(await compare('HEAD:schemas/a.json'))).toEqual(one);
    expect(outcomes(await compare('main:schemas/a.json'))).toEqual(one);
    expect(outcomes(await compare('HEAD^{/one: of}:schemas/a.json'))).toEqual(one);
    const cwd = join(repository, 'schemas');
    expect(outcomes(await compare('HEAD:./a.json', { schema: 'a.json', cwd }))).toEqual(one);
  });

  it('reads it from the index, and at a pointer, though it is gone from the working tree', async () => {
    const all = { broken: 2, healed: 0, invalid: 0, valid: 1 };
    expect(outcomes(await compare('HEAD:schemas/api.json#/one'))).toEqual(all);
    expect(outcomes(await compare(':schemas/api.json#/one'))).toEqual(all);
  });

  it('reads the files of --ref from the revision where it has them', async () => {
    const flags = ['--ref', 'schemas/known.json'];
    const { broken, healed } = outcomes(
      await compare('HEAD:schemas/by-id.json', { schema: 'schemas/by-id.json', flags }),
    ) as Record<string, number>; // the outcomes
    expect({ broken, healed }).toEqual({ broken: 0, healed: 1 });
  });

  it('reads files of a folder of --ref that are only in the revision, or only in the index', async () => {
    const flags = ['--ref', 'schemas'];
    const all = { broken: 2, healed: 1, invalid: 0, valid: 0 };
    for (const revision of ['HEAD', ''])
      expect(
        outcomes(await compare(`${revision}:schemas/by-gone.json`, { schema: 'schemas/new.json', flags })),
      ).toEqual(all);
  });

  it('a path that exists wins', async () => {
    write('HEAD:p', { type: 'object', required: ['n'] });
    expect(outcomes(await compare('HEAD:p'))).toEqual({ broken: 2, healed: 0, invalid: 0, valid: 1 });
  });

  it.each([
    ['HEAD:nope.json', 'the revision HEAD has no file nope.json'],
    [':nope.json', 'the index has no file nope.json'],
    ['HEAD:schemas', 'the revision HEAD has no file schemas'],
    ['HEAD:../../x.json', 'the revision HEAD has no file ../../x.json'],
    ['gone:schemas/a.json', 'git knows no revision gone'],
    ['--help:schemas/a.json', 'git knows no revision --help'],
    ['HEAD\n:schemas/a.json', 'git names have no line breaks'],
    ['nope.json', 'cannot read the schema nope.json: no such file or folder'],
  ])('%j is exit code 2 with one sentence', async (against, sentence) => {
    const { code, stdout, stderr } = await compare(against);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a file that only the working tree has is not read for a reference of the revision', async () => {
    run('checkout', '-q', '-b', 'without');
    run('rm', '-q', '--cached', 'schemas/n.json');
    run('commit', '-qm', 'two');
    const { code, stderr } = await compare('without:schemas/a.json');
    run('checkout', '-q', '-f', 'main');
    expect(code).toBe(2);
    expect(stderr).toContain('the $ref "n.json" leads to no file');
  });

  it('takes no git from the working directory', async () => {
    write('git', '#!/bin/sh\ntouch "$0.ran"\n');
    chmodSync(join(repository, 'git'), 0o755);
    const path = `.:${repository}:`;
    const { code, stderr } = await compare('HEAD:schemas/a.json', { env: { PATH: path } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'paylint: --against HEAD:schemas/a.json: git is not found in PATH\n',
    });
    expect(existsSync(join(repository, 'git.ran'))).toBe(false);
  });

  it.each(['node_modules/.bin', 'a/b', '.'])(
    'takes no git from %s of the repository, from any folder in it',
    async (name) => {
      const bin = join(repository, name);
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'git'), `#!/bin/sh\n: > "${join(folder, 'ran')}"\n`, { mode: 0o755 });
      const link = join(folder, `link-${name.replaceAll('/', '-')}`);
      if (!existsSync(link)) symlinkSync(bin, link);
      const file = join(folder, `bin-${name.replaceAll('/', '-')}`);
      mkdirSync(file, { recursive: true });
      if (!existsSync(join(file, 'git'))) symlinkSync(join(bin, 'git'), join(file, 'git'));
      for (const [cwd, schema] of [
        [repository, 'schemas/a.json'],
        [join(repository, 'schemas'), 'a.json'],
      ] as const)
        for (const path of [bin, link, file, `${bin}:${link}`]) {
          const { code, stderr } = await compare('HEAD:schemas/a.json', { cwd, schema, env: { PATH: path } });
          expect([code, stderr]).toEqual([2, expect.stringContaining('git is not found in PATH')]);
        }
      expect(existsSync(join(folder, 'ran'))).toBe(false);
      // Another folder of PATH has one.
      expect(outcomes(await compare('HEAD:schemas/a.json', { env: { PATH: `${bin}:${git.folder}` } }))).toHaveProperty(
        'broken',
      );
    },
  );

  it('where the home folder is the repository, takes git from a folder that nobody else can write', async () => {
    const bin = join(repository, 'bin');
    mkdirSync(bin, { recursive: true });
    const wrapper = `#!/bin/sh\nexec ${join(git.folder, 'git')} "$@"\n`;
    writeFileSync(join(bin, 'git'), wrapper, { mode: 0o755 });
    const env = { PATH: bin, HOME: repository };
    chmodSync(bin, 0o755);
    expect(outcomes(await compare('HEAD:schemas/a.json', { env }))).toHaveProperty('broken');
    chmodSync(bin, 0o777);
    expect(await compare('HEAD:schemas/a.json', { env })).toMatchObject({ code: 2 });
  });

  it.each(['HEAD:sub/../schemas/n.json', 'HEAD:schemas/../schemas/n.json'])(
    '%s is read from the revision',
    async (text) => {
      write('schemas/num.ndjson', '3\n');
      write('schemas/n.json', { type: 'integer', minimum: 5 });
      const args = [
        'compare',
        '--schema',
        'schemas/n.json',
        '--against',
        text,
        '--format',
        'ndjson',
        'schemas/num.ndjson',
      ];
      const result = await paylint(args, { cwd: repository, env: { PATH: git.folder, HOME: folder } });
      expect(outcomes(result)).toEqual({ broken: 1, healed: 0, invalid: 0, valid: 0 });
    },
  );

  // All that git's documentation of its config says to be a program or a command, and what leads to one.
  const PROGRAM_KEYS = [
    ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.askPass', 'core.sshCommand', 'core.gitProxy'],
    ...['core.alternateRefsCommand', 'credential.helper', 'diff.external', 'diff.x.command', 'diff.x.textconv'],
    ...['filter.x.clean', 'filter.x.smudge', 'filter.x.process', 'gpg.program', 'gpg.ssh.program', 'gpg.x509.program'],
    ...['gpg.ssh.defaultKeyCommand', 'interactive.diffFilter', 'sequence.editor', 'uploadpack.packObjectsHook'],
    ...['pager.cat-file', 'pager.ls-files', 'pager.ls-tree', 'pager.rev-parse', 'pager.version'],
    ...['remote.origin.uploadpack', 'remote.origin.vcs', 'receive.procReceiveRefs', 'notes.rewriteRef'],
    ...['alias.cat-file', 'alias.ls-files', 'merge.x.driver', 'trailer.x.cmd', 'trailer.x.command', 'tar.x.command'],
    ...['browser.x.cmd', 'man.x.cmd', 'difftool.x.cmd', 'mergetool.x.cmd', 'sendemail.sendmailCmd', 'sendemail.toCmd'],
    ...['submodule.x.update', 'imap.tunnel', 'instaweb.httpd', 'help.browser', 'web.browser', 'guitool.x.cmd'],
    ...['rebase.instructionFormat', 'hook.x.command'],
  ];

  it('no program that a key of the config of the repository names is run', async () => {
    const mark = (key: string): string => join(folder, `mark-${key}`);
    const config = join(repository, '.git/config');
    const before = readFileSync(config);
    // From now on, the index asks the first of them what has changed.
    run('update-index', '--fsmonitor');
    for (const key of PROGRAM_KEYS) {
      const script = join(folder, `script-${key}`);
      writeFileSync(script, `#!/bin/sh\n: > "${mark(key)}"\n`, { mode: 0o755 });
      run('config', key, /^(?:alias|submodule)\./.test(key) ? `!${script}` : script);
    }
    writeFileSync(join(repository, '.gitattributes'), '*.json filter=x diff=x merge=x\n');
    for (const key of PROGRAM_KEYS) rmSync(mark(key), { force: true });
    try {
      const found = [];
      for (const text of ['HEAD:schemas/a.json', ':schemas/a.json'])
        found.push(outcomes(await compare(text, { flags: ['--ref', 'schemas'] })));
      // git has done all that is asked of it.
      const one = { broken: 1, healed: 0, invalid: 1, valid: 1 };
      expect(found).toEqual([one, one]);
      expect(PROGRAM_KEYS.filter((key) => existsSync(mark(key)))).toEqual([]);
    } finally {
      rmSync(join(repository, '.gitattributes'));
      writeFileSync(config, before);
      run('update-index', '--no-fsmonitor');
    }
  });

  it.each(['include.path', 'extensions.worktreeConfig', 'core.hooksPath'])(
    '%s of the repository leads to no program',
    async (key) => {
      const mark = join(folder, `mark-${key}`);
      const hooks = join(folder, 'hooks');
      mkdirSync(hooks, { recursive: true });
      const script = `#!/bin/sh\n: > "${mark}"\n`;
      for (const name of [
        'fsmonitor-watchman',
        'post-index-change',
        'post-checkout',
        'pre-auto-gc',
        'reference-transaction',
      ])
        writeFileSync(join(hooks, name), script, { mode: 0o755 });
      const more = `[core]\n\tfsmonitor = ${join(hooks, 'post-index-change')}\n`;
      writeFileSync(join(folder, 'more.config'), more);
      writeFileSync(join(repository, '.git/config.worktree'), more);
      const values = {
        'include.path': join(folder, 'more.config'),
        'extensions.worktreeConfig': 'true',
        'core.hooksPath': hooks,
      };
      run('config', key, values[key as keyof typeof values]); // one of them
      try {
        for (const text of ['HEAD:schemas/a.json', ':schemas/a.json'])
          await compare(text, { flags: ['--ref', 'schemas'] });
        expect(existsSync(mark)).toBe(false);
      } finally {
        run('config', '--unset-all', key);
        run('update-index', '--no-fsmonitor');
        rmSync(join(repository, '.git/config.worktree'));
      }
    },
  );

  it('outside of a repository, says what git says', async () => {
    const { code, stderr } = await compare('HEAD:x.json', { cwd: folder, schema: 'repository/schemas/a.json' });
    expect(code).toBe(2);
    expect(stderr).toContain('--against HEAD:x.json: git cannot read it: not a git repository');
  });

  it('runs no filter, no textconv and nothing that a partial clone names', async () => {
    const clone = join(folder, 'clone');
    run('config', 'uploadpack.allowFilter', 'true');
    run('clone', '-q', '--no-checkout', '--filter=blob:none', `file://${repository}`, clone);
    const inClone = (...args: string[]): string => git.run('git', args, { cwd: clone });
    const mark = join(folder, 'ran');
    inClone('config', 'remote.origin.uploadpack', `touch ${mark}; git-upload-pack`);
    inClone('config', 'filter.x.smudge', `touch ${mark}; cat`);
    inClone('config', 'diff.x.textconv', `touch ${mark}; cat`);
    writeFileSync(join(clone, '.gitattributes'), '*.json filter=x diff=x\n');
    writeFileSync(join(clone, 'a.json'), '{"type":"object"}');
    const { code } = await compare('HEAD:schemas/a.json', { cwd: clone, schema: 'a.json' });
    expect(code).toBe(2);
    expect(existsSync(mark)).toBe(false);
  });
});
