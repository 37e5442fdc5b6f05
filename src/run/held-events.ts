/**
 * What is to be reported of a source, kept until it is known whether it holds: a file that cannot be written back is a failure, and nothing
 * else. A few MiB are kept in memory; the rest waits in a spool, as JSON lines.
 */
import { Spool } from '../output/spool.ts';
import type { ReportEvent, Rule } from '../types.ts';

type HiddenEvent = Extract<ReportEvent, { readonly type: 'hidden' }>;

/** Characters that events may take up in memory, about. */
const MEMORY = 2 << 20;

export class HeldEvents {
  readonly #memory: number;
  #events: ReportEvent[] = [];
  #weight = 0;
  /** Earlier events. */
  #spool: Spool | null = null;
  /** Violations that are only counted: in what order does not matter. */
  #hidden = new Map<Rule, HiddenEvent>();
  #error: unknown = null;

  /** `memory`: how many characters of events may be kept in memory, about. */
  constructor(memory = MEMORY) {
    this.#memory = memory;
  }

  /** What kept events from being kept; null while all of them are. */
  get error(): unknown {
    return this.#error;
  }

  add(event: ReportEvent): void {
    if (event.type === 'hidden') {
      const { count = 0, fixable = 0 } = this.#hidden.get(event.rule) ?? {};
      const sum = { ...event, count: event.count + count, fixable: event.fixable + fixable };
      this.#hidden.set(event.rule, sum);
      return;
    }
    if (this.#error !== null) return;
    this.#events.push(event);
    this.#weight += weightOf(event);
    if (this.#weight > this.#memory) this.#spill();
  }

  #spill(): void {
    try {
      this.#spool ??= new Spool(0);
      for (const event of this.#events) this.#spool.write(Buffer.from(`${JSON.stringify(event)}\n`));
    } catch (error) {
      this.#error = error;
    }
    this.#events = [];
    this.#weight = 0;
  }

  /** All events in their order. Throws what reading the temporary file throws. */
  *replay(): Generator<ReportEvent> {
    if (this.#spool !== null) yield* eventsIn(this.#spool.read());
    yield* this.#events;
    yield* this.#hidden.values();
  }

  /** Forgets all events. */
  clear(): void {
    this.#spool?.close();
    this.#spool = null;
    this.#events = [];
    this.#weight = 0;
    this.#hidden = new Map();
    this.#error = null;
  }
}

/** What every event takes up, beside its texts. */
const BARE = 500;

/** Characters of an event, about: texts that a payload can make long count in full. */
function weightOf(event: ReportEvent): number {
  switch (event.type) {
    case 'violation': {
      const { pointer, message } = event.violation;
      return BARE + pointer.length + message.length + (event.excerpt?.text.length ?? 0);
    }
    case 'fill':
      return BARE + event.fill.pointer.length;
    case 'drawn':
      return BARE + event.text.length;
    default:
      return BARE;
  }
}

const LINE_FEED = 0x0a;

function* eventsIn(pieces: Iterable<Uint8Array>): Generator<ReportEvent> {
  let rest: Uint8Array[] = [];
  for (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...rest, piece.subarray(from, at)]).toString();
      rest = [];
      from = at + 1;
      yield JSON.parse(line) as ReportEvent; // our own text
    }
    rest.push(piece.subarray(from));
  }
}
