/**
 * `--watch`: a round after each change, of files, folders, the config and the schema; only what changed is judged again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Kept } from '../src/cli/watch.ts';
import { main } from '../src/main.ts';
import { BIN } from './spawned.ts';
import { paylint } from './world.ts';

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
    const lines = `${this.#text}\n${this.#errors}`
      .split('\n')
      .filter((line) => line.startsWith('{"type":"summary"'));
    return lines.length === 0 ? undefined : (JSON.parse(lines.at(-1)!) as Summary);
  }

  /** Waits until the last round is so. */
  async until(expected: Partial<Summary>): Promise<void> {
    const fits = (): boolean =>
      Object.entries(expected).every(([name, value]) => this.#last?.[name as keyof Summary] === value);
    while (!fits()) await new Promise<void>((wake) => this.#wake.push(wake));
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
      const proc = `/proc/${watching.child.pid}/fdinfo`;
      const infos = readdirSync(proc).map((name) => readFileSync(join(proc, name), 'utf8'));
      const watched = infos.flatMap((info) =>
        [...info.matchAll(/^inotify .* ino:(\w+)/gm)].map(([, ino]) => ino),
      );
      const inode = (path: string): string => statSync(path).ino.toString(16);
      expect(watched).toContain(inode(join(folder, 'in')));
      expect(watched).not.toContain(inode(join(import.meta.dirname, '../schemas/payload.schema.json')));
      await watching.end();
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends by %s with the exit code of the last round',
    async (signal) => {
      write('in/a.json', INVALID);
      const watching = new Watching(['validate', 'in']);
      await watching.until({ invalid: 1 });
      watching.child.kill(signal);
      expect(await watching.exit).toBe(1);
    },
  );

  it('shows the state of all files on a terminal, with the time of the last change, until q', async () => {
    write('in/a.json', VALID);
    write('in/b.json', INVALID);
    let text = '';
    const terminal = () =>
      Object.assign(
        new Writable({
          write(chunk, _encoding, done) {
            text += chunk;
            done();
          },
        }),
        { isTTY: true, columns: 80 },
      );
    const raw: boolean[] = [];
    const stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (on: boolean) => raw.push(on),
    });
    const stderr = terminal();
    stderr.on('pipe', () => {});
    const code = main({
      args: ['validate', 'in', '--watch', '--no-config'],
      stdin,
      stdout: terminal(),
      stderr,
      env: { TERM: 'dumb' },
      cwd: folder,
      now: () => performance.now(),
      interrupt: new AbortController().signal,
    });
    while (!text.includes('q ends')) await new Promise((wait) => setTimeout(wait, 20));
    expect(text).toContain('in/b.json');
    expect(text).toMatch(/2 files, last change at \d\d:\d\d:\d\d; q ends/);
    stdin.write('q');
    expect(await code).toBe(1);
    expect(raw).toEqual([true]);
  });

  it('does not judge what has not changed', async () => {
    write('in/a.json', VALID);
    write('in/b.json', VALID);
    const source = (name: string) => ({
      name,
      path: join(folder, name),
      regular: true,
      framing: null,
      kind: null,
    });
    const found = {
      sources: [source('in/a.json'), source('in/b.json')],
      failures: [],
      leftOutBy: [],
      unmatchedKinds: [],
    };
    const kept = new Kept();
    const judged: string[] = [];
    const round = async (beside: readonly string[] = []): Promise<readonly string[]> => {
      judged.length = 0;
      kept.begin(found, beside);
      const io = { interrupt: new AbortController().signal } as never; // no more is used
      const judge = async ({ name }: { name: string }) => {
        judged.push(name);
        return [];
      };
      for await (const _ of kept.events(found, judge, io)) throw new Error('there are no events');
      return judged;
    };
    expect(await round()).toEqual(['in/a.json', 'in/b.json']);
    expect(await round()).toEqual([]);
    write('in/b.json', INVALID);
    expect(await round()).toEqual(['in/b.json']);
    expect(await round([join(folder, 'config')])).toEqual(['in/a.json', 'in/b.json']);
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
    [['validate', '--watch'], '--watch needs a PATH'],
    [['validate', '--watch', 'in', '--shard', '1/2'], '--watch and --shard do not go together'],
    [['validate', '--watch', 'in', '--update-baseline'], '--watch and --update-baseline do not go together'],
    [['fill', '--watch', 'in'], '--watch goes with --check'],
    [['fill', '--watch', '--write', 'in'], '--watch goes with --check'],
  ])('%j', async (args, message) => {
    const { code, stderr } = await paylint(args, { cwd: folder, stdin: '' });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
