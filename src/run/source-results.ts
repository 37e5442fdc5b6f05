/**
 * What is known of a source while it is read, and until its destination is done with it.
 */
import type { Source } from '../types.ts';
import { Sums } from './counts.ts';
import type { HeldEvents } from './held-events.ts';

export class SourceResults {
  readonly source: Source;
  /** Its events, if its destination may still fail; null: they are reported at once. */
  readonly held: HeldEvents | null;
  /** Violations among the held events that will be shown. */
  shown = 0;
  readonly sums = new Sums();
  /** Members filled in, by pointer. */
  readonly patterns = new Map<string, number>();
  /** Payloads and lines in its finished parts. */
  before = { payloads: 0, lines: 0 };
  opened = false;
  /** It could not be read to its end. */
  failed = false;

  constructor(source: Source, held: HeldEvents | null) {
    this.source = source;
    this.held = held;
  }
}
