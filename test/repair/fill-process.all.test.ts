/**
 * `fill --write` as a process among others: disks that are full, limits, rights, signals at any moment, runs side by side, readers that
 * go away. Runs what `npm run build` made.
 */
import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CONTRACT, CONTRACT_FILLED, place } from '../fill-run.ts';
import { times } from '../rounds.ts';
import { BIN, FIRST_LINE, type Outcome, outcomeOf, piped, sh, start } from '../spawned.ts';
import { isRoot, needs, UNPRIVILEGED } from '../tools.ts';

const LINE = `${JSON.stringify(JSON.parse(CONTRACT))}\n`;
const LINE_FILLED = `${JSON.stringify(JSON.parse(CONTRACT_FILLED))}\n`;
/** More than 1 MiB: less is not shared among threads. */
const COUNT = 4000;
const LARGE = LINE.repeat(COUNT);
const LARGE_FILLED = LINE_FILLED.repeat(COUNT);

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

describe.concurrent('a file for which there is no room is left as it is, and the others go on', () => {
  const mounts = needs('mounts of its own');

  it.each(['1', '4'])('for files may be only so large: by %s threads', async (threads) => {
    const folder = place({ 'a.ndjson': LARGE, 'b.json': CONTRACT, 'c.ndjson': LARGE });
    const line = `ulimit -f 1600; paylint fill --write --format line --threads ${threads} .`;
    const { code, stdout, stderr } = await sh(folder, line);
    const words = 'cannot be written: file too large (EFBIG)';
    expect(stderr).toBe(`paylint: a.ndjson: ${words}\npaylint: c.ndjson: ${words}\n`);
    // What was not left anywhere is not told either.
    expect(stdout).toMatch(/^b\.json: 3 missing members .*\n✗ .* 2 failures · .*\n$/);
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual(['a.ndjson', 'b.json', 'c.ndjson']);
    expect(read(folder, 'a.ndjson') === LARGE && read(folder, 'c.ndjson') === LARGE).toBe(true);
    expect(read(folder, 'b.json')).toBe(CONTRACT_FILLED);
  });

  it.skipIf(mounts.missing)(`for the disk is full${mounts.note}`, async () => {
    const folder = place({ 'disk/.keep': '', 'a.ndjson': LARGE.slice(0, (LARGE.length / 2) | 0), 'b.json': CONTRACT });
    // Nothing outside sees what is mounted.
    const copy = 'const fs = require("fs"); for (const name of ["a.ndjson", "b.json"]) fs.';
    const line = `unshare -rm /bin/sh -c '
      mount -t tmpfs -o size=${Math.round(LARGE.length * 0.7)} none disk
      "$NODE" -e "$INTO" && cd disk && "$NODE" "$BIN" fill --write --quiet .; echo "code $?"; echo *; "$NODE" -e "$BACK"'`;
    const { stdout, stderr } = await sh(
      folder,
      `export INTO='${copy}copyFileSync(name, "disk/" + name)' BACK='${copy}copyFileSync(name, "../after-" + name)'\n${line}`,
      mounts,
    );
    expect(stderr).toBe('paylint: a.ndjson: cannot be written: no space left on device (ENOSPC)\n');
    // The last line of the first is cut off, and told of.
    expect(stdout.slice(stdout.indexOf('code'))).toBe('code 2\na.ndjson b.json\n');
    expect(read(folder, 'after-a.ndjson') === read(folder, 'a.ndjson')).toBe(true);
    expect(read(folder, 'after-b.json')).toBe(CONTRACT_FILLED);
  });
});

