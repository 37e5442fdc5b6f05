/** Which keys of the config each verb takes: the table in the code, the one in docs/reference/config.md, and what runs do. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NOT_TAKEN } from '../../src/config/config.ts';
import { paylint } from '../world.ts';

const TMP = join(import.meta.dirname, '../tmp');
mkdirSync(TMP, { recursive: true });
const folder = mkdtempSync(join(TMP, 'verb-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CONFIG = {
  $comment: 'every key that some verb leaves out',
  schema: 's.json',
  files: ['a.ndjson'],
  kind: 's',
  kinds: [{ files: 'x/**', kind: 's' }],
  schemas: [{ files: 'y/**', schema: 's.json' }],
  checks: [{ id: 'never', assert: 'false', message: 'no' }],
  rules: { minimum: 'warning' },
  baseline: 'b.json',
  advice: true,
  allowEmpty: true,
  bail: true,
  exitZero: true,
  maxInvalid: '50%',
  maxWarnings: 0,
  withDefaults: true,
};

function write(name: string, content: unknown): void {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}

write('s.json', { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } });
write('old.json', { type: 'object', properties: { a: { type: 'integer' } } });
write('a.ndjson', '{"a":0}\n{"a":2}\n');
write('b.json', { version: 1, known: [{ file: 'a.ndjson', pointer: '/a', rule: 'minimum', count: 1 }] });
write('t.test.json', {
  target: 's.json',
  tests: [
    { valid: false, data: { a: 0 } },
    { valid: false, data: { a: 1 } },
  ],
});

const ARGS: Readonly<Record<string, readonly string[]>> = { compare: ['--against', 'old.json'] };

/** The verbs and the keys that they do not take, as the table of the document has them. */
function documented(): Record<string, string[]> {
  const text = readFileSync(join(import.meta.dirname, '../../docs/reference/config.md'), 'utf8');
  const table = /\| verb \| does not take \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(text)![1]!;
  const names = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  let same: string[] = [];
  return Object.fromEntries(
    table
      .trim()
      .split('\n')
      .flatMap((row) => {
        const [, verbs = '', keys = ''] = row.split('|');
        same = [...(keys.includes('the same') ? same : []), ...names(keys)];
        const all = same.sort();
        return verbs.split(',').map((verb) => [verb.trim(), all]);
      }),
  );
}

describe('keys of the config by verb', () => {
  it('are those of the document', () => {
    const table = Object.entries(NOT_TAKEN).filter(([, keys]) => keys.length > 0);
    expect(documented()).toEqual(Object.fromEntries(table.map(([verb, keys]) => [verb, [...keys].sort()])));
  });

  it.each(Object.entries(NOT_TAKEN))('%s: --print-config names those that are left out', async (verb, keys) => {
    write('paylint.config.json', CONFIG);
    const { stdout } = await paylint([verb, '--print-config', '--format', 'json', ...(ARGS[verb] ?? [])], {
      cwd: folder,
    });
    const { settings } = JSON.parse(stdout) as { settings: Record<string, { value: unknown; from: string }> }; // as documented
    const left = Object.entries(settings).filter(([key, { from }]) =>
      from.endsWith(`does not take paylint.config.json#/${key}`),
    );
    expect(left.map(([key]) => key).sort()).toEqual([...keys].sort());
  });

  it.each([
    ['test', ['t.test.json'], 1],
    ['compare', ['a.ndjson', '--against', 'old.json', '--max-warnings', '0'], 1],
    ['compare', ['a.ndjson', '--against', 'old.json', '--max-invalid', '1'], 0],
    ['compare', ['a.ndjson', '--against', 'old.json', '--exit-zero'], 0],
    ['coverage', ['empty.ndjson'], 2],
    ['validate', ['a.ndjson'], 0],
  ])('%s %j has exit code %i whatever the config says', async (verb, args, code) => {
    const { kinds: _, schemas: __, bail: ___, baseline: ____, ...config } = CONFIG;
    write('paylint.config.json', config);
    write('empty.ndjson', '');
    const result = await paylint([verb, ...args], { cwd: folder });
    expect(result).toMatchObject({ code });
  });

  it('coverage counts what rules turn off as invalid', async () => {
    write('paylint.config.json', { schema: 's.json', rules: { minimum: 'off' } });
    const { stdout } = await paylint(['coverage', 'a.ndjson'], { cwd: folder });
    expect(stdout).toContain('2 payloads, 1 invalid');
  });

  it.each(['test', 'compare', 'coverage'])('%s still takes schemas, limits and outputs', async (verb) => {
    write('paylint.config.json', {
      schema: 's.json',
      maxDepth: 7,
      redact: true,
      format: 'line',
      formats: { sku: { pattern: '^a' } },
    });
    const { stdout } = await paylint([verb, '--print-config', '--format', 'json', ...(ARGS[verb] ?? [])], {
      cwd: folder,
    });
    const { settings } = JSON.parse(stdout) as { settings: Record<string, { value: unknown; from: string }> }; // as documented
    for (const key of ['schema', 'maxDepth', 'redact', 'formats'])
      expect(settings[key]?.from).toBe(`paylint.config.json#/${key}`);
  });
});
