/**
 * `action.yml`, the component for GitLab, and the snippets of docs/guides/ci.md for other CI systems: what the schemas of editors say about them, and their
 * commands, run in a shell with inputs that would do harm if they were a part of a script.
 */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { blocks, type Ran, Repository, read } from '../repository.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const VERSION = (JSON.parse(read('package.json')) as { version: string }).version; // our own
const GOOD = '{"@context":"c","@type":"Emoji","emoji":"x"}\n';
const BAD = '{"@context":"c","@type":"Emoji","emoji":1}\n';

const HOSTILE = [
  '$(touch harm)',
  '`touch harm`',
  '"; touch harm; "',
  "'; touch harm; '",
  '; touch harm #',
  '| touch harm',
  '&& touch harm',
  '$IFS; touch harm',
  '\\"; touch harm',
  '*',
  '--no-such-flag',
  '-',
  'a\n::error::b',
  '$[[ inputs.version ]]',
];

/** By a schema of `standards`, what is wrong with a value. */
async function faults(value: unknown, schema: string): Promise<string> {
  const args = [
    'validate',
    '--schema',
    join(import.meta.dirname, '../standards', schema),
    '--whole',
    '--quiet',
    '--no-config',
  ];
  return (await paylint([...args, '--format', 'line'], { cwd: ROOT, stdin: JSON.stringify(value) })).stdout;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly runs: {
    readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[];
  };
}

const need = needs('git', 'bash', 'rm', 'ln', 'mkdir', 'touch', 'cat');

