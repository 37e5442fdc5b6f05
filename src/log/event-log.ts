/**
 * The log of the events that must wait before they are reported: if a file cannot be written back, only that failure is
 * reported; and what payloads have in common is known after the last of them. A few MiB are kept in memory; the rest is
 * written to a spool, as JSON lines.
 */

import type { ReportEvent, ViolationsEvent } from '../types.ts';
import { endedLines, Spool } from '../write/spool.ts';
import { countsIn, weightOfRemoved } from './violation-table.ts';

type HiddenEvent = Extract<ReportEvent, { readonly type: 'hidden' }>;

/** Most characters that events may take in memory, roughly. */
const MEMORY = 2 << 20;

export class EventLog {
  readonly #memory: number;
  #events: ReportEvent[] = [];
  #weight = 0;
  /** Earlier events. */
  #spool: Spool | null = null;
  /** Violations that are only counted. Their order does not matter. */
  #hidden = new Map<string, HiddenEvent>();
  /** The error because of which events could not be kept; null: there was none. */
  error: unknown = null;
  /** Violations were replayed that were only counted. */
  isShortened = false;

  /** `memory`: most characters of events in memory, roughly. */
  constructor(memory = MEMORY) {
    this.#memory = memory;
  }

  add(event: ReportEvent): void {
    if (event.type === 'hidden') {
      const key = `${event.rule} ${event.file}`;
      const { count = 0, fixable = 0 } = this.#hidden.get(key) ?? {};
      const sum = { ...event, count: event.count + count, fixable: event.fixable + fixable };
      this.#hidden.set(key, sum);
      return;
    }
    if (this.error !== null) return;
    this.#events.push(event);
    this.#weight += weightOf(event);
    if (this.#weight > this.#memory) this.#spill();
  }

  #spill(): void {
    try {
      this.#spool ??= new Spool(0);
      for (const event of this.#events) this.#spool.write(Buffer.from(`${textOf(event)}\n`));
    } catch (error) {
      this.error = error;
    }
    this.#events = [];
    this.#weight = 0;
  }

  /** Memory that the events use, in characters, roughly; Infinity if some are in the spool. */
  get weight(): number {
    return this.#spool === null ? this.#weight : Number.POSITIVE_INFINITY;
  }

  /**
   * All events in their order. `isShort`: from now on, violations are only counted, which takes little time. Throws the errors
   * of reading the temporary file.
   */
  *replay(isShort: () => boolean = NEVER): Generator<ReportEvent> {
    if (this.#spool !== null) yield* this.#spooled(this.#spool, isShort);
    for (const event of this.#events) {
      if (event.type !== 'violations' || !isShort()) yield event;
      else yield* this.#shortened(hiddenIn(event));
    }
    yield* this.#hidden.values();
  }

  *#spooled(spool: Spool, isShort: () => boolean): Generator<ReportEvent> {
    const rest: Buffer[] = [];
    let isSkipped = false;
    for (const piece of spool.read())
      for (const line of endedLines(piece, rest)) {
        const isCounts = line[0] === LIST_FIRST;
        if (!isCounts && !isSkipped) yield JSON.parse(line.toString()) as ReportEvent; // our own text
        isSkipped = isCounts && isShort();
        if (isSkipped) yield* this.#shortened(JSON.parse(line.toString()) as HiddenEvent[]); // our own text
      }
  }

  #shortened(hidden: readonly HiddenEvent[]): readonly HiddenEvent[] {
    this.isShortened = true;
    return hidden;
  }

  clear(): void {
    this.#spool?.close();
    this.#spool = null;
    this.#events = [];
    this.#weight = 0;
    this.#hidden = new Map();
    this.error = null;
  }
}

/** The size of an event without its texts. */
const BARE = 500;

/** The size of an event in characters, roughly: texts that a payload can make long count in full. */
function weightOf(event: ReportEvent): number {
  if (event.type === 'violations') return event.table.weight;
  if (event.type === 'fill') return BARE + event.fill.pointer.length;
  return event.type === 'prune' ? BARE + weightOfRemoved(event.prune) : BARE;
}

const NEVER = (): boolean => false;

/** `[`, with which the line of counts begins. */
const LIST_FIRST = 0x5b;

/** As JSON; violations after a line with their counts. */
function textOf(event: ReportEvent): string {
  if (event.type !== 'violations') return JSON.stringify(event);
  const { table } = event;
  const whole = JSON.stringify({ ...event, table: { ...table, rows: Array.from(table.rows) } });
  return `${JSON.stringify(hiddenIn(event))}\n${whole}`;
}

/** The violations of an event, only counted. */
function hiddenIn({ table, from, to }: ViolationsEvent): HiddenEvent[] {
  return [...countsIn(table, from, to)].map((counts) => ({ type: 'hidden', file: table.file, ...counts }));
}
