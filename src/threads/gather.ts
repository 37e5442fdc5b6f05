/**
 * Keeps the results of a part as data: for a thread to send, or for the main thread to report in their turn.
 */
import type { Claim, RunOptions, Sink } from '../check/flow.ts';
import { type InsertionList, InsertionLog } from '../json/insertions.ts';
import type { Pieces } from '../outlet/outlet.ts';
import type { ViolationLog } from '../report/violation-table.ts';
import type { FilledPlace, Hidden, Rule, ViolationTable } from '../types.ts';
import type { Blocks, SharedPiece } from './blocks.ts';
import type { Collector } from './part.ts';

/** The `@id` of a payload if they are compared, or a filled-in member if the outlet lists them. */
export type Find = { readonly claim: Claim } | { readonly fill: FilledPlace };

/** The pieces of a part's outlet, in order. */
export interface PartPieces {
  readonly chunks: readonly PieceOfBytes[];
  readonly insertions: InsertionList;
  readonly patterns: readonly (readonly [pattern: string, count: number])[];
  /** Number of rejected payloads. */
  readonly rejected: number;
}

/** Bytes for one of the destination's channels. */
export interface PieceOfBytes {
  /** To be freed once it is written. */
  readonly chunk: SharedPiece;
  readonly changed: boolean;
  readonly channel: number;
}

/** Violations of a rule that are only counted, and how many of them are fixable. */
export interface HiddenCounts {
  readonly rule: Rule;
  readonly count: number;
  readonly fixable: number;
}

/** The results of a part. Payload indexes and lines count from the part's beginning. */
export interface Gathered {
  /** Null: there are none. */
  readonly violations: ViolationTable | null;
  /** In the order in which they were found. */
  readonly finds: readonly Find[];
  /** By index in `finds`, how many of the violations come before it. */
  readonly before: readonly number[];
  /** Notes for the user about the source. */
  readonly notes: readonly string[];
  /** Payloads that are top-level arrays, because the schema is about arrays. */
  readonly arrays: number;
  /** Violations that are only counted, found after the others. */
  readonly hidden: readonly HiddenCounts[];
  readonly payloads: readonly {
    readonly kind: string | null;
    readonly valid: boolean;
    readonly count: number;
  }[];
  /** Null without an outlet. */
  readonly pieces: PartPieces | null;
}

/** Thrown in the check of a part whose results cannot be kept as data: the main thread must do it in its turn. */
export class InItsTurn extends Error {
  override readonly name = 'InItsTurn';
}

/**
 * Most characters, roughly, of a part's violations. With more, the main thread reports them as they come, which needs
 * no memory.
 */
const MOST = 16 << 20;
/** Most bytes of a part's pieces. Its bytes are a tenth of that, but indentation can make them many times as many. */
const MOST_BYTES = 64 << 20;
/** The size of a violation without its texts, in characters. */
const BARE = 500;

const NOTHING: readonly never[] = [];

/**
 * Gathers the results of one part after another. There may be thousands of parts, so what is rarely needed is made on
 * demand.
 */
export class Gatherer implements Collector {
  /** An invalid payload has ended the run. */
  stopped = false;
  readonly sink: Sink;
  readonly pieces: Pieces;
  readonly #bail: boolean;
  readonly #hasOutlet: boolean;
  readonly #log: ViolationLog;
  #finds: Find[] = [];
  #before: number[] = [];
  #chunks: PieceOfBytes[] = [];
  #rejected = 0;
  #insertions = new InsertionLog();
  #notes: string[] = [];
  #arrays = 0;
  #patterns: [string, number][] = [];
  #hidden: Map<Rule, { rule: Rule; count: number; fixable: number }> | null = null;
  /** Few entries, so a list is faster than a map. */
  #counts: { kind: string | null; valid: boolean; count: number }[] = [];
  /** Size of the finds, in characters, roughly. */
  #weight = 0;
  #pieceBytes = 0;

