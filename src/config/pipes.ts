/**
 * Input other than payloads, such as a schema or a config, may be a pipe, such as `<(jq …)`. Its writer may never come,
 * so signals are handled during the read, and a message says what the run waits for.
 */
import { basename } from 'node:path';
import { Interrupted } from '../errors.ts';
import { unreadable } from '../schema/document.ts';
import type { Io } from '../source/io.ts';
import { openPath, openStdin } from '../source/open-bytes.ts';
import { shownPath } from '../source/path-text.ts';
import type { ByteReader } from '../source/read-file.ts';
import { visible } from '../words/escape.ts';

/** In milliseconds. */
const PATIENCE = 2000;

const CHUNK_BYTES = 1 << 16;

/** As for files. */
const MOST_SCHEMA_BYTES = 16 << 20;

/** What is read from a pipe: its role in a message, such as `the schema`, and the most bytes that are read. */
export interface Piped {
  readonly role: string;
  readonly most: number;
}

/** The schema in the pipe at `path` (absolute). Throws SchemaError and Interrupted. */
export async function readPipedSchema(path: string, io: Io): Promise<Buffer> {
  try {
    return await readPipe(path, { role: 'the schema', most: MOST_SCHEMA_BYTES }, io);
  } catch (cause) {
    if (cause instanceof Interrupted) throw cause;
    throw unreadable(path, basename(path), cause);
  }
}

/**
 * The content of the pipe at `path` (absolute). Throws Interrupted, SourceError, and an Error if there are more bytes
 * than `piped.most`.
 */
export function readPipe(path: string, piped: Piped, io: Io): Promise<Buffer> {
  const name = `${piped.role} ${visible(shownPath(path, io.cwd))}, a pipe`;
  return readAll(openPath(path, io.interrupt), { ...piped, name }, io);
}

/** The content of standard input. Throws as `readPipe` does. */
export function readStdin(piped: Piped, io: Io): Promise<Buffer> {
  // At a terminal the user sees that the command waits.
  const name = io.stdin.isTTY === true ? null : `${piped.role} on standard input`;
  return readAll(openStdin(io.stdin, io.interrupt), { ...piped, name }, io);
}

async function readAll(
  reader: ByteReader,
  { name, most }: { readonly name: string | null; readonly most: number },
  { stderr }: Io,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const say = (): void => {
    const why = size === 0 ? 'nothing has been written to it yet' : 'it has not been closed yet';
    if (name !== null) stderr.write(`paylint: waiting for ${name}: ${why}\n`);
  };
  const timer = setTimeout(say, PATIENCE);
  try {
    for (;;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const count = await reader.read(chunk, 0);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
      size += count;
      if (size > most) throw new Error(`is larger than ${most >> 20} MiB`);
    }
  } finally {
    clearTimeout(timer);
    await reader.close();
  }
}
