/**
 * The recipes of the documents work as they are written, in real repositories: their YAML is what GitHub and GitLab take, by the schemas of
 * SchemaStore, and their commands are run with `npx --no`, as in a project that has paylint installed.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { blocks, type Ran, Repository, read } from '../repository.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const STANDARDS = join(import.meta.dirname, '../standards');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...fastGlob.sync('docs/**/*.md', { cwd: ROOT }).sort(),
];

const GOOD = '{"@context":"c","@type":"Emoji","emoji":"x"}\n';
const BAD = '{"@context":"c","@type":"Emoji","emoji":1}\n';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly needs?: string;
  readonly steps: readonly Step[];
}

/** As a whole workflow: some blocks are only the steps of a job. */
function workflowOf(value: unknown): unknown {
  return Array.isArray(value) ? { on: 'push', jobs: { job: { 'runs-on': 'ubuntu-latest', steps: value } } } : value;
}

const isGitLab = (value: object): boolean =>
  'include' in value || Object.values(value).some((job) => typeof job === 'object' && job !== null && 'script' in job);

describe('YAML', () => {
  const all = DOCUMENTS.flatMap((name) =>
    blocks(name, 'ya?ml')
      .filter((text) => !/^(?:repos|pre-commit|pool|steps):/.test(text)) // of other programs: test/package/hooks.test.ts, test/package/ci.test.ts
      .map((text, i) => [`${name}, block ${i + 1}`, text] as const),
  );

  it('is in several documents', () => expect(all.length).toBeGreaterThan(4));

  it.each(all)('of %s is what its service takes', async (_, text) => {
    const value = workflowOf(parse(text)) as object;
    const schema = isGitLab(value) ? 'gitlab-ci.json' : 'github-workflow.json';
    const args = ['validate', '--schema', join(STANDARDS, schema), '--no-config', '--quiet'];
    const judge = (one: unknown) => paylint(args, { cwd: ROOT, stdin: JSON.stringify(one) });
    expect(await judge(value)).toMatchObject({ code: 0, stdout: '' });
    // The schema is one that finds faults.
    const [name] = Object.keys('jobs' in value ? (value.jobs as object) : value);
    const broken =
      'jobs' in value ? { ...value, jobs: { [name!]: { steps: 1 } } } : { ...value, [name!]: { script: { a: 1 } } };
    expect(await judge(broken)).toMatchObject({ code: 1 });
  });

  it('installs nothing by its name', () => {
    for (const name of DOCUMENTS)
      expect([name, read(name).match(/npx (?!--no[ `])[^\n]*paylint/g)]).toEqual([name, null]);
  });
});

const git = needs('git', 'mktemp', 'rm');

describe.skipIf(git.missing)(`in repositories${git.note}`, () => {
  const QUICK = (): string[] => {
    const [lines] = blocks('README.md', 'sh').filter((text) => text.startsWith('paylint '));
    return lines!
      .trimEnd()
      .split('\n')
      .map((line) => `npx --no -- ${line}`);
  };

  it('the quick start, and the config of the README', () => {
    const made = new Repository('of npm');
    for (const folder of ['examples', 'orders'])
      cpSync(join(ROOT, 'docs', folder), join(made.folder, 'docs', folder), { recursive: true });
    const ran = QUICK().map((command) => made.run(command));
    expect(ran.map(({ code }) => code)).toEqual([1, 1, 1, 1, 0]);
    expect(ran.filter(({ out }) => /^paylint: (?!.*known violations)/m.test(out))).toEqual([]);
    expect(readFileSync(join(made.folder, 'known.ndjson'), 'utf8')).toContain('paylint-baseline');
    const [config] = blocks('README.md', 'json');
    made.write('order.schema.json', '{"required":["id"]}');
    made.write('paylint.config.json', config!);
    const shown = made.run('npx --no -- paylint validate --print-config --format json');
    expect(shown.out).toContain('"advice":{"value":true,"from":"paylint.config.json#/advice"}');
  });

  it('the set-up of the README names files and flags that are there', async () => {
    const [lines] = blocks('README.md', 'sh').filter((text) => text.startsWith('npm ci'));
    const [, args] = /node bin\/paylint\.js (.*?) +#/.exec(lines!)!;
    expect(await paylint(args!.split(' '), { cwd: ROOT })).toMatchObject({ code: 0, stderr: '' });
  });

  it('in CI, only violations that are new fail the run', () => {
    const made = new Repository();
    made.write('docs/examples/contract.json', BAD);
    const update = QUICK()
      .find((line) => line.includes('--update-baseline'))!
      .replace('/contract.json', '');
    expect(made.run(update).code).toBe(0);
    expect(made.run(update.replace('--update-baseline', '')).code).toBe(0);
    made.write('docs/examples/b.json', BAD);
    expect(made.run(update.replace('--update-baseline', '')).code).toBe(1);
  });

  describe('the pre-commit hook', () => {
    const [hook] = blocks('docs/guides/recipes.md', 'sh').filter((text) => text.includes('git checkout-index'));

    function repository(npx?: 'of npm'): Repository {
      const made = new Repository(npx);
      made.write('.git/hooks/pre-commit', hook!);
      chmodSync(join(made.folder, '.git/hooks/pre-commit'), 0o755);
      made.write('payloads/old.json', GOOD);
      expect(made.run('git add . && git commit --quiet -m old')).toEqual({ code: 0, out: '' });
      return made;
    }

    it.each([
      ['a b.json', BAD],
      ['deep/x.ndjson', GOOD + BAD],
      ['x.jsonl', GOOD + BAD],
      ['x.json.gz', gzipSync(BAD)],
      ['x.jsonl.gz', gzipSync(GOOD + BAD)],
    ])('stops %s', (name, content) => {
      const made = repository();
      made.write(`payloads/${name}`, content);
      const { code, out } = made.run('git add . && git commit --quiet -m x');
      expect(code).not.toBe(0);
      expect(out).toContain(`payloads/${name}:`);
      expect(made.run('git log --format=%s').out).toBe('old\n');
      expect(readdirSync(made.folder).sort()).toEqual([
        '.git',
        '.gitignore',
        'node_modules',
        'package.json',
        'payloads',
      ]);
    });

    it('stops what is staged, though it is repaired in the working tree, and not the other way round', () => {
      const made = repository('of npm');
      made.write('payloads/a.json', BAD);
      made.run('git add .');
      made.write('payloads/a.json', GOOD);
      expect(made.run('git commit --quiet -m x').code).not.toBe(0);
      made.run('git add .');
      made.write('payloads/a.json', BAD);
      expect(made.run('git commit --quiet -m x')).toEqual({ code: 0, out: '' });
    });

    it('passes a commit without payloads, one that deletes, and one in a folder', () => {
      const made = repository();
      made.write('README', 'x');
      expect(made.run('git add . && git commit --quiet -m readme')).toEqual({ code: 0, out: '' });
      expect(made.run('git commit --quiet --allow-empty -m empty')).toEqual({ code: 0, out: '' });
      expect(made.run('git rm --quiet payloads/old.json && git commit --quiet -m deleted')).toEqual({
        code: 0,
        out: '',
      });
      made.write('payloads/deep/a.json', BAD);
      expect(made.run('git add . && git commit --quiet -m x', { within: 'payloads/deep' }).code).not.toBe(0);
      made.write('payloads/deep/a.json', GOOD);
      expect(made.run('git add . && git commit --quiet -m x', { within: 'payloads/deep' })).toEqual({
        code: 0,
        out: '',
      });
    });
  });

  describe('workflows for GitHub', () => {
    const isOurs = (text: string): boolean => /^ *- (?:uses: actions|run)/m.test(text) && !text.includes('OWNER/');
    const all = ['README.md', 'docs/guides/ci.md', 'docs/guides/scale.md'].flatMap((name) =>
      blocks(name, 'yaml')
        .filter(isOurs)
        .map(
          (text, i) => [`${name}, block ${i + 1}`, workflowOf(parse(text)) as { jobs: Record<string, Job> }] as const,
        ),
    );

    it.each(all.filter(([, { jobs }]) => jobs !== undefined))('%s', (_, { jobs }) => {
      for (const [content, code] of [
        [GOOD, 0],
        [BAD, 1],
      ] as const) {
        const made = new Repository();
        for (const name of ['a.json', 'b.ndjson', 'c.json', 'd.json', 'e.json']) made.write(`payloads/${name}`, GOOD);
        made.write('payloads/z.json', content);
        const results = Object.values(jobs).map((job) => runJob(job, made));
        expect(results.at(-1)!.code, results.at(-1)!.out).toBe(code);
        if (code === 1) expect(results.map(({ out }) => out).join('')).toContain('::error file=payloads/z.json,line=1');
      }
    });

    /** Runs the commands of a job, for each value of its matrix. Artifacts are files in a folder. */
    function runJob({ strategy, steps }: Job, made: Repository): Ran {
      const [[name, values] = ['', ['']]] = Object.entries(strategy?.matrix ?? {});
      let last: Ran = { code: 0, out: '' };
      for (const value of values) {
        const filled = (text: unknown): string => String(text).replaceAll(`\${{ matrix.${name} }}`, String(value));
        last = { code: 0, out: '' };
        for (const step of steps) {
          const isDue = last.code === 0 ? step.if !== 'failure()' : step.if !== undefined;
          if (!isDue) continue;
          const { code, out } = runStep(step, made, filled);
          last = { code: last.code || code, out: last.out + out };
        }
        if (last.code !== 0) break;
      }
      return last;
    }

    function runStep(step: Step, made: Repository, filled: (text: unknown) => string): Ran {
      const artifacts = join(made.folder, '.git/artifacts');
      mkdirSync(artifacts, { recursive: true });
      const none = { code: 0, out: '' };
      if (step.uses?.startsWith('actions/upload-artifact@')) {
        const files = fastGlob.sync(filled(step.with!.path), { cwd: made.folder });
        expect(files).not.toEqual([]);
        for (const file of files) {
          cpSync(join(made.folder, file), join(artifacts, filled(step.with!.name), file));
          rmSync(join(made.folder, file)); // each job has a machine of its own
        }
        return none;
      }
      if (step.uses?.startsWith('actions/download-artifact@')) {
        for (const name of readdirSync(artifacts)) cpSync(join(artifacts, name), made.folder, { recursive: true });
        return none;
      }
      // npm is not asked: paylint is installed.
      if (step.run === undefined || step.run === 'npm ci') return none;
      return made.run(filled(step.run), { env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: made.folder } });
    }
  });

  it('the script for GitLab', () => {
    const value = blocks('docs/guides/ci.md', 'yaml')
      .map((text) => parse(text))
      .find((one) => !Array.isArray(one) && isGitLab(one));
    const { script, artifacts } = value.paylint;
    const made = new Repository();
    made.write('payloads/a.json', BAD);
    expect(script[0]).toBe('npm ci');
    const { code, out } = made.run(script.slice(1).join('\n'));
    expect([code, out.includes('payloads/a.json:1:41')]).toEqual([1, true]);
    for (const file of Object.values(artifacts.reports))
      expect(readIn(made, String(file))).toContain('payloads/a.json');
  });

  function readIn(made: Repository, name: string): string {
    return readFileSync(join(made.folder, name), 'utf8');
  }

  it('the worker for Spark and Hadoop: also with nothing to do, and its reports can be merged', () => {
    const [worker] = blocks('docs/guides/scale.md', 'sh').filter((text) => text.includes('mapreduce_task_id'));
    const made = new Repository();
    made.write('worker.sh', worker!);
    const PATH = `${join(made.folder, 'node_modules/.bin')}:${made.path}`;
    const parts = [GOOD + BAD, '', GOOD];
    const results = parts.map((input, i) =>
      made.run('sh worker.sh 2> /dev/null', { input, env: { PATH, mapreduce_task_id: `task_${i}` } }),
    );
    expect(results).toEqual([
      { code: 0, out: GOOD },
      { code: 0, out: '' },
      { code: 0, out: GOOD },
    ]);
    const merged = made.run('paylint render reports/*.report --format line', { env: { PATH } });
    expect(merged.code).toBe(1);
    expect(merged.out).toMatch(/^task_0:2:41: type .*\n✗ 1 violation in 1 of 3 payloads /);
  });

  it('Slurm ends a merge that can never begin', () => {
    const [text] = blocks('docs/guides/scale.md', 'sh').filter((one) => one.includes('sbatch'));
    expect(text).toMatch(/--dependency=afterok:\$array --kill-on-invalid-dep=yes /);
  });
});
