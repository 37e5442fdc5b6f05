/**
 * A world for `main(io)` in tests: arguments and standard input in, everything written and the exit code out.
 */
import { PassThrough, Readable, Writable } from 'node:stream';
import { main } from '../src/main.ts';

export interface WorldOptions {
  readonly cwd: string;
  /** Bytes of standard input; undefined: a terminal. */
  readonly stdin?: Uint8Array | string | Readable;
  readonly env?: Readonly<Record<string, string>>;
  /** The user; undefined: the system has none. */
  readonly uid?: number;
  /** Columns of a terminal that standard output and standard error are; undefined: they are pipes. */
  readonly columns?: number;
  readonly interrupt?: AbortSignal;
  /** Gets the size of each piece that is written, in bytes. */
  readonly pieces?: number[];
  /** Gets what is written on both streams, in its order. */
  readonly both?: Buffer[];
  /** Milliseconds; absent: as time goes by. */
  readonly now?: () => number;
  /** After this many bytes, standard output cannot be written: a system error with this code. */
  readonly lost?: { readonly after: number; readonly code: string };
}

export interface WorldResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs paylint in this process. */
export async function paylint(args: readonly string[], options: WorldOptions): Promise<WorldResult> {
  const {
    cwd,
    stdin,
    env = {},
    uid,
    interrupt = new AbortController().signal,
    now = () => performance.now(),
  } = options;
  const stdout = collector(options, options.lost);
  const stderr = collector(options);
  const input = stdin instanceof Readable ? stdin : Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]);
  const code = await main({
    args,
    stdin: stdin === undefined ? Object.assign(new PassThrough(), { isTTY: true }) : input,
    stdout,
    stderr,
    env,
    uid,
    cwd,
    now,
    interrupt,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector({ columns, pieces, both }: WorldOptions, lost?: WorldOptions['lost']) {
  const chunks: Buffer[] = [];
  let length = 0;
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      if (lost !== undefined && length >= lost.after)
        return done(Object.assign(new Error('lost'), { code: lost.code }));
      chunks.push(Buffer.from(chunk));
      pieces?.push(chunk.length);
      both?.push(Buffer.from(chunk));
      length += chunk.length;
      done();
    },
  });
  // As `tty.WriteStream` writes them.
  const terminal =
    columns === undefined
      ? {}
      : {
          isTTY: true,
          columns,
          cursorTo: (x: number) => stream.write(`\x1b[${x + 1}G`),
          clearLine: (direction: number) => stream.write(direction === 0 ? '\x1b[2K' : '\x1b[0K'),
        };
  return Object.assign(stream, terminal, { text: () => Buffer.concat(chunks).toString('utf8') });
}
