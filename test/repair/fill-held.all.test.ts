/**
 * What `fill --write` and `fill --diff` say of files that cannot be written or compared with: that, and nothing else. What they say of the
 * others is all there, however much it is, and whether it is read or not.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CONTRACT, CONTRACT_FILLED, eventsIn, place, run } from '../fill-run.ts';
import { piped, sh } from '../spawned.ts';
import { needs } from '../tools.ts';
import { paylint } from '../world.ts';

const LINE = `${JSON.stringify(JSON.parse(CONTRACT))}\n`;
const LINE_FILLED = `${JSON.stringify(JSON.parse(CONTRACT_FILLED))}\n`;
const WRONG = `${JSON.stringify({ ...JSON.parse(CONTRACT), name: 1 })}\n`;
const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
const cut = (text: string): Buffer => gzipSync(text).subarray(0, -9);

/** Events without what differs from run to run. */
const steady = (text: string): unknown[] => eventsIn(text).map((event) => ({ ...event, elapsedMs: 0 }));

describe.concurrent('a file that cannot be written is a failure and nothing else', () => {
  // A pipe can be read, and not be written back. By its name it comes first.
  const files = { 'b.ndjson': LINE, 'c.ndjson': LINE + WRONG.repeat(80) };
  const fill = (flags: string): string =>
    `cat c.ndjson | paylint fill --write --input lines ${flags} b.ndjson /dev/fd/3 3<&0 </dev/null`;
  const cat = needs('cat');

  it.skipIf(cat.missing)(`in ndjson, on standard output and in a file${cat.note}`, async () => {
    const folder = place(files);
    const { code, stdout, stderr } = await sh(folder, fill('--format ndjson --format json=r.json'), cat);
    const [failure, ...others] = eventsIn(stdout);
    expect(failure).toMatchObject({ type: 'failure', message: 'cannot be written: it is not a regular file' });
    const alone = place({ 'b.ndjson': LINE });
    const { stdout: expected } = await sh(alone, 'paylint fill --write --format ndjson b.ndjson');
    const summary = { ...(steady(expected).at(-1) as object), failures: 1 };
    expect(steady(others.map((event) => JSON.stringify(event)).join('\n'))).toEqual([
      ...steady(expected).slice(0, -1),
      summary,
    ]);
    expect(JSON.parse(read(folder, 'r.json'))).toMatchObject({
      violations: [],
      sources: [{ file: 'b.ndjson', payloads: 1, valid: 1, filled: 3 }],
      summary: { sources: 1, payloads: 1, valid: 1, kinds: { contract: { payloads: 1 } }, rules: {} },
    });
    expect([code, stderr.split('\n').length]).toEqual([2, 2]);
  });

  it.skipIf(cat.missing)(
    `in pretty, and it takes no violation away from what is shown of the others${cat.note}`,
    async () => {
      const folder = place({ ...files, 'b.ndjson': WRONG.repeat(3) });
      const { code, stdout } = await sh(folder, fill('--max-violations 2'), cat);
      expect(stdout.match(/^ {2}type {2}/gm)).toHaveLength(2);
      expect(stdout).toMatch(
        /\n… and 1 more: type 1\n {2}in b.ndjson 1; .*\n\n✗ 3 violations in 3 of 3 payloads · filled 9 members in 1 file · 1 failure · /,
      );
      expect(code).toBe(2);
      expect(read(folder, 'b.ndjson').length).toBeGreaterThan(3 * WRONG.length);
    },
  );

  it('where its report finds no place to wait: it is not written', async () => {
    const folder = place({ 'a.ndjson': LINE.repeat(1500), 'b.ndjson': LINE });
    const line = 'TMPDIR="$PWD/none" paylint fill --write --format ndjson=r.ndjson --quiet --stats';
    const { code, stderr } = await sh(folder, `${line.replace('--quiet', '')} a.ndjson b.ndjson`);
    expect(stderr).toBe(
      'paylint: a.ndjson: its report cannot be kept in the temporary folder: no such file or folder\n',
    );
    expect([code, read(folder, 'a.ndjson') === LINE.repeat(1500)]).toEqual([2, true]);
    expect(read(folder, 'b.ndjson')).toBe(LINE_FILLED);
    const types = eventsIn(read(folder, 'r.ndjson')).map(({ type }) => type);
    expect(types).toEqual(['failure', 'fill', 'fill', 'fill', 'source', 'summary']);
  });
});

it.each([
  ['--write', '1'],
  ['--write', '4'],
  ['--diff', '1'],
])('a file that cannot be read to its end is that alone, with %s and %s threads', async (flag, threads) => {
  const folder = place({ 'a.ndjson.gz': cut(LINE + WRONG.repeat(1000)), 'b.ndjson': WRONG });
  const args = ['fill', flag, '--threads', threads, '--format', 'ndjson=r.ndjson', '.'];
  expect((await run(args, folder)).code).toBe(2);
  const [failure, ...others] = eventsIn(read(folder, 'r.ndjson'));
  expect(failure).toMatchObject({ file: 'a.ndjson.gz', message: 'its gzip data is cut off' });
  expect(others.at(-1)).toMatchObject({ sources: 1, payloads: 1, invalid: 1, violations: 1, failures: 1 });
  expect(JSON.stringify(others)).not.toContain('a.ndjson.gz');
});