describe.concurrent('what may not be written is left as it is', () => {
  /** As root nothing is forbidden. */
  const user = needs('an unprivileged user');

  it.skipIf(user.missing)(`files and folders${user.note}`, async () => {
    const folder = place({ 'a.json': CONTRACT, 'locked/b.json': CONTRACT, 'open/c.json': CONTRACT });
    chmodSync(join(folder, 'a.json'), 0o444);
    chmodSync(join(folder, 'locked'), 0o555);
    for (const name of ['..', '.', 'open']) chmodSync(join(folder, name), 0o777);
    for (const name of ['locked/b.json', 'open/c.json']) chmodSync(join(folder, name), 0o666);
    const { code, stderr } = await sh(folder, `${UNPRIVILEGED.join(' ')} "$NODE" "$BIN" fill --write --quiet .`, user);
    expect(stderr).toBe(
      [
        'paylint: a.json: cannot be written: the file is read-only for you: change its permissions (chmod) or its owner\n',
        'paylint: locked/b.json: cannot be written: its folder is read-only for you, and a new file is written there first: change its permissions\n',
        'paylint: open/c.json: warning: was written, but its owner (user 0) and its group (0) could not be kept\n',
      ]
        .slice(0, isRoot ? 3 : 2)
        .join(''),
    );
    expect(code).toBe(2);
    expect([read(folder, 'a.json'), read(folder, 'locked/b.json')]).toEqual([CONTRACT, CONTRACT]);
    expect(read(folder, 'open/c.json')).toBe(CONTRACT_FILLED);
    chmodSync(join(folder, 'locked'), 0o755); // to be cleared away
    expect([readdirSync(folder), readdirSync(join(folder, 'locked')), readdirSync(join(folder, 'open'))]).toEqual([
      ['a.json', 'locked', 'open'],
      ['b.json'],
      ['c.json'],
    ]);
  });

  it('pipes', async () => {
    const folder = place({ 'a.json': CONTRACT });
    const { code, stderr } = await sh(
      folder,
      `echo '${LINE.trimEnd()}' | paylint fill --write --quiet a.json /dev/fd/3 3<&0 </dev/null`,
    );
    expect(stderr).toMatch(/^paylint: \S*\/fd\/\d+: cannot be written: it is not a regular file\n$/);
    expect([code, read(folder, 'a.json')]).toEqual([2, CONTRACT_FILLED]);
  });
});

describe('at any moment', () => {
  // Two members, the second of which begins within a line.
  const middle = LARGE.length / 2 + 7;
  const packed = Buffer.concat(
    [LARGE.slice(0, middle), LARGE.slice(middle)].map((half) => gzipSync(half, { level: constants.Z_BEST_SPEED })),
  );
  const files = { 'a.ndjson': LARGE, 'b.ndjson': LARGE, 'c.ndjson.gz': packed };

  /** Starts a run, sends it a signal this many milliseconds after it has begun to write, and checks the files. */
  async function strike(signal: NodeJS.Signals, delay: number, threads: string): Promise<Outcome & { folder: string }> {
    const folder = place(files);
    const child = start(folder, 'fill', '--write', '--quiet', '--threads', threads, '.');
    const outcome = outcomeOf(child);
    while (child.exitCode === null && !readdirSync(folder).some((name) => name.startsWith('.paylint-')))
      await setTimeout(1);
    await setTimeout(delay);
    child.kill(signal);
    const result = await outcome;
    for (const name of ['a.ndjson', 'b.ndjson']) {
      const content = read(folder, name);
      expect([signal, delay, content === LARGE || content === LARGE_FILLED]).toEqual([signal, delay, true]);
    }
    const unpacked = unpackedIn(folder);
    expect([signal, delay, unpacked === LARGE || unpacked === LARGE_FILLED]).toEqual([signal, delay, true]);
    return { ...result, folder };
  }

  const unpackedIn = (folder: string): string => gunzipSync(readFileSync(join(folder, 'c.ndjson.gz'))).toString();
  const allFilled = (folder: string): boolean =>
    [read(folder, 'a.ndjson'), read(folder, 'b.ndjson'), unpackedIn(folder)].every(
      (content) => content === LARGE_FILLED,
    );

  it('kill -9 leaves the original or the complete new file', async () => {
    // Ever later, up to a sixth of a second.
    const count = times(14, 5);
    for (let i = 0; i < count; i++) await strike('SIGKILL', ((i * 13) / (count - 1)) ** 2, i % 2 === 0 ? '1' : '4');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s leaves no temporary file either', async (signal, code) => {
    for (let i = 0; i < times(4, 2); i++) {
      const result = await strike(signal, 10 * i, i % 2 === 0 ? '1' : '4');
      const left = readdirSync(result.folder).filter((name) => !name.endsWith('~'));
      expect(left).toEqual(['a.ndjson', 'b.ndjson', 'c.ndjson.gz']);
      expect(result.stderr).toBe('');
      // There is more to do than can be done at once.
      if (i === 0) expect(result.code).toBe(code);
      else if (result.code !== null) expect([0, code]).toContain(result.code);
      else {
        // It had nothing left to do but to end, and no longer listened.
        expect(result.signal).toBe(signal);
        expect(allFilled(result.folder)).toBe(true);
      }
    }
  });

  const cp = needs('GNU cp');

  it.skipIf(cp.missing)(
    `an interrupt of all that the terminal runs leaves nothing half done, and no word of what copies attributes${cp.note}`,
    async () => {
      for (let i = 0; i < times(6, 3); i++) {
        const names = Array.from({ length: 60 }, (_, n) => `${n}.json`);
        const folder = place(Object.fromEntries(names.map((name) => [name, CONTRACT])));
        const group = spawn(process.execPath, [BIN, 'fill', '--write', '--quiet', '.'], {
          cwd: folder,
          detached: true,
        });
        const outcome = outcomeOf(group);
        while (group.exitCode === null && read(folder, '0.json') === CONTRACT) await setTimeout(1);
        await setTimeout(3 * i);
        if (group.exitCode === null) process.kill(-group.pid!, 'SIGINT');
        const { code, stderr } = await outcome;
        expect([stderr, [130, 0].includes(code ?? 130)]).toEqual(['', true]);
        for (const name of names) expect([CONTRACT, CONTRACT_FILLED]).toContain(read(folder, name));
        expect(readdirSync(folder).sort()).toEqual([...names].sort());
      }
    },
  );

  it('SIGTERM ends a wait for standard input', async () => {
    const child = start('/', 'fill', '--input', 'lines', '--quiet');
    const outcome = outcomeOf(child);
    child.stdin!.write(LINE);
    await new Promise((done) => child.stdout!.once('data', done));
    child.kill('SIGTERM');
    expect(await outcome).toEqual({ code: 143, stdout: LINE_FILLED, stderr: '' });
  });

  it('two runs at once leave a complete file, and what lost says so', async () => {
    for (let i = 0; i < times(2, 1); i++) {
      const folder = place({ 'a.ndjson': LARGE });
      const runs = [1, 2, 3].map(() => outcomeOf(start(folder, 'fill', '--write', '--quiet', 'a.ndjson')));
      const results = await Promise.all(runs);
      expect(read(folder, 'a.ndjson') === LARGE_FILLED).toBe(true);
      expect(readdirSync(folder)).toEqual(['a.ndjson']);
      expect(results.map(({ code }) => code)).toContain(0);
      // It is noticed while the file is read, or before the new one is put in its place.
      const lost = /^paylint: a\.ndjson: was changed while it was read(, and is left as it is)?\n$/;
      for (const { code, stderr } of results)
        expect([code, stderr]).toEqual(code === 0 ? [0, ''] : [2, expect.stringMatching(lost)]);
    }
  });
});

