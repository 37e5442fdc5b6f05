/**
 * `fill --diff` of one file and of many: `git apply` and `patch` make of it what `fill --write` would have written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { appliers, applyBoth, CONTRACT, CONTRACT_FILLED, own, place, root, run } from '../fill-run.ts';

describe.skipIf(appliers.missing)(`a diff${appliers.note}`, () => {
  it('of many files is one', async () => {
    const folder = place(Object.fromEntries(own.map(({ file, before }) => [file, before])));
    const afters = Object.fromEntries(own.map(({ file, after }) => [file, after]));
    applyBoth(folder, (await run(['fill', '--diff', '.'], folder)).stdout, afters);
  });

  it.each([
    'with spaces.json',
    'quo"te.json',
    'back\\slash.json',
    'é😀.json',
    'tab\tand\nline.json',
    "apo'strophe.json",
    'a folder/and file.json',
    'trailing .json',
    'trailing.json ',
    ' leading.json',
  ])('of a file called %j', async (name) => {
    const folder = place({ [name]: CONTRACT });
    // By its name, for not every one is that of a file that a walk would find.
    const { stdout } = await run(['fill', '--diff', '--input', 'json', name], folder);
    // patch cannot write names with line feeds.
    if (!name.includes('\n')) applyBoth(folder, stdout, { [name]: CONTRACT_FILLED });
    else appliers.run('git', ['apply'], { cwd: folder, input: stdout });
    if (name.includes('\n')) expect(readFileSync(join(folder, name), 'utf8')).toBe(CONTRACT_FILLED);
  });

  it.each([
    ['line feeds', '\n', ''],
    ['CRLF', '\r\n', '\r\n'],
  ])('of many hunks, with %s, apart and together', async (_, lineEnd, end) => {
    // Payloads with something missing, ever further apart.
    const whole = JSON.stringify({ '@context': 'c', '@type': 't', emoji: 'x' });
    const payloads = Array.from({ length: 18 }, (_, i) => [
      JSON.stringify(JSON.parse(CONTRACT)),
      ...Array.from({ length: i }, () => whole),
    ]);
    const text = payloads.flat().join(lineEnd) + end;
    const folder = place({ 'a.ndjson': text });
    const { stdout } = await run(['fill', '--diff', 'a.ndjson'], folder);
    await run(['fill', '--write', 'a.ndjson'], folder);
    const filled = readFileSync(join(folder, 'a.ndjson'));
    writeFileSync(join(folder, 'a.ndjson'), text);
    expect(stdout.toString().match(/^@@ /gm)).toHaveLength(11);
    applyBoth(folder, stdout, { 'a.ndjson': filled });
  });

  it('of what is far into a file, and larger than what is read at once, is what is written', async () => {
    const numbers = Array.from({ length: 250_000 }, (_, i) => i);
    const whole = numbers.map((i) => `{"@context":"c","@type":"t","emoji":"${i}"}\n`).join('');
    const contract = { ...JSON.parse(CONTRACT), name: numbers.join() };
    const filled = { ...JSON.parse(CONTRACT_FILLED), name: numbers.join() };
    const [text, after] = [contract, filled].map((value) => `${whole}${JSON.stringify(value)}\n`);
    const folder = place({ 'a.ndjson': text! });
    const { stdout } = await run(['fill', '--diff', 'a.ndjson'], folder);
    applyBoth(folder, stdout, { 'a.ndjson': after! });
    await run(['fill', '--write', 'a.ndjson'], folder);
    expect(readFileSync(join(folder, 'a.ndjson'), 'utf8') === after).toBe(true);
  });

  it('of a file that cannot be read to its end is left out', async () => {
    const gz = gzipSync(`${JSON.stringify(JSON.parse(CONTRACT))}\n`.repeat(3000));
    const folder = place({ 'a.ndjson.gz': gz.subarray(0, -20), 'b.json': CONTRACT });
    const { code, stdout, stderr } = await run(['fill', '--diff', '.', '--quiet'], folder);
    expect([code, stderr]).toEqual([2, 'paylint: a.ndjson.gz: its gzip data is cut off\n']);
    applyBoth(folder, stdout, { 'b.json': CONTRACT_FILLED });
  });
});

describe('a diff that is not made', () => {
  it('or a check, while writing, is refused', async () => {
    for (const flag of ['--diff', '--check']) {
      const folder = place({ 'a.json': CONTRACT });
      const { code, stdout, stderr } = await run(['fill', '--write', flag, 'a.json'], folder);
      expect([code, stdout.length]).toEqual([2, 0]);
      expect(stderr).toMatch(new RegExp(`^paylint: --write and ${flag} do not go together`));
      expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe(CONTRACT);
    }
  });

  it('of standard input is refused, and so is writing it', async () => {
    for (const flag of ['--diff', '--write']) {
      const { code, stdout, stderr } = await run(['fill', flag, '-'], root(), Buffer.from('{}'));
      expect([code, stdout.length]).toEqual([2, 0]);
      expect(stderr).toMatch(new RegExp(`^paylint: ${flag} .*standard input`));
    }
  });
});
