/**
 * The payloads of all fixtures, one by one: the start of mutations.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { byteOrderMark } from '../../src/json/utf8.ts';

export interface FixturePayload {
  /** Relative to the folder of the fixtures, with `/`. */
  readonly file: string;
  readonly bytes: Buffer;
}

/** Every line of the NDJSON files, every JSON file, of `folder` and below, without the white space around them; no gzip. */
export function fixturePayloads(folder: string): FixturePayload[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  return files
    .filter((file) => /\.(json|ndjson)$/.test(file))
    .sort()
    .flatMap((file) => {
      const bytes = readFileSync(join(folder, file));
      return (file.endsWith('.json') ? [bytes] : lines(bytes)).map((payload) => ({ file, bytes: trimmed(payload) }));
    });
}

function lines(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const lineFeed = bytes.indexOf(0x0a, from);
    const to = lineFeed < 0 ? bytes.length : lineFeed;
    if (to > from) found.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return found;
}

/** Without white space, and without a byte order mark. */
function trimmed(bytes: Buffer): Buffer {
  let start = byteOrderMark(bytes);
  let end = bytes.length;
  while (start < end && SPACE.has(bytes[start]!)) start++;
  while (end > start && SPACE.has(bytes[end - 1]!)) end--;
  return bytes.subarray(start, end);
}

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