it('where --bail stops, violations are reported, and nothing as filled in', async () => {
  const folder = place({ 'a.ndjson': LINE + WRONG + LINE });
  const { code, stdout } = await run(['fill', '--write', '--bail', '--format', 'ndjson', '.'], folder);
  const events = eventsIn(stdout.toString());
  expect(events.map(({ type }) => type)).toEqual(['violation', 'source', 'summary']);
  expect(events[1]).toMatchObject({ payloads: 2, invalid: 1, filled: 0 });
  expect([code, read(folder, 'a.ndjson')]).toEqual([1, LINE + WRONG + LINE]);
});

it.each(['1', '4'])('a report larger than memory is the one of --check, with %s threads', async (threads) => {
  const lines = Array.from({ length: 1200 }, (_, i) => (i % 9 === 0 ? WRONG : LINE)).join('');
  for (const formats of [['ndjson=r'], ['ndjson=r', 'pretty=p']]) {
    const args = [...formats.flatMap((format) => ['--format', format]), '--threads', threads, '.'];
    const folder = place({ 'a.ndjson': lines, 'b.ndjson': LINE });
    const checked = place({ 'a.ndjson': lines, 'b.ndjson': LINE });
    expect((await run(['fill', '--write', ...args], folder)).code).toBe(1);
    await run(['fill', '--check', ...args], checked);
    const [ours, theirs] = [folder, checked].map((one) =>
      read(one, 'r').replaceAll(/"elapsedMs":\d+|,"wouldFill":"check"/g, ''),
    );
    expect(ours!.length).toBeGreaterThan(300_000);
    expect(ours === theirs).toBe(true);
  }
});

describe.concurrent('writing goes on for all files', () => {
  const names = Array.from({ length: 20 }, (_, i) => `${i}.json`);
  const files = Object.fromEntries(names.map((name, i) => [name, i % 2 === 0 ? CONTRACT : WRONG]));
  const rest = (folder: string): string[] => names.filter((name) => read(folder, name) === files[name]);

  it.each([
    ['pretty on standard output', '--write .', 141, /^$/],
    ['ndjson on standard output', '--write --format ndjson .', 141, /^$/],
    ['names on standard output', '--write --quiet .', 141, /^paylint|/],
    ['standard error', '--write --quiet . 2>&1 >/dev/null', 141, /^$/],
  ])('without a reader of %s', async (_, line, expected, words) => {
    const folder = place(files);
    const { code, stderr } = await piped(folder, `paylint fill ${line}`, 'true');
    expect(rest(folder)).toEqual([]);
    expect(code).toBe(expected);
    expect(stderr).toMatch(words);
  });

  const full = needs('/dev/full');

  it.skipIf(full.missing).each([
    ['', (folder: string, line: string) => sh(folder, line)],
    [' and without a reader', (folder: string, line: string) => piped(folder, line, 'true')],
  ])(`without room on the disk for the report%s${full.note}`, async (_, start) => {
    const folder = place(files);
    const { code, stderr } = await start(folder, 'paylint fill --write --format ndjson=/dev/full .');
    const expected = 2;
    const words = /^paylint: cannot write to \/dev\/full: no space left on device \(ENOSPC\)\n$/;
    expect(rest(folder)).toEqual([]);
    expect(code).toBe(expected);
    expect(stderr).toMatch(words);
  });

  const cat = needs('cat');

  it.skipIf(cat.missing)(`and a failure to write one decides, if the report has no reader${cat.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT });
    const line = `exec 5<&0; cat a.json | { paylint fill --write a.json /dev/fd/3 3<&0 <&5; }`;
    const { code, stderr } = await piped(folder, line, 'true', cat);
    expect([code, read(folder, 'a.json')]).toEqual([2, CONTRACT_FILLED]);
    expect(stderr).toMatch(/: cannot be written: it is not a regular file\n$/);
  });
});

describe('--quiet names the files', () => {
  const odd = 'a\u001b[31m b.json';
  const files = { [odd]: CONTRACT, 'b.json': CONTRACT_FILLED, 'c.ndjson': WRONG, 'd.ndjson': '{}' };

  it.each(['--write', '--check'])('that %s changes, one per line, and reports to standard error', async (flag) => {
    const folder = place(files);
    const { code, stdout, stderr } = await run(['fill', flag, '--quiet', '--format', 'line', '.'], folder);
    expect(stdout.toString()).toBe(`${odd}\nc.ndjson\n`);
    expect(stderr.replace(/:.*/g, '')).toBe('c.ndjson\nd.ndjson\n');
    expect(code).toBe(1);
    const none = await run(['fill', flag, '--quiet', 'b.json'], folder);
    expect([none.code, none.stdout.toString(), none.stderr]).toEqual([0, '', '']);
  });

  it('harmless on a terminal', async () => {
    const { stdout } = await paylint(['fill', '--check', '--quiet', odd], { cwd: place(files), columns: 80 });
    expect(stdout).toBe('a\\u001b[31m b.json\n');
  });

  it('to a diff, where there is one, and not in a format for programs', async () => {
    const folder = place({ 'a.json': CONTRACT });
    const diff = await run(['fill', '--check', '--diff', '--quiet', '.'], folder);
    expect([diff.code, diff.stdout.toString().split('\n')[0]]).toEqual([1, '--- a/a.json']);
    const ndjson = await run(['fill', '--check', '--format', 'ndjson', '--quiet', '.'], folder);
    const types = ndjson.stdout.toString().match(/(?<=\{"type":")\w+/g);
    expect([ndjson.code, types]).toEqual([1, ['source', 'summary']]);
    expect(ndjson.stderr).toBe('paylint: would fill 3 members\n');
  });
});
