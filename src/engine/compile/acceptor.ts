/**
 * Runs a compiled accept module over the memory of a window. It finds payloads that are certainly valid and leaves the
 * others to examine. It makes no object and no string per payload.
 */
import { isUtf8 } from 'node:buffer';
import { isStackOverflow } from '../../errors.ts';
import type { Removals } from '../../json/edits.ts';
import type { TextCounter } from '../../json/lines.ts';
import type { Check, Hidden, Relations, Span, Statement } from '../../types.ts';
import {
  COUNTS,
  GAP_BYTES,
  GAPS,
  MANY_GAPS,
  MAX_DEPTH,
  MAX_KINDS,
  MAX_SPANS,
  MODES,
  type Mode,
  SPAN_BYTES,
  SPANS,
  TABLES,
  WINDOW,
} from '../../wasm/layout.ts';
import type { Wording } from '../../words/rule.ts';
import { type AcceptCode, type AcceptExports, writerOf } from './code.ts';
import type { FillableObject } from './context.ts';
import { AcceptOutput, NoteList, Spans } from './output.ts';
import { Utf8Check } from './utf8-check.ts';

/** What an acceptor reads: bytes in a memory. `bytes[i]` is at address `WINDOW + i`; zero bytes follow the last one. */
export interface AcceptWindow {
  readonly memory: WebAssembly.Memory;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Offset in the source of `bytes[0]`. */
  readonly base: number;
  readonly atEnd: boolean;
  /** The address of the memory for the output of a module. It has room for more than 1.5 times all `bytes`. */
  readonly outputAt: number;
}

/** A window of the same bytes, whose own `start` and `end` may change meanwhile. */
export function partOf(
  { memory, bytes, base, atEnd, outputAt }: AcceptWindow,
  start: number,
  end: number,
): AcceptWindow {
  return { memory, bytes, start, end, base, atEnd, outputAt };
}

/** What one payload is read from. */
export interface ReadWindow extends Pick<AcceptWindow, 'bytes'>, Partial<Pick<AcceptWindow, 'outputAt'>> {
  /** All bytes are known to be UTF-8. Absent: they are looked at. */
  readonly isUtf8?: true;
}

export interface AcceptRun {
  /** Index in the window at which the run stopped. */
  readonly stop: number;
  /** Line feeds in the bytes that were read; 0 unless the framing is `lines`. */
  readonly lineFeeds: number;
  /** True if the run stopped after an element of an array, false if it stopped before one. */
  readonly afterElement: boolean;
  /** True if the run stopped because a list is full. It can continue after the lists are taken. */
  readonly full: boolean;
}

/** Offset of the object's number in an entry of the list of gaps, in bytes. */
const GAP_OBJECT = 8;

/** The gaps that a valid payload may have: all, those in objects whose pointer is known from the schema, or none. */
export type AllowedGaps = 'all' | 'placed' | 'none';

export type EngineVerdict = 'unsure' | 'invalid' | 'valid';
/** By the result of the module's `one`. */
const VERDICTS: readonly EngineVerdict[] = ['unsure', 'invalid', 'valid'];

type Call = (exports: AcceptExports) => number;

/** The tables that were copied into each memory last. */
const TABLES_IN = new WeakMap<WebAssembly.Memory, Uint8Array>();

/** Puts `tables` into a memory, if they are not there. Several modules can work in one memory. */
function useTables(memory: WebAssembly.Memory, tables: Uint8Array): void {
  if (tables.length === 0 || TABLES_IN.get(memory) === tables) return;
  new Uint8Array(memory.buffer).set(tables, TABLES);
  TABLES_IN.set(memory, tables);
}

/** An object with missing members that have a default. Indexes are into the window's bytes. */
export interface AcceptGap {
  readonly object: FillableObject;
  readonly missing: bigint;
  /** Index of the opening quote of the last member's name; -1 for an object without members in a compact text. */
  readonly lastName: number;
  readonly close: number;
}

/** How payloads are examined: the limits of one, and what is asked of each. */
export interface ExamineSettings extends Wording {
  /** Deepest nesting of objects and arrays. */
  readonly maxDepth: number;
  /** Largest payload, in bytes. */
  readonly maxBytes: number;
  /** Payloads need only be well formed: no schema applies; equal names and numbers beyond a double are allowed. */
  readonly syntaxOnly?: boolean;
  /** Absent: there are none. */
  readonly checks?: readonly Check[];
  /** Absent: payloads are not compared. */
  readonly relations?: Relations;
  /** It is counted which places of the schemas payloads reach; `kind`: the only kind of the payloads; absent: it is not. */
  readonly covers?: { readonly kind: string | null };
}

