/**
 * `--files-from`: reads PATHs from a file or from standard input, one per line, or each ended by a NUL.
 */
import { resolve } from 'node:path';
import { Interrupted, UsageError } from '../errors.ts';
import type { Io } from '../input/io.ts';
import { isPipe, readLimited } from '../input/read-file.ts';
import { wordsFor } from '../input/system-errors.ts';
import { otherEncoding } from '../json/head.ts';
import { byteOrderMark } from '../json/utf8.ts';
import { visible } from '../words/escape.ts';

/** The longest list, in bytes. */
const MAX_BYTES = 256 << 20;

/** The PATHs in `file` (`-`: standard input). Throws UsageError. */
export async function readPaths(file: string, io: Io): Promise<string[]> {
  const bytes = await readList(file, io);
  // The encoding is detected by the byte order mark only: a list of one-character names separated by NULs looks like
  // UTF-16.
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16)
    throw new UsageError(`the paths in ${visible(file)} are in ${otherEncoding(bytes)}, not in UTF-8`);
  const text = bytes.toString('utf8', byteOrderMark(bytes));
  return text.split(text.includes('\0') ? '\0' : /\r?\n/).filter((path) => path !== '');
}

async function readList(file: string, io: Io): Promise<Buffer> {
  const list = { role: 'the list of paths', most: MAX_BYTES };
  try {
    const path = resolve(io.cwd, file);
    if (file !== '-' && !isPipe(path)) return readLimited(path, MAX_BYTES);
    const { readPipe, readStdin } = await import('../config/pipes.ts');
    return await (file === '-' ? readStdin(list, io) : readPipe(path, list, io));
  } catch (cause) {
    if (cause instanceof Interrupted) throw cause;
    throw new UsageError(`cannot read the paths in ${visible(file)}: ${wordsFor(cause)}`, { cause });
  }
}
