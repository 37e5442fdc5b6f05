/**
 * The built package in this process: the library, and the command line with its output as texts.
 */
import { createRequire } from 'node:module';
import { PassThrough, Readable, Writable } from 'node:stream';
import type * as library from '../../src/index.ts';
import type * as command from '../../src/main.ts';

export type Paylint = library.Paylint;
export type Library = typeof library;

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface World {
  readonly folder: string;
  readonly library: Library;
  readonly run: (args: readonly string[], stdin?: Buffer) => Promise<Output>;
}

/** `dist`: the URL of the built package; `folder`: the working directory. */
export async function worldOf(dist: URL, folder: string): Promise<World> {
  const { main } = createRequire(dist)('./main.cjs') as typeof command;
  const run: World['run'] = async (args, stdin) => {
    const [out, err] = [collector(), collector()];
    const code = await main({
      args,
      stdin: stdin === undefined ? Object.assign(new PassThrough(), { isTTY: true }) : Readable.from([stdin]),
      stdout: out.stream,
      stderr: err.stream,
      env: {},
      cwd: folder,
      now: () => performance.now(),
      interrupt: new AbortController().signal,
    });
    return { code, stdout: out.text(), stderr: err.text() };
  };
  const built = (await import(new URL('index.js', dist).href)) as Library;
  return { folder, library: built, run };
}

function collector(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
