/**
 * What the first bytes of a source show if it is not JSON in UTF-8: another encoding, a packed or binary file, or what
 * Git LFS leaves in place of a file.
 */

/**
 * The encoding other than UTF-8 that the first bytes show: by its byte order mark, or by the zero bytes of UTF-16 and
 * UTF-32 around the ASCII character with which every JSON text begins. Null if there is no sign of one.
 */
export function otherEncoding(head: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | 'UTF-32LE' | 'UTF-32BE' | null {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32LE' : 'UTF-16LE';
  if (a === 0xfe && b === 0xff) return 'UTF-16BE';
  if (a === 0 && b === 0 && ((c === 0xfe && d === 0xff) || (c === 0 && d !== undefined && d !== 0)))
    return 'UTF-32BE';
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
