/**
 * Elements of a large array that other threads accept in advance. A thread begins where it guesses that an element
 * begins. What it found counts only if the check of the source, which goes through the array from its beginning,
 * arrives at the same place between two elements: from there on it would find the same.
 */
import type { FileState } from '../input/byte-reader.ts';
import type { Between } from '../input/elements.ts';
import type { Place } from '../json/lines.ts';

/** Elements that were accepted one after another. */
export interface AcceptedElements {
  /** Offset in the source of the first one. */
  readonly from: number;
  /** Offset at which the next element begins or is expected, or of what follows the last one. */
  readonly to: number;
  /** See `AcceptRun`. */
  readonly afterElement: boolean;
  readonly payloads: number;
  /** Line and column of `to`, counted from `from`. */
  readonly place: Place;
}

/** What was accepted in advance in one source. */
export interface InAdvance {
  /** Offset in the source at which to call `take`; infinite: none is left. */
  readonly border: number;
  /**
   * Called if the check has reached or passed the border; `atElement`: an element begins exactly there. Reports the
   * elements that were accepted from there on, and returns where the check continues; null: there are none. Moves the
   * border.
   */
  take(atElement: boolean): Promise<AcceptedElements | null>;
  close(): Promise<void>;
}

/**
 * Begins to accept elements in advance. `from`: offset of the first byte that was not read. Null if threads would not
 * save time, or the file cannot be opened.
 */
export type AdvanceMaker = (from: number, file: FileState, between: Between) => Promise<InAdvance | null>;