/** Limits of a valid payload, and what is asked of each. */
type AcceptLimits = Pick<ExamineSettings, 'maxDepth' | 'maxBytes' | 'checks' | 'covers'>;

/** Whether valid payloads must be explained too, because there are checks or coverage. */
export function explainsAll({ checks = [], covers }: Omit<AcceptLimits, 'maxDepth' | 'maxBytes'>): boolean {
  return checks.length > 0 || covers !== undefined;
}

/** What is read of the violations that `run` notes: by row, as the rows of `NoteList`. */
export interface NotedRows {
  hiddenAt(row: number): Hidden;
  /** Index in the window of the bytes that a row shows. */
  placeOf(row: number): number;
  spanOf(row: number): Span;
  /** What the rows of a payload say; `index`: in `payloads`. */
  statements(bytes: Buffer, index: number): (row: number) => NotedStatement;
}

/** What a violation says; `again`: the same object is returned for later ones that say the same. */
export interface NotedStatement {
  readonly statement: Statement;
  readonly again: boolean;
}

interface Running {
  readonly code: AcceptCode;
  readonly exports: AcceptExports;
  readonly output: AcceptOutput | null;
  /** Null: the module notes nothing. */
  readonly notes: NoteList | null;
  tables: Uint8Array;
}

export class Acceptor {
  readonly #memory: WebAssembly.Memory;
  readonly #limits: AcceptLimits;
  #running: Running;
  #view: DataView;
  readonly #utf8 = new Utf8Check();
  /** The last call was a run, which lists spans. */
  #hasSpans = false;
  /** Where the payloads of the last run are, unless they are lines. */
  readonly spans: Spans;
  /** `run` reads nothing: what is asked of valid payloads as well only `explain` can say. */
  readonly explainsAll: boolean;
  /** Reads what `run` notes in the mode `noted`; null: it notes nothing. */
  noted: NotedRows | null = null;
  /** What is accepted may be without what is removed from it: who takes the counts takes that as well. */
  takesRemovals = false;

