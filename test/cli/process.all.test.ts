/**
 * paylint as a process among others: pipes that close, disks that are full, signals, limits. Runs what `npm
 * run build` made.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as spawned from '../spawned.ts';
import { FIRST_LINE, type Outcome, outcomeOf, SLOW_READER, UNTIL_UNREAD } from '../spawned.ts';
import { type Need, needs, UNPRIVILEGED } from '../tools.ts';

const VALID = '{"@context":"c","@type":"t","emoji":"x"}';
const INVALID = '{"@context":"c","@type":"t","emoji":1}';
/** Enough that their report is more than a pipe holds, and more than one write. */
const PAYLOADS = 10_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylint-process-'));
  write('valid.json', VALID);
  write('a-first.ndjson', `${INVALID}\n`);
  write('invalid.json', INVALID);
  write('many.ndjson', `${INVALID}\n`.repeat(PAYLOADS));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** In the folder. */
const sh = (line: string, need?: Need): Promise<Outcome> => spawned.sh(folder, line, need);
const piped = (writer: string, reader: string): Promise<Outcome> => spawned.piped(folder, writer, reader);
const start = (args: readonly string[]): ChildProcess => spawned.start(folder, ...args);

describe.concurrent('a reader that goes away', () => {
  it.each([
    ['in the middle of a report', 'paylint validate many.ndjson --format line'],
    ['in the middle of a report by one thread', 'paylint validate many.ndjson --format line --threads 1'],
    ['in the middle of a report of standard input', 'paylint validate --format ndjson < many.ndjson'],
    ['in the middle of payloads', 'paylint convert many.ndjson --quiet'],
    ['in the middle of payloads by one thread', 'paylint filter --invert many.ndjson --threads 1 2>&-'],
  ])('%s: exit code 141 and not a word', async (_, command) => {
    const { code, stdout, stderr } = await piped(command, FIRST_LINE);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('');
    expect(code).toBe(141);
  });

  it.each(['--help', 'kinds', 'explain type', 'validate --list-files .', 'validate valid.json'])(
    'before %s has written anything: exit code 141 and not a word',
    async (args) => {
      const { code, stderr } = await piped(`${UNTIL_UNREAD}; paylint ${args}`, 'true');
      expect(stderr).toBe('');
      expect(code).toBe(141);
    },
  );

  it('of standard error changes nothing', async () => {
    const writer = `${UNTIL_UNREAD}; paylint validate none.json valid.json 2>&1 >&3`;
    const { code, stdout } = await piped(writer, 'true');
    expect(stdout).toMatch(/^✗ 1 payload valid · 1 failure · .*\n$/);
    expect(code).toBe(2);
  });
});

it('a report of two megabytes arrives whole through a slow pipe', async () => {
  const { code, stdout } = await piped('paylint validate many.ndjson --format ndjson', SLOW_READER);
  expect(stdout.length).toBeGreaterThan(2 << 20);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(PAYLOADS + 2);
  expect(lines.slice(0, PAYLOADS).every((line, i) => line.includes(`"payload":${i},"line":${i + 1},`))).toBe(true);
  expect(JSON.parse(lines[PAYLOADS + 1]!)).toMatchObject({ type: 'summary', violations: PAYLOADS });
  expect(code).toBe(1);
});

describe.skipIf(!existsSync('/dev/fd')).concurrent('a file that is a descriptor of the run', () => {
  const both = `${VALID}\n${INVALID}\n`;
  const summary = '✗ 1 of 2 payloads invalid · 1 ms\n';
  const line = 'mixed.ndjson:2:37: type expected a string, found 1\n';

  it.each([
    ['filter --rejects /dev/stdout', both],
    ['filter --rejects /dev/fd/1', both],
    ['filter --rejects /proc/self/fd/1', both],
    ['filter --rejects /dev/fd/4', `${INVALID}\n`, '4>&1 >/dev/null'],
    ['filter --rejects /dev/stderr', `${INVALID}\n${summary}`, '2>&1 >/dev/null'],
    ['convert --output /dev/stdout', both],
    ['validate --format line=/dev/stdout', line],
    ['filter --format line=/dev/stdout', `${VALID}\n${line}`, '2>/dev/null'],
    ['validate --format line=/dev/stderr', line, '2>&1 >/dev/null'],
  ])('%s: continues what the descriptor writes', async (args, written, redirected = '') => {
    if (args.includes('/proc/') && !existsSync('/proc/self/fd')) return;
    const at = mkdtempSync(join(folder, 'descriptor-'));
    writeFileSync(join(at, 'mixed.ndjson'), both);
    const run = `paylint ${args} --quiet mixed.ndjson ${redirected}`;
    await spawned.sh(at, `{ echo before; ${run}; echo after; } >log 2>errors`);
    expect(readFileSync(join(at, 'log'), 'utf8').replace(/[\d.]+ m?s$/m, '1 ms')).toBe(`before\n${written}after\n`);
  });
});

