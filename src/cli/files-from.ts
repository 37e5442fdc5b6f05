/**
 * `--files-from`: PATHs from a file or from standard input, one per line, or each with a NUL after it.
 */
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { readLimited } from '../input/read-limited.ts';
import { wordsFor } from '../input/system-errors.ts';
import { byteOrderMark, otherEncoding } from '../json/utf8.ts';
import { visible } from '../words/escape.ts';

/** The longest list, in bytes. */
const MAX_BYTES = 256 << 20;

/** The PATHs in `file` (`-`: standard input). Throws UsageError. */
export async function readPaths(file: string, io: Io): Promise<string[]> {
  const bytes = file === '-' ? await readStdin(io) : readFile(file, io);
  // By its byte order mark only: with names of one character and NULs between them, a list looks like UTF-16.
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16)
    throw new UsageError(`the paths in ${visible(file)} are in ${otherEncoding(bytes)}, not in UTF-8`);
  const text = bytes.toString('utf8', byteOrderMark(bytes));
  return text.split(text.includes('\0') ? '\0' : /\r?\n/).filter((path) => path !== '');
}

function readFile(file: string, io: Io): Buffer {
  try {
    return readLimited(resolve(io.cwd, file), MAX_BYTES);
  } catch (cause) {
    throw new UsageError(`cannot read the paths in ${visible(file)}: ${wordsFor(cause)}`, { cause });
  }
}

async function readStdin(io: Io): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as Uint8Array | string)); // bytes, unless an encoding is set
  return Buffer.concat(chunks);
}