describe.concurrent('a reader that goes away', () => {
  it.each([
    ['of payloads', 'paylint fill a.ndjson --quiet'],
    ['of a diff', 'paylint fill --diff a.ndjson --quiet'],
    ['of the report of what is written', 'paylint fill --write --format ndjson .'],
  ])('%s: exit code 141 and not a word', async (_, command) => {
    const folder = place({ 'a.ndjson': LARGE, 'b.json': CONTRACT });
    const { code, stdout, stderr } = await piped(folder, command, FIRST_LINE);
    expect(stdout.split('\n')).toHaveLength(2);
    expect([code, stderr]).toEqual([141, '']);
    expect(readdirSync(folder)).toEqual(['a.ndjson', 'b.json']);
    const writes = command.includes('--write');
    expect(read(folder, 'a.ndjson') === (writes ? LARGE_FILLED : LARGE)).toBe(true);
    expect(read(folder, 'b.json')).toBe(writes ? CONTRACT_FILLED : CONTRACT);
  });

  const devFull = needs('/dev/full');

  it
    .skipIf(devFull.missing)
    .each(['fill a.ndjson --quiet', 'fill --diff a.ndjson --quiet', 'fill --write --format ndjson a.ndjson'])(
    `and a full disk, under standard output of %s: exit code 2 with one message${devFull.note}`,
    async (args) => {
      const folder = place({ 'a.ndjson': LARGE });
      const { code, stderr } = await sh(folder, `paylint ${args} > /dev/full`);
      expect(stderr).toBe('paylint: cannot write to standard output: no space left on device (ENOSPC)\n');
      expect(code).toBe(2);
      expect(readdirSync(folder)).toEqual(['a.ndjson']);
      expect(read(folder, 'a.ndjson') === (args.includes('--write') ? LARGE_FILLED : LARGE)).toBe(true);
    },
  );

  it('a file that is read and written is refused', async () => {
    const folder = place({ 'a.ndjson': LINE });
    const { code, stderr } = await sh(folder, 'paylint fill a.ndjson >> a.ndjson');
    expect(stderr).toBe('paylint: a.ndjson is both read and written: write to another file\n');
    expect([code, read(folder, 'a.ndjson')]).toEqual([2, LINE]);
  });
});
