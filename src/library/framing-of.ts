/**
 * The framing of a text in memory: by the name of its file, or by its content, as for the files of a run.
 */
import { detectFraming, HEAD_BYTES } from '../input/detect-framing.ts';
import { framingOfName } from '../input/paths.ts';
import { seldom } from '../input/seldom.ts';
import { byteOrderMark } from '../json/utf8.ts';
import type { Framing } from '../types.ts';
import { bytesOf } from './text-bytes.ts';

/**
 * `name`: the name of the file. If it is undefined or has an unknown extension, the content decides, which may be gzip.
 * Throws a TypeError if `input` is neither text nor bytes.
 */
export function framingOf(input: string | Uint8Array, name: string | undefined): Framing {
  // A code unit is at least one byte, so this is enough text.
  const bytes = unzipped(bytesOf(typeof input === 'string' ? input.slice(0, HEAD_BYTES + 1) : input));
  const named = name === undefined ? null : framingOfName(name);
  if (named !== null) return named;
  const head = bytes.subarray(byteOrderMark(bytes), HEAD_BYTES);
  return detectFraming(head, bytes.length <= HEAD_BYTES);
}

/**
 * The beginning of the decompressed content, if the bytes are gzip. Other bytes, and gzip that is damaged from its
 * start, are returned unchanged.
 */
function unzipped(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const { gunzipSync, constants } = seldom('node:zlib');
  try {
    return gunzipSync(bytes.subarray(0, HEAD_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return bytes;
  }
}