describe('with few file descriptors', () => {
  it('says so, instead of ending by a signal', async () => {
    const at = mkdtempSync(join(folder, 'few-'));
    writeFileSync(join(at, 's.json'), '{"properties":{"a":{"type":"integer"}}}');
    writeFileSync(join(at, 'many.ndjson'), '{"a":"x"}\n'.repeat(20_000));
    for (const limit of [20, 22, 24]) {
      // Node itself needs some, and ends by a signal without them.
      const before = await spawned.sh(at, `ulimit -n ${limit}; paylint --version`);
      if (before.code !== 0) continue;
      for (const threads of [1, 2]) {
        const line = `ulimit -n ${limit}; paylint validate --schema s.json many.ndjson --threads ${threads} --quiet`;
        const { code, stderr } = await spawned.sh(at, line);
        expect([code, stderr]).toEqual(
          code === 1 ? [1, ''] : [2, expect.stringMatching(/^paylint: \S+: too many open files in this process/)],
        );
      }
    }
  });
});

const devFull = needs('/dev/full');

describe.skipIf(devFull.missing).concurrent(`a full disk${devFull.note}`, () => {
  const full = 'no space left on device (ENOSPC)';

  it.each([
    'validate valid.json',
    'validate invalid.json --format ndjson',
    'validate many.ndjson --format line',
    'validate --list-files valid.json',
    'kinds',
    'explain type',
    '--help',
    '--version',
    'filter valid.json',
    'convert many.ndjson --to json',
  ])('under standard output of %s: exit code 2 with one message', async (args) => {
    expect(await sh(`paylint ${args} > /dev/full`)).toEqual({
      code: 2,
      stdout: '',
      stderr: `paylint: cannot write to standard output: ${full}\n`,
    });
  });

  it('under the rejects: exit code 2 with one message', async () => {
    const { code, stderr } = await sh('paylint filter many.ndjson --quiet --format line --rejects /dev/full');
    expect(stderr.split('\n').at(-2)).toBe(`paylint: cannot write to /dev/full: ${full}`);
    expect(code).toBe(2);
  });

  it('under a report file: exit code 2 with one message', async () => {
    const { code, stderr } = await sh('paylint validate many.ndjson --format line --format ndjson=/dev/full');
    expect(stderr).toBe(`paylint: cannot write to /dev/full: ${full}\n`);
    expect(code).toBe(2);
  });

  it('under standard error: the exit code stays', async () => {
    expect(await sh('paylint validate none.json --quiet 2> /dev/full')).toEqual({ code: 2, stdout: '', stderr: '' });
  });
});

