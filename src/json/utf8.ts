/**
 * UTF-8 (RFC 3629): where bytes stop being UTF-8, the byte order mark, and the text of strings; and what the first bytes of a
 * source show if it is not JSON in UTF-8: another encoding, a packed or binary file, or what Git LFS leaves in place of a file.
 */
import { isUtf8 } from 'node:buffer';

/** Index of the first byte of the first ill-formed sequence in `bytes[start, end)`, or -1 if all is UTF-8. */
export function firstInvalidUtf8(bytes: Uint8Array, start: number, end: number): number {
  if (isUtf8(bytes.subarray(start, end))) return -1;
  let at = start;
  while (at < end) {
    const length = sequenceLength(bytes, at, end);
    if (length === 0) return at;
    at += length;
  }
  return end;
}

/** Length of the well-formed sequence at `at`; 0 if it is ill-formed or cut off. Unicode, table 3-7. */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) return 0;
  const second = bytes[at + 1]!;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let i = 2; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
  return length;
}

/** Bytes before a character that are searched for the quote of the string that it is in. */
const IN_STRING = 400;

/** True if the byte at `at`, where UTF-8 ends, seems to be a letter or sign of Latin-1 in a string. */
export function looksLikeLatin1(bytes: Uint8Array, at: number, end: number): boolean {
  const isLetter = bytes[at]! >= 0xa0 && bytes[at]! < 0xff;
  const isAlone = at + 1 < end && (bytes[at + 1]! & 0xc0) !== 0x80;
  return isLetter && isAlone && bytes.subarray(Math.max(0, at - IN_STRING), at).includes(0x22);
}

/** Length in bytes of the UTF-8 character with this lead byte. */
export function characterLength(lead: number): number {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Bytes of the UTF-8 byte order mark at the beginning of `head`: 3, or 0 if there is none. */
export function byteOrderMark(head: Uint8Array): number {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
}

/** The value of the string token in `bytes[start, end)`, quotes included; it must be well-formed. */
export function decodeString(bytes: Buffer, start: number, end: number, escaped: boolean): string {
  if (escaped) return JSON.parse(bytes.toString('utf8', start, end)) as string;
  return bytes.toString('utf8', start + 1, end - 1);
}

/**
 * The encoding other than UTF-8 that the first bytes show: by its byte order mark, or by the zero bytes of UTF-16 and
 * UTF-32 around the ASCII character with which every JSON text begins. Null if there is no sign of one.
 */
export function otherEncoding(head: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | 'UTF-32LE' | 'UTF-32BE' | null {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32LE' : 'UTF-16LE';
  if (a === 0xfe && b === 0xff) return 'UTF-16BE';
  if (a === 0 && b === 0 && ((c === 0xfe && d === 0xff) || (c === 0 && d !== undefined && d !== 0))) return 'UTF-32BE';
  if (a === 0 && b !== undefined && b !== 0) return 'UTF-16BE';
  if (a !== undefined && a !== 0 && b === 0) return c === 0 && d === 0 ? 'UTF-32LE' : 'UTF-16LE';
  return null;
}

/** The first bytes of packed or binary files, so that a report names the format and not only the first byte that is not JSON. */
const BEGINNINGS: readonly (readonly [name: string, bytes: string])[] = [
  // After one layer of gzip was removed.
  ['doubly gzipped', '\x1f\x8b'],
  ['zip', 'PK\x03\x04'],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['xz', '\xfd7zX'],
  ['bzip2', 'BZh'],
  ['PDF', '%PDF'],
  ['Parquet', 'PAR1'],
];

/** Bytes that `packedFormat` looks at, at most. */
const PACKED_BYTES = 4;

/** The format that the first bytes show; null: none of these. */
export function packedFormat(head: Buffer): string | null {
  const text = head.toString('latin1', 0, PACKED_BYTES);
  return BEGINNINGS.find(([, bytes]) => text.startsWith(bytes))?.[0] ?? null;
}

/** The first line of what Git LFS leaves in place of a file. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** Bytes by which `isLfsPointer` decides. */
export const LFS_BYTES = LFS_POINTER.length;

/** `head`: the beginning of a source. */
export function isLfsPointer(head: Buffer): boolean {
  return head.toString('latin1', 0, LFS_BYTES) === LFS_POINTER;
}
