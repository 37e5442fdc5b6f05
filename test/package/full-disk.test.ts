/**
 * Reports, rejects, reasons and baselines are whole or absent, as payload files are: on a full disk, after a run that cannot begin, and after
 * SIGKILL. What was there before stays.
 */
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CONTRACT, place } from '../fill-run.ts';
import { outcomeOf, sh, start } from '../spawned.ts';
import { needs, UNPRIVILEGED } from '../tools.ts';

const LINE = `${JSON.stringify(JSON.parse(CONTRACT))}\n`;
const WRONG = `${JSON.stringify({ ...JSON.parse(CONTRACT), name: 1 })}\n`;
const FULL = 'no space left on device (ENOSPC)';

const mounts = needs('mounts of its own');
const textOf = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

/** Runs a line of shell with `disk`, on which there is room for 64 kB. Prints the names on it afterwards. */
function onSmallDisk(folder: string, line: string): ReturnType<typeof sh> {
  const script = `mount -t tmpfs -o size=64k none disk; ${line}; code=$?; echo disk/.[!.]* disk/*; exit $code`;
  return sh(folder, `unshare -rm /bin/sh -c '${script.replaceAll('paylint', '"$NODE" "$BIN"')}'`, mounts);
}

describe.skipIf(mounts.missing)(`on a full disk${mounts.note}`, () => {
  const files = { 'disk/.keep': '', 'a.ndjson': WRONG.repeat(3000), 'b.ndjson': WRONG };

  it.each(['ndjson', 'json', 'line', 'github', 'gitlab', 'sarif', 'junit', 'html', 'pretty'])(
    'a report is absent, and the others are whole: %s',
    async (format) => {
      const folder = place(files);
      const line = `paylint validate a.ndjson --max-violations 0 --format ${format}=disk/report --format ndjson=r.ndjson >/dev/null`;
      const { code, stdout, stderr } = await onSmallDisk(folder, line);
      expect(stderr).toBe(`paylint: cannot write to disk/report: ${FULL}\n`);
      expect([code, stdout]).toEqual([2, 'disk/.[!.]* disk/*\n']);
      const last = textOf(folder, 'r.ndjson').trimEnd().split('\n').at(-1)!;
      expect(JSON.parse(last)).toMatchObject({ type: 'summary' });
    },
  );

  it('a report that was there before stays', async () => {
    const folder = place(files);
    const line =
      'echo old > disk/report; paylint validate a.ndjson --format ndjson=disk/report >/dev/null; read -r old < disk/report; echo "$old"';
    const { stdout, stderr } = await onSmallDisk(folder, line);
    expect(stderr).toBe(`paylint: cannot write to disk/report: ${FULL}\n`);
    expect(stdout).toBe('old\ndisk/.[!.]* disk/report\n');
  });

  it('a report of files that are written back is absent, and the files are written', async () => {
    const folder = place({ ...files, 'c.ndjson': LINE.repeat(3000) });
    const line = 'paylint fill --write c.ndjson --format ndjson=disk/report >/dev/null';
    const { code, stdout, stderr } = await onSmallDisk(folder, line);
    expect([code, stderr]).toEqual([2, `paylint: cannot write to disk/report: ${FULL}\n`]);
    expect(stdout).toBe('disk/.[!.]* disk/*\n');
    expect(textOf(folder, 'c.ndjson') === files['a.ndjson']).toBe(false);
  });

  it.each([
    ['--rejects', 'disk/rejects', 'filter a.ndjson --rejects disk/rejects --reasons reasons'],
    ['--rejects, compressed by its name or not', 'disk/r.gz', 'filter a.ndjson --rejects disk/r.gz'],
    ['--reasons', 'disk/reasons', 'filter a.ndjson --rejects rejects --reasons disk/reasons'],
    ['--output', 'disk/out', 'convert a.ndjson --to json --output disk/out'],
    ['--out-dir', 'disk/contract.ndjson', 'convert a.ndjson --to ndjson --split-by kind --out-dir disk'],
    ['a merged report', 'disk/report', 'render r.ndjson --format json=disk/report --format line'],
  ])('%s', async (_, name, args) => {
    const folder = place(files);
    if (args.startsWith('render'))
      await sh(folder, 'paylint validate a.ndjson --max-violations 0 --format ndjson=r.ndjson >/dev/null');
    const { code, stdout, stderr } = await onSmallDisk(folder, `paylint ${args} >/dev/null`);
    const said = stderr.replaceAll(`${folder}/`, '').split('\n');
    expect(said.filter((text) => text.startsWith('paylint: '))).toEqual([`paylint: cannot write to ${name}: ${FULL}`]);
    expect([code, stdout]).toEqual([2, 'disk/.[!.]* disk/*\n']);
  });

  it('a baseline', async () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`name${i}`, 1])));
    const schema = JSON.stringify({ additionalProperties: { type: 'string' } });
    const folder = place({ ...files, 'schema.json': schema, 'many.json': many });
    const line = 'paylint validate many.json --schema schema.json --baseline disk/known --update-baseline >/dev/null';
    const { code, stdout, stderr } = await onSmallDisk(folder, line);
    expect(stderr).toBe(`paylint: cannot write to disk/known: ${FULL}\n`);
    expect([code, stdout]).toEqual([2, 'disk/.[!.]* disk/*\n']);
  });
});

