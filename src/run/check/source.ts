/** One source in bounded memory: framing and encoding, then payload by payload to verdicts, violations and outlet. */
import type { Acceptor, AcceptRun, AllowedGaps, EngineVerdict } from '../../engine/compile/acceptor.ts';
import type { FirstPayloads } from '../../engine/first.ts';
import type { Examined } from '../../engine/judge/examine.ts';
import type { NoteTaker } from '../../engine/judge/noted.ts';
import { FIRST } from '../../engine/supply.ts';
import type { Mode } from '../../engine/wasm/layout.ts';
import { Interrupted, Unexamined } from '../../errors.ts';
import { skipSpace } from '../../json/skip.ts';
import { LOOK_AHEAD, LOOK_BACK } from '../../json/syntax-cause.ts';
import { byteOrderMark, isLfsPointer, LFS_BYTES, otherEncoding, packedFormat } from '../../json/utf8.ts';
import { type Cut, type Cutter, createCutter } from '../../source/framing.ts';
import { createWaits, type Window } from '../../source/window.ts';
import type { Framing, Source, Span } from '../../types.ts';
import { FramingChoice } from './choose-framing.ts';
import { bareMember, betweenPayloads, cutOff, inYaml, lfsPointer, notUtf8, tooLarge } from './cut-findings.ts';
import {
  type CheckContext,
  type Checked,
  countArray,
  type Read,
  readingOf,
  type Steps,
  wait,
  wholeSpan,
} from './flow.ts';
import { reportNoted, type Take } from './noted-lines.ts';
import { type CutSpan, Reporting } from './reporting.ts';

/** Violations shown if the content clearly has another framing than its name says; the others are only counted. */
export const SHOWN_OF_OTHER_FRAMING = 2;

/** `v`, with which no JSON text begins. */
const LFS_FIRST = 0x76;
/** `[` */
const LIST_FIRST = 0x5b;
const LINE_FEED = 0x0a;

/** What was done with a source before. Absent: nothing. */
interface Begun extends Partial<Read> {
  readonly first?: FirstPayloads | null;
}

/** Owns the window and the cutter of one source. */
export class SourceCheck {
  readonly #source: Source;
  readonly #flow: CheckContext;
  #acceptor: Acceptor;
  /** The payloads are the first of the run, and the acceptor is never sure; null: they are not. */
  #first: FirstPayloads | null;
  /** The payload that the acceptor has read by itself, and not accepted; null: there is none. */
  #refused: Span | null;
  /** The run that was made before; null: there is none, or it was used. */
  #begun: AcceptRun | null;
  readonly #choice: FramingChoice;
  readonly #reporting: Reporting;
  /** Index of the next payload. */
  #index = 0;
  /** A payload on a line was not accepted. */
  #hasUnsure = false;
  /** Reports what runs over lines note; null: they note nothing. */
  #taker: NoteTaker | null = null;
  readonly #take: Take = (noted, place) => this.#reporting.noted(noted, place);
  /** See `Checked`. */
  #unread = false;
  /** Output of the last accepted run that is not yet written. */
  #pending: Iterable<void> | undefined;

  /** `acceptor`: for the source's kind, or, with `first`, one that is never sure. */
  constructor(
    source: Source,
    flow: CheckContext,
    acceptor: Acceptor,
    { first = null, refused = null, run = null }: Begun = {},
  ) {
    this.#source = source;
    this.#flow = flow;
    this.#acceptor = acceptor;
    this.#first = first;
    this.#refused = refused;
    this.#begun = run;
    this.#choice = new FramingChoice(source, flow.window, flow.options.framing);
    this.#reporting = new Reporting(source, flow, acceptor.counter);
  }

