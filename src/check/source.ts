/**
 * Checks all payloads of one source: its framing and encoding, then payload by payload to verdicts, violations and the
 * outlet, in bounded memory.
 */
import type { Acceptor, AcceptRun, AllowedGaps, Verdict } from '../accept/acceptor.ts';
import { Unexamined } from '../errors.ts';
import type { Identity } from '../examine/advice/identity.ts';
import type { Examined } from '../examine/examine.ts';
import { NO_FILLS } from '../examine/fill-table.ts';
import { type Findings, lastStart, SLICE } from '../examine/lists.ts';
import {
  beginsWithLines,
  detectFraming,
  framingAfterLines,
  HEAD_BYTES,
  isFullObject,
  plainlyOther,
  settledFraming,
} from '../input/detect-framing.ts';
import { environmentFault } from '../input/environment.ts';
import { type Cutter, createCutter } from '../input/framing.ts';
import type { Window } from '../input/window.ts';
import { LineTracker, type Place } from '../json/lines.ts';
import { packedFormat } from '../json/packed.ts';
import { scan } from '../json/scan.ts';
import { skipSpace } from '../json/space.ts';
import { LOOK_AHEAD, LOOK_BACK } from '../json/syntax-cause.ts';
import { byteOrderMark, otherEncoding } from '../json/utf8.ts';
import type { CheckedPayload, Outlet } from '../outlet/outlet.ts';
import type { Finding, Framing, Source, Span } from '../types.ts';
import { isOtherEncoding } from '../words/facts.ts';
import { Budget } from './budget.ts';
import { betweenPayloads, notUtf8, tooLarge } from './cut-findings.ts';
import { excerptOf, readExcerpt } from './excerpt.ts';
import { Fixes } from './fixes.ts';
import type { Flow } from './flow.ts';
import { type Judged, judged } from './judged.ts';
import { passNoted } from './noted-lines.ts';
import type { PayloadFault, Sink } from './sink.ts';
import { SlicePlaces } from './slice-places.ts';
import { inFileOf, offsetsOf, type PayloadPlace, violationOf } from './violations.ts';
import { acceptWhole } from './whole.ts';

/** Number of bytes by which the encoding is detected. */
const MARK_BYTES = 4;

/** Violations shown if the content clearly has another framing than its name says; the others are only counted. */
const SHOWN_OF_OTHER_FRAMING = 2;

const LINE_FEED = 0x0a;

function withoutMark(head: Buffer): Buffer {
  return head.subarray(byteOrderMark(head));
}

/** The place of a payload; `open`: it continues, but is too large for the window. */
type CutSpan = Span & { readonly open: boolean };

/** What is reported of a payload. */
interface Shown<List = Findings> {
  readonly findings: List;
  readonly place: PayloadPlace;
  readonly places: SlicePlaces;
  /** Null if no report shows the violations in the bytes of the file. */
  readonly fixes: Fixes | null;
}

/** Owns the window, the cutter and the lines of one source. */
export class SourceCheck {
  readonly #source: Source;
  readonly #flow: Flow;
  readonly #window: Window;
  readonly #sink: Sink;
  readonly #outlet: Outlet | null;
  readonly #acceptor: Acceptor;
  #lines: LineTracker;
  readonly #budget: Budget;
  #framing: Framing = 'json';
  /** All lines so far hold one text each, and later ones may show that the framing is stream. */
  #mayBeStream = false;
  /** Violations that may still be shown, if the content clearly has another framing; null: all. */
  #shownLeft: number | null = null;
  /** Index of the next payload. */
  #index = 0;

  /** `acceptor`: for the source's kind. */
  constructor(source: Source, flow: Flow, acceptor: Acceptor) {
    this.#source = source;
    this.#flow = flow;
    this.#window = flow.window;
    this.#sink = flow.sink;
    this.#outlet = flow.outlet;
    this.#acceptor = acceptor;
    this.#budget = new Budget(flow.options.budget);
    this.#lines = new LineTracker(flow.window.base, acceptor.counter);
  }