describe.concurrent('closed standard streams', () => {
  it('no standard input, where none is needed', async () => {
    const { code, stderr } = await sh('paylint validate valid.json <&-');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('no standard input, where it is to be read', async () => {
    const { code, stderr } = await sh('paylint validate <&-');
    expect(stderr).toMatch(/^paylint: nothing to check: no PATH is given, and standard input is empty .*\nUsage: /);
    expect(code).toBe(2);
  });

  it.each([
    ['>&-', 1],
    ['2>&-', 1],
    ['<&- >&- 2>&-', 1],
  ])('%s', async (redirections, code) => {
    const outcome = await sh(`paylint validate invalid.json --format line ${redirections}`);
    expect(outcome.stderr).toBe('');
    expect(outcome.code).toBe(code);
  });
});

describe.concurrent('pipes with names', () => {
  const fifos = needs('mkfifo');

  it.skipIf(fifos.missing)(`a FIFO is read to its end, even if its writer comes later${fifos.note}`, async () => {
    const { code, stdout, stderr } = await sh(
      `mkfifo fifo.json; { "$NODE" -e 'setTimeout(() => {}, 300)'; echo '${INVALID}' >fifo.json; } &
        paylint validate fifo.json valid.json --format line; code=$?; wait; exit "$code"`,
      fifos,
    );
    expect(stdout).toMatch(/^fifo\.json:1:37: type .*\n✗ 1 violation in 1 of 2 payloads \(2 files\) · .*\n$/);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it.skipIf(fifos.missing)(`a FIFO that no writer opens is waited for until a signal${fifos.note}`, async () => {
    fifos.run('mkfifo', ['idle.json'], { cwd: folder });
    const child = start(['validate', 'a-first.ndjson', 'idle.json', '--format', 'line']);
    const outcome = outcomeOf(child);
    await onceData(child);
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await outcome;
    expect({ code, stderr }).toEqual({ code: 143, stderr: '' });
    expect(stdout).toMatch(/\n✗ 1 violation in 1 payload .*stopped early · /);
  });

  it('a pipe by the name of its descriptor, as process substitution has it, is read to its end', async () => {
    const pause = `"$NODE" -e 'setTimeout(() => {}, 200)'`;
    const { code, stdout } = await sh(
      `{ ${pause}; echo '${VALID}'; ${pause}; echo '${INVALID}'; } | paylint validate /dev/fd/3 --format line 3<&0 </dev/null`,
    );
    expect(stdout).toMatch(/dev\/fd\/\d+:2:37: type expected a string, found 1\n/);
    expect(code).toBe(1);
  });

  it('a writer that is slow on standard input is waited for, and what it has sent is reported at once', async () => {
    const child = start(['validate', '--input', 'lines', '--format', 'line']);
    const outcome = outcomeOf(child);
    child.stdin!.write(`${INVALID}\n`);
    await onceData(child);
    child.stdin!.end(VALID);
    expect((await outcome).stdout).toMatch(/^<stdin>:1:37: .*\n✗ 1 violation in 1 of 2 payloads/);
  });
});

function onceData(child: ChildProcess): Promise<void> {
  return new Promise((done) => child.stdout!.once('data', () => done()));
}

describe.concurrent('limits', () => {
  it.each(['1', '16'])('400 files and many lines with at most 64 open, for %s threads', async (threads) => {
    const many = join(folder, `files-${threads}`);
    mkdirSync(many);
    // Several pieces of work, and enough to share it.
    writeFileSync(join(many, 'lines.ndjson'), `${INVALID}\n`.repeat(4 * PAYLOADS));
    for (let i = 0; i < 400; i++) writeFileSync(join(many, `${i}.json`), VALID);
    const { code, stdout, stderr } = await sh(
      `ulimit -n 64; paylint validate files-${threads} --threads ${threads} --max-violations 1 --format line`,
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/\n✗ 40,000 violations in 40,000 of 40,400 payloads \(401 files\) · /);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('a report for each of many formats with few files open', async () => {
    const { code } = await sh(
      'ulimit -n 64; paylint validate invalid.json --format line=1 --format json=2 --format ndjson=3',
    );
    expect(code).toBe(1);
  });
});

describe.concurrent('an interrupt', () => {
  it('ends a wait for standard input: exit code 130, and the counts so far', async () => {
    const child = start(['validate', '--input', 'lines', '--format', 'line']);
    const outcome = outcomeOf(child);
    child.stdin!.write(`${INVALID}\n`);
    await onceData(child);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await outcome;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      '<stdin>:1:37: type expected a string, found 1',
      expect.stringMatching(/^✗ 1 violation in 1 payload · stopped early · /),
      '',
    ]);
  });

  it.each(['1', '4'])('ends the work on a large file by %s threads', async (threads) => {
    write(`large-${threads}.ndjson`, `${INVALID}\n`.repeat(15 * PAYLOADS));
    const child = start(['validate', `large-${threads}.ndjson`, '--format', 'ndjson', '--threads', threads]);
    // It has begun to write, and waits for a reader.
    await new Promise((ready) => child.stdout!.once('readable', ready));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await outcomeOf(child);
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stdout).toContain('"interrupted":true');
  });

  it.each([
    ['SIGHUP', 129, 1],
    ['SIGINT', 130, 1],
    ['SIGTERM', 143, 1],
    ['SIGINT', 130, 2],
  ] as const)('%s: exit code %d, even if nothing reads the report (%d times)', async (signal, code, times) => {
    const child = start(['validate', 'many.ndjson', '--format', 'ndjson']);
    const ended = new Promise((done) => child.on('exit', (...how) => done(how)));
    // It has begun to write, and waits for a reader.
    await new Promise((ready) => child.stdout!.once('readable', ready));
    for (let i = 0; i < times; i++) child.kill(signal);
    expect(await ended).toEqual([code, null]);
    child.stdout!.destroy();
  });

  const fifos = needs('mkfifo');
  it.skipIf(fifos.missing)(`twice: ends at once, even if nothing reads a named pipe${fifos.note}`, async () => {
    fifos.run('mkfifo', ['report.fifo'], { cwd: folder });
    const child = start(['validate', 'many.ndjson', '--format', 'ndjson=report.fifo', '--format', 'line']);
    const outcome = outcomeOf(child);
    // Opening the pipe waits for a reader.
    await setTimeout(500);
    // Two that come together are one, so there may have to be more.
    for (; child.exitCode === null && child.signalCode === null; await setTimeout(200)) child.kill('SIGINT');
    expect(await outcome).toMatchObject({ signal: 'SIGINT', stderr: '' });
  });
});

describe('threads', () => {
  /** Payloads of all sorts, in lines of all sorts; every malformed one is followed by more. */
  const LONG = VALID.replace('"x"', `"x","reason":"${'r'.repeat(400)}"`);
  const LINES = [
    LONG,
    `${LONG}\r`,
    `  ${VALID.replace('"x"', '"é😀"')}`,
    '',
    INVALID,
    '{"@context":"é😀","@context":"d","@type":"t","emoji":2}',
    '{"@context":"c","emo',
    '{"@type":"Artcle"}',
    '\ufeff{}',
    `[${VALID}]`,
  ];
  const lines = (count: number): string => {
    const some: string[] = [];
    // Mostly valid, in an order without a period that a multiple of anything could hide.
    for (let i = 0; i < count; i++) some.push(LINES[(i * i) % 1009 < 950 ? i % 4 : i % LINES.length]!);
    return some.join('\n');
  };

  beforeAll(() => {
    mkdirSync(join(folder, 'shared'));
    write('shared/a.ndjson', lines(16_000));
    write('shared/b.ndjson', `\ufeff${lines(6000)}`);
    write('shared/d.json', `[${lines(2000).replaceAll('\n', ' ,\n')}]`);
    writeFileSync(join(folder, 'shared/c.ndjson.gz'), gzipSync(lines(2000)));
    for (let i = 0; i < 100; i++) write(`shared/${i}.json`, LINES[i % LINES.length]!);
  });

  // In this process, with every format: `threads.test.ts`.
  it('never change the output', async () => {
    const command = 'paylint validate shared shared/none.json --format pretty --max-violations 0';
    const runs = ['1', '4'].map(async (threads) => {
      const { code, stdout } = await sh(`${command} --threads ${threads} 2>&1`);
      const timeless = stdout.replace(/"elapsedMs":\d+/, '').replace(/ · [\d.]+ m?s$/m, '');
      expect(timeless.length).toBeLessThan(stdout.length);
      return { code, length: timeless.length, digest: createHash('sha256').update(timeless).digest('hex') };
    });
    const [one, ...more] = await Promise.all(runs);
    expect(one!.code).toBe(2);
    for (const outcome of more) expect(outcome).toEqual(one);
  });
});

describe.concurrent('no permission', () => {
  /** As root nothing is forbidden. */
  const user = needs('an unprivileged user');
  const paylintAsUser = `${UNPRIVILEGED.join(' ')} "$NODE" "$BIN"`;

  it.skipIf(user.missing)(`for a folder and a file: two failures, and the rest is checked${user.note}`, async () => {
    for (const name of ['rights', 'rights/locked', 'rights/open']) mkdirSync(join(folder, name));
    for (const name of ['rights/a.json', 'rights/open/b.json', 'rights/secret.json']) write(name, INVALID);
    for (const name of ['rights/locked', 'rights/secret.json']) chmodSync(join(folder, name), 0);
    for (const name of ['.', 'rights', 'rights/open']) chmodSync(join(folder, name), 0o755);
    const { code, stdout, stderr } = await sh(`${paylintAsUser} validate rights --format line`, user);
    expect(stdout).toMatch(
      /^rights\/a\.json:.*\nrights\/open\/b\.json:.*\n✗ 2 violations in 2 of 2 payloads \(2 files\) · 2 failures · .*\n$/,
    );
    expect(stderr.split('\n').sort()).toEqual([
      '',
      'paylint: rights/locked: cannot list this folder: permission denied',
      'paylint: rights/secret.json: permission denied',
    ]);
    expect(code).toBe(2);
  });

  it.skipIf(user.missing)(`for the folder of a report: one message${user.note}`, async () => {
    mkdirSync(join(folder, 'reports'));
    chmodSync(join(folder, 'reports'), 0o555);
    chmodSync(folder, 0o755);
    const { code, stderr } = await sh(`${paylintAsUser} validate valid.json --format json=reports/x.json`, user);
    expect(stderr).toBe('paylint: cannot write to reports/x.json: permission denied\n');
    expect(code).toBe(2);
  });
});

describe.concurrent('reports into the folder that is checked', () => {
  it('by the shell: what is written is not read', async () => {
    mkdirSync(join(folder, 'own'));
    copyFileSync(join(folder, 'invalid.json'), join(folder, 'own/invalid.json'));
    const { code, stderr } = await sh('cd own; paylint validate . --format ndjson > report.json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const files = readFileSync(join(folder, 'own/report.json'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { file?: string }).file);
    expect(files).toEqual(['invalid.json', 'invalid.json', undefined]);
  });

  it('by the shell, onto a file that is named: refused', async () => {
    write('same.json', VALID);
    const { code, stderr } = await sh('paylint validate same.json >> same.json');
    expect(stderr).toBe('paylint: same.json is both read and written: write to another file\n');
    expect(code).toBe(2);
  });
});
