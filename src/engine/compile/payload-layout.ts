/**
 * How payloads of any kind are laid out when they are written.
 */

/** The kind of payloads that must only be well-formed. */
export const ANY_JSON = 'json';

/** The byte written before each text and the byte written after it; 0: none. One of them is 0. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/** One per line, or elements of an array, each after a comma. */
export const LAYOUTS = ['lines', 'array', 'pretty array'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** What accept writes around each payload; null: it writes nothing, because each payload must be formatted. */
export const AROUND: Readonly<Record<Layout, Around | null>> = {
  lines: { before: 0, after: 0x0a },
  array: { before: 0x2c, after: 0 },
  'pretty array': null,
};
