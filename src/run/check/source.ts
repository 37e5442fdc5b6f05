/** One source in bounded memory: framing and encoding, then payload by payload to verdicts, violations and outlet. */
import type { Acceptor, AcceptRun, AllowedGaps, EngineVerdict } from '../../engine/compile/acceptor.ts';
import type { Examined } from '../../engine/judge/examine.ts';
import { FIRST } from '../../engine/thresholds.ts';
import { Interrupted, Unexamined } from '../../errors.ts';
import { LINE_FEED, lineAt, skipSpace } from '../../json/skip.ts';
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
  NOTHING_READ,
  type Read,
  readingOf,
  type Steps,
  wait,
} from './flow.ts';
import { reportNoted, type Take } from './noted-lines.ts';
import { type CutSpan, Reporting } from './reporting.ts';

/** Violations shown if the content clearly has another framing than its name says; the others are only counted. */
export const SHOWN_OF_OTHER_FRAMING = 2;

/** `v`, with which no JSON text begins. */
const LFS_FIRST = 0x76;
/** `[` */
const LIST_FIRST = 0x5b;

/** Owns the window and the cutter of one source. */
export class SourceCheck {
  readonly #source: Source;
  readonly #flow: CheckContext;
  #reader: Acceptor;
  /** The payload that the reader has read by itself, and not accepted; null: there is none. */
  #refused: Span | null;
  /** The run that was made before; null: there is none, or it was used. */
  #begun: AcceptRun | null;
  readonly #choice: FramingChoice;
  #cutter: Cutter;
  readonly #waits: () => boolean;
  readonly #reporting: Reporting;
  /** The gaps that payloads may have to be accepted. */
  readonly #gaps: AllowedGaps;
  /** Payloads are cut out before they are read. */
  readonly #isOneByOne: boolean;
  /** Nothing asks for more than the violations of a payload, and all are errors. */
  readonly #isPlain: boolean;
  /** Index of the next payload. */
  #index = 0;
  readonly #take: Take = (noted, place) => this.#reporting.noted(noted, place);
  /** See `Checked`. */
  #unread = false;
  /** Output of accepted payloads that is not yet written. */
  #pending: Iterable<void> | undefined;

  /** `reader`: for the source's kind; `read`: what was done before. */
  constructor(source: Source, flow: CheckContext, reader: Acceptor, { refused, run }: Read = NOTHING_READ) {
    const { outlet, options, settle } = flow;
    this.#source = source;
    this.#flow = flow;
    this.#reader = reader;
    this.#refused = refused;
    this.#begun = run;
    this.#choice = new FramingChoice(source, flow.window, options.framing);
    this.#cutter = createCutter('json', readingOf(source, options));
    this.#waits = createWaits(flow.window);
    this.#reporting = new Reporting(source, flow, reader.counter);
    this.#gaps = allowedGaps(outlet, reader);
    this.#isOneByOne = this.#gaps !== 'all' || outlet?.wantsEachKind === true;
    this.#isPlain = outlet === null && settle === undefined && !options.bail && Object.keys(options.rules).length === 0;
  }

