/**
 * The log of the events that must wait before they are reported: if a file cannot be written back, only that failure is
 * reported; and what payloads have in common is known after the last of them. A few MiB are kept in memory; the rest is
 * written to a spool, as JSON lines.
 */
import type { ReportEvent } from '../types.ts';
import { linesIn, Spool } from '../write/spool.ts';

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

  /** All events in their order. Throws the errors of reading the temporary file. */
  *replay(): Generator<ReportEvent> {
    if (this.#spool !== null) yield* eventsIn(this.#spool.read());
    yield* this.#events;
    yield* this.#hidden.values();
  }

  /** Drops all events. */
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
  return event.type === 'fill' ? BARE + event.fill.pointer.length : BARE;
}

/** As JSON. */
function textOf(event: ReportEvent): string {
  if (event.type !== 'violations') return JSON.stringify(event);
  const { table } = event;
  return JSON.stringify({ ...event, table: { ...table, rows: Array.from(table.rows) } });
}

/** The events of lines that `textOf` has made. */
function* eventsIn(pieces: Iterable<Uint8Array>): Generator<ReportEvent> {
  for (const line of linesIn(pieces)) yield JSON.parse(line) as ReportEvent; // our own text
}