describe('the action', () => {
  const action = parse(read('action.yml')) as Action; // ours
  type Inputs = Readonly<Record<string, string>>;

  it('is what GitHub takes', async () => {
    expect(await faults(action, 'github-action.json')).toBe('');
    expect(await faults({ ...action, runs: 1 }, 'github-action.json')).not.toBe('');
    expect(Object.keys(action.inputs)).toEqual(['paths', 'args', 'version', 'formats', 'baseline', 'sarif-file']);
    expect(Object.keys(action.outputs)).toEqual(['violations', 'exit-code']);
    // paylint is not on npm: whoever takes the name there runs nothing.
    expect(action.inputs.version!.default).toBe('project');
  });

  it('has inputs in the environment only', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
    const used = action.runs.steps.flatMap(({ env }) => Object.values(env));
    for (const name of Object.keys(action.inputs)) expect(used).toContain(`\${{ inputs.${name} }}`);
  });

  interface Result extends Ran {
    readonly outputs: string;
    readonly installed: string | null;
  }

  /** Runs the steps as a runner does. An npm of its own only says what it was to install, and gives the paylint of this project. */
  function run(made: Repository, inputs: Inputs): Result {
    const temporary = join(made.folder, '.git/temporary');
    made.write('.git/temporary/outputs', '');
    made.write('.git/temporary/bin/npm', FAKE_NPM);
    chmodSync(join(temporary, 'bin/npm'), 0o755);
    const value = (text: string) =>
      text.replace(
        /^\$\{\{ inputs\.([\w-]+) \}\}$/,
        (_, name: string) => inputs[name] ?? action.inputs[name]!.default ?? '',
      );
    let last: Ran = { code: 0, out: '' };
    for (const { env, run: script } of action.runs.steps) {
      made.write('.git/temporary/step', script);
      const { code, out } = made.run(`exec bash --noprofile --norc -eo pipefail .git/temporary/step`, {
        env: {
          ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, value(text)])),
          ROOT,
          PATH: `${join(temporary, 'bin')}${delimiter}${made.path}`,
          GITHUB_ACTION_PATH: ROOT,
          GITHUB_OUTPUT: join(temporary, 'outputs'),
          GITHUB_WORKSPACE: made.folder,
          RUNNER_TEMP: temporary,
        },
      });
      last = { code, out: last.out + out };
      if (code !== 0) break;
    }
    const log = join(temporary, 'installed');
    const installed = existsSync(log) ? readFileSync(log, 'utf8') : null;
    return { ...last, outputs: readFileSync(join(temporary, 'outputs'), 'utf8'), installed };
  }

  const FAKE_NPM = `#!/bin/sh
printf '%s\\n' "$@" > "$RUNNER_TEMP/installed"
mkdir -p "$RUNNER_TEMP/paylint/node_modules/.bin"
ln -sf "$ROOT/bin/paylint.js" "$RUNNER_TEMP/paylint/node_modules/.bin/paylint"
`;

  it.skipIf(need.missing)(`installs its version, annotates, and has outputs${need.note}`, () => {
    const made = new Repository();
    made.write('payloads/a.json', GOOD);
    const good = run(made, { paths: 'payloads', version: VERSION });
    expect([good.code, good.outputs]).toEqual([0, 'violations=0\nexit-code=0\n']);
    expect(good.installed).toContain(`--\npaylint@${VERSION}\n`);
    expect(good.out).toContain(`::add-matcher::${ROOT}/problem-matcher.json\n`);
    made.write('payloads/b c.ndjson', GOOD + BAD);
    made.write('old.json', BAD);
    const formats = 'html=page.html\njunit=a b.xml';
    const inputs = {
      paths: 'payloads/b c.ndjson\npayloads/a.json\n',
      args: '--no-config\n --kind  emoji',
      formats,
      'sarif-file': 'x.sarif',
    };
    const bad = run(made, inputs);
    expect([bad.code, bad.outputs]).toEqual([1, 'violations=1\nexit-code=1\n']);
    expect(bad.out).toContain('::error file=payloads/b c.ndjson,line=2');
    for (const name of ['page.html', 'a b.xml', 'x.sarif']) expect(existsSync(join(made.folder, name))).toBe(true);
    expect(run(made, { paths: 'missing.json' })).toMatchObject({ code: 2, outputs: 'violations=0\nexit-code=2\n' });
    expect(run(made, { paths: 'payloads', args: '--no-such-flag' })).toMatchObject({
      code: 2,
      outputs: 'violations=\nexit-code=2\n',
    });
    made.run('node_modules/.bin/paylint validate payloads --baseline known --update-baseline');
    expect(run(made, { paths: 'payloads', baseline: 'known' })).toMatchObject({ code: 0 });
  });

  it.skipIf(need.missing)(`runs the paylint of the project${need.note}`, () => {
    const made = new Repository('of npm');
    made.write('payloads/a.json', BAD);
    const ran = run(made, { paths: 'payloads', version: 'project' });
    expect([ran.code, ran.installed, ran.outputs]).toEqual([1, null, 'violations=1\nexit-code=1\n']);
  });

  it.skipIf(need.missing)(
    `npx of npm takes hostile arguments for what they are, as the quick one does${need.note}`,
    () => {
      const names = HOSTILE.filter((text) => !text.includes('\n')).map((text) => `${text}.json`);
      for (const npx of ['of npm', 'quick'] as const) {
        const made = new Repository(npx);
        for (const name of names) made.write(name, BAD);
        const { code, outputs, out } = run(made, { paths: names.join('\n') });
        expect([code, outputs]).toEqual([1, `violations=${names.length}\nexit-code=1\n`]);
        for (const name of names) expect(out).toContain(`::error file=${name.replaceAll('%', '%25')},line=1`);
        expect(existsSync(join(made.folder, 'harm'))).toBe(false);
      }
    },
  );

  it.skipIf(need.missing).each(HOSTILE)(`takes inputs for what they are: %j${need.note}`, (text) => {
    const made = new Repository();
    made.write('payloads/a.json', GOOD);
    expect(run(made, { paths: 'payloads', version: text })).toMatchObject({ code: 2, installed: null });
    const { version: _, ...others } = action.inputs;
    run(made, Object.fromEntries(Object.keys(others).map((name) => [name, text])));
    expect(existsSync(join(made.folder, 'harm'))).toBe(false);
    if (text.includes('\n') || text === '-') return;
    const name = `${text}.json`;
    made.write(name, BAD);
    expect(run(made, { paths: `payloads\n${name}` }).outputs).toBe('violations=1\nexit-code=1\n');
  });
});

it('the problem matcher takes each line of the format line', async () => {
  const [matcher] = (JSON.parse(read('problem-matcher.json')) as Matchers).problemMatcher; // ours
  const { regexp, ...groups } = matcher!.pattern[0]!;
  const { stdout } = await paylint(['validate', '--format', 'line', 'docs/examples'], { cwd: ROOT });
  const lines = stdout.split('\n').slice(0, -2);
  expect(lines.length).toBe(8);
  const found = lines.map((line) => new RegExp(regexp).exec(line));
  expect(groups).toEqual({ file: 1, line: 2, column: 3, code: 4, message: 5 });
  expect(found[1]!.slice(1)).toEqual([
    'docs/examples/contract.json',
    '5',
    '16',
    'minLength',
    'expected at least 20 characters, found 10; an example is "2024-01-01T00:00:00Z"',
  ]);
  expect(found).not.toContain(null);
  expect(new RegExp(regexp).exec(stdout.split('\n').at(-2)!)).toBe(null);
});

interface Matchers {
  readonly problemMatcher: readonly { readonly pattern: readonly { readonly regexp: string }[] }[];
}

