/**
 * When something is compiled: one table, with the reasons, and the supply of the code that notes violations. Until then,
 * payloads are judged and explained without compiling.
 */

import { type Soon, soon } from '../json/on-demand.ts';
import type { PrecompiledFiles } from '../package.ts';
import type { SchemaSet } from '../schema/set.ts';
import type { BeginNoting } from './judge/noted.ts';

/** `FirstPayloads`: to load the compiler and to compile a schema takes as long as to judge some payloads. */
export const FIRST = {
  /** Payloads of a run that are judged first. If they are small, more are, until they have `bytes` together. */
  payloads: 4,
  bytes: 1 << 13,
  /** A source with one payload of more bytes is left to compiled functions. */
  onePayload: 1 << 17,
} as const;

/** Texts of the library after which its engine is compiled: it is one for all calls, and most instances judge many. */
export const TEXTS = 8;
/** The same for texts that are filled: compiling takes about as long as filling this number of them. */
export const FILLED_TEXTS = 100;

/**
 * Payloads that are not accepted after which code that notes violations is compiled, if the schema has at most `nodes`
 * subschemas, and if it has more. One of `bytes` counts as one more, since the judge takes longer for it. An instance of the
 * library lives longer than a run, and to prune takes the judge far longer than to explain.
 */
export const NOTED = {
  ...{ nodes: 150, bytes: 1 << 11 },
  ...{ run: { small: 300, large: 5000 }, prune: { small: 30, large: 500 }, library: { small: 50, large: 5000 } },
} as const;

/**
 * Call it for each payload that is not accepted (`kind` null: it is detected), with its `size` in bytes. Null: nothing can be
 * noted yet.
 */
export type NotingSource = (kind: string | null, size: number) => Soon<BeginNoting | null>;

/** Where the code comes from that notes violations. */
export interface NotingParts {
  /** Files made from the schemas when paylint was built; null if there are none. Their code is used at once. */
  readonly precompiled: PrecompiledFiles | null;
  readonly load: () => Soon<SchemaSet>;
  readonly after: { readonly small: number; readonly large: number };
  /** `file`: a file that has the code; null: it is compiled. Null if the schemas do not allow notes. */
  readonly make: (set: SchemaSet, kind: string | null, file: string | null) => Soon<BeginNoting | null>;
}

export function notingSource({ precompiled, load, after, make }: NotingParts): NotingSource {
  const made = new Map<string | null, BeginNoting | null>();
  /** Payloads that are still to be explained; null until the schemas are known. */
  let left: number | null = null;
  const source: NotingSource = (kind, size) => {
    const known = made.get(kind);
    if (known !== undefined) return known;
    const file = kind === null ? (precompiled?.notes ?? null) : null;
    if (file === null && left === null)
      return soon(load(), ({ nodes }) => {
        left = nodes.length > NOTED.nodes ? after.large : after.small;
        return source(kind, size);
      });
    if (left !== null) left -= 1 + size / NOTED.bytes;
    if (file === null && left! >= 0) return null;
    return soon(load(), (set) =>
      soon(make(set, kind, file), (begin) => {
        made.set(kind, begin);
        return begin;
      }),
    );
  };
  return source;
}
