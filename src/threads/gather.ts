/**
 * Keeps the results of a part as data: for a thread to send, or for the main thread to report in their turn.
 */
import type { RunOptions } from '../check/run-options.ts';
import type { Claim, Sink } from '../check/sink.ts';
import { type InsertionList, InsertionLog } from '../json/edits.ts';
import type { Pieces } from '../outlet/outlet.ts';
import { Preformatter } from '../report/preformatted.ts';
import type {
  Excerpt,
  FilledPlace,
  Hidden,
  InFile,
  NotedPlace,
  Rule,
  Statement,
  Violation,
} from '../types.ts';
import type { Blocks } from './blocks.ts';
import type { Collector } from './context.ts';

/** A violation, the `@id` of a payload if they are compared, or a filled-in member if the outlet lists them. */
export type Find =
  | { readonly violation: Violation; readonly excerpt: Excerpt | null; readonly inFile?: InFile }
  | { readonly claim: Claim }
  | { readonly fill: FilledPlace };

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
  readonly chunk: Uint8Array<SharedArrayBuffer>;
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
  /** In the order in which they were found. */
  readonly finds: readonly Find[];
  /** Notes for the user about the source. */
  readonly notes: readonly string[];
  /** Those found after `finds`. */
  readonly hidden: readonly HiddenCounts[];
  /** The violations as `ndjson` text with holes; null if they are objects, or there are none. */
  readonly preformatted: {
    /** To be freed once it is written. */
    readonly chunk: Uint8Array<SharedArrayBuffer>;
    readonly holes: readonly number[];
    readonly rules: readonly (readonly [string, number])[];
  } | null;
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
  readonly #preformatter: Preformatter | null;
  readonly #blocks: Blocks;
  #finds: Find[] = [];
  #chunks: PieceOfBytes[] = [];
  #rejected = 0;
  #insertions = new InsertionLog();
  #notes: string[] = [];
  #patterns: [string, number][] = [];
  #hidden: Map<Rule, { rule: Rule; count: number; fixable: number }> | null = null;
  #rules: Map<Rule, number> | null = null;
  /** Few entries, so a list is faster than a map. */
  #counts: { kind: string | null; valid: boolean; count: number }[] = [];
  /** Size of the violations, in characters, roughly. */
  #weight = 0;

  /** `blocks`: for the bytes of pieces. */
  constructor(
    { bail, preformatted, outlet }: Pick<RunOptions, 'bail' | 'preformatted' | 'outlet'>,
    blocks: Blocks,
  ) {
    this.#bail = bail;
    this.#hasOutlet = outlet !== null;
    this.#blocks = blocks;
    this.#preformatter = preformatted ? new Preformatter() : null;
    this.sink = {
      violation: (violation, excerpt, inFile) => this.#violation(violation, excerpt, inFile),
      ...(preformatted
        ? { noted: (statement: Statement, place: NotedPlace) => this.#noted(statement, place) }
        : {}),
      claim: (claim) => this.#claim(claim),
      note: (text) => this.#notes.push(text),
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
      flush: async () => {},
    };
    this.pieces = {
      // The window will be reused.
      bytes: (chunk, changed, channel = 0) =>
        this.#chunks.push({ chunk: blocks.keep(chunk), changed, channel }),
      edit: (edit) => this.#insertions.add(edit),
      fill: (fill) => this.#finds.push({ fill }),
      filled: (pattern, count) => this.#patterns.push([pattern, count]),
      rejected: (count) => {
        this.#rejected += count;
      },
    };
  }

  /** Returns all results of the part and starts the next one. */
  take(): Gathered {
    const gathered = {
      finds: this.#finds.length === 0 ? NOTHING : this.#finds,
      notes: this.#notes.length === 0 ? NOTHING : this.#notes,
      hidden: this.#hidden === null ? NOTHING : [...this.#hidden.values()],
      preformatted: this.#takeText(),
      payloads: this.#counts,
      pieces: this.#hasOutlet ? this.#takePieces() : null,
    };
    if (this.#finds.length > 0) this.#finds = [];
    if (this.#notes.length > 0) this.#notes = [];
    this.#hidden = null;
    this.#rules = null;
    this.#counts = [];
    this.#weight = 0;
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

  #takeText(): Gathered['preformatted'] {
    if (this.#preformatter === null || this.#preformatter.length === 0) return null;
    const { bytes, holes } = this.#preformatter.take();
    return { chunk: this.#blocks.keep(bytes), holes, rules: [...(this.#rules ?? NOTHING)] };
  }

  #violation(violation: Violation, excerpt: Excerpt | null, inFile: InFile | undefined): void {
    if (this.#preformatter !== null) {
      this.#preformatter.add(violation);
      this.#countText(this.#preformatter, violation.rule);
      return;
    }
    this.#finds.push({ violation, excerpt, ...(inFile === undefined ? {} : { inFile }) });
    for (const { text } of inFile?.insertions ?? []) this.#weigh(BARE + text.length);
    this.#weigh(BARE + violation.pointer.length + violation.message.length + (excerpt?.text.length ?? 0));
  }

  #noted(statement: Statement, place: NotedPlace): void {
    const preformatter = this.#preformatter!; // else it is not called
    preformatter.addNoted(statement, place);
    this.#countText(preformatter, statement.rule);
  }

  #countText({ length }: Preformatter, rule: Rule): void {
    this.#rules ??= new Map();
    this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
    if (length > MOST) throw new InItsTurn('too much for one message');
  }

  /** The main thread knows the other payloads. */
  #claim(claim: Claim): boolean {
    this.#finds.push({ claim });
    this.#weigh(BARE + claim.pointer.length + (claim.excerpt?.text.length ?? 0));
    return false;
  }

  #weigh(characters: number): void {
    this.#weight += characters;
    if (this.#weight > MOST) throw new InItsTurn('too much for one message');
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
    this.#counts.push({ kind, valid, count: payloads });
  }
}