describe('the component for GitLab', () => {
  const [header, template] = parseAllDocuments(read('templates/paylint.yml')).map((document) => document.toJS());
  const defaults = header.spec.inputs as Readonly<Record<string, { readonly default: string }>>;

  /** With inputs, as GitLab puts them into names and values. */
  function jobsWith(inputs: Readonly<Record<string, string>>): Record<string, Job> {
    const fill = (text: string) =>
      text.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => inputs[name] ?? defaults[name]!.default);
    const walk = (value: unknown): unknown => {
      if (typeof value === 'string') return fill(value);
      if (Array.isArray(value)) return value.map(walk);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [fill(name), walk(one)]));
    };
    return walk(template) as Record<string, Job>; // ours
  }

  interface Job {
    readonly variables: Readonly<Record<string, { readonly value: string; readonly expand: boolean }>>;
    readonly script: readonly string[];
    readonly artifacts: { readonly reports: Readonly<Record<string, string>> };
  }

  it('is what GitLab takes', async () => {
    expect(await faults(header, 'gitlab-ci.json')).toBe('');
    expect(await faults(jobsWith({}), 'gitlab-ci.json')).toBe('');
    expect(await faults({ paylint: { script: { a: 1 } } }, 'gitlab-ci.json')).not.toBe('');
    expect(defaults.version!.default).toBe('project');
  });

  it('has inputs in variables only, which are not expanded', () => {
    for (const line of template['$[[ inputs.job-name ]]'].script) expect(line).not.toContain('$[[');
    for (const { expand } of Object.values(jobsWith({}).paylint!.variables)) expect(expand).toBe(false);
  });

  function run(made: Repository, inputs: Readonly<Record<string, string>>): Ran {
    const { variables, script } = Object.values(jobsWith({ version: 'project', ...inputs }))[0]!;
    const env = Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]));
    return made.run(script.join('\n'), { env });
  }

  it.skipIf(need.missing)(`reports, with each of its inputs${need.note}`, () => {
    const made = new Repository();
    made.write('a.json', GOOD);
    made.write('b c.json', BAD);
    const { code, out } = run(made, { paths: 'a.json\nb c.json', args: '--no-config --kind emoji' });
    expect([code, out]).toEqual([1, expect.stringContaining('b c.json:1:41')]);
    for (const file of Object.values(jobsWith({}).paylint!.artifacts.reports))
      expect(readFileSync(join(made.folder, file), 'utf8')).toContain('b c.json');
    made.run('node_modules/.bin/paylint validate "b c.json" --baseline known --update-baseline');
    expect(run(made, { paths: 'b c.json', baseline: 'known' }).code).toBe(0);
    expect(run(made, { paths: 'a.json' }).code).toBe(0);
  });

  it.skipIf(need.missing).each(HOSTILE)(`takes inputs for what they are: %j${need.note}`, (text) => {
    const made = new Repository();
    made.write('payloads/a.json', GOOD);
    expect(run(made, { paths: 'payloads', version: text }).code).toBe(2);
    run(made, { paths: text, args: text, baseline: text });
    expect(existsSync(join(made.folder, 'harm'))).toBe(false);
  });
});

describe('the snippets for other systems', () => {
  const [azure, buildkite] = blocks('docs/guides/ci.md', 'yaml')
    .filter((text) => /^(?:pool|steps):/.test(text))
    .map((text) => parse(text));
  const [jenkins] = blocks('docs/guides/ci.md', 'groovy');
  const commands = {
    'Azure Pipelines': azure.steps.flatMap(({ script }: { script?: string }) => script ?? []),
    Buildkite: buildkite.steps[0].commands,
    Jenkins: [...jenkins!.matchAll(/sh '(.*)'/g)].map(([, line]) => line!),
  } as Record<string, readonly string[]>;

  it('are what Buildkite takes', async () => {
    expect(await faults(buildkite, 'buildkite.json')).toBe('');
    expect(await faults({ steps: 1 }, 'buildkite.json')).not.toBe('');
  });

  it.skipIf(need.missing).each(Object.entries(commands))(`run, and fail as they should: %s${need.note}`, (_, lines) => {
    const made = new Repository();
    made.write('payloads/a.json', GOOD);
    expect(lines[0]).toBe('npm ci');
    expect(made.run(lines.slice(1).join('\n')).code).toBe(0);
    made.write('payloads/b.json', BAD);
    expect(made.run(lines.slice(1).join('\n')).code).toBe(1);
    expect(readFileSync(join(made.folder, 'paylint.xml'), 'utf8')).toContain('payloads/b.json');
  });
});
