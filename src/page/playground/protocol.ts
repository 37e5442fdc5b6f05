/**
 * What the page asks its Worker, and what the Worker answers. The Worker takes one text after another: a newer one ends the
 * check of an older one.
 */
import type { EndData, RowData } from '../../report/html-data.ts';
import type { Framing } from '../../types.ts';

/** What is checked. */
export interface Input {
  /** A text, or a file that is too large to be edited. */
  readonly payloads: string | Blob;
  /** Of the file; null: there is none. */
  readonly name: string | null;
  /** As it was typed; empty: the built-in ones. */
  readonly schema: string;
}

export type Ask =
  | ({ readonly type: 'check'; readonly id: number } & Input)
  /** The report on what was checked last. */
  | { readonly type: 'report'; readonly id: number; readonly format: 'pretty' | 'json' };

/** A change of the text, in UTF-16 code units. */
export interface Change {
  readonly at: number;
  /** How much goes. */
  readonly length: number;
  /** What is inserted. */
  readonly text: string;
  readonly payload: number;
  /** Of the object that is filled in, or of the member that goes, within its payload. */
  readonly pointer: string;
}

/** What `fill` would insert. */
export interface Fill {
  /** Members. */
  readonly count: number;
  readonly insertions: readonly Change[];
  /** What `prune` would remove. */
  readonly removals: readonly Change[];
  /** As `paylint fill --diff` prints it. */
  readonly diff: string;
}

export type Answer =
  /** The work on this question begins. */
  | { readonly type: 'begun'; readonly id: number }
  /** What was found since the last answer, and the totals so far. */
  | {
      readonly type: 'found';
      readonly id: number;
      readonly rows: readonly RowData[];
      readonly end: EndData;
      readonly framing: Framing;
      readonly kinds: readonly string[];
      readonly warnings: readonly string[];
      readonly done: boolean;
      /** With the last answer, for a text that is edited; else null. */
      readonly fill: Fill | null;
    }
  /** The schema cannot be used. `rows`: where it is not JSON. */
  | { readonly type: 'refused'; readonly id: number; readonly message: string; readonly rows: readonly RowData[] }
  | { readonly type: 'report'; readonly id: number; readonly text: string };
