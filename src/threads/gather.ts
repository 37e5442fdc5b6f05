/**
 * Keeps what comes of a part, as data: for a thread to send, or the main thread to report when it is its turn.
 */
import type { CheckSink } from '../check/check.ts';
import type { TranscriptSink } from '../fill/transcript.ts';
import { type InsertionList, InsertionLog } from '../json/edits.ts';
import { createMarkedRecord } from '../report/drawn.ts';
import type { Excerpt, FilledPlace, Hidden, Rule, Violation } from '../types.ts';

/** What is wanted of a part, where defaults are filled in. */
export interface FillWants {
  readonly bytes: boolean;
  readonly insertions: boolean;
  /** Every member, with its pointer and place. */
  readonly fills: boolean;
}

/** A violation, or a member that was filled in where such are wanted one by one. */
export type Find =
  | { readonly violation: Violation; readonly excerpt: Excerpt | null }
  | { readonly fill: FilledPlace };

/** What was filled in, in order. */
export interface PartFills {
  readonly chunks: readonly { readonly chunk: Uint8Array<ArrayBuffer>; readonly changed: boolean }[];
  readonly insertions: InsertionList;
  readonly patterns: readonly (readonly [pattern: string, count: number])[];
}

/** Violations of a rule that are only counted, and those of them that are fixable. */
export interface HiddenCounts {
  readonly rule: Rule;
  readonly count: number;
  readonly fixable: number;
}

/** What came of a part. Payload indexes and lines count from the part's beginning. */
export interface Gathered {
  /** In the order in which they were found. */
  readonly finds: readonly Find[];
  /** Later ones. */
  readonly hidden: readonly HiddenCounts[];
  /** The violations as marked `ndjson`, in place of objects; null where they are these. */
  readonly drawn: { readonly text: string; readonly rules: readonly (readonly [string, number])[] } | null;
  readonly payloads: readonly {
    readonly kind: string | null;
    readonly valid: boolean;
    readonly count: number;
  }[];
  /** Null where nothing is filled in. */
  readonly fills: PartFills | null;
}

/** How the parts of a batch are to be done. */
export interface Manner {
  /** Stop after the first invalid payload. */
  readonly bail: boolean;
  readonly wants: FillWants | null;
  /** Violations are wanted as marked `ndjson`, and not as objects. */
  readonly drawn: boolean;
}

/** Thrown into the check of a part whose results cannot be data: it is to be done in its turn. */
export class InItsTurn extends Error {
  override readonly name = 'InItsTurn';
}

/** Characters that the violations of a part may take, about. The main thread reports them as they come, so they need no more. */
const MOST = 16 << 20;
/** What a violation takes beside its texts, in characters. */
const BARE = 500;

const NOTHING: readonly never[] = [];

/** Gathers what came of one part after another. There may be thousands of them: what is seldom needed is made when it is. */
export class Gatherer {
  /** An invalid payload has ended the run. */
  stopped = false;
  readonly sink: CheckSink;
  readonly #wants: FillWants | null;
  readonly #bail: boolean;
  readonly #record: ReturnType<typeof createMarkedRecord> | null;
  #finds: Find[] = [];
  #fills: { sink: TranscriptSink; fills: PartFills } | null = null;
  #hidden: Map<Rule, { rule: Rule; count: number; fixable: number }> | null = null;
  #rules: Map<Rule, number> | null = null;
  /** A handful, so a list is quicker than a map. */
  #counts: { kind: string | null; valid: boolean; count: number }[] = [];
  #text = '';
  /** Of the violations, in characters, about. */
  #weight = 0;

  constructor({ bail, wants, drawn }: Manner) {
    this.#bail = bail;
    this.#wants = wants;
    // Between violations there may be fills to tell of.
    this.#record = drawn && wants?.fills !== true ? createMarkedRecord() : null;
    this.#begin();
    const transcript = (): TranscriptSink | null => this.#fills?.sink ?? null;
    this.sink = {
      violation: (violation, excerpt) => this.#violation(violation, excerpt),
      hidden: (violation) => this.#hide(violation),
      payload: (kind, valid) => {
        this.#count(kind, valid, 1);
        this.stopped = this.#bail && !valid;
        return !this.stopped;
      },
      accepted: (kind, payloads) => this.#count(kind, true, payloads),
      get transcript() {
        return transcript();
      },
      // The main thread can say it in its order, between violations.
      fault: () => {
        throw new InItsTurn('a payload could not be checked');
      },
      flush: async () => {},
    };
  }

  /** All that came of the part; the next one begins. */
  take(): Gathered {
    const gathered = {
      finds: this.#finds.length === 0 ? NOTHING : this.#finds,
      hidden: this.#hidden === null ? NOTHING : [...this.#hidden.values()],
      drawn: this.#record === null ? null : { text: this.#text, rules: [...(this.#rules ?? NOTHING)] },
      payloads: this.#counts,
      fills: this.#fills?.fills ?? null,
    };
    this.#begin();
    return gathered;
  }

  #begin(): void {
    if (this.#finds.length > 0 || this.#wants !== null) this.#finds = [];
    this.#fills = this.#wants === null ? null : gatherFills(this.#wants, this.#finds);
    this.#hidden = null;
    this.#rules = null;
    this.#counts = [];
    this.#text = '';
    this.#weight = 0;
  }

  #violation(violation: Violation, excerpt: Excerpt | null): void {
    if (this.#record === null) {
      this.#finds.push({ violation, excerpt });
      this.#weight +=
        BARE + violation.pointer.length + violation.message.length + (excerpt?.text.length ?? 0);
    } else {
      const text = this.#record(violation);
      this.#weight += text.length;
      this.#text += text;
      this.#rules ??= new Map();
      this.#rules.set(violation.rule, (this.#rules.get(violation.rule) ?? 0) + 1);
    }
    if (this.#weight > MOST) throw new InItsTurn('too much for one message');
  }

  #hide({ rule, fixable }: Hidden): void {
    this.#hidden ??= new Map();
    let counts = this.#hidden.get(rule);
    if (counts === undefined) {
      counts = { rule, count: 0, fixable: 0 };
      this.#hidden.set(rule, counts);
    }
    counts.count++;
    if (fixable) counts.fixable++;
  }

  #count(kind: string | null, valid: boolean, payloads: number): void {
    for (const counts of this.#counts) {
      if (counts.kind === kind && counts.valid === valid) {
        counts.count += payloads;
        return;
      }
    }
    this.#counts.push({ kind, valid, count: payloads });
  }
}

/** Keeps what is wanted; chunks are copied, for the window is used again. Single members go to `finds`. */
function gatherFills(wants: FillWants, finds: Find[]): { sink: TranscriptSink; fills: PartFills } {
  const chunks: { chunk: Uint8Array<ArrayBuffer>; changed: boolean }[] = [];
  const insertions = new InsertionLog();
  const patterns: [string, number][] = [];
  const sink: TranscriptSink = {
    wantsFills: wants.fills,
    bytes(chunk, changed) {
      if (wants.bytes) chunks.push({ chunk: new Uint8Array(chunk), changed });
    },
    insertion(insertion) {
      if (wants.insertions) insertions.add(insertion);
    },
    fill: (fill) => finds.push({ fill }),
    filled: (pattern, count) => patterns.push([pattern, count]),
  };
  // A log is more than plain data, and only that goes from thread to thread.
  const { offsets, texts } = insertions;
  return { sink, fills: { chunks, insertions: { offsets, texts }, patterns } };
}