  /** See `checkSource`. */
  *run(): Steps<Checked> {
    try {
      yield* this.#checkAll();
      if (this.#flow.sink.stopped) this.#release();
      else yield* this.#passRest();
      return { lines: this.#reporting.lines.line - 1, unread: this.#unread };
    } finally {
      this.#flow.outlet?.end?.();
    }
  }

  *#checkAll(): Steps<void> {
    const window = this.#flow.window;
    const inTheMiddle = window.base > 0;
    yield* this.#choice.read();
    const head = window.bytes.subarray(window.start, window.end);
    const encoding = inTheMiddle ? null : otherEncoding(head);
    const packed = inTheMiddle ? null : packedFormat(head);
    this.#unread = encoding !== null || packed !== null;
    if (encoding !== null) return yield* this.#report(notUtf8(encoding), null, '');
    if (packed !== null) this.#hint(`this is ${packed} data: paylint reads text and gzip only`);
    if (!inTheMiddle && (yield* this.#isLfsPointer())) {
      this.#unread = true;
      return yield* this.#report(lfsPointer(window), null, '');
    }
    const mark = inTheMiddle ? 0 : byteOrderMark(head);
    if (mark > 0 && this.#flow.options.advice === true) this.#hint(MARK);
    window.start = mark;
    this.#reporting.lines.jump(window.base + mark, 0);
    this.#choice.choose();
    this.#compareFraming();
    this.#flow.outlet?.begin?.(this.#choice.framing, this.#reader);
    this.#reader.reset();
    if (this.#choice.framing !== 'lines' || window.start > 0) this.#forgetRun();
    this.#cutter = createCutter(this.#choice.framing, readingOf(this.#source, this.#flow.options));
    return yield* this.#checkEach();
  }

  /** No more is read than the first bytes, unless they are those of a pointer. */
  *#isLfsPointer(): Steps<boolean> {
    const window = this.#flow.window;
    if (window.bytes[window.start] !== LFS_FIRST) return false;
    yield* this.#readTo(window.start + LFS_BYTES);
    return isLfsPointer(window.bytes.subarray(window.start, window.end));
  }

  #hint(text: string): void {
    this.#flow.sink.emit({ type: 'hint', text });
  }

  /** Adds a hint if the content clearly has another framing than its name says. */
  #compareFraming(): void {
    const { other } = this.#choice;
    if (other === null) return;
    this.#hint(`${OTHER_FRAMING[other]}; --input ${other} reads it`);
    if (this.#flow.options.each !== true) this.#reporting.showOnly(SHOWN_OF_OTHER_FRAMING);
  }

  /**
   * The loop over the payloads: a run passes over those that are surely valid; the one at which it stops is cut out,
   * read by itself if the run did not, and else explained and reported.
   */
  *#checkEach(): Steps<void> {
    while (!this.#flow.sink.stopped) {
      const run = yield* this.#run();
      if (run === 'again') continue;
      const cut = this.#cut();
      if (cut === 'end') return;
      if (cut === 'more') {
        yield* this.#readMore();
        continue;
      }
      const span = { start: this.#cutter.start, end: this.#cutter.end };
      if (this.#choice.mayBeStream && this.#choice.endsLines(span)) {
        yield* this.#decideFraming(span);
        continue;
      }
      switch (cut === 'payload' ? this.#read(span, run === 'stopped') : 'unsure') {
        case 'valid':
          yield* this.#pass(span);
          break;
        case 'invalid':
          this.#reporting.invalid(span, this.#index++);
          break;
        case 'unsure':
          if (yield* this.#explain(cut, span)) return;
      }
    }
  }

  /** Passes a payload on that the reader has accepted by itself. */
  *#pass(span: Span): Steps<void> {
    const { inArray } = this.#cutter;
    const index = this.#index;
    const { kind } = this.#accepted(span, 0, inArray);
    if (this.#flow.relater !== undefined)
      yield* this.#reporting.accepted(kind, { index, span, prefix: inArray ? `/${index}` : '' });
    yield* this.#writePending();
  }

  /**
   * Runs the reader from the window's start on, and passes over what it accepts. Stopped: at a payload that it does
   * not accept; null: payloads are not read one after another here; again: the run can go on.
   */
  *#run(): Steps<'stopped' | 'again' | null> {
    const { window } = this.#flow;
    if (this.#reader.isProvisional && this.#hasMany) yield* this.#compile();
    const mode = this.#isOneByOne ? null : this.#cutter.seek(window);
    // The values of elements and of texts in a row are compared payload by payload.
    if (mode === null || (mode !== 'lines' && this.#flow.relater !== undefined)) return null;
    const notes = mode === 'lines' && this.#notesLines;
    const begun = this.#begun;
    this.#begun = null;
    const run = begun ?? this.#reader.run(window, notes ? 'noted' : mode);
    if (run === null) return null;
    yield* this.#passOver(run, { inLines: mode === 'lines', isNoted: notes && begun === null });
    if (run.full || (notes && begun !== null)) {
      if (this.#flow.sink.isDue) yield this.#flow.sink.flush();
      return 'again';
    }
    if (mode === 'lines' || !this.#waits()) return 'stopped';
    yield* this.#readMore(true);
    return 'again';
  }

  /** Cuts out the next payload. */
  #cut(): Cut {
    const { window, outlet, sink, options } = this.#flow;
    const cut = this.#cutter.next(window);
    const { skipped, isSkipping, start } = this.#cutter;
    if (skipped !== null) outlet?.rest?.(skipped, cut === 'more' && isSkipping);
    if (this.#choice.framing === 'json' && cut !== 'end' && cut !== 'more')
      countArray(readingOf(this.#source, options), window, start, sink);
    return cut;
  }

  /** What is certain of the payload in `span`; `wasRead`: by a run, which did not accept it. Invalid: only that is needed. */
  #read(span: Span, wasRead: boolean): EngineVerdict {
    const { start, end } = span;
    const isKnown = wasRead || (this.#refused?.start === start && this.#refused.end === end);
    const needsVerdict = this.#flow.options.verdicts === true && this.#reporting.countsOnly;
    if (this.#reader.explainsAll || (isKnown && !needsVerdict)) return 'unsure';
    const verdict = this.#reader.read(this.#flow.window, span, this.#gaps);
    if (verdict !== 'invalid') return verdict;
    // After a payload that is not well-formed, only the framing `lines` can continue.
    const goesOn = needsVerdict && (this.#choice.framing === 'lines' || this.#reader.isPlain(start, end));
    return goesOn ? 'invalid' : 'unsure';
  }

  /** A run over these payloads begins elsewhere than the one that was made before. */
  #forgetRun(): void {
    if (this.#begun !== null) this.#reader.takeCounts(() => {});
    this.#begun = null;
  }

  /** Whether the payloads from here on are probably worth compiling functions. The first one of a source is not. */
  get #hasMany(): boolean {
    const { bytes, start, end, atEnd } = this.#flow.window;
    const isFirst = this.#index === 0;
    const isOne = isFirst && this.#choice.framing === 'json' && bytes[skipSpace(bytes, start, end)] !== LIST_FIRST;
    return end - start > (isOne ? FIRST.onePayload : FIRST.bytes) || (this.#reader.isOver && !isFirst && !atEnd);
  }

  /** Leaves all further payloads to compiled functions. */
  *#compile(): Steps<void> {
    this.#reader = yield* wait(this.#flow.engine.reader(this.#source.kind));
    this.#reader.reset();
  }

  /**
   * Runs over lines read invalid payloads, too, as far as it is certain from the bytes what is wrong with them. The
   * engine says by what it explains when that is worth it.
   */
  get #notesLines(): boolean {
    if (this.#reader.noted === null || !this.#isPlain) return false;
    if (this.#choice.mayBeStream || this.#reporting.isLimited) return false;
    // What `fill` would insert is not noted.
    return this.#reporting.countsOnly || this.#flow.options.inFile !== true;
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
    if (this.#choice.framing !== 'lines') this.#flow.outlet?.begin?.(this.#choice.framing, this.#reader);
    this.#cutter = createCutter(this.#choice.framing, readingOf(this.#source, this.#flow.options));
  }

  /** Explains and reports what the cutter has cut. Returns whether what follows cannot be read. */
  *#explain(cut: Cut, span: Span): Steps<boolean> {
    const window = this.#flow.window;
    const cutter = this.#cutter;
    const examined = yield* this.#explainCut(cut, span);
    if (examined === null) return false;
    if (this.#flow.options.whole && wantsNoArray(examined) && window.bytes[span.start] === LIST_FIRST)
      this.#hint('--whole makes the array the payload, and the schema wants none; leave out --whole');
    const prefix = cut !== 'fault' && cutter.inArray ? `/${this.#index}` : '';
    const isYaml = !examined.wellFormed && /\.ya?ml(?:\.gz)?$/i.test(this.#source.name);
    const whereCut = cut === 'fault' ? null : { ...span, open: cutter.isSkipping };
    yield* this.#report(isYaml ? inYaml(examined) : examined, whereCut, prefix);
    if (window.isTight) {
      this.#release();
      yield this.#flow.sink.flush();
      window.settle();
    }
    if (this.#flow.sink.stopped || examined.wellFormed || cutter.resyncs) return false;
    // A file that is one payload may hold nothing else.
    const isAtEnd = window.atEnd && span.start === window.end;
    const isOnly =
      this.#choice.framing === 'json' && this.#index === 1 && !cutter.inArray && (whereCut !== null || isAtEnd);
    this.#unread ||= !isOnly;
    return true;
  }

  /** Null: it failed; that is reported, and nothing else is known of the payload. */
  *#explainCut(cut: Cut, span: Span): Steps<Examined | null> {
    const cutter = this.#cutter;
    if (cut === 'too-large') return tooLarge(span.start, this.#flow.options.maxBytes);
    if (cut !== 'payload' && cut !== 'cut-off') {
      // The text there may continue after the end of the window.
      yield* this.#readTo(cutter.start + LOOK_AHEAD);
      return betweenPayloads(cutter, this.#flow.window, this.#flow.options);
    }
    const examined = yield* this.#explainPayload(span);
    const isWhole = cut === 'payload' || examined?.wellFormed !== true;
    return isWhole ? examined : cutOff(span);
  }

  /** Reads until the window reaches index `to`, or the end of the source. Indexes stay valid. */
  *#readTo(to: number): Steps<void> {
    while (this.#flow.window.end < to && (yield* wait(this.#flow.window.ahead())));
  }

  /** Explains a payload. Null: that failed, and is reported. */
  *#explainPayload(span: Span): Steps<Examined | null> {
    const { window, engine, options } = this.#flow;
    // HTML, YAML or CSV is recognised by the text after the payload, which is its first word.
    const isForeign = this.#choice.framing !== 'lines' && isOtherFormat(window, span);
    if (isForeign) yield* this.#readTo(span.end + LOOK_AHEAD);
    const member = isForeign ? bareMember(window, span, options) : null;
    if (member !== null) return member;
    const payload = {
      bytes: window.bytes,
      span,
      lookTo: isForeign ? Math.min(window.end, span.end + LOOK_AHEAD) : span.end,
      base: window.base,
      isElement: this.#cutter.inArray,
      ending: this.#endingOf(span),
      reader: this.#reader,
      place: () => ({ payload: this.#index, line: this.#reporting.lineOf(span) }),
    };
    try {
      return yield* wait(engine.explain(payload, this.#source.kind, this.#reporting.countsOnly));
    } catch (error) {
      if (error instanceof Interrupted) this.#reporting.unfinished(span, this.#index++, error);
      if (!(error instanceof Unexamined)) throw error;
      this.#reporting.fault(span, this.#index++, error.cause);
      return null;
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

  /** Continues where the run stopped. */
  *#passOver(
    { stop, lineFeeds, afterElement }: AcceptRun,
    { inLines, isNoted }: { readonly inLines: boolean; readonly isNoted: boolean },
  ): Steps<void> {
    const window = this.#flow.window;
    const { start } = window;
    const { lines } = this.#reporting;
    const index = this.#index;
    if (this.#choice.mayBeStream) this.#choice.passLines({ start, end: stop });
    const { kind, payloads } = this.#accepted({ start, end: stop }, lineFeeds);
    if (inLines && stop > start) lines.advance(window.bytes, window.base, window.base + start);
    const noted = isNoted ? yield* this.#reportNoted(index) : 0;
    if (this.#flow.relater !== undefined) yield* this.#compare({ start, end: stop }, index, kind);
    else if (inLines && lineFeeds > 0)
      lines.jump(window.base + window.bytes.lastIndexOf(LINE_FEED, stop - 1) + 1, lineFeeds);
    window.start = stop;
    if (payloads + noted > 0) this.#cutter.passed(afterElement);
    yield* this.#writePending();
  }

  /** Passes on the values of accepted payloads on lines, from payload `index` on. `kind`: null: not all have the same. */
  *#compare({ start, end }: Span, index: number, kind: string | null): Steps<void> {
    const { bytes } = this.#flow.window;
    for (let at = start, next = index; at < end; ) {
      const span = lineAt(bytes, at, end);
      at = span.next;
      if (span.start === span.end) continue;
      if (kind === null) this.#reader.read(this.#flow.window, span);
      yield* this.#reporting.accepted(kind ?? this.#reader.takeKind(), { index: next++, span, prefix: '' });
    }
  }

  /** Reports the invalid payloads of the last run, which began at payload `index`. Returns their number. */
  *#reportNoted(index: number): Steps<number> {
    const { window, sink } = this.#flow;
    const { countsOnly, lines } = this.#reporting;
    const source = { file: this.#source.name, window, lines, reader: this.#reader, sink };
    const count = yield* reportNoted(source, index, countsOnly ? null : this.#take);
    this.#index += count;
    return count;
  }

  /** Reports the accepted payloads in `span`. Returns their number and their kind; null: not all have the same. */
  #accepted(span: Span, lineFeeds: number, isElement = false) {
    let payloads = 0;
    const kinds: string[] = [];
    this.#reader.takeCounts((kind, count) => {
      payloads += count;
      kinds.push(kind);
      this.#flow.sink.emit({ type: 'accepted', kind, count });
    });
    const [kind = null] = kinds.length === 1 ? kinds : [];
    const index = this.#index;
    this.#index += payloads;
    const { outlet } = this.#flow;
    if (outlet === null) this.#reader.dropGaps();
    else {
      const prefix = isElement ? `/${index}` : '';
      const acceptor = this.#reader;
      const placeOf = this.#reporting.placesFrom(span);
      this.#pending = outlet.accepted({ span, payloads, lineFeeds, kind, acceptor, index, prefix, placeOf });
    }
    return { payloads, kind };
  }

  /** Writes the rest of the output of accepted payloads, in steps. */
  *#writePending(): Steps<void> {
    if (this.#pending === undefined) return;
    for (const _ of this.#pending) yield this.#flow.sink.flush();
    this.#pending = undefined;
  }

  *#report(examined: Examined, span: CutSpan | null, prefix: string): Steps<void> {
    yield* this.#reporting.report(examined, { index: this.#index++, span, prefix });
  }
}

/** Whether the payload itself has a type that the schema, or the test of the kinds, does not want. */
function wantsNoArray({ findings: [first] }: Examined): boolean {
  return first?.pointer === '' && (first.rule === 'type' || first.rule === 'unknown-kind');
}

/** What an outlet needs of the gaps of accepted payloads decides which of these can be accepted. */
function allowedGaps(outlet: CheckContext['outlet'], { exactPaths }: Acceptor): AllowedGaps {
  if (outlet === null) return 'all';
  if (!exactPaths) return 'none';
  return outlet.wantsEachEdit ? 'placed' : 'all';
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
