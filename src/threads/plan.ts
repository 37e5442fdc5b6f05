/**
 * Divides sources into batches: many small files go together; a large file of lines is divided into ranges; a source
 * that must be read from beginning to end stays one part, done in its turn.
 */
import { openSync, readSync } from 'node:fs';
import { isGzip } from '../input/byte-reader.ts';
import { HEAD_BYTES, plainlyOther } from '../input/detect-framing.ts';
import { type FileTime, timeOf } from '../input/range.ts';
import { closeRead } from '../input/read-file.ts';
import { otherEncoding } from '../json/head.ts';
import { byteOrderMark } from '../json/utf8.ts';
import type { Framing, Source } from '../types.ts';
import { type Batch, isSmallByLook, type Part, SHARED_BYTES, sizeOf, whole } from './part.ts';

const RANGE_BYTES = 1 << 20;
/** A file of more ranges than this gets larger ranges, because each thread receives the whole plan. */
const MOST_RANGES = 1 << 15;
const BATCH_FILES = 64;

/** Batches in the order of the sources. `framing`: overrides file names. */
export function plan(sources: readonly Source[], framing: Framing | null): Batch[] {
  const batches: Batch[] = [];
  let files: Part[] = [];
  let bytes = 0;
  const finish = (): void => {
    if (files.length > 0) batches.push({ parts: files, serial: false });
    files = [];
    bytes = 0;
  };
  for (const source of sources) {
    if (isSmallByLook(source)) {
      files.push(whole(source, 0));
      if (files.length === BATCH_FILES) finish();
      continue;
    }
    const size = sizeOf(source);
    if (size !== null && size <= SHARED_BYTES) {
      files.push(whole(source, size));
      bytes += size;
      if (files.length === BATCH_FILES || bytes > RANGE_BYTES) finish();
      continue;
    }
    finish();
    const isLines = (framing ?? source.framing) === 'lines';
    const divisible = size !== null && isLines && hasLines(source, framing);
    const file = divisible ? timeOf(source.path!) : null; // sizeOf has checked the path
    if (file !== null)
      for (const part of ranges(source, file)) batches.push({ parts: [part], serial: false });
    else batches.push({ parts: [whole(source, size)], serial: true });
  }
  finish();
  return batches;
}

function ranges(source: Source, time: FileTime): Part[] {
  const { dev, ino, size } = time;
  const file = { dev, ino, size };
  const bytes = RANGE_BYTES * Math.max(1, Math.ceil(file.size / (RANGE_BYTES * MOST_RANGES)));
  const count = Math.max(1, Math.ceil(file.size / bytes));
  return Array.from({ length: count }, (_, i) => {
    // The last range includes bytes that are added to the file in the meantime.
    const to = i === count - 1 ? Number.MAX_SAFE_INTEGER : (i + 1) * bytes;
    return { source, range: { from: i * bytes, to, file, time }, last: i === count - 1, small: false };
  });
}

/**
 * False for gzip, for text that is not UTF-8, and for text that is clearly not one payload per line: none has line ends
 * to cut at.
 */
function hasLines({ path }: Source, framing: Framing | null): boolean {
  const room = Buffer.alloc(HEAD_BYTES);
  let head: Buffer;
  try {
    const fd = openSync(path!, 'r'); // sizeOf has checked the path
    try {
      head = room.subarray(0, readSync(fd, room, 0, room.length, 0));
    } finally {
      closeRead(fd);
    }
  } catch {
    return false;
  }
  if (otherEncoding(head) !== null || isGzip(head)) return false;
  const text = head.subarray(byteOrderMark(head));
  return framing !== null || plainlyOther('lines', text, head.length < room.length) === null;
}
