/** The config file: which one is read, what its keys become, and the message for each way in which it cannot be used. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inConfig, loadConfig, placeInConfig } from '../../src/config/config.ts';
import { configIn, folderWith, ioIn } from './config-world.ts';

const NAME = 'paylint.config.json';
const loaded = (config: unknown) => loadConfig(undefined, ioIn(folderWith({ [NAME]: config })));

describe('the file', () => {
  const folder = folderWith({ [NAME]: { bail: true }, 'other/mine.json': { maxDepth: 7 }, 'in/x': '' });

  it('is the nearest one, the one that is named, or none', async () => {
    const io = ioIn(join(folder, 'in'));
    const found = { name: `../${NAME}`, path: join(folder, NAME), folder, found: true, flags: { bail: true } };
    expect(await loadConfig(undefined, io)).toMatchObject(found);
    const named = { name: '../other/mine.json', folder: join(folder, 'other'), found: false, flags: { maxDepth: 7 } };
    expect(await loadConfig('../other/mine.json', io)).toMatchObject(named);
    const none = { name: '', path: null, folder: io.cwd, found: false, schema: null, flags: {}, checks: null };
    expect(await loadConfig(false, io)).toMatchObject(none);
  });

  it('that cannot be read is named, with the reason', async () => {
    const broken = folderWith();
    symlinkSync('none', join(broken, NAME));
    const message = `cannot read the config ${NAME}: `;
    await expect(loadConfig(undefined, ioIn(broken))).rejects.toThrow(`${message}broken symbolic link`);
    await expect(loadConfig(NAME, ioIn(broken))).rejects.toThrow(`${message}no such file or folder`);
  });

  it('that is not valid is refused with all faults, also those of checks in it', async () => {
    await expect(loaded('{"bail": tru}')).rejects.toThrow(`the config ${NAME}:1:13: expected "true"`);
    await expect(loaded('{"bial": true,\n"maxDepth": "x"}')).rejects.toThrow(
      /^the config is not valid\n {2}paylint\.config\.json:1:2: \/bial: .*\n {2}paylint\.config\.json:2:13: \/maxDepth: .*$/,
    );
    await expect(loaded('{"checks":\n[{"id": "a"}]}')).rejects.toThrow(
      /^the checks are not valid\n {2}paylint\.config\.json:2:2: \/checks\/0/,
    );
  });
});

describe('its keys', () => {
  it('are lists where one may stand for a list', async () => {
    expect(await loaded({ files: 'a.json', format: 'line' })).toMatchObject({ files: ['a.json'], formats: ['line'] });
    expect(await loaded({ files: ['a', 'b'], format: ['line', 'json'] })).toMatchObject({
      files: ['a', 'b'],
      formats: ['line', 'json'],
    });
    expect(await loaded({ files: 'schemas', schemas: [{ files: '*', schema: 's.json' }] })).toMatchObject({
      files: 'schemas',
    });
    expect(await loaded({})).toMatchObject({ files: [], formats: [], refs: [], ignore: [], rules: {}, baseline: null });
  });

  it('have one word for each level', async () => {
    const { rules } = await loaded({ rules: { required: 'warn', type: 'off', minimum: 'warning', maximum: 'error' } });
    expect(rules).toEqual({ required: 'warning', type: 'off', minimum: 'warning', maximum: 'error' });
  });

  it('are flags if they are nothing else, but for what is for who reads the file', async () => {
    const { flags, ownFormats } = await loaded({
      ...{ $schema: 's', $comment: 'c', 'x-mine': 1, bail: true, maxDepth: 5 },
      formats: { sku: { pattern: '^a' } },
    });
    expect(flags).toEqual({ bail: true, maxDepth: 5 });
    expect(ownFormats).toEqual({ sku: { pattern: '^a' } });
  });
});

it('a place in it is escaped', () => {
  const config = configIn('/x', { name: 'a\nb.json' });
  expect(placeInConfig(config, '/kinds/0')).toBe('a\\u000ab.json#/kinds/0');
  expect(inConfig(config, '/kinds/0')).toBe('a\\u000ab.json#/kinds/0: ');
});