describe('a report in a file', () => {
  it('that is whole keeps the mode and the links of an older one', async () => {
    const folder = place({ 'a.ndjson': WRONG, 'far/report': 'old' });
    chmodSync(join(folder, 'far/report'), 0o604);
    symlinkSync('far/report', join(folder, 'report'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    const { code, stderr } = await sh(
      folder,
      'paylint validate a.ndjson --format ndjson=report --format line=dangling --format json=new >/dev/null',
    );
    expect([code, stderr]).toEqual([1, '']);
    expect(textOf(folder, 'far/report')).toMatch(/"type":"summary"/);
    expect((statSync(join(folder, 'far/report')).mode & 0o777).toString(8)).toBe('604');
    expect(readdirSync(folder).sort()).toEqual(['a.ndjson', 'dangling', 'far', 'new', 'nowhere', 'report']);
    expect(readdirSync(join(folder, 'far'))).toEqual(['report']);
  });

  it.each(['--schema none.json', '--format line=a.ndjson/no/folder', '--format line=far'])(
    'is as it was if the run cannot begin: %s',
    async (flags) => {
      const folder = place({ 'a.ndjson': WRONG, report: 'old', 'far/x': '' });
      const { code } = await sh(folder, `paylint validate a.ndjson --format json=report --format junit=new ${flags}`);
      expect([code, textOf(folder, 'report'), readdirSync(folder).sort()]).toEqual([
        2,
        'old',
        ['a.ndjson', 'far', 'report'],
      ]);
    },
  );

  it('is as it was if the schema cannot be used', async () => {
    const folder = place({ 'a.ndjson': WRONG, 'schema.json': '{"$ref": "none.json"}', report: 'old' });
    const { code } = await sh(folder, 'paylint validate a.ndjson --format json=report --schema schema.json');
    expect([code, textOf(folder, 'report'), readdirSync(folder).sort()]).toEqual([
      2,
      'old',
      ['a.ndjson', 'report', 'schema.json'],
    ]);
  });

  it.skipIf(mounts.missing)(`that is a mount point is written over${mounts.note}`, async () => {
    const folder = place({ 'a.ndjson': WRONG, far: 'old'.repeat(1000), report: '' });
    const line = `unshare -rm /bin/sh -c 'mount --bind far report && "$NODE" "$BIN" validate a.ndjson --format json=report'`;
    const { code, stderr } = await sh(folder, line, mounts);
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(textOf(folder, 'far'))).toMatchObject({ summary: { payloads: 1 } });
    expect(readdirSync(folder).sort()).toEqual(['a.ndjson', 'far', 'report']);
  });

  const user = needs('the rights of root', 'an unprivileged user');

  it.skipIf(user.missing)(
    `of another owner, or in a folder that is read-only, is written over${user.note}`,
    async () => {
      const folder = place({ 'a.ndjson': WRONG, 'in/report': 'old'.repeat(1000), 'open/report': 'old'.repeat(1000) });
      for (const name of ['..', '.', 'in']) chmodSync(join(folder, name), 0o755);
      chmodSync(join(folder, 'open'), 0o777);
      for (const name of ['in/report', 'open/report']) {
        chmodSync(join(folder, name), 0o666);
        chownSync(join(folder, name), 99, 99);
      }
      const line = `${UNPRIVILEGED.join(' ')} "$NODE" "$BIN" validate a.ndjson --format json=in/report --format json=open/report`;
      const { code, stderr } = await sh(folder, line, user);
      expect([code, stderr]).toEqual([1, '']);
      for (const name of ['in', 'open']) {
        expect(JSON.parse(textOf(folder, `${name}/report`))).toMatchObject({ summary: { payloads: 1 } });
        expect(statSync(join(folder, name, 'report')).uid).toBe(99);
        expect(readdirSync(join(folder, name))).toEqual(['report']);
      }
    },
  );
});

it.each([
  ['--out-dir', ['convert', 'a.ndjson', '--to', 'ndjson', '--split-by', 'kind', '--out-dir', 'out'], 'contract.ndjson'],
  [
    '--out-dir, compressed',
    ['convert', 'a.ndjson', '--to', 'ndjson', '--gzip', '--split-by', 'kind', '--out-dir', 'out'],
    'contract.ndjson.gz',
  ],
  ['a report', ['filter', 'a.ndjson', '--reasons', 'out/reasons'], 'reasons'],
])('SIGKILL leaves nothing of %s but a temporary file', async (_, args, name) => {
  const folder = place({ 'a.ndjson': LINE.repeat(60_000), 'b.ndjson': WRONG, 'out/.keep': '' });
  const child = start(folder, ...args);
  const ended = outcomeOf(child);
  const temporary = (): string[] => readdirSync(join(folder, 'out')).filter((one) => one.startsWith('.paylint-'));
  while (temporary().length === 0 && child.exitCode === null) await setTimeout(1);
  child.kill('SIGKILL');
  await ended;
  expect(temporary().length).toBeGreaterThan(0);
  expect(existsSync(join(folder, 'out', name))).toBe(false);
});
