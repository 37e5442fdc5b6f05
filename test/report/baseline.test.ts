/**
 * The baseline: the same in all threads, and small.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { baselineText, type Known, readBaseline } from '../../src/report/baseline.ts';
import { paylint } from '../world.ts';

mkdirSync(join(import.meta.dirname, '../tmp'), { recursive: true });
const TEMPORARY = mkdtempSync(join(import.meta.dirname, '../tmp/baseline-'));
afterAll(() => rmSync(TEMPORARY, { recursive: true }));

const known = (n: number, count = 1): Known => ({
  file: `data/${String(n).padStart(3, '0')}.json`,
  pointer: '/*/minAge',
  rule: 'minimum',
  count,
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const entriesOf = (text: string): Known[] => readBaseline(Buffer.from(text), 'known.ndjson');

describe('a run with a baseline', () => {
  const line = (i: number): string =>
    JSON.stringify({ '@context': 'c', '@type': 't', emoji: 'x', ...(i % 2 === 0 ? { [`more${i % 7}`]: i } : {}) });
  const run = (args: readonly string[]) => paylint(args, { cwd: TEMPORARY });

  it('is the same in all threads', async () => {
    writeFileSync(join(TEMPORARY, 'a.ndjson'), numbers(40_000).map(line).join('\n'));
    const update = ['validate', 'a.ndjson', '--baseline', 'known.ndjson', '--update-baseline', '--threads', '2'];
    expect((await run(update)).code).toBe(0);
    const entries = entriesOf(readFileSync(join(TEMPORARY, 'known.ndjson'), 'utf8'));
    expect(entries.map(({ count }) => count).reduce((a, b) => a + b)).toBe(20_000);
    expect(entries).toHaveLength(7);
    // One of each is new.
    const fewer = entries.map((entry) => ({ ...entry, count: entry.count - 1 }));
    writeFileSync(join(TEMPORARY, 'known.ndjson'), baselineText(fewer));
    const check = ['validate', 'a.ndjson', '--baseline', 'known.ndjson', '--format', 'ndjson'];
    const one = await run([...check, '--threads', '1']);
    const two = await run([...check, '--threads', '2']);
    const withoutTime = (report: string) => report.replace(/"elapsedMs":\d+/, '');
    expect(withoutTime(two.stdout)).toBe(withoutTime(one.stdout));
    expect(one.code).toBe(1);
    expect(one.stdout.match(/"type":"violation"/g)).toHaveLength(7);
    expect(one.stdout).toMatch(/"valid":39993,"invalid":7,"violations":7,.*"known":19993/);
  });

  it('counts a payload as valid whose errors are all known, in every format', async () => {
    writeFileSync(join(TEMPORARY, 'b.ndjson'), numbers(20).map(line).join('\n'));
    const baseline = ['--baseline', 'b.known'];
    await run(['validate', 'b.ndjson', ...baseline, '--update-baseline']);
    const { stdout, code } = await run(['validate', 'b.ndjson', ...baseline, '--format', 'junit']);
    expect(code).toBe(0);
    expect(stdout).toContain('tests="1" failures="0"');
  });

  it.each([
    ['changed', 'd.ndjson'],
    ['made', null],
  ])('is not written over one that another run %s meanwhile', async (_, before) => {
    const name = join(TEMPORARY, 'twice.known');
    rmSync(name, { force: true });
    writeFileSync(join(TEMPORARY, 'd.ndjson'), line(0));
    writeFileSync(join(TEMPORARY, 'e.ndjson'), line(2));
    const update = ['--baseline', 'twice.known', '--update-baseline'];
    if (before !== null) await run(['validate', before, ...update]);
    // It has read the baseline when it takes its first payload.
    const stdin = Readable.from(
      (async function* () {
        expect((await run(['validate', 'e.ndjson', ...update])).code).toBe(0);
        yield line(0);
      })(),
    );
    const late = await paylint(['validate', '-', ...update], { cwd: TEMPORARY, stdin });
    expect(late.code).toBe(2);
    expect(late.stderr).toContain(
      'cannot write to twice.known: it changed while the payloads were read; run paylint again',
    );
    expect(entriesOf(readFileSync(name, 'utf8')).map(({ file }) => file)).toContain('e.ndjson');
  });

  it('is written where a link leads', async () => {
    writeFileSync(join(TEMPORARY, 'c.ndjson'), line(0));
    writeFileSync(join(TEMPORARY, 'real.known'), baselineText([{ ...known(1), file: 'c.ndjson' }]));
    symlinkSync('real.known', join(TEMPORARY, 'link.known'));
    await run(['validate', 'c.ndjson', '--baseline', 'link.known', '--update-baseline']);
    expect(lstatSync(join(TEMPORARY, 'link.known')).isSymbolicLink()).toBe(true);
    expect(entriesOf(readFileSync(join(TEMPORARY, 'real.known'), 'utf8'))).toEqual([
      { file: 'c.ndjson', pointer: '/more0', rule: 'additionalProperties', count: 1 },
    ]);
  });

  it('is written under the longest name, and keeps its mode', async () => {
    writeFileSync(join(TEMPORARY, 'd.ndjson'), line(0));
    const name = `${'k'.repeat(250)}.json`;
    const args = ['validate', 'd.ndjson', '--baseline', name];
    const fixed = { ...known(1), file: 'd.ndjson' };
    writeFileSync(join(TEMPORARY, name), baselineText([fixed]), { mode: 0o640 });
    chmodSync(join(TEMPORARY, name), 0o640);
    expect((await run([...args, '--update-baseline'])).stderr).toContain('has 1 known violation,');
    expect(statSync(join(TEMPORARY, name)).mode & 0o777).toBe(0o640);
    expect((await run(args)).code).toBe(0);
  });

  it('keeps entries of files of which it is not known that they are gone', async () => {
    const folder = join(TEMPORARY, 'searched');
    mkdirSync(folder);
    writeFileSync(join(folder, 'f.json'), JSON.stringify({ '@context': 'c', '@type': 't', emoji: 'x' }));
    symlinkSync('loop', join(folder, 'loop'));
    const files = ['searched/gone.json', 'searched/f.json/gone.json', 'gone.json', 'searched/loop/x.json'];
    writeFileSync(
      join(TEMPORARY, 'f.known'),
      baselineText(files.map((file) => ({ ...known(1), file })).sort((a, b) => (a.file < b.file ? -1 : 1))),
    );
    for (const path of ['searched', 'searched/*.json']) {
      const { stderr } = await run(['validate', path, '--baseline', 'f.known']);
      expect(stderr.match(/\S+\.json(?= )/g)).toEqual(['searched/f.json/gone.json', 'searched/gone.json']);
    }
    const { stderr } = await run(['validate', 'searched/f.json', '--baseline', 'f.known']);
    expect(stderr).toBe('');
  });

  it('says so if it cannot be written', async () => {
    writeFileSync(join(TEMPORARY, 'e.ndjson'), line(0));
    const args = ['validate', 'e.ndjson', '--update-baseline', '--baseline'];
    const { code, stderr } = await run([...args, 'no/known.ndjson']);
    expect([code, stderr]).toEqual([2, 'paylint: cannot write to no/known.ndjson: no such file or folder\n']);
    expect((await run([...args, '.'])).stderr).toBe('paylint: cannot read the baseline .: is a folder, not a file\n');
  });
});

describe('the text of a baseline', () => {
  it('is read as it was written', () => {
    const odd = [{ file: 'a\u202e"\n.json', pointer: '/\u0000/~1', rule: 'type', count: 3 }];
    expect(entriesOf(baselineText(odd))).toEqual(odd);
    expect(baselineText(odd).split('\n')).toHaveLength(4);
  });
});

describe.skipIf(!existsSync('/dev/zero'))('a file without end, of which all would be read, is refused:', () => {
  it.each([
    ['--baseline', 'is larger than 256 MiB'],
    ['--files-from', 'is larger than 256 MiB'],
    ['--config', 'is neither a file nor a pipe'],
    ['--schema', 'is neither a file nor a pipe'],
  ])('%s', async (flag, why) => {
    const { code, stderr } = await paylint(['validate', '-', flag, '/dev/zero'], { cwd: TEMPORARY });
    expect([code, stderr]).toEqual([2, expect.stringMatching(`zero: (?:cannot read the schema: )?${why}`)]);
  });
});
