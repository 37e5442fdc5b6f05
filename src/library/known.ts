/**
 * The kinds and framings that a caller names.
 */
import { UsageError } from '../errors.ts';
import type { SchemaSet } from '../schema/set.ts';
import { FRAMING_ALIASES, FRAMINGS, type Framing, type FramingName } from '../types.ts';

/** `kind` if the schemas have it; null for undefined. Throws UsageError for an unknown kind. */
export function knownKind({ kinds }: SchemaSet, kind: string | undefined): string | null {
  if (kind === undefined || kinds.some(({ name }) => name === kind)) return kind ?? null;
  throw new UsageError(`there is no kind "${kind}"; there are ${kinds.map(({ name }) => name).join(', ')}`);
}

/** The framing; null for undefined. Throws UsageError for an unknown one. */
export function knownFraming(name: FramingName | undefined): Framing | null {
  if (name === undefined) return null;
  const meant = Object.entries(FRAMING_ALIASES).find(([alias]) => alias === name)?.[1] ?? name;
  const framing = FRAMINGS.find((one) => one === meant);
  if (framing !== undefined) return framing;
  throw new UsageError(`there is no framing "${String(name)}"; there are ${FRAMINGS.join(', ')}`);
}