  /** See `checkSource`. */
  async run(): Promise<number> {
    try {
      if (await this.#checkAll()) await this.#passRest();
      else this.#release();
      return this.#lines.line - 1;
    } finally {
      this.#outlet?.end();
    }
  }

  /** Returns whether the run continues. */
  async #checkAll(): Promise<boolean> {
    const window = this.#window;
    const inTheMiddle = window.base > 0;
    const named = inTheMiddle ? 'lines' : (this.#flow.options.framing ?? this.#source.framing);
    const compares = named !== null && !inTheMiddle && this.#flow.options.framing === null && window.hasSize;
    await this.#readMark();
    if (named === null) await this.#readHead();
    else if (compares) await this.#readAhead(HEAD_BYTES);
    const head = window.bytes.subarray(window.start, window.end);
    const encoding = inTheMiddle ? null : otherEncoding(head);
    if (encoding !== null) return this.#report(notUtf8(encoding), null, '');
    const packed = inTheMiddle ? null : packedFormat(head);
    if (packed !== null) this.#sink.note(`this is ${packed} data: paylint reads text and gzip only`);
    const mark = inTheMiddle ? 0 : byteOrderMark(head);
    window.start = mark;
    this.#lines = new LineTracker(window.base + mark, this.#acceptor.counter);
    // The framing is detected by the same bytes, whatever the chunks.
    const isComplete = window.atEnd && head.length <= HEAD_BYTES;
    this.#framing = named ?? this.#detect(head.subarray(mark, HEAD_BYTES), isComplete);
    if (compares) this.#compareFraming(named, isComplete);
    this.#outlet?.begin(this.#framing, this.#acceptor);
    return this.#checkEach();
  }

  #detect(head: Buffer, isComplete: boolean): Framing {
    this.#mayBeStream = settledFraming(head) === null && beginsWithLines(head);
    return this.#mayBeStream ? 'lines' : detectFraming(head, isComplete);
  }

  /**
   * Adds a note if the content clearly has another framing than its name says: then all its violations have that cause.
   */
  #compareFraming(named: Framing, isComplete: boolean): void {
    const { bytes, start, end } = this.#window;
    const head = bytes.subarray(start, Math.min(end, start + HEAD_BYTES));
    const other = plainlyOther(named, head, isComplete);
    if (other === null) return;
    this.#sink.note(`${OTHER_FRAMING[other]}; --input ${other} reads it`);
    if (this.#flow.options.each !== true) this.#shownLeft = SHOWN_OF_OTHER_FRAMING;
  }

