/**
 * The resolved graph for a set that `load.ts` has loaded, from the same bytes.
 */

import { DRAFTS } from './drafts/index.ts';
import type { SchemaSet } from './load.ts';
import { openSchemas, type SchemaSet as ResolvedSet } from './set.ts';

const KNOWN = new WeakMap<SchemaSet['documents'], ResolvedSet>();

/** Throws SchemaError. */
export function graphOf(set: SchemaSet): ResolvedSet {
  const known = KNOWN.get(set.documents);
  if (known !== undefined) return known;
  // A copy of a set that a thread was given has plain arrays of bytes.
  const files = new Map(
    set.documents.map(({ path, bytes }) => [path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]),
  );
  const uris = set.documents.flatMap(({ uri, aliases, path }) =>
    [uri, ...aliases].map((one) => [one, path] as const),
  );
  const draft = DRAFTS.find(({ title }) => title === set.dialect)!;
  const resolved = openSchemas(set.entry.path, { known: new Map(uris), files, draft });
  KNOWN.set(set.documents, resolved);
  return resolved;
}
