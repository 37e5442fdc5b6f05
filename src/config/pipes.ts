/** Schemas, configs and the like may be pipes, such as `<(jq …)`. The writer may never come, so signals are handled. */
import { basename } from 'node:path';
import { Interrupted } from '../errors.ts';
import { AUTHORED_BYTES, READ_BYTES } from '../limits.ts';
import { unreadable } from '../schema/document.ts';
import type { Io } from '../source/io.ts';
import { chunksOf, joined, openPath, openStdin } from '../source/open-bytes.ts';

const PIPE_CHUNK_BYTES = 1 << 16;

/** The schema in the pipe at `path` (absolute). Throws SchemaError and Interrupted. */
export async function readPipedSchema(path: string, io: Io): Promise<Buffer> {
  try {
    return await readPipe(path, io, AUTHORED_BYTES);
  } catch (cause) {
    if (cause instanceof Interrupted) throw cause;
    throw unreadable(path, basename(path), cause);
  }
}

/** Null: standard input. Throws Interrupted, and SourceError, also if there are more bytes than `most`. */
export async function readPipe(path: string | null, io: Io, most = READ_BYTES): Promise<Buffer> {
  const reader = path === null ? openStdin(io.stdin, io.interrupt) : openPath(path, io.interrupt);
  return joined(chunksOf(reader, PIPE_CHUNK_BYTES), most);
}