  /** See `checkSource`. */
  *run(): Steps<Checked> {
    try {
      if (yield* this.#checkAll()) yield* this.#passRest();
      else this.#release();
      return { lines: this.#reporting.lines.line - 1, unread: this.#unread };
    } finally {
      this.#flow.outlet?.end?.();
    }
  }

  /** Returns whether the run continues. */
  *#checkAll(): Steps<boolean> {
    const window = this.#flow.window;
    const inTheMiddle = window.base > 0;
    yield* this.#choice.read();
    const head = window.bytes.subarray(window.start, window.end);
    const encoding = inTheMiddle ? null : otherEncoding(head);
    const packed = inTheMiddle ? null : packedFormat(head);
    this.#unread = encoding !== null || packed !== null;
    if (encoding !== null) return yield* this.#report(notUtf8(encoding), null, '');
    if (packed !== null) this.#flow.sink.hint?.(`this is ${packed} data: paylint reads text and gzip only`);
    if (!inTheMiddle && (yield* this.#isLfsPointer())) {
      this.#unread = true;
      return yield* this.#report(lfsPointer(window), null, '');
    }
    const mark = inTheMiddle ? 0 : byteOrderMark(head);
    if (mark > 0 && this.#flow.options.advice === true) this.#flow.sink.hint?.(MARK);
    window.start = mark;
    this.#reporting.lines.jump(window.base + mark, 0);
    this.#choice.choose();
    this.#compareFraming();
    this.#flow.outlet?.begin?.(this.#choice.framing, this.#acceptor);
    return yield* this.#checkEach();
  }

  /** No more is read than the first bytes, unless they are those of a pointer. */
  *#isLfsPointer(): Steps<boolean> {
    const window = this.#flow.window;
    if (window.bytes[window.start] !== LFS_FIRST) return false;
    yield* this.#readTo(window.start + LFS_BYTES);
    return isLfsPointer(window.bytes.subarray(window.start, window.end));
  }

  /** Adds a hint if the content clearly has another framing than its name says. */
  #compareFraming(): void {
    const { other } = this.#choice;
    if (other === null) return;
    this.#flow.sink.hint?.(`${OTHER_FRAMING[other]}; --input ${other} reads it`);
    if (this.#flow.options.each !== true) this.#reporting.showOnly(SHOWN_OF_OTHER_FRAMING);
  }

  /** Checks payload by payload. Returns whether the run continues. */
  *#checkEach(): Steps<boolean> {
    const window = this.#flow.window;
    const reading = readingOf(this.#source, this.#flow.options);
    let cutter = createCutter(this.#choice.framing, reading);
    this.#acceptor.reset();
    if (this.#choice.framing !== 'lines' || window.start > 0) this.#forgetRun();
    const outlet = this.#flow.outlet;
    const gaps = this.#allowedGaps;
    const oneByOne = gaps !== 'all' || outlet?.wantsEachKind === true;
    if (this.#choice.framing === 'json' && this.#refused === null) {
      const whole = wholeSpan(window, reading);
      if (whole !== null && this.#acceptor.one(window, whole.start, whole.end, gaps)) {
        countArray(reading, window, whole.start, this.#flow.sink);
        this.#accepted(whole, 0);
        yield* this.#writePending();
        window.start = window.end;
        return true;
      }
      this.#refused = whole;
    }
    const waits = createWaits(window);
    for (;;) {
      if (this.#pending !== undefined) yield* this.#writePending();
      if (this.#first !== null && this.#hasMany(this.#first)) yield* this.#endFirst();
      const mode = oneByOne || this.#first !== null ? null : cutter.seek(window);
      const isNoted = mode === 'lines' && this.#taker !== null;
      const run = mode === null ? null : this.#run(isNoted ? 'noted' : mode);
      if (run !== null) yield* this.#passOver(run, mode === 'lines', cutter);
      if (this.#pending !== undefined) yield* this.#writePending();
      if (run?.full) continue;
      if (run !== null && mode === 'lines' && !isNoted && (yield* this.#beginNoting())) continue;
      if (run !== null && mode !== 'lines' && waits()) {
        yield* this.#readMore(true);
        continue;
      }
      const cut = cutter.next(window);
      if (cutter.skipped !== null) outlet?.rest?.(cutter.skipped, cut === 'more' && cutter.isSkipping);
      if (cut === 'end') return true;
      if (cut === 'more') {
        yield* this.#readMore();
        continue;
      }
      const span = { start: cutter.start, end: cutter.end };
      if (this.#choice.mayBeStream && this.#choice.endsLines(span)) {
        yield* this.#decideFraming(span);
        cutter = createCutter(this.#choice.framing, reading);
        continue;
      }
      if (this.#choice.framing === 'json') countArray(reading, window, span.start, this.#flow.sink);
      if (cut === 'payload' && this.#isFirst(span)) continue;
      if (cut === 'payload' && run === null && this.#acceptsOne(span, gaps)) {
        this.#accepted(span, 0, cutter.inArray);
        continue;
      }
      const verdict = cut === 'payload' ? this.#verdictOn(span) : 'unsure';
      if (verdict === 'valid') this.#accepted(span, 0, cutter.inArray);
      if (verdict === 'invalid' && !this.#reporting.invalid(span, this.#index++)) return false;
      if (verdict !== 'unsure') continue;
      const next = yield* this.#checkOne(cut, span, cutter);
      if (next !== 'next') return next === 'end';
    }
  }

  /** The run that was made before is not one over these payloads. */
  #forgetRun(): void {
    if (this.#begun !== null) this.#acceptor.takeCounts(() => {});
    this.#begun = null;
  }

  /** Runs the acceptor from the window's start on, unless that was done. */
  #run(mode: Mode): AcceptRun | null {
    const run = this.#begun ?? this.#acceptor.run(this.#flow.window, mode);
    this.#begun = null;
    return run;
  }

  /** Whether the acceptor accepts the payload in `span`, which it reads once. */
  #acceptsOne({ start, end }: Span, gaps: AllowedGaps): boolean {
    const isRefused = this.#refused?.start === start && this.#refused.end === end;
    return !isRefused && this.#acceptor.one(this.#flow.window, start, end, gaps);
  }

  /** True if the payload in `span` is one of the first of the run, and valid. */
  #isFirst(span: Span): boolean {
    const kind = this.#first?.take(this.#flow.window.bytes, span, this.#source.kind) ?? null;
    if (kind === null) return false;
    this.#flow.sink.accepted?.(kind, 1);
    this.#index++;
    return true;
  }

  /** Whether the payloads from here on are probably worth compiling functions. The first one of a source is not. */
  #hasMany({ isOver }: FirstPayloads): boolean {
    const { bytes, start, end, atEnd } = this.#flow.window;
    const isFirst = this.#index === 0;
    const isOne = isFirst && this.#choice.framing === 'json' && bytes[skipSpace(bytes, start, end)] !== LIST_FIRST;
    return end - start > (isOne ? FIRST.onePayload : FIRST.bytes) || (isOver && !isFirst && !atEnd);
  }

  /** Leaves all further payloads to compiled functions. */
  *#endFirst(): Steps<void> {
    this.#first = null;
    this.#acceptor = yield* wait(this.#flow.engines.acceptor(this.#source.kind));
    this.#acceptor.reset();
  }

  /** `tries`: an error matters only if the payload at the window's start needs more bytes. */
  *#readMore(tries = false): Steps<void> {
    this.#release();
    yield this.#flow.sink.flush();
    yield* wait(tries ? this.#flow.window.tryMore() : this.#flow.window.more());
  }

  /** Chooses the framing again, from the line in `span` on. */
  *#decideFraming({ start }: Span): Steps<void> {
    const window = this.#flow.window;
    window.start = start;
    this.#release();
    yield this.#flow.sink.flush();
    window.settle();
    yield* this.#choice.decide();
    // Nothing waits to be written, so the window can still grow.
    while (window.isTight && (yield* wait(window.ahead())));
    // An outlet that passes lines through keeps what is before the text.
    if (this.#choice.framing !== 'lines') this.#flow.outlet?.begin?.(this.#choice.framing, this.#acceptor);
  }

  /** Examines and reports what the cutter has cut. Returns what to do next. */
  *#checkOne(cut: Cut, span: Span, cutter: Cutter): Steps<'next' | 'end' | 'stop'> {
    const window = this.#flow.window;
    const examined = yield* this.#examineCut(cut, span, cutter);
    // The fault is reported; nothing else is known of the payload.
    if (examined === 'next' || examined === 'stop') return examined;
    if (this.#flow.options.whole && wantsNoArray(examined) && window.bytes[span.start] === LIST_FIRST)
      this.#flow.sink.hint?.('--whole makes the array the payload, and the schema wants none; leave out --whole');
    const prefix = cut !== 'fault' && cutter.inArray ? `/${this.#index}` : '';
    const isYaml = /\.ya?ml(?:\.gz)?$/i.test(this.#source.name);
    const whereCut = cut === 'fault' ? null : { ...span, open: cutter.isSkipping };
    const goOn = yield* this.#report(isYaml ? inYaml(examined) : examined, whereCut, prefix);
    if (window.isTight) {
      this.#release();
      yield this.#flow.sink.flush();
      window.settle();
    }
    if (!goOn) return 'stop';
    if (examined.wellFormed || cutter.resyncs) return 'next';
    // A file that is one payload may hold nothing else.
    const isAtEnd = window.atEnd && span.start === window.end;
    const isOnly =
      this.#choice.framing === 'json' && this.#index === 1 && !cutter.inArray && (whereCut !== null || isAtEnd);
    this.#unread ||= !isOnly;
    return 'end';
  }

  *#examineCut(cut: Cut, span: Span, cutter: Cutter): Steps<Examined | 'next' | 'stop'> {
    if (cut === 'too-large') return tooLarge(span.start, this.#flow.options.maxBytes);
    if (cut !== 'payload' && cut !== 'cut-off') {
      // The text there may continue after the end of the window.
      yield* this.#readTo(cutter.start + LOOK_AHEAD);
      return betweenPayloads(cutter, this.#flow.window, this.#flow.options);
    }
    const examined = yield* this.#examine(span, cutter.inArray);
    const isWhole = cut === 'payload' || typeof examined === 'string' || !examined.wellFormed;
    return isWhole ? examined : cutOff(span);
  }

  get #allowedGaps(): AllowedGaps {
    if (this.#flow.outlet === null) return 'all';
    if (!this.#acceptor.exactPaths) return 'none';
    return this.#flow.outlet.wantsEachEdit ? 'placed' : 'all';
  }

  /** Unsure unless a verdict is all that is needed of the payload in `span`, and what follows it does not depend on more. */
  #verdictOn({ start, end }: Span): EngineVerdict {
    if (this.#flow.options.verdicts !== true || !this.#reporting.countsOnly) return 'unsure';
    const verdict = this.#acceptor.verdict(this.#flow.window, start, end);
    // After a payload that is not well-formed, only the framing `lines` can continue.
    const goesOn = verdict === 'valid' || this.#choice.framing === 'lines' || this.#acceptor.isPlain(start, end);
    return goesOn ? verdict : 'unsure';
  }

  /** Reads until the window reaches index `to`, or the end of the source. Indexes stay valid. */
  *#readTo(to: number): Steps<void> {
    while (this.#flow.window.end < to && (yield* wait(this.#flow.window.ahead())));
  }

  /** Examines a payload; `isElement`: of a top-level array. If that fails, reports it and says how to go on. */
  *#examine(span: Span, isElement: boolean): Steps<Examined | 'next' | 'stop'> {
    const window = this.#flow.window;
    const { engines } = this.#flow;
    const isUtf8 = this.#acceptor.isUtf8(window, span.end);
    const { bytes } = window;
    const countsOnly = this.#reporting.countsOnly;
    // If two schemas are compared, what the new one says is not all.
    const isAlone = this.#first === null && this.#flow.options.compares === undefined;
    const taker = isAlone ? yield* wait(engines.notes(this.#source.kind, countsOnly)) : null;
    const noted = taker?.take({ bytes, span, countsOnly, isUtf8 }) ?? null;
    if (noted !== null) return noted;
    // HTML, YAML or CSV is recognised by the text after the payload, which is its first word.
    const isForeign = this.#choice.framing !== 'lines' && isOtherFormat(window, span);
    if (isForeign) yield* this.#readTo(span.end + LOOK_AHEAD);
    const member = isForeign ? bareMember(window, span, this.#flow.options) : null;
    if (member !== null) return member;
    const payload = {
      bytes: window.bytes,
      span,
      lookTo: isForeign ? Math.min(window.end, span.end + LOOK_AHEAD) : span.end,
      base: window.base,
      isElement,
      ending: this.#endingOf(span),
      isPlain: () => this.#acceptor.isPlain(span.start, span.end),
      acceptedKind: () => (isAlone ? this.#acceptor.acceptedKind(span.start, span.end) : null),
    };
    const { mark } = this.#flow;
    mark?.examines(this.#index, this.#reporting.lineOf(span));
    try {
      return yield* wait(engines.examine(payload, this.#source.kind, countsOnly));
    } catch (error) {
      if (error instanceof Interrupted) this.#reporting.unfinished(span, this.#index++, error);
      if (!(error instanceof Unexamined)) throw error;
      const goOn = this.#reporting.fault(span, this.#index++, error.cause);
      return goOn ? 'next' : 'stop';
    } finally {
      mark?.examined();
    }
  }

  /** What follows a payload, for the message of a syntax error there. */
  #endingOf({ end }: Span): 'text' | 'line' | 'last line' {
    if (this.#choice.framing !== 'lines') return 'text';
    const { bytes, atEnd, end: windowEnd } = this.#flow.window;
    const isLast = atEnd && bytes.subarray(end, windowEnd).indexOf(0x0a) < 0;
    return isLast ? 'last line' : 'line';
  }

  /** The window will drop the bytes before its start. */
  #release(): void {
    const { bytes, base, start } = this.#flow.window;
    this.#reporting.lines.advance(bytes, base, base + start);
    this.#flow.outlet?.release?.();
  }

  /** After the last payload: passes the rest of the source through, if the outlet wants it. */
  *#passRest(): Steps<void> {
    this.#release();
    if (this.#flow.outlet?.wantsRest !== true) return;
    do {
      this.#flow.window.start = this.#flow.window.end;
      this.#flow.outlet.release?.();
      yield this.#flow.sink.flush();
    } while (yield* wait(this.#flow.window.more()));
  }

  /** Continues where the acceptor stopped. */
  *#passOver({ stop, lineFeeds, afterElement }: AcceptRun, inLines: boolean, cutter: Cutter): Steps<void> {
    const window = this.#flow.window;
    const { start } = window;
    const { lines } = this.#reporting;
    const index = this.#index;
    if (this.#choice.mayBeStream) this.#choice.passLines({ start, end: stop });
    let payloads = this.#accepted({ start, end: stop }, lineFeeds);
    if (inLines && stop > start) lines.advance(window.bytes, window.base, window.base + start);
    if (this.#taker !== null) payloads += yield* this.#reportNoted(this.#taker, index);
    if (inLines && lineFeeds > 0)
      lines.jump(window.base + window.bytes.lastIndexOf(LINE_FEED, stop - 1) + 1, lineFeeds);
    window.start = stop;
    if (payloads > 0) cutter.passed(afterElement);
  }

  /** Reports the invalid payloads of the last run, which began at payload `index`. Returns their number. */
  *#reportNoted(taker: NoteTaker, index: number): Steps<number> {
    const { window, sink } = this.#flow;
    const { countsOnly, lines } = this.#reporting;
    const source = { file: this.#source.name, window, lines, acceptor: this.#acceptor, sink };
    const count = yield* reportNoted(taker, source, index, countsOnly ? null : this.#take);
    this.#index += count;
    return count;
  }

  /**
   * From now on, runs over lines read invalid payloads, too, as far as it is certain from the bytes what is wrong with
   * them. Returns false if that is not possible, or not worth it yet.
   */
  *#beginNoting(): Steps<boolean> {
    const { options, engines, window } = this.#flow;
    const countsOnly = this.#reporting.countsOnly;
    // What `fill` would insert is not noted.
    const isTaken = countsOnly || options.inFile !== true;
    const isPlain = this.#flow.outlet === null && !options.bail && Object.keys(options.rules).length === 0;
    if (!isTaken || !isPlain || this.#choice.mayBeStream || this.#reporting.isLimited) return false;
    // Most runs end at a line that is not complete in the window, and many sources have no invalid line.
    this.#hasUnsure ||= hasWholeLine(window);
    if (!this.#hasUnsure) return false;
    this.#taker = yield* wait(engines.notes(this.#source.kind, countsOnly));
    return this.#taker !== null;
  }

  /** Reports the payloads in `span`, which the acceptor accepted. Returns their number. */
  #accepted(span: Span, lineFeeds: number, isElement = false): number {
    let payloads = 0;
    let kinds = 0;
    let first: string | null = null;
    this.#acceptor.takeCounts((kind, count) => {
      payloads += count;
      if (kinds++ === 0) first = kind;
      this.#flow.sink.accepted?.(kind, count);
    });
    const index = this.#index;
    this.#index += payloads;
    const { outlet } = this.#flow;
    if (outlet === null) this.#acceptor.dropGaps();
    else {
      const kind = kinds === 1 ? first : null;
      const prefix = isElement ? `/${index}` : '';
      const acceptor = this.#acceptor;
      const placesOf = this.#reporting.placesFrom(span);
      this.#pending = outlet.accepted({ span, payloads, lineFeeds, kind, acceptor, index, prefix, placesOf });
    }
    return payloads;
  }

  /** Writes the rest of the output of the last accepted run, in steps. */
  *#writePending(): Steps<void> {
    for (const _ of this.#pending ?? []) yield this.#flow.sink.flush();
    this.#pending = undefined;
  }

  *#report(examined: Examined, span: CutSpan | null, prefix: string): Steps<boolean> {
    return yield* this.#reporting.report(examined, { index: this.#index++, span, prefix });
  }
}

/** Whether the payload itself has a type that the schema, or the test of the kinds, does not want. */
function wantsNoArray({ findings: [first] }: Examined): boolean {
  return first?.pointer === '' && (first.rule === 'type' || first.rule === 'unknown-kind');
}

/** Whether all of the line at the window's start is in the window. */
function hasWholeLine({ bytes, start, end, atEnd }: Window): boolean {
  return bytes.subarray(start, end).includes(0x0a) || (atEnd && skipSpace(bytes, start, end) < end);
}

/** `--advice`, of a source that begins with a byte order mark. */
const MARK = 'it begins with a byte order mark, which RFC 8259 says not to write: some readers refuse it';

const OTHER_FRAMING: Readonly<Record<Framing, string>> = {
  json: 'this is one JSON array, not one payload per line',
  lines: 'this is one payload per line, not one JSON text',
  stream: 'this is JSON laid out over several lines, not one payload per line',
};

/**
 * True if the payload could be the first word of HTML, YAML or CSV: it is at the beginning of the source and not JSON.
 */
function isOtherFormat({ bytes, base }: Window, { start, end }: Span): boolean {
  if (base > 0 || start > LOOK_BACK) return false;
  return !/^(?:[{[]|-?\d|(?:true|false|null)$)/.test(bytes.toString('latin1', start, Math.min(end, start + 6)));
}
