/**
 * `fill --diff` where no diff is right, or none can be applied: of a file that changes while it is read, that is compressed, or to which a
 * link leads. Nothing of such a diff is printed.
 */
import fs, { mkdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DiffDestination } from '../../src/run/outlets/diff-destination.ts';
import type { SourceOutcome } from '../../src/run/outlets/outlet.ts';
import { reread } from '../../src/source/open-bytes.ts';
import type { Source } from '../../src/types.ts';
import { Output } from '../../src/write/stream-output.ts';
import { Unchanged } from '../../src/write/unchanged.ts';
import { appliers, applyBoth, CONTRACT, CONTRACT_FILLED, eventsIn, place, run } from '../fill-run.ts';
import { sh } from '../spawned.ts';
import { needs } from '../tools.ts';

const LINE = `${JSON.stringify(JSON.parse(CONTRACT))}\n`;
const LINE_FILLED = `${JSON.stringify(JSON.parse(CONTRACT_FILLED))}\n`;

function sourceAt(folder: string, name: string): Source {
  return { name, path: join(folder, name), regular: true, framing: null, kind: null };
}

describe('a file that is changed while it is read', () => {
  const TEXT = `{"a":1}\n`.repeat(2000);
  /** Its diff is larger than what is kept in memory. */
  const LARGE = TEXT.repeat(100);

  /** The diff of an insertion into each file; `change` is called between the two times that the first one is read. */
  async function diffOf(
    folder: string,
    change: (path: string) => void,
  ): Promise<{ text: string; failures: unknown[] }> {
    const written: Buffer[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(Buffer.from(chunk));
        done();
      },
    });
    const sources = ['a.ndjson', 'b.ndjson'].map((name) => sourceAt(folder, name));
    let reads = 0;
    const read = (source: Source) => {
      if (++reads === 2) change(source.path!);
      return reread(source, new AbortController().signal);
    };
    const target = new DiffDestination(new Output(stream, 'it'), sources, { read, cwd: folder, colored: false });
    const failures: unknown[] = [];
    for (const source of sources) {
      target.begin(source);
      const { size } = statSync(source.path!);
      for (let at = 6; at < size; at += 8) target.edit({ offset: at, length: 0, bytes: Buffer.from(',"b":2') });
      const [{ done, failure }] = (await target.end(true)) as [SourceOutcome]; // none waits
      expect(done).toBe(failure === null);
      failures.push(failure);
    }
    await target.close();
    return { text: Buffer.concat(written).toString(), failures };
  }

  const setBack = (path: string, write: () => void): void => {
    const { atime, mtime } = statSync(path);
    write();
    utimesSync(path, atime, mtime);
  };

  it.each<[string, (path: string) => void, text?: string]>([
    ['a line before all others', (path) => writeFileSync(path, `{"x":1}\n${LARGE}`), LARGE],
    [
      'as many bytes, and its time set back',
      (path) => setBack(path, () => writeFileSync(path, TEXT.replaceAll('1', '7'))),
    ],
    [
      'another file in its place',
      (path) =>
        setBack(path, () => {
          writeFileSync(`${path}.new`, TEXT);
          renameSync(`${path}.new`, path);
        }),
    ],
    ['nothing', (path) => fs.rmSync(path)],
    ['cut short', (path) => fs.truncateSync(path, 1000)],
  ])('by %s: nothing of its diff is printed, and the other one is', async (_, change, content = TEXT) => {
    const folder = place({ 'a.ndjson': content, 'b.ndjson': TEXT });
    const { text, failures } = await diffOf(folder, change);
    expect(failures).toEqual(['was changed while it was read; there is no diff of it', null]);
    expect(text.startsWith('--- a/b.ndjson\n+++ b/b.ndjson\n@@ -1,2000 +1,2000 @@\n-{"a":1}\n')).toBe(true);
    expect(text.length).toBe(52 + 2000 * (9 + 15));
  });

  it('is told by everything that identifies it, and by nothing else', () => {
    const folder = place({ 'a.ndjson': 'x', 'b.ndjson': 'x' });
    const [a, b] = [sourceAt(folder, 'a.ndjson'), sourceAt(folder, 'b.ndjson')];
    const seen: string[] = [];
    for (const field of Object.keys(statSync(a.path!, { bigint: true }))) {
      let changes = false;
      const statSync = ((path: string, options: { bigint: true }) => {
        const stats = fs.statSync(path, options);
        const value = stats[field as keyof typeof stats];
        return changes && path === a.path && typeof value === 'bigint'
          ? Object.assign(stats, { [field]: value + 1n })
          : stats;
      }) as typeof fs.statSync;
      const unchanged = new Unchanged([a, b], { statSync });
      expect([unchanged.has(a), unchanged.has(b)]).toEqual([true, true]);
      changes = true;
      expect(unchanged.has(b)).toBe(true);
      if (!unchanged.has(a)) seen.push(field);
    }
    expect(seen.sort()).toEqual(['ctimeNs', 'dev', 'ino', 'mtimeNs', 'size']);
  });
});

