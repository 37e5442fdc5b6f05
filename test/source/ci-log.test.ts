/**
 * Who reads a text, and what acts there: each dangerous text in names of files, names of members, values and messages of
 * the schema's author, in front of each reader. Nothing acts where it would, and nothing else is changed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/library/open.ts';
import { FORMAT_NAMES } from '../../src/report/report-formats.ts';
import { readCommand, readXml } from '../format-readers.ts';
import { paylint } from '../world.ts';

const HARMLESS = ['arn:aws:iam::123456789012:user/x', 'fe80::1', 'std::string', 'a ## b', 'x::'];
const COMMANDS = ['::error::stop', '##[error]stop', '##vso[task.complete]', '##teamcity[buildStop]'];
const TEXTS = [...HARMLESS, ...COMMANDS];
const ALL = TEXTS.join(' ');
/** A name of a file, where the system allows it. */
const FILE = sep === '\\' ? 'p.json' : '::error::##[x] std::p.json';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'paylint-ci-log-'));
  const schema = { properties: { [ALL]: { type: 'integer', errorMessage: `not ${ALL}` } } };
  writeFileSync(join(cwd, 's.json'), JSON.stringify({ ...schema, additionalProperties: { const: 1 } }));
  writeFileSync(join(cwd, FILE), JSON.stringify({ [ALL]: ALL, b: ALL }));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function written(env: Readonly<Record<string, string>>, ...more: string[]): Promise<string> {
  const args = ['validate', '--no-config', '--schema', 's.json', FILE, ...more];
  const { code, stdout, stderr } = await paylint(args, { cwd, env });
  expect(code, stderr).toBe(1);
  return stdout + stderr;
}

const readers: Readonly<Record<string, (text: string) => boolean>> = {
  // Version 2 of a command is at the start of a line, version 1 anywhere: ActionCommand.cs in github.com/actions/runner.
  GITHUB_ACTIONS: (text) => text.split('\n').some((line) => readCommand(line) !== null || line.includes('##[')),
  TF_BUILD: (text) => /##(?:vso)?\[/.test(text),
  TEAMCITY_VERSION: (text) => text.includes('##teamcity['),
};

describe.each(Object.entries(readers))('in the log of %s', (variable, acts) => {
  it('the texts would act', () => {
    expect(acts(`${COMMANDS.join('\n')}\n`)).toBe(true);
  });

  it.each(FORMAT_NAMES)('no text acts in %s', async (format) => {
    const text = await written({ [variable]: 'true' }, '--format', format);
    // Those of the format itself are meant.
    const other = format === 'github' ? text.replace(/^::error [^:\n]*::/gm, 'error ') : text;
    expect(acts(other), other).toBe(false);
  });

  it.each(['pretty', 'line'])('%s shows what is harmless as it is', async (format) => {
    const text = await written({ [variable]: 'true', COLUMNS: '1000' }, '--format', format);
    for (const one of HARMLESS) expect(text).toContain(one);
  });

  it('nothing acts in an error about arguments', async () => {
    const { stderr } = await paylint(['validate', '::error::x', '##[x]', '##vso[y]', '##teamcity[z]'], {
      cwd,
      env: { [variable]: '1' },
    });
    expect(stderr).toContain('error::x');
    expect(acts(stderr), stderr).toBe(false);
  });
});

describe('anywhere else', () => {
  it.each([
    ['nothing', {}],
    ['GitLab', { GITLAB_CI: 'true', CI: 'true' }],
    ['a system that is none', { CI: 'false', GITHUB_ACTIONS: '' }],
  ])('%s: texts are shown as they are', async (_, env) => {
    for (const format of ['pretty', 'line']) {
      const text = await written({ ...env, COLUMNS: '1000' }, '--format', format);
      for (const one of TEXTS) expect(text).toContain(one);
      expect(text).toContain(FILE);
      expect(text).not.toContain('\\u00');
    }
  });

  it.each(['json', 'ndjson', 'gitlab', 'sarif'])(
    '%s: a text is itself once it is parsed, in any log',
    async (format) => {
      for (const env of [{}, { TF_BUILD: 'True' }]) {
        const text = await written(env, '--format', format);
        const strings: string[] = [];
        for (const line of format === 'ndjson' ? text.trim().split('\n') : [text])
          JSON.parse(line, (_key, value: unknown) => {
            if (typeof value === 'string') strings.push(value);
            return value;
          });
        expect(strings.some((one) => one.includes(`not ${ALL}`))).toBe(true);
        expect(strings.join('\n')).not.toContain('\\u00');
      }
    },
  );

  it('junit: a text is itself once it is parsed', async () => {
    const { children } = readXml(await written({ CI: 'true' }, '--format', 'junit'));
    const all = JSON.stringify(children);
    for (const one of TEXTS) expect(all).toContain(one);
  });

  it('the library: a text is itself', async () => {
    const paylint = await openPaylint({ schema: { additionalProperties: { const: 1 } } });
    const { violations } = paylint.validate(JSON.stringify({ a: 'std::string ##[x]' }));
    expect(violations[0]?.message).toBe('expected 1, found "std::string ##[x]"');
  });
});

it.skipIf(sep === '\\')('names that go to another program go as they are', async () => {
  const args = ['validate', '.', '--list-files', '--no-config', '--schema', 's.json'];
  const { stdout } = await paylint(args, { cwd, env: { GITHUB_ACTIONS: 'true' } });
  expect(stdout).toContain(FILE);
});