  constructor(code: AcceptCode, memory: WebAssembly.Memory, limits: AcceptLimits) {
    this.explainsAll = explainsAll(limits);
    this.#limits = limits;
    this.#memory = memory;
    this.#view = new DataView(memory.buffer);
    this.spans = new Spans(memory, () => this.#exports.spans.value);
    this.#running = this.#start(code);
  }

  #start(code: AcceptCode): Running {
    // The types are those that our own module declares.
    const exports = new WebAssembly.Instance(code.module, { env: { memory: this.#memory } })
      .exports as unknown as AcceptExports;
    exports.maxDepth.value = Math.min(this.#limits.maxDepth, MAX_DEPTH);
    exports.maxBytes.value = Math.min(this.#limits.maxBytes, 0x7fff_ffff);
    const writer = writerOf(exports);
    const output = writer === null ? null : new AcceptOutput(writer, this.#memory);
    const notes = code.notes === undefined ? null : new NoteList(code.notes, exports, this.#memory);
    return { code, exports, output, notes, tables: code.tables };
  }

  /** Uses other code for the same kinds, between two calls, such as one that notes violations. */
  use(code: AcceptCode): void {
    this.#running = this.#start(code);
  }

  get #exports(): AcceptExports {
    return this.#running.exports;
  }

  /** The output of the module; null if it writes none. */
  get output(): AcceptOutput | null {
    return this.#running.output;
  }

  /** The violations that were noted; null if the module notes none. */
  get notes(): NoteList | null {
    return this.#running.notes;
  }

  get kinds(): readonly string[] {
    return this.#running.code.kinds;
  }

  /** Payloads are judged here only while they are few; then another reader is asked for. */
  get isProvisional(): boolean {
    return false;
  }

  /** It is provisional, and judges no more payloads. */
  get isOver(): boolean {
    return false;
  }

  /** True if every fillable object has only one path, so that the paths in gaps are right. */
  get exactPaths(): boolean {
    return this.#running.code.exactPaths;
  }

  reset(): void {
    this.#utf8.reset();
    this.output?.drop();
  }

  /**
   * Reads payloads one after another from `window.start`, up to the first that is unsure. Null if it did not try. In the
   * mode `noted`, the invalid payloads and their violations are in `notes` until the next call.
   */
  run(window: AcceptWindow, mode: Mode): AcceptRun | null {
    const { start, end, atEnd } = window;
    if (this.explainsAll || start === end || !this.isText(window)) return null;
    if (this.kinds.length === 0) return null;
    this.output?.begin(window.outputAt);
    this.#hasSpans = true;
    const stop =
      this.#call(
        ({ run }) => run(WINDOW + start, WINDOW + end, MODES[mode], atEnd ? 1 : 0),
        ({ payloadStart }) => payloadStart.value,
      ) - WINDOW;
    const { notes } = this;
    notes?.showRun();
    const { lineFeeds, afterElement, gaps, spans } = this.#exports;
    const full =
      gaps.value >= GAPS + MANY_GAPS * GAP_BYTES ||
      spans.value >= SPANS + MAX_SPANS * SPAN_BYTES ||
      notes?.isFull === true;
    return { stop, lineFeeds: lineFeeds.value, afterElement: afterElement.value === 1, full };
  }

  /**
   * What is certain about `bytes[start, end)` as one payload, of any of the kinds. A valid one whose gaps are not `allowed` is
   * unsure; others are counted, and their gaps listed.
   */
  read(window: ReadWindow, { start, end }: Span, allowed: AllowedGaps = 'all'): EngineVerdict {
    if (window.isUtf8 !== true && !isUtf8(window.bytes.subarray(start, end))) return 'unsure';
    if (window.outputAt !== undefined) this.output?.begin(window.outputAt);
    const { gaps } = this;
    const verdict = VERDICTS[this.#one(start, end)]!;
    if (verdict !== 'valid' || this.#areGaps(allowed)) return verdict;
    this.takeBack(gaps);
    return 'unsure';
  }

  #areGaps(allowed: AllowedGaps): boolean {
    if (allowed === 'all' || this.gaps === 0) return true;
    if (allowed === 'none') return false;
    const view = new DataView(this.#memory.buffer, GAPS, this.gaps * GAP_BYTES);
    const { fillable } = this.#running.code;
    for (let at = 0; at < view.byteLength; at += GAP_BYTES)
      if (fillable[view.getInt32(at + GAP_OBJECT, true)]!.path.includes('/*')) return false;
    return true;
  }

  #one(start: number, end: number): number {
    const { code, exports, tables } = this.#running;
    const gaps = code.fillable.length > 0 ? exports.gaps.value : GAPS;
    if (this.#hasSpans) exports.spans.value = SPANS;
    this.#hasSpans = false;
    useTables(this.#memory, tables);
    try {
      return exports.one(WINDOW + start, WINDOW + end);
    } catch {
      // It may need a table that is not made yet.
      exports.gaps.value = gaps;
      return this.#call(
        ({ one }) => one(WINDOW + start, WINDOW + end),
        () => 0,
      );
    }
  }

  /** The number of the kind of the payload that was read last and is valid: an index into `kinds`. */
  get lastKind(): number {
    return this.#exports.lastKind.value;
  }

  /** The kind of the payload that was read last and is valid, which is not counted. */
  takeKind(): string {
    this.forget();
    return this.kinds[this.lastKind]!;
  }

  /** True if `bytes[start, end)`, which is UTF-8, is a JSON text for which `scan` reports nothing; false: not known. */
  isPlain(start: number, end: number): boolean {
    return this.#exports.plain(WINDOW + start, WINDOW + end) === 1;
  }

  /**
   * The number of the kind of the payload in `bytes[start, end)` of the window, an index into the kinds of `notes`; their
   * number if it has none. It is -1 if it is not certain what is wrong with the payload. The violations are in `notes`
   * until the next call. `isKnownUtf8`: the bytes are known to be UTF-8.
   */
  note(bytes: Buffer, { start, end }: Span, isKnownUtf8: boolean): number {
    const { notes } = this;
    if (notes === null || (!isKnownUtf8 && !isUtf8(bytes.subarray(start, end)))) return -1;
    const number = this.#call(
      () => notes.exports.noteOne(WINDOW + start, WINDOW + end),
      () => 0,
    );
    notes.showOne();
    return number - 1;
  }

  /** True if the window's bytes up to `end` are known to be UTF-8. */
  isUtf8({ base }: Pick<AcceptWindow, 'base'>, end: number): boolean {
    return this.#utf8.isKnown(base + end);
  }

  /** Counts line feeds and UTF-16 code units in the window's bytes. */
  readonly counter: TextCounter = {
    lineFeeds: (start, end) => this.#exports.lineFeedsIn(WINDOW + start, WINDOW + end),
    codeUnits: (start, end) => this.#exports.codeUnitsIn(WINDOW + start, WINDOW + end),
  };

  /** All of the memory. One that has grown has a new buffer. */
  get #numbers(): DataView {
    if (this.#view.buffer !== this.#memory.buffer) this.#view = new DataView(this.#memory.buffer);
    return this.#view;
  }

  /** Calls `count` for each kind with payloads accepted since the last call, and sets the counts to 0. */
  takeCounts(count: (kind: string, payloads: number) => void): void {
    const counts = this.#numbers;
    for (const [i, kind] of this.kinds.entries()) {
      const at = COUNTS + 4 * i;
      const payloads = counts.getUint32(at, true);
      if (payloads === 0) continue;
      counts.setUint32(at, 0, true);
      count(kind, payloads);
    }
  }

  get gaps(): number {
    return (this.#exports.gaps.value - GAPS) / GAP_BYTES;
  }

  /** Passes on the gaps of the payloads accepted since the last call, by closing bracket, and empties the list. */
  takeGaps(take: (gap: AcceptGap) => void): void {
    const view = this.#numbers;
    const { fillable } = this.#running.code;
    const end = this.#exports.gaps.value;
    for (let at = GAPS; at < end; at += GAP_BYTES) {
      take({
        object: fillable[view.getInt32(at + GAP_OBJECT, true)]!,
        missing: view.getBigInt64(at + 16, true),
        lastName: Math.max(-1, view.getInt32(at, true) - WINDOW),
        close: view.getInt32(at + 4, true) - WINDOW,
      });
    }
    this.dropGaps();
  }

  /** Takes back that the payload that was read last is valid. `gaps`: how many were listed before. */
  protected takeBack(gaps: number): void {
    this.count(this.lastKind, -1);
    this.#exports.gaps.value = GAPS + gaps * GAP_BYTES;
  }

  /** Counts a payload of a kind as accepted. */
  protected count(kind: number, payloads = 1): void {
    const at = COUNTS + 4 * kind;
    this.#numbers.setUint32(at, this.#numbers.getUint32(at, true) + payloads, true);
  }

  /** Passes on what is removed from payloads accepted since the last call, in their order, and empties the list. */
  takeRemovals(_take: (removals: Removals) => void): void {}

  /** Whether all bytes of the window that were not looked at before are UTF-8. */
  protected isText(window: AcceptWindow): boolean {
    return this.#utf8.check(window);
  }

  forget(): void {
    this.takeCounts(() => {});
    this.dropGaps();
  }

  dropGaps(): void {
    this.#exports.gaps.value = GAPS;
  }

  /**
   * Calls a function of the module, again each time that it stops at a table that is missing, which is made then. If
   * the stack overflows or a table cannot be made, a payload is unsure: the result is that of `otherwise`.
   */
  #call(run: Call, otherwise: Call): number {
    const restore = this.#saved();
    for (;;) {
      const { exports, tables } = this.#running;
      const { wanted, spans, gaps, payloadGaps } = exports;
      spans.value = SPANS;
      wanted.value = 0;
      useTables(this.#memory, tables);
      payloadGaps.value = gaps.value;
      try {
        return run(exports);
      } catch (error) {
        const isOver = isStackOverflow(error);
        if (!isOver && wanted.value === 0) throw error;
        if (isOver || !this.#make(wanted.value)) {
          // The last payload was not read to its end.
          gaps.value = payloadGaps.value;
          return otherwise(exports);
        }
        restore();
      }
    }
  }

  /** Makes the table that the module stopped at. False if that is not possible. */
  #make(wanted: number): boolean {
    const running = this.#running;
    const { waiting } = running.code;
    if (waiting?.makeAt(wanted) !== true) return false;
    running.tables = waiting.bytes;
    return true;
  }

  /** Saves the state that a call changes, and returns a function that restores it. */
  #saved(): () => void {
    if (this.#running.code.waiting === undefined) return () => {};
    const counts = new Uint8Array(this.#memory.buffer, COUNTS, 4 * MAX_KINDS);
    const before = counts.slice();
    const gaps = this.#exports.gaps.value;
    return () => {
      counts.set(before);
      this.#exports.gaps.value = gaps;
      this.#exports.spans.value = SPANS;
    };
  }
}
