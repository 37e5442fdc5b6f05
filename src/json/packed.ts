/**
 * Recognises packed or binary files by their first bytes, so that a report names the format and not only the first byte
 * that is not JSON.
 */

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
export const PACKED_BYTES = 4;

/** The format that the first bytes show; null: none of these. */
export function packedFormat(head: Buffer): string | null {
  const text = head.toString('latin1', 0, PACKED_BYTES);
  return BEGINNINGS.find(([, bytes]) => text.startsWith(bytes))?.[0] ?? null;
}