it.skipIf(appliers.missing)(
  `a diff that is larger than what is kept in memory is what is written${appliers.note}`,
  async () => {
    const folder = place({ 'a.ndjson': LINE.repeat(4000), 'b.ndjson': LINE });
    const { stdout } = await run(['fill', '--diff', '.'], folder);
    expect(stdout.length).toBeGreaterThan(4 << 20);
    applyBoth(folder, stdout, { 'a.ndjson': LINE_FILLED.repeat(4000), 'b.ndjson': LINE_FILLED });
  },
);

describe('of a compressed file', () => {
  it.skipIf(appliers.missing)(`there is none: a failure, and the others go on${appliers.note}`, async () => {
    const folder = place({
      'a.json.gz': gzipSync(CONTRACT),
      'b.json': gzipSync(CONTRACT),
      'c.json': CONTRACT,
      'd.json.gz': gzipSync(CONTRACT_FILLED),
    });
    const { code, stdout, stderr } = await run(['fill', '--diff', '--format', 'ndjson=r', '.'], folder);
    const words = 'a diff of a compressed file cannot be applied; decompress it, or use --write';
    expect(stderr.replace(/\n\n.*|^c\.json\n.*/s, '')).toContain(
      `paylint: a.json.gz: ${words}\npaylint: b.json: ${words}\n`,
    );
    expect(stderr).not.toContain('d.json.gz');
    applyBoth(folder, stdout, { 'c.json': CONTRACT_FILLED });
    expect(stdout.toString().match(/^--- /gm)).toHaveLength(1);
    const events = eventsIn(readFileSync(join(folder, 'r'), 'utf8'));
    expect(events.filter(({ type }) => type === 'source')).toMatchObject([
      { file: 'c.json', filled: 3 },
      { file: 'd.json.gz', filled: 0 },
    ]);
    expect(code).toBe(2);
  });
});

describe('where links lead to a file', () => {
  it.skipIf(appliers.missing)(`it is named as what it is, once, and can be applied${appliers.note}`, async () => {
    const folder = place({ 'far/b.json': CONTRACT });
    symlinkSync('far/b.json', join(folder, 'a.json'));
    symlinkSync('far', join(folder, 'near'));
    const names = ['far/b.json', 'a.json', 'near/b.json'];
    for (const some of [names, names.slice(1), names.slice(2)]) {
      const { code, stdout } = await run(['fill', '--diff', ...some], folder);
      expect([code, stdout.toString().match(/^--- .*/gm)]).toEqual([0, ['--- a/far/b.json']]);
      applyBoth(folder, stdout, { 'far/b.json': CONTRACT_FILLED });
    }
    const check = await run(['fill', '--check', '--format', 'line', ...names], folder);
    expect(check.stdout.toString()).toContain('✗ would fill 3 members in 1 file · ');
  });

  it('also where the working directory is one', async () => {
    const folder = place({ 'far/b.json': CONTRACT });
    symlinkSync('far', join(folder, 'near'));
    const { code, stdout } = await run(['fill', '--diff', '.'], join(folder, 'near'));
    expect([code, stdout.toString().match(/^--- .*/gm)]).toEqual([0, ['--- a/b.json']]);
  });

  it('outside the working directory, that is a failure', async () => {
    const folder = place({ 'far/b.json': CONTRACT, 'here/c.json': CONTRACT });
    symlinkSync('../far/b.json', join(folder, 'here/a.json'));
    mkdirSync(join(folder, 'far/more'));
    const { code, stdout, stderr } = await run(['fill', '--diff', '--quiet', '.'], join(folder, 'here'));
    expect(stderr).toBe(
      'paylint: a.json: is a link to a file outside the working directory, where a diff cannot be applied; name that file\n',
    );
    expect(stdout.toString().match(/^--- .*/gm)).toEqual(['--- a/c.json']);
    expect(code).toBe(2);
  });
});

const cat = needs('cat');

it.skipIf(cat.missing)(`a pipe, which cannot be read twice, is refused${cat.note}`, async () => {
  const folder = place({ 'a.json': CONTRACT });
  const { code, stdout, stderr } = await sh(
    folder,
    'cat a.json | paylint fill --diff --quiet a.json /dev/fd/3 3<&0 </dev/null',
    cat,
  );
  expect(stderr).toMatch(/^paylint: \S*: a diff needs a regular file, which can be read twice\n$/);
  expect([code, stdout.match(/^--- .*/gm)]).toEqual([2, ['--- a/a.json']]);
});