  /** Checks payload by payload. Returns whether the run continues. */
  async #checkEach(): Promise<boolean> {
    const window = this.#window;
    const acceptor = this.#acceptor;
    const { options } = this.#flow;
    let cutter = createCutter(this.#framing, options);
    acceptor.reset();
    const outlet = this.#outlet;
    const gaps = this.#allowedGaps;
    const oneByOne = gaps !== 'all' || outlet?.wantsEachKind === true;
    const whole = this.#framing === 'json' ? acceptWhole(window, acceptor, options, gaps) : null;
    if (whole !== null) {
      this.#accepted(whole, 0);
      window.start = window.end;
      return true;
    }
    for (;;) {
      const mode = oneByOne ? null : cutter.seek(window);
      const run = mode === null ? null : acceptor.run(window, mode);
      if (run !== null) this.#passOver(run, mode === 'lines', cutter);
      if (run?.full) continue;
      if (run !== null && mode === 'lines' && (await this.#passNoted())) continue;
      const cut = cutter.next(window);
      if (cutter.skipped !== null) outlet?.rest(cutter.skipped, cut === 'more' && cutter.isSkipping);
      if (cut === 'end') return true;
      if (cut === 'more') {
        this.#release();
        await this.#sink.flush();
        await window.more();
        continue;
      }
      const span = { start: cutter.start, end: cutter.end };
      if (this.#mayBeStream && (await this.#decidesFraming(span))) {
        cutter = createCutter(this.#framing, options);
        continue;
      }
      if (cut === 'payload' && run === null && acceptor.one(window, span.start, span.end, gaps)) {
        this.#accepted(span, 0, cutter.inArray);
        continue;
      }
      const verdict = cut === 'payload' ? this.#verdictOn(span) : 'unsure';
      if (verdict === 'valid') this.#accepted(span, 0, cutter.inArray);
      if (verdict === 'invalid' && !this.#unexamined(span)) return false;
      if (verdict !== 'unsure') continue;
      const examined =
        cut === 'payload'
          ? await this.#examine(span, cutter.inArray)
          : cut === 'too-large'
            ? tooLarge(span.start, options.maxBytes)
            : await this.#examineBetween(cutter);
      // The fault is reported; nothing else is known of the payload.
      if (examined === 'stop') return false;
      if (examined === 'next') continue;
      const prefix = cut !== 'fault' && cutter.inArray ? `/${this.#index}` : '';
      const whereCut = cut === 'fault' ? null : { ...span, open: cutter.isSkipping };
      const goOn = await this.#report(examined, whereCut, prefix);
      if (window.isTight) {
        this.#release();
        await this.#sink.flush();
        window.settle();
      }
      if (!goOn) return false;
      if (!examined.wellFormed && !cutter.resyncs) return true;
    }
  }

  get #allowedGaps(): AllowedGaps {
    if (this.#outlet === null) return 'all';
    if (!this.#acceptor.exactPaths) return 'none';
    return this.#outlet.wantsEachEdit ? 'placed' : 'all';
  }

  /** Unsure unless a verdict is all that is needed of the payload in `span`, and what follows it does not depend on more. */
  #verdictOn({ start, end }: Span): Verdict {
    if (this.#flow.options.verdicts !== true || !this.#hides) return 'unsure';
    const verdict = this.#acceptor.verdict(this.#window, start, end);
    // After a payload that is not well-formed, only lines go on.
    const goesOn = verdict === 'valid' || this.#framing === 'lines' || this.#acceptor.isPlain(start, end);
    return goesOn ? verdict : 'unsure';
  }

  /** Takes a payload that is invalid, whatever its violations. Returns whether to continue. */
  #unexamined(span: Span): boolean {
    const judged = { index: this.#index++, kind: null, valid: false, fills: NO_FILLS, prefix: '' };
    this.#tell({ ...span, open: false }, judged);
    return this.#sink.payload(null, false);
  }

  /** Reads the bytes that show the encoding: two are enough if both are ASCII. */
  async #readMark(): Promise<void> {
    const window = this.#window;
    const isAscii = (index: number): boolean => window.bytes[index]! > 0 && window.bytes[index]! < 0x80;
    const shows = ({ start, end }: Span): boolean =>
      end - start >= MARK_BYTES || (end - start >= 2 && isAscii(start) && isAscii(start + 1));
    while (!shows(window) && (await window.more()));
  }

  /** The same, up to a failure of the source: the payloads before it are still checked. */
  async #readAhead(bytes: number): Promise<void> {
    while (this.#window.end - this.#window.start < bytes && (await this.#window.ahead()));
  }

  /** Reads until the window reaches index `to`, or the end of the source. Indexes stay valid. */
  async #readTo(to: number): Promise<void> {
    while (this.#window.end < to && (await this.#window.ahead()));
  }

  /** Reads ahead to detect the framing: no more than needed, because the source may be slow. */
  async #readHead(): Promise<void> {
    const window = this.#window;
    for (let seen = window.start; ; ) {
      const { bytes, start, end } = window;
      const hasLine = bytes.subarray(seen, end).includes(LINE_FEED);
      seen = end;
      if (end - start >= HEAD_BYTES || window.atEnd) return;
      const head = withoutMark(bytes.subarray(start, end));
      if (hasLine && (settledFraming(head) !== null || beginsWithLines(head))) return;
      if (!(await window.ahead())) return;
    }
  }

  /**
   * The first lines held one text each, and now comes the one in `span`. Returns true if it does not hold one: then the framing is decided, and
   * the line must be cut again.
   */
  async #decidesFraming({ start, end }: Span): Promise<boolean> {
    const window = this.#window;
    const left = HEAD_BYTES - (window.base + start);
    const isLine = scan(window.bytes, start, end, Number.POSITIVE_INFINITY).fault === null;
    this.#mayBeStream = left > 0 && isLine && !isFullObject(window.bytes, start, end);
    if (left <= 0 || isLine) return false;
    window.start = start;
    this.#release();
    await this.#sink.flush();
    window.settle();
    this.#framing = await this.#readOddLine(left);
    // Nothing waits to be written, so the window can still grow.
    while (window.isTight && (await window.ahead()));
    // An outlet that passes lines through keeps what is before the text.
    if (this.#framing !== 'lines') this.#outlet?.begin(this.#framing, this.#acceptor);
    return true;
  }

  /** The framing by the next `most` bytes, of which no more are read than needed. */
  async #readOddLine(most: number): Promise<Framing> {
    const window = this.#window;
    for (;;) {
      const { bytes, start, end } = window;
      const rest = bytes.subarray(start, Math.min(end, start + most));
      const isWhole = window.atEnd && end - start <= most;
      const framing = framingAfterLines(rest, isWhole);
      if (framing !== null) return framing;
      if (isWhole || rest.length === most) return 'stream';
      if (!(await window.ahead()) && !window.atEnd) return 'stream';
    }
  }

  /** The lines in `span` hold one text each. An object with members among them says that all are lines. */
  #passLines({ start, end }: Span): void {
    const { bytes, base } = this.#window;
    const to = Math.min(end, HEAD_BYTES - base);
    for (let at = start; at < to; ) {
      at = skipSpace(bytes, at, to);
      const lineEnd = bytes.indexOf(LINE_FEED, at);
      if (at < to && isFullObject(bytes, at, end)) {
        this.#mayBeStream = false;
        return;
      }
      if (lineEnd < 0) return;
      at = lineEnd + 1;
    }
  }

  async #examineBetween(cutter: Cutter): Promise<Examined> {
    const window = this.#window;
    // The text there may continue after the end of the window.
    await this.#readTo(cutter.start + LOOK_AHEAD);
    return betweenPayloads(cutter, window, this.#flow.options);
  }

  /**
   * Examines the payload in `span`; `isElement`: of a top-level array. If that fails, reports it and returns whether to
   * continue.
   */
  async #examine(span: Span, isElement: boolean): Promise<Examined | 'next' | 'stop'> {
    const window = this.#window;
    const { engines } = this.#flow;
    const isUtf8 = this.#acceptor.isUtf8(window, span.end);
    const { bytes } = window;
    const notes = await engines.notes(this.#source.kind);
    const noted = notes?.take({ bytes, span, hides: this.#hides, isUtf8 }) ?? null;
    if (noted !== null) return noted;
    // HTML, YAML or CSV is recognised by the text after the payload, which is its first word.
    const isForeign = this.#framing !== 'lines' && isOtherFormat(window, span);
    if (isForeign) await this.#readTo(span.end + LOOK_AHEAD);
    const payload = {
      bytes: window.bytes,
      span,
      lookTo: isForeign ? Math.min(window.end, span.end + LOOK_AHEAD) : span.end,
      base: window.base,
      isElement,
      ending: this.#endingOf(span),
      isPlain: () => this.#acceptor.isPlain(span.start, span.end),
    };
    try {
      return await engines.examine(payload, this.#source.kind, this.#hides);
    } catch (error) {
      if (!(error instanceof Unexamined)) throw error;
      const place = this.#placesOf([span.start]).get(span.start)!; // requested above
      const words = wordsForFault(error.cause, this.#flow.options.redact);
      const index = this.#index++;
      this.#tell({ ...span, open: false }, { index, kind: null, valid: false, fills: NO_FILLS, prefix: '' });
      const goOn = this.#sink.fault({ payload: index, line: place.line, ...words });
      return goOn ? 'next' : 'stop';
    }
  }

  /** What follows a payload, for the message of a syntax error there. */
  #endingOf({ end }: Span): 'text' | 'line' | 'last line' {
    if (this.#framing !== 'lines') return 'text';
    const { bytes, atEnd, end: windowEnd } = this.#window;
    const isLast = atEnd && bytes.subarray(end, windowEnd).indexOf(0x0a) < 0;
    return isLast ? 'last line' : 'line';
  }

  /** The window will drop the bytes before its start. */
  #release(): void {
    const { bytes, base, start } = this.#window;
    this.#lines.advance(bytes, base, base + start);
    this.#outlet?.release();
  }

  /** After the last payload: passes the rest of the source through, if the outlet wants it. */
  async #passRest(): Promise<void> {
    this.#release();
    if (this.#outlet?.wantsRest !== true) return;
    do {
      this.#window.start = this.#window.end;
      this.#outlet.release();
      await this.#sink.flush();
    } while (await this.#window.more());
  }

  /** Continues where the acceptor stopped. */
  #passOver({ stop, lineFeeds, afterElement }: AcceptRun, inLines: boolean, cutter: Cutter): void {
    const window = this.#window;
    const { start } = window;
    if (this.#mayBeStream) this.#passLines({ start, end: stop });
    const payloads = this.#accepted({ start, end: stop }, lineFeeds);
    if (inLines && lineFeeds > 0) {
      this.#lines.advance(window.bytes, window.base, window.base + start);
      this.#lines.jump(window.base + window.bytes.lastIndexOf(0x0a, stop - 1) + 1, lineFeeds);
    }
    window.start = stop;
    if (payloads > 0) cutter.passed(afterElement);
  }

  /**
   * Reads lines from the window's start on, valid and invalid, as far as it is certain from the bytes what is wrong with them. Returns whether it
   * has read any.
   */
  async #passNoted(): Promise<boolean> {
    const { options, engines, window, sink } = this.#flow;
    const hides = this.#hides;
    const isTaken = hides || sink.noted !== undefined;
    const isPlain = this.#outlet === null && !options.bail && Object.keys(options.rules).length === 0;
    if (!isTaken || !isPlain || this.#mayBeStream || this.#shownLeft !== null) return false;
    const notes = engines.notes(this.#source.kind);
    const taker = notes instanceof Promise ? await notes : notes;
    if (taker === null) return false;
    const { counter } = this.#acceptor;
    const source = { file: this.#source.name, window, lines: this.#lines, counter, sink };
    const payloads = passNoted(taker, source, this.#index, hides);
    this.#index += payloads;
    return payloads > 0;
  }

  /** Reports the payloads in `span`, which the acceptor accepted. Returns their number. */
  #accepted(span: Span, lineFeeds: number, isElement = false): number {
    let payloads = 0;
    let kinds = 0;
    let first: string | null = null;
    this.#acceptor.takeCounts((kind, count) => {
      payloads += count;
      if (kinds++ === 0) first = kind;
      this.#sink.accepted(kind, count);
    });
    const index = this.#index;
    this.#index += payloads;
    if (this.#outlet === null) this.#acceptor.dropGaps();
    else {
      const run = { payloads, lineFeeds, kind: kinds === 1 ? first : null, acceptor: this.#acceptor };
      const prefix = isElement ? `/${index}` : '';
      this.#outlet.accepted({ ...run, span, index, prefix, placesOf: this.#placesFrom(span) });
    }
    return payloads;
  }

  get #hides(): boolean {
    return this.#budget.hidesAfter(0);
  }

  get #wantsExcerpts(): boolean {
    const { excerpts, redact } = this.#flow.options;
    return excerpts && !redact && this.#budget.left > 0;
  }

  get #wantsPlacesInFile(): boolean {
    return this.#flow.options.inFile === true && this.#window.hasOwnBytes && this.#budget.left > 0;
  }

  /**
   * Reports a payload, many violations in slices. Returns whether to continue. `span`: null if the violations belong to
   * no payload; `prefix`: the beginning of its pointers.
   */
  async #report(examined: Examined, span: CutSpan | null, prefix: string): Promise<boolean> {
    const { kind, fills, identity = null } = examined;
    const { options } = this.#flow;
    const index = this.#index++;
    const reported = judged(examined, options);
    let { valid } = reported;
    const findings = this.#shown(this.#withoutHidden(reported));
    const last = Math.max(findings.length === 0 ? -1 : lastStart(findings), identity?.span.start ?? -1);
    if (last >= 0 && this.#wantsExcerpts) await readExcerpt(this.#window, last);
    const { bytes, base } = this.#window;
    const start = span?.start ?? findings.slice(0, 1)[0]?.span.start;
    if (start !== undefined && last >= 0) this.#lines.advance(bytes, base, base + start);
    const reject = span === null || valid ? null : (this.#outlet?.rejects ?? null);
    const place = {
      file: this.#source.name,
      payload: index,
      kind,
      prefix,
      base,
      reject,
      rules: options.rules,
    };
    // While filling, `fills` fix what is no longer found.
    const left = options.outlet?.type === 'fill' ? NO_FILLS : fills;
    const fixes = this.#wantsPlacesInFile ? new Fixes(findings, left) : null;
    const shown = { findings, place, places: new SlicePlaces(this.#lines), fixes };
    const before = identity === null ? findings.length : countBefore(findings, identity.span.start);
    await this.#violationsIn(shown, 0, before);
    if (identity !== null && this.#claim(identity, valid, place)) valid = false;
    await this.#violationsIn(shown, before, findings.length);
    if (span !== null) this.#tell(span, { index, kind, valid, fills, prefix });
    return this.#sink.payload(kind, valid);
  }

  /** The findings that may be shown. The others are only counted. */
  #shown(findings: Findings): Findings {
    if (this.#shownLeft === null) return findings;
    const count = Math.min(findings.length, this.#shownLeft);
    this.#shownLeft -= count;
    const shown = findings.slice(0, count);
    let i = 0;
    for (const violation of findings) if (i++ >= count) this.#sink.hidden(violation);
    return shown;
  }

  /** Passes a payload that was checked by itself to the outlet. */
  #tell(
    { start, end, open }: CutSpan,
    judged: Pick<CheckedPayload, 'index' | 'kind' | 'valid' | 'fills' | 'prefix'>,
  ): void {
    const span = { start, end };
    this.#outlet?.payload({ ...judged, span, open, placesOf: this.#placesFrom(span) });
  }

  /** Passes on violations that are only counted. Returns the rest. */
  #withoutHidden({ findings, hidden }: Judged): Findings {
    for (const [violation, count] of hidden.counts ?? []) this.#sink.hidden(violation, count);
    if (hidden.counts === undefined) for (const violation of hidden) this.#sink.hidden(violation);
    if (findings.length === 0 || !this.#hides) return findings;
    for (const violation of findings) this.#sink.hidden(violation);
    return [];
  }

  /** Reports findings with indexes in [from, to). The texts of all violations of a payload could be larger than memory. */
  async #violationsIn({ findings, ...shown }: Shown, from: number, to: number): Promise<void> {
    for (let at = from; at < to; at += SLICE) {
      if (at > from && to === findings.length && this.#hides && findings.countedFrom !== undefined) {
        for (const [hidden, count] of findings.countedFrom(at)) this.#sink.hidden(hidden, count);
        return;
      }
      this.#violations({ ...shown, findings: findings.slice(at, Math.min(to, at + SLICE)) });
      if (to - at > SLICE) await this.#sink.flush();
    }
  }

  #violations({ findings, place, places: slices, fixes }: Shown<readonly Finding[]>): void {
    const { bytes, base } = this.#window;
    const fills = fixes === null ? [] : findings.map((finding) => fixes.of(finding));
    const next = base + (findings.at(-1)?.span.start ?? 0);
    const places = slices.of(offsetsOf(findings, base, fills.flat()), bytes, base, next);
    for (const [i, finding] of findings.entries()) {
      const violation = violationOf(finding, place, places);
      // Bytes of another encoding make no readable line.
      const wanted = this.#wantsExcerpts && !isOtherEncoding(finding);
      const excerpt = wanted ? excerptOf(finding, this.#window, violation.column) : null;
      const inFile = fixes === null ? undefined : inFileOf(finding, fills[i]!, base, places);
      this.#sink.violation(violation, excerpt, inFile);
    }
  }

  /** Reports whose payload it is. Returns whether that is known to be an error. */
  #claim(identity: Identity, valid: boolean, place: PayloadPlace): boolean {
    const { span, id, content, text } = identity;
    const { payload, kind, prefix, base } = place;
    const places = this.#placesOf([span.start, span.end]);
    const { line, column } = places.get(span.start)!; // requested above
    const endColumn = places.get(span.end)!.column;
    const claim = {
      ...{ id, content, text, valid, payload, kind, line, column, endColumn },
      offset: base + span.start,
      pointer: `${prefix}/@id`,
      excerpt: this.#wantsExcerpts ? excerptOf({ span }, this.#window, column) : null,
      ...(this.#wantsPlacesInFile ? { inFile: { byteLength: span.end - span.start, insertions: [] } } : {}),
    };
    return this.#sink.claim?.(claim) ?? false;
  }

  /** Gives lines and columns of indexes in a payload, ascending. No place before it is asked for afterwards. */
  #placesFrom({ start }: Span): CheckedPayload['placesOf'] {
    let last: LineTracker | null = null;
    return (indexes) => {
      const { bytes, base } = this.#window;
      this.#lines.advance(bytes, base, base + start);
      last ??= this.#lines.fork();
      const offsets = indexes.map((index) => base + index);
      const places = last.fork().places(bytes, base, offsets);
      last.advance(bytes, base, offsets.at(-1) ?? base + start);
      return new Map(indexes.map((index) => [index, places.get(base + index)!])); // all were requested
    };
  }

  /** Lines and columns of indexes into the window, ascending. */
  #placesOf(indexes: readonly number[]): Map<number, Place> {
    const { bytes, base } = this.#window;
    const offsets = indexes.map((index) => base + index);
    const places = this.#lines.fork().places(bytes, base, offsets);
    return new Map(indexes.map((index) => [index, places.get(base + index)!])); // all were requested
  }
}

/** How many of the findings, which are in order, begin at `start` or before. */
function countBefore(findings: Findings, start: number): number {
  let count = 0;
  for (const { span } of findings) {
    if (span.start > start) break;
    count++;
  }
  return count;
}

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
  return !/^(?:["{[]|-?\d|(?:true|false|null)$)/.test(
    bytes.toString('latin1', start, Math.min(end, start + 6)),
  );
}

/** Messages of errors can quote payload text. With `redact`, only the places in paylint's code remain. */
function wordsForFault(error: unknown, redact: boolean): Pick<PayloadFault, 'message' | 'stack'> {
  const limit = environmentFault(error);
  if (limit !== null) return { message: limit, stack: null };
  const thrown = error instanceof Error ? error : new Error(String(error));
  const stack = thrown.stack ?? thrown.message;
  if (!redact) return { message: thrown.message, stack };
  const places = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { message: null, stack: places.join('\n') };
}
