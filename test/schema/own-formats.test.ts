/**
 * Formats of the config: both engines have them, in every thread and in the library.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openPaylint } from '../../src/index.ts';
import type { OwnFormat, OwnFormats } from '../../src/schema/formats/format.ts';
import { trySchema } from '../trial.ts';
import { paylint } from '../world.ts';

const root = mkdtempSync(join(tmpdir(), 'paylint-formats-'));
afterAll(() => rmSync(root, { recursive: true }));

const MANY = Array.from({ length: 3000 }, (_, i) => `v${i}`);
const FORMATS: OwnFormats = new Map<string, OwnFormat | false>([
  ['sku', { pattern: '^[A-Z]{3}-\\d+$' }],
  ['inside', { pattern: 'b+' }],
  ['country', { values: new Set(['AT', 'DE', 'a.c', 'é', '\ud800']) }],
  ['many', { values: new Set(MANY) }],
  ['email', false],
  ['int32', false],
]);

describe('the engines agree about', () => {
  it.each<[format: string, right: string[], wrong: string[]]>([
    ['sku', ['"ABC-1"', '1', 'null'], ['"ABC-"', '"xABC-1"', '""']],
    ['inside', ['"abc"', '"b"'], ['"ac"', '""']],
    ['country', ['"AT"', '"a.c"', '"é"'], ['"at"', '"abc"', '"AT "', '""', '"\\ud801"']],
  ])('%s', async (format, right, wrong) => {
    const { accept, examine } = await trySchema({ format }, { formats: FORMATS });
    for (const text of right) expect([text, accept(text), examine(text)]).toEqual([text, 'it', 'it']);
    for (const text of wrong) expect([text, accept(text), examine(text)]).toEqual([text, null, null]);
  });

  it('what is written with escapes, and lists that are too long for a table', async () => {
    const few = await trySchema({ format: 'country' }, { formats: FORMATS });
    expect([few.examine('"\\u0041T"'), few.examine('"\\ud800"')]).toEqual(['it', null]);
    const many = await trySchema({ format: 'many' }, { formats: FORMATS });
    expect([many.examine('"v2999"'), many.examine('"v3000"')]).toEqual(['it', null]);
    expect([many.accept('"v2999"'), many.accept('"v3000"')]).toEqual([null, null]);
  });

  it.each([
    ['email', '"no address"'],
    ['int32', '9999999999'],
  ])('%s, which is off', async (format, text) => {
    const off = await trySchema({ format }, { formats: FORMATS });
    expect([off.accept(text), off.examine(text)]).toEqual(['it', 'it']);
    const on = await trySchema({ format });
    expect([on.accept(text), on.examine(text)]).toEqual([null, null]);
  });
});

describe('a config with formats', () => {
  const folder = mkdtempSync(join(root, 'x'));
  writeFileSync(join(folder, 's.json'), '{"properties":{"a":{"format":"sku"},"b":{"format":"country"}}}');
  writeFileSync(join(folder, 'countries.txt'), '\ufeffAT\r\nDE\r\n\r\n');
  writeFileSync(
    join(folder, 'paylint.config.json'),
    '{"schema":"s.json","formats":{"sku":{"pattern":"^[A-Z]+$","message":"as in the catalogue"},"country":{"values":"countries.txt"}}}',
  );

  it('counts in every thread', async () => {
    writeFileSync(join(folder, 'a.ndjson'), '{"a":"X","b":"AT"}\n{"a":"x","b":"FR"}\n'.repeat(4000));
    const outputs = await Promise.all(
      ['1', '3'].map(async (threads) => {
        const args = ['validate', 'a.ndjson', '--format', 'ndjson', '--threads', threads];
        return (await paylint(args, { cwd: folder })).stdout.replace(/"elapsedMs":\d+/, '');
      }),
    );
    expect(outputs[0]).toContain('"rules":{"format":8000}');
    expect(outputs[0]).toContain('"authorMessage":"as in the catalogue"');
    expect(outputs[1]).toBe(outputs[0]);
  });

  it('counts in the library', async () => {
    const one = await openPaylint({ config: join(folder, 'paylint.config.json') });
    for (let i = 0; i < 20; i++) {
      expect(one.isValid('{"a":"X","b":"DE"}')).toBe(true);
      expect(one.isValid('{"a":"X","b":"FR"}')).toBe(false);
      const [violation] = one.validate('{"a":"x"}').violations;
      expect(violation).toMatchObject({ rule: 'format', authorMessage: 'as in the catalogue' });
    }
  });
});