  /**
   * `blocks`: for the bytes of pieces; `log`: for violations; `flush`: of the sink. By default, `flush` does nothing.
   */
  constructor(
    { bail, outlet }: Pick<RunOptions, 'bail' | 'outlet'>,
    blocks: Blocks,
    log: ViolationLog,
    flush: Sink['flush'] = async () => {},
  ) {
    this.#bail = bail;
    this.#hasOutlet = outlet !== null;
    this.#log = log;
    this.sink = {
      violation: (statement, place, extra, again) => {
        log.add(statement, place, extra, again);
        this.#weigh(0);
        return true;
      },
      claim: (claim) => this.#claim(claim),
      note: (text) => this.#notes.push(text),
      array: () => {
        this.#arrays++;
      },
      hidden: (violation, count = 1) => this.#hide(violation, count),
      payload: (kind, valid) => {
        this.#count(kind, valid, 1);
        this.stopped = this.#bail && !valid;
        return !this.stopped;
      },
      accepted: (kind, payloads) => this.#count(kind, true, payloads),
      // The main thread can report it in order, between violations.
      fault: () => {
        throw new InItsTurn('a payload could not be checked');
      },
      flush,
    };
    this.pieces = {
      // The window will be reused.
      bytes: (chunk, changed, channel = 0) => {
        this.#pieceBytes += chunk.length;
        if (this.#pieceBytes > MOST_BYTES) throw new InItsTurn('too much memory for its pieces');
        this.#chunks.push({ chunk: blocks.keep(chunk), changed, channel });
      },
      room: (bytes) => blocks.room(bytes),
      edit: (edit) => this.#insertions.add(edit),
      fill: (fill) => this.#find({ fill }),
      filled: (pattern, count) => this.#patterns.push([pattern, count]),
      rejected: (count) => {
        this.#rejected += count;
      },
    };
  }

  /** Returns all results of the part and starts the next one. */
  take(): Gathered {
    const gathered = {
      violations: this.#log.take(),
      finds: this.#finds.length === 0 ? NOTHING : this.#finds,
      before: this.#before.length === 0 ? NOTHING : this.#before,
      notes: this.#notes.length === 0 ? NOTHING : this.#notes,
      arrays: this.#arrays,
      hidden: this.#hidden === null ? NOTHING : [...this.#hidden.values()],
      payloads: this.#counts,
      pieces: this.#hasOutlet ? this.#takePieces() : null,
    };
    if (this.#finds.length > 0) {
      this.#finds = [];
      this.#before = [];
    }
    if (this.#notes.length > 0) this.#notes = [];
    this.#arrays = 0;
    this.#hidden = null;
    this.#counts = [];
    this.#weight = 0;
    this.#pieceBytes = 0;
    return gathered;
  }

  #takePieces(): PartPieces {
    // An insertion log is a class; only plain data can be sent to another thread.
    const { offsets, texts } = this.#insertions;
    const pieces = {
      chunks: this.#chunks,
      insertions: { offsets, texts },
      patterns: this.#patterns,
      rejected: this.#rejected,
    };
    this.#chunks = [];
    this.#rejected = 0;
    this.#insertions = new InsertionLog();
    this.#patterns = [];
    return pieces;
  }

  #find(find: Find): void {
    this.#before.push(this.#log.length);
    this.#finds.push(find);
  }

  /** The main thread knows the other payloads. */
  #claim(claim: Claim): boolean {
    this.#find({ claim });
    this.#weigh(BARE + claim.pointer.length + (claim.excerpt?.text.length ?? 0));
    return false;
  }

  #weigh(characters: number): void {
    this.#weight += characters;
    if (this.#weight + this.#log.weight > MOST) throw new InItsTurn('too much for one message');
  }

  #hide({ rule, fixable }: Hidden, count: number): void {
    this.#hidden ??= new Map();
    let counts = this.#hidden.get(rule);
    if (counts === undefined) {
      counts = { rule, count: 0, fixable: 0 };
      this.#hidden.set(rule, counts);
    }
    counts.count += count;
    if (fixable) counts.fixable += count;
  }

  #count(kind: string | null, valid: boolean, payloads: number): void {
    for (const counts of this.#counts) {
      if (counts.kind === kind && counts.valid === valid) {
        counts.count += payloads;
        return;
      }
    }
    const counts = { kind, valid, count: payloads };
    // Most parts have one: a list that grows has room for many.
    if (this.#counts.length === 0) this.#counts = [counts];
    else this.#counts.push(counts);
  }
}
