/**
 * `--files-from`: PATHs from a file or from standard input, one per line, or each with a NUL after it.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { wordsFor } from '../input/system-errors.ts';
import { visible } from '../words/escape.ts';

/** The PATHs in `file` (`-`: standard input). Throws UsageError. */
export async function readPaths(file: string, io: Io): Promise<string[]> {
  const text = (file === '-' ? await readStdin(io) : readFile(file, io)).toString('utf8');
  return text.split(text.includes('\0') ? '\0' : /\r?\n/).filter((path) => path !== '');
}

function readFile(file: string, io: Io): Buffer {
  try {
    return readFileSync(resolve(io.cwd, file));
  } catch (cause) {
    throw new UsageError(`cannot read the paths in ${visible(file)}: ${wordsFor(cause)}`, { cause });
  }
}

async function readStdin(io: Io): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as Uint8Array | string)); // bytes, unless an encoding is set
  return Buffer.concat(chunks);
}
