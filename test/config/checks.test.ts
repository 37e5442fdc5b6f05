/** Checks of a config: where they are, what they become, which levels their rules have, and which of the advice they replace. */
import { describe, expect, it } from 'vitest';
import { readChecks } from '../../src/config/checks.ts';
import { configIn, folderWith } from './config-world.ts';

const ASSERTION = { id: 'a', assert: 'true', message: 'm' };
const read = (checks: unknown, more: object = {}, advice = false, folder = '/none') =>
  readChecks(configIn(folder, { checks: checks as readonly unknown[], ...more }), advice);

describe('a check', () => {
  it('asserts of one payload, or is about all of them', async () => {
    const unique = { id: 'u', unique: '/id', kind: 'order' };
    const references = { id: 'r', references: '/to', to: { at: '/id' }, message: 'no' };
    const { checks, relations, placeOf } = await read([ASSERTION, unique, references]);
    expect(checks).toEqual([{ id: 'a', kind: null, at: '', report: '', when: null, assert: 'true', message: 'm' }]);
    expect(relations).toEqual([
      { id: 'u', kind: 'order', at: '/id', to: null, message: null },
      { id: 'r', kind: null, at: '/to', to: { kind: null, at: '/id' }, message: 'no' },
    ]);
    expect([checks[0]!, relations[1]!].map(placeOf)).toEqual(['c.json#/checks/0: ', 'c.json#/checks/2: ']);
  });

  it('has a level for what it finds, and one for what it cannot evaluate', async () => {
    const { levels } = await read([ASSERTION, { ...ASSERTION, id: 'b', severity: 'warning', onError: 'error' }]);
    expect(levels).toEqual({
      'check/a': 'error',
      'check/a/evaluation': 'warning',
      'check/b': 'warning',
      'check/b/evaluation': 'error',
    });
  });

  it('has an id of its own', async () => {
    await expect(read([ASSERTION, ASSERTION])).rejects.toThrow('c.json#/checks/1: there is a check "a" before');
  });
});

describe('a level in the config', () => {
  it('is of a check that is there, also of one of the advice that is not asked for', async () => {
    await expect(read([ASSERTION], { rules: { 'check/a/evaluation': 'off' } })).resolves.toBeDefined();
    await expect(
      read([ASSERTION], { rules: { 'check/content-age-order': 'off', required: 'off' } }),
    ).resolves.toBeDefined();
  });

  it('of any other check is refused, with the near miss', async () => {
    await expect(read([{ ...ASSERTION, id: 'order' }], { rules: { 'check/ordre': 'off' } })).rejects.toThrow(
      'c.json#/rules/check~1ordre: there is no check "ordre"; did you mean "check/order"?',
    );
    await expect(read([ASSERTION], { rules: { 'check/nothing-like-it': 'off' } })).rejects.toThrow(
      /there is no check "nothing-like-it"$/,
    );
  });
});

describe('the checks of the advice', () => {
  it('come after those of the config, which replace them', async () => {
    const bundled = (await read(null, {}, true)).checks.map(({ id }) => id);
    expect(bundled).toContain('content-age-order');
    const { checks, placeOf } = await read([{ ...ASSERTION, id: 'content-age-order' }], {}, true);
    expect(checks.map(({ id }) => id).sort()).toEqual([...bundled].sort());
    expect([checks[0]!.assert, placeOf(checks[0]!)]).toEqual(['true', 'c.json#/checks/0: ']);
    expect(placeOf(checks[1]!)).toMatch(/^payload\.checks\.json#\/\d+: $/);
  });

  it('are none without it', async () => {
    expect((await read(null)).checks).toEqual([]);
  });
});

describe('a file of checks', () => {
  const folder = folderWith({ 'c/good.json': [ASSERTION], 'c/bad.json': [{ id: 'a' }], 'c/cut.json': '[' });

  it('is inside the folder of the config, and names the places', async () => {
    const { checks, placeOf } = await read('c/good.json', {}, false, folder);
    expect(placeOf(checks[0]!)).toBe('c/good.json#/0: ');
  });

  it.each([
    [
      '../good.json',
      'c.json#/checks: expected a path inside the folder of the config, without "..", found ../good.json',
    ],
    ['c/none.json', 'c.json#/checks: cannot read c/none.json: no such file or folder'],
    ['c/cut.json', 'c/cut.json:1:2: expected'],
    ['c/bad.json', 'the checks are not valid\n  c/bad.json:1:2: /0: '],
  ])('%s is refused', async (file, message) => {
    await expect(read(file, {}, false, folder)).rejects.toThrow(message);
  });
});
