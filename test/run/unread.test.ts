/** A source that was not read to its end is never tolerated, and is a failure where the result is about all payloads. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { paylint } from '../world.ts';

const TMP = join(import.meta.dirname, '../tmp');
mkdirSync(TMP, { recursive: true });
const folder = mkdtempSync(join(TMP, 'unread-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VALID = '{"a":1}';
const many = (text: string, between: string): string => Array(150).fill(text).join(between);

const UNREAD: Readonly<Record<string, string | Buffer>> = {
  'comma.json': `[${many(VALID, ',')},,${many('{}', ',')}]`,
  'cut.json': `[${many(VALID, ',')},{"a":`,
  'open.json': `[${many(VALID, ',')}`,
  'after.json': `[${many(VALID, ',')}] {}`,
  'second.json': `${VALID}\n{}`,
  'packed.json.gz': gzipSync(`[${many(VALID, ',')},,{}]`),
  'utf16.json': Buffer.from(`[${many('{}', ',')}]`, 'utf16le'),
  'stream.txt': `{\n"a":1}\n${many(VALID, '\n')} ] ${many('{}', '\n')}`,
  'pointer.json': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
};
/** Each has one invalid payload, and nothing that was not read. */
const READ: Readonly<Record<string, string>> = {
  'one.json': '{"a":',
  'empty.json': '',
  'lines.ndjson': `${many(VALID, '\n')}\n{"a"\n${VALID}\n`,
  'cut.ndjson': `${many(VALID, '\n')}\n{"a"`,
};
const GOOD = `[${many(VALID, ',')}]`;

for (const [name, content] of Object.entries({ ...UNREAD, ...READ, 'good.json': GOOD }))
  writeFileSync(join(folder, name), content);
writeFileSync(join(folder, 's.json'), '{"type":"object","required":["a"]}');
writeFileSync(join(folder, 'old.json'), '{"type":"object"}');

const schema = ['--schema', 's.json'];
const run = (...args: readonly string[]) => paylint([...args, ...schema], { cwd: folder });

describe.each(Object.keys(UNREAD))('%s', (name) => {
  it.each([['validate', '--threads', '1'], ['validate', '--threads', '2'], ['filter'], ['fill'], ['fill', '--check']])(
    'is not tolerated by %s %s %s',
    async (...args) => {
      const { code, stdout, stderr } = await run(...args, 'good.json', name, '--max-invalid', '40%');
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`).toContain(`not tolerated by --max-invalid 40%: ${name} was not read to its end`);
    },
  );

  it.each([['compare', '--against', 'old.json'], ['compare', '--against', 'ajv'], ['coverage']])(
    'is a failure of %s %s %s',
    async (...args) => {
      const { code, stderr } = await run(...args, 'good.json', name);
      expect(code).toBe(2);
      expect(stderr).toContain(`${name}: it was not read to its end`);
    },
  );

  it('is not tolerated by render', async () => {
    const { stdout } = await run('validate', 'good.json', name, '--format', 'ndjson');
    const report = await paylint(['render', '--max-invalid', '40%'], { cwd: folder, stdin: stdout });
    expect(report.code).toBe(1);
    expect(report.stdout).toContain(`${name} was not read to its end`);
  });
});

it.each(Object.keys(READ))('%s is tolerated: all of it was read', async (name) => {
  expect(await run('validate', 'good.json', name, '--max-invalid', '1%')).toMatchObject({ code: 0 });
  expect(await run('compare', '--against', 'old.json', 'good.json', name)).toMatchObject({ code: 0 });
});

it('the first ten are named, in the order of the sources', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `x${String(i).padStart(2, '0')}.json`);
  for (const name of names) writeFileSync(join(folder, name), `[${VALID},,]`);
  const { stdout } = await run('validate', ...names, '--format', 'ndjson', '--threads', '8');
  const lines = stdout.trim().split('\n');
  const { unread } = JSON.parse(lines.at(-1)!) as { unread: unknown }; // as documented
  expect(unread).toEqual({ sources: 12, files: names.slice(0, 10) });
  const shown = await run('validate', ...names, '--format', 'line', '--max-invalid', '100%');
  expect(shown.stdout).toContain('x00.json, x01.json, x02.json and 9 more files were not read to their end');
  // The shares of a run, merged.
  const shares = await Promise.all(
    ['1/2', '2/2'].map((shard) => run('validate', ...names, '--shard', shard, '--format', 'ndjson')),
  );
  for (const [i, share] of shares.entries()) writeFileSync(join(folder, `r${i}`), share.stdout);
  const merged = await paylint(['render', 'r0', 'r1', '--format', 'ndjson'], { cwd: folder });
  expect(JSON.parse(merged.stdout.trim().split('\n').at(-1)!)).toMatchObject({ unread });
});
