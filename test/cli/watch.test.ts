/**
 * `--watch`: a round after each change, of files, folders, the config and the schema. Each is the plain run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { seeded } from '../../scripts/mutations/mutate.ts';
import { main } from '../../src/main.ts';
import { times } from '../rounds.ts';
import { BIN } from '../spawned.ts';
import { paylint } from '../world.ts';

const root = mkdtempSync(join(tmpdir(), 'paylint-watch-'));
afterAll(() => rmSync(root, { recursive: true }));
const VALID = '{"@context":"c","@type":"e","emoji":"👍"}\n';
const INVALID = '{"@context":"c","@type":"e","emoji":1}\n';
const FILLABLE = '{"@type":"Contract"}\n';

let folder = root;
let count = 0;
const write = (name: string, text: string | object): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), typeof text === 'string' ? text : JSON.stringify(text));
};
beforeEach(() => {
  folder = join(root, `${count++}`);
  mkdirSync(join(folder, 'in'), { recursive: true });
});

interface Summary {
  readonly sources: number;
  readonly invalid: number;
  readonly warnings: number;
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** paylint as a process, and its rounds: the summaries that it prints. */
class Watching {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  #text = '';
  #errors = '';
  #wake: (() => void)[] = [];

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, [BIN, ...args, '--watch', '--format', 'ndjson'], { cwd: folder });
    const note = (take: (text: string) => void) => (text: Buffer) => {
      take(text.toString());
      for (const wake of this.#wake.splice(0)) wake();
    };
    this.child.stdout!.on(
      'data',
      note((text) => {
        this.#text += text;
      }),
    );
    this.child.stderr!.on(
      'data',
      note((text) => {
        this.#errors += text;
      }),
    );
    this.exit = new Promise((done) => this.child.on('exit', done));
  }

  get #last(): Summary | undefined {
    const lines = `${this.#text}\n${this.#errors}`.split('\n').filter((line) => line.startsWith('{"type":"summary"'));
    return lines.length === 0 ? undefined : (JSON.parse(lines.at(-1)!) as Summary);
  }

  /** Waits until the last round is so. */
  async until(expected: Partial<Summary>): Promise<void> {
    const fits = (): boolean =>
      Object.entries(expected).every(([name, value]) => this.#last?.[name as keyof Summary] === value);
    while (!fits()) await new Promise<void>((wake) => this.#wake.push(wake));
  }

  /** Waits until the last round has printed that: a report, or why there is none. */
  async untilRound({ stdout, stderr }: Printed): Promise<void> {
    const fits = (): boolean =>
      stdout === '' ? this.#errors.endsWith(stderr) : withoutTimes(this.#lastReport) === stdout;
    while (!fits()) await new Promise<void>((wake) => this.#wake.push(wake));
  }

  get #lastReport(): string {
    const before = this.#text.lastIndexOf('{"type":"summary"', this.#text.lastIndexOf('{"type":"summary"') - 1);
    return before < 0 ? this.#text : this.#text.slice(this.#text.indexOf('\n', before) + 1);
  }

  get errors(): string {
    return this.#errors;
  }

  async untilError(text: string): Promise<void> {
    while (!this.#errors.includes(text)) await new Promise<void>((wake) => this.#wake.push(wake));
  }

  async end(): Promise<number | null> {
    this.child.stdin!.end();
    return this.exit;
  }
}

describe('validate --watch', () => {
  it('reports again after changes, new files and folders, renames over a file, and deletions', async () => {
    write('in/a.ndjson', INVALID);
    const watching = new Watching(['validate', 'in']);
    await watching.until({ sources: 1, invalid: 1 });
    write('in/a.ndjson', VALID);
    await watching.until({ sources: 1, invalid: 0 });
    write('in/sub/b.json', INVALID);
    await watching.until({ sources: 2, invalid: 1 });
    for (const [text, invalid] of [
      [INVALID, 2],
      [VALID, 1],
      [INVALID, 2],
    ] as const) {
      write('new.tmp', text);
      renameSync(join(folder, 'new.tmp'), join(folder, 'in/a.ndjson'));
      await watching.until({ sources: 2, invalid });
    }
    rmSync(join(folder, 'in/sub'), { recursive: true });
    await watching.until({ sources: 1, invalid: 1 });
    expect(await watching.end()).toBe(1);
  });

  it('counts the config and the schema, and goes on after a broken one', async () => {
    write('in/a.ndjson', '{"a":1}\n');
    write('own.schema.json', { type: 'object', required: ['b'] });
    write('paylint.config.json', { schema: 'own.schema.json' });
    const watching = new Watching(['validate', 'in/*.ndjson']);
    await watching.until({ invalid: 1, warnings: 0 });
    write('paylint.config.json', { schema: 'own.schema.json', rules: { required: 'warning' } });
    await watching.until({ invalid: 0, warnings: 1 });
    write('own.schema.json', { type: 'object', required: ['a'] });
    await watching.until({ invalid: 0, warnings: 0 });
    write('paylint.config.json', '{');
    await watching.untilError('paylint.config.json:1:2');
    write('paylint.config.json', { schema: 'own.schema.json' });
    write('own.schema.json', { type: 'object', required: ['b'] });
    await watching.until({ invalid: 1 });
    write('own.schema.json', { type: 'object' });
    await watching.until({ invalid: 0 });
    expect(await watching.end()).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')(
    'does not watch the schemas of the package, which do not change',
    async () => {
      write('in/a.ndjson', INVALID);
      write('paylint.config.json', { rules: {} });
      const watching = new Watching(['validate', 'in']);
      await watching.until({ invalid: 1 });
      write('in/a.ndjson', VALID);
      await watching.until({ invalid: 0 });
      const watched = watchedInodes(watching.child.pid!);
      const inode = (path: string): string => statSync(path).ino.toString(16);
      expect(watched).toContain(inode(join(folder, 'in')));
      expect(watched).not.toContain(inode(join(import.meta.dirname, '../../schemas/payload.schema.json')));
      await watching.end();
    },
  );

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends by %s with the exit code of the last round',
    async (signal) => {
      write('in/a.json', INVALID);
      const watching = new Watching(['validate', 'in']);
      await watching.until({ invalid: 1 });
      watching.child.kill(signal);
      expect(await watching.exit).toBe(1);
    },
  );

  /** The inodes, in hexadecimal digits, that a process watches: descriptors that it closes meanwhile have none. */
  function watchedInodes(pid: number): (string | undefined)[] {
    const proc = `/proc/${pid}/fdinfo`;
    return readdirSync(proc).flatMap((name) => {
      try {
        const info = readFileSync(join(proc, name), 'utf8');
        return [...info.matchAll(/^inotify .* ino:(\w+)/gm)].map(([, inode]) => inode);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    });
  }

  /** What is printed before a round. */
  const CLEAR = '\x1b[2J\x1b[3J\x1b[H';

  /** In this process, with a terminal. */
  function atTerminal(...args: string[]) {
    const seen = { text: '', raw: [] as boolean[] };
    const write = (chunk: unknown, _: unknown, done: () => void): void => {
      seen.text += chunk;
      done();
    };
    const terminal = () => Object.assign(new Writable({ write }), { isTTY: true, columns: 80 });
    const setRawMode = (on: boolean) => seen.raw.push(on);
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
    const code = main({
      args: ['validate', 'in', '--watch', ...args],
      stdin,
      stdout: terminal(),
      stderr: terminal(),
      env: { TERM: 'dumb' },
      cwd: folder,
      now: () => performance.now(),
      interrupt: new AbortController().signal,
    });
    /** Waits for a round that prints `expected`, and a status line, and returns what it prints. */
    const round = async (expected = /./): Promise<string> => {
      const last = (): string => seen.text.split(CLEAR).at(-1)!;
      while (!expected.test(last()) || !last().includes('q ends')) await new Promise((wait) => setTimeout(wait, 20));
      return last();
    };
    return { seen, stdin, code, round };
  }

  it('shows the state of all files on a terminal, with the time of the last change, until q', async () => {
    write('in/a.json', VALID);
    write('in/b.json', INVALID);
    const { seen, stdin, code, round } = atTerminal('--no-config');
    const text = await round();
    expect(text).toContain('in/b.json');
    expect(text).toMatch(/2 files, last change at \d\d:\d\d:\d\d; q ends/);
    stdin.write('q');
    expect(await code).toBe(1);
    expect(seen.raw).toEqual([true]);
  });

  it('ends by q in the first round, with the counts so far', async () => {
    write('in/a.ndjson', INVALID.repeat(200_000));
    const { seen, stdin, code } = atTerminal('--no-config', '--threads', '1', '--max-violations', '0');
    stdin.write('q');
    expect(await code).toBe(130);
    expect(seen.text).toContain(' · stopped early · ');
  });

  it('says on a terminal that a round failed, and starts the next one after a change', async () => {
    const failed = / this run failed \(exit code 2\) and the next change starts another, last change at .*; q ends/;
    const passed = /: 1 file, last change at/;
    write('in/a.json', VALID);
    write('s.json', { type: 'object' });
    write('paylint.config.json', { schema: 's.json' });
    const { stdin, code, round } = atTerminal();
    await round(passed);
    write('s.json', { type: 'objekt' });
    expect(await round(/objekt/)).toMatch(failed);
    write('s.json', { type: 'object' });
    await round(passed);
    write('paylint.config.json', '{');
    expect(await round(/paylint\.config\.json:1:2/)).toMatch(failed);
    write('paylint.config.json', { schema: 's.json' });
    await round(passed);
    rmSync(join(folder, 'in/a.json'));
    expect(await round(/: 0 files/)).toMatch(failed);
    stdin.write('q');
    expect(await code).toBe(2);
  });
});

/** What a round must print: what the plain run prints, but for times. */
async function plain(args: readonly string[]): Promise<Printed> {
  const { stdout, stderr } = await paylint([...args, '--format', 'ndjson'], { cwd: folder });
  return { stdout: withoutTimes(stdout), stderr };
}

function withoutTimes(text: string): string {
  return text.replace(/"elapsedMs":\d+/g, '"elapsedMs":0');
}

describe('each round is the plain run', () => {
  const S = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };

  it('with a baseline, whose violations do not add up', async () => {
    for (const name of ['x1', 'x2', 'x3']) write(`in/${name}.json`, '{"a":"known"}');
    write('s.json', S);
    const args = ['validate', 'in', '--schema', 's.json', '--no-config', '--baseline', 'b.ndjson'];
    await paylint([...args, '--update-baseline'], { cwd: folder });
    const watching = new Watching(args);
    await watching.untilRound(await plain(args));
    write('in/x4.json', '{"a":"new"}');
    await watching.untilRound(await plain(args));
    write('in/x4.json', '{"a":1}');
    await watching.untilRound(await plain(args));
    write('b.ndjson', 'no baseline');
    await watching.untilRound(await plain(args));
    expect(await watching.end()).toBe(2);
  });

  it('after a folder went away and came back, and so did what is around it', async () => {
    write('s.json', S);
    write('top/in/ok.json', '{"a":1}');
    const args = ['validate', 'top/in', '--schema', 's.json', '--no-config', '--allow-empty'];
    const watching = new Watching(args);
    await watching.untilRound(await plain(args));
    for (const gone of ['top/in', 'top', 'top/in']) {
      rmSync(join(folder, gone), { recursive: true });
      await watching.untilRound(await plain(args));
      write('top/in/back.json', '{"a":"z"}');
      await watching.untilRound(await plain(args));
      write('top/in/more.json', '{"a":"y"}');
      await watching.untilRound(await plain(args));
      // At once, as a build does.
      rmSync(join(folder, gone), { recursive: true });
      write('top/in/sub/ok.json', '{"a":1}');
      await watching.untilRound(await plain(args));
      write('top/in/sub/ok.json', '{"a":"x"}');
      await watching.untilRound(await plain(args));
    }
    expect(await watching.end()).toBe(1);
  });

  it('of a file that keeps its size and its time of change, and of what a link leads to', async () => {
    write('s.json', S);
    write('in/x.json', '{"a":1  }');
    const old = new Date('2024-01-01');
    utimesSync(join(folder, 'in/x.json'), old, old);
    symlinkSync('../target.json', join(folder, 'in/link.json'));
    const args = ['validate', 'in', '--schema', 's.json', '--no-config'];
    const watching = new Watching(args);
    await watching.untilRound(await plain(args));
    write('in/x.json', '{"a":"b"}');
    utimesSync(join(folder, 'in/x.json'), old, old);
    await watching.untilRound(await plain(args));
    write('target.json', '{"a":"c"}');
    await watching.untilRound(await plain(args));
    write('target.json', '{"a":3}');
    await watching.untilRound(await plain(args));
    expect(await watching.end()).toBe(1);
  });

  it('and a fault of the config or of a schema is said once for each change', async () => {
    write('in/a.json', '{"a":1}');
    write('s.json', S);
    write('paylint.config.json', { schema: 's.json' });
    const watching = new Watching(['validate', 'in']);
    await watching.until({ invalid: 0 });
    write('paylint.config.json', '{');
    await watching.untilError('paylint.config.json:1:2');
    write('paylint.config.json', { schema: 's.json', rules: { type: 'off' } });
    write('in/a.json', '{"a":"x","b":1}');
    write('in/b.json', '{}');
    await watching.until({ invalid: 1, sources: 2 });
    expect(watching.errors.match(/paylint\.config\.json:1:2/g)).toHaveLength(1);
    write('s.json', { $ref: 'later/t.json' });
    await watching.untilError('later/t.json');
    write('later/t.json', { type: 'array' });
    await watching.until({ invalid: 0, sources: 2 });
    expect(await watching.end()).toBe(0);
  });

  it.each([['--bail'], ['--quiet'], ['--stats']])('with %s', async (flag) => {
    write('s.json', S);
    for (const name of ['a', 'b']) write(`in/${name}.json`, '{"a":"x"}');
    const args = ['validate', 'in', '--schema', 's.json', '--no-config', flag];
    const watching = new Watching(args);
    await watching.untilRound(await plain(args));
    write('in/a.json', '{"a":1}');
    await watching.untilRound(await plain(args));
    expect(await watching.end()).toBe(1);
  });

  it('over random edits, renames and deletions of payloads and schemas, broken ones among them', async () => {
    const random = seeded(7);
    const pick = <T>(of: readonly T[]): T => of[random(of.length)]!; // not empty
    const args = ['validate', 'in', '--schema', 's.json', '--no-config', '--allow-empty'];
    write('s.json', S);
    write('in/a.json', '{"a":1}');
    const watching = new Watching(args);
    await watching.untilRound(await plain(args));
    const files = ['in/a.json', 'in/b.ndjson', 'in/sub/c.json', 'in/sub/deep/d.json'];
    const texts = ['{"a":1}', '{"a":"x"}', '{', '[{"a":1},{"b":2}]', '', '{"a":1}\n{"a":"y"}\n'];
    for (let i = 0; i < times(60, 12); i++) {
      const [from, to] = [pick(files), pick(files)];
      const act = pick(['write', 'write', 'remove', 'rename', 'folder', 'schema']);
      if (act === 'write') write(to, pick(texts));
      else if (act === 'remove') rmSync(join(folder, from), { force: true });
      else if (act === 'folder')
        rmSync(join(folder, pick(['in/sub', 'in/sub/deep'])), { recursive: true, force: true });
      else if (act === 'rename' && existsSync(join(folder, from))) {
        mkdirSync(join(folder, to, '..'), { recursive: true });
        renameSync(join(folder, from), join(folder, to));
      } else write('s.json', pick([S, { ...S, required: ['b'] }, '{', { type: 'objct' }, { $ref: 'none.json' }]));
      await watching.untilRound(await plain(args));
    }
    await watching.end();
  });
});

describe('fill --check --watch', () => {
  it('says what would be filled in after each change', async () => {
    write('in/a.json', FILLABLE);
    const watching = new Watching(['fill', '--check', 'in', '--exit-zero']);
    await watching.until({ sources: 1, invalid: 1 });
    write('in/b.json', VALID);
    await watching.until({ sources: 2, invalid: 1 });
    rmSync(join(folder, 'in/a.json'));
    await watching.until({ sources: 1, invalid: 0 });
    expect(await watching.end()).toBe(0);
  });
});

describe('refusals', () => {
  it.each([
    [['validate', '--watch', '-'], 'standard input is none'],
    [['validate', '--watch', '--no-config'], 'a PATH is missing: --watch watches files'],
    [['validate', '--watch', 'in', '--shard', '1/2'], '--watch and --shard do not go together'],
    [['validate', '--watch', 'in', '--update-baseline'], '--watch and --update-baseline do not go together'],
    [['fill', '--watch', 'in'], '--watch goes with --check'],
    [['fill', '--watch', '--write', 'in'], '--watch goes with --check'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await paylint(args, { cwd: folder, stdin: '' });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
