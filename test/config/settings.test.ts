/** What is typed and what the config has: which wins, to which folder paths are relative, and the kind of each file. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  baselinePath,
  checksOf,
  fileRules,
  namedFiles,
  resourcesFor,
  schemaPath,
  schemaSettings,
  schemasForFiles,
} from '../../src/config/settings.ts';
import { bundledSchema, ENTRY_SCHEMA } from '../../src/package.ts';
import { configIn, folderWith } from './config-world.ts';

const cwd = folderWith({ 'typed.json': {}, 'ref.json': {} });
const folder = folderWith({ 'own.json': {}, 'a/s.json': {}, 'lib/ref.json': { $id: 'https://x.example/a' } });

describe('the schema', () => {
  const config = configIn(folder, { schema: 'own.json' });

  it('is the typed one, that of the config, or the bundled one', () => {
    expect(schemaPath('typed.json', config, cwd)).toBe(join(cwd, 'typed.json'));
    expect(schemaPath(undefined, config, cwd)).toBe(join(folder, 'own.json'));
    expect(schemaPath(undefined, configIn(folder), cwd)).toBe(bundledSchema(ENTRY_SCHEMA));
  });

  it.each([
    ['none.json', 'cannot read the schema none.json: no such file or folder'],
    ['.', 'cannot read the schema .: is a folder, not a file'],
    ['https://x.example/s.json', 'only local files are read, nothing is fetched from a network'],
    ['typd.json', 'no such file or folder; did you mean typed.json?'],
  ])('%s is refused', (typed, message) => {
    expect(() => schemaPath(typed, config, cwd)).toThrow(message);
  });

  it('of the config is refused with its place', () => {
    const wrong = configIn(folder, { schema: 'none.json', schemas: [{ files: '*', schema: 'no.json' }] });
    expect(() => schemaPath(undefined, wrong, cwd)).toThrow(/^c\.json#\/schema: cannot read the schema none\.json/);
    expect(() => schemasForFiles(wrong)).toThrow(/^c\.json#\/schemas\/0\/schema: cannot read the schema no\.json/);
  });

  it('for files counts only if none is typed for all', () => {
    const some = configIn(folder, { schemas: [{ files: 'a/**', schema: 'a/s.json' }] });
    expect(schemasForFiles(some)).toEqual([{ files: 'a/**', schema: join(folder, 'a/s.json') }]);
    expect(schemasForFiles(some, 'typed.json')).toEqual([]);
  });
});

describe('the settings of schemas', () => {
  it('have the levels that are given before those of the config, and these before those of its checks', async () => {
    const checks = [{ id: 'a', assert: 'true', message: 'm', severity: 'warning' }];
    const config = configIn(folder, {
      checks,
      rules: { 'check/a/evaluation': 'off', type: 'warning', required: 'off' },
    });
    const { rules } = await schemaSettings({ levels: { required: 'error' } }, config, cwd);
    expect(rules).toEqual({ 'check/a': 'warning', 'check/a/evaluation': 'off', type: 'warning', required: 'error' });
  });

  it('are bundled only without other schemas, and only then have advice', async () => {
    const plain = await schemaSettings({ advice: true }, configIn(folder), cwd);
    expect([plain.bundled, plain.checks !== null]).toEqual([true, true]);
    const own = await schemaSettings({ schema: 'typed.json', advice: true }, configIn(folder), cwd);
    expect([own.bundled, own.checks, own.path]).toEqual([false, null, join(cwd, 'typed.json')]);
    const files = configIn(folder, { schemas: [{ files: '*', schema: 'own.json' }] });
    expect((await schemaSettings({}, files, cwd)).bundled).toBe(false);
  });

  it('read checks if the config has some, or levels for them', async () => {
    expect(await checksOf(configIn(folder, { rules: { type: 'off' } }), false)).toBeNull();
    await expect(checksOf(configIn(folder, { rules: { 'check/none': 'off' } }), false)).rejects.toThrow(
      'there is no check',
    );
  });
});

describe('the resources', () => {
  it('are those that are given, then those of the config, each from its own folder', async () => {
    const config = configIn(folder, { refs: ['lib/ref.json'], vocabularies: ['openapi'] });
    const { refs, ...others } = await resourcesFor({ ref: ['ref.json'], draft: '7' }, config, cwd);
    expect(refs!.map(({ path }) => path)).toEqual([join(cwd, 'ref.json'), join(folder, 'lib/ref.json')]);
    expect(others).toEqual({ folder, vocabularies: ['openapi'], draft: '7' });
  });

  it('have the formats of both, of which the given one wins', async () => {
    const config = configIn(folder, { ownFormats: { a: { pattern: 'x' }, b: { pattern: 'x' } } });
    const given = new Map([['b', { pattern: 'y' }]]);
    const { formats } = await resourcesFor({ formats: given }, config, cwd, '');
    expect(Object.fromEntries(formats!)).toEqual({ a: { pattern: 'x' }, b: { pattern: 'y' } });
  });

  it('remember deprecations only if they are looked for', async () => {
    const deprecations = async (given: object, rules: object) =>
      (await resourcesFor(given, configIn(folder, { rules: { ...rules } }), cwd, '')).deprecations;
    expect(await deprecations({}, {})).toBeUndefined();
    expect(await deprecations({ advice: true }, {})).toBe(true);
    expect(await deprecations({}, { deprecated: 'error' })).toBe(true);
    expect(await deprecations({ advice: true }, { deprecated: 'off' })).toBeUndefined();
  });
});

describe('files', () => {
  it('that the config names are relative to it, a baseline that is given to the working directory', () => {
    const config = configIn(folder, {
      baseline: 'b.json',
      checks: 'checks.json',
      ownFormats: { a: { values: 'v.txt' }, b: { pattern: 'x' }, email: false },
    });
    expect(baselinePath(undefined, config, cwd)).toBe(join(folder, 'b.json'));
    expect(baselinePath('mine.json', config, cwd)).toBe(join(cwd, 'mine.json'));
    expect(baselinePath(undefined, configIn(folder), cwd)).toBeNull();
    expect(namedFiles(config)).toEqual([join(folder, 'v.txt'), join(folder, 'checks.json')]);
  });

  it('have the kind of the first glob that matches, those of schemas first', async () => {
    const schema = join(folder, 'a/s.json');
    const config = configIn(folder, {
      kinds: [
        { files: 'a/**', kind: 'one' },
        { files: '*.json', kind: 'two' },
      ],
    });
    const kinds = [{ name: 's', schema }] as never; // of which no more is read
    const { kindOf } = await fileRules(config, [{ files: 'a/x/**', schema }], async () => kinds);
    const kindsOf = (...names: string[]) => names.map((name) => kindOf(join(folder, name)));
    expect(kindsOf('a/x/1.json', 'a/1.json', 'deep/1.json', 'b.txt')).toEqual(['s', 'one', 'two', null]);
  });

  it('that hold no payloads are left out, and those that the config ignores', async () => {
    const config = configIn(folder, { baseline: 'b.json', checks: 'k.json', ignore: ['old/', '*.tmp'] });
    const { ignores } = await fileRules(config, [], async () => []);
    const isIgnored = (name: string) => ignores(join(folder, name));
    const left = ['c.json', 'b.json', 'k.json', 'deep/paylint.config.json', 'old/a.json', 'x/a.tmp'];
    expect(left.filter((name) => !isIgnored(name))).toEqual([]);
    expect(['a.json', 'deep/b.json', 'older/a.json'].filter(isIgnored)).toEqual([]);
  });
});
