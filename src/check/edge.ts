/**
 * The edge of the flow, where bytes become lines: findings in, violations with lines and columns out.
 */
import type { Acceptor, AcceptRun } from '../accept/acceptor.ts';
import type { Examined } from '../examine/examine.ts';
import type { Transcript } from '../fill/transcript.ts';
import { environmentFault } from '../input/environment.ts';
import type { Cutter } from '../input/framing.ts';
import { KEPT_BYTES, type Window } from '../input/window.ts';
import type { LineTracker, Place } from '../json/lines.ts';
import { byteOrderMark } from '../json/utf8.ts';
import type { Excerpt, Fill, Finding, Source, Span, Violation } from '../types.ts';
import type { CheckOptions, CheckSink, PayloadFault } from './check.ts';

export class Edge {
  readonly #source: Source;
  readonly #window: Window;
  readonly #lines: LineTracker;
  readonly #options: CheckOptions;
  readonly #sink: CheckSink;
  readonly #transcript: Transcript | null;

  constructor(
    source: Source,
    window: Window,
    lines: LineTracker,
    options: CheckOptions,
    sink: CheckSink,
    transcript: Transcript | null,
  ) {
    this.#transcript = transcript;
    this.#source = source;
    this.#window = window;
    this.#lines = lines;
    this.#options = options;
    this.#sink = sink;
  }

  /** The window is about to drop what is before its start. */
  letGo(): void {
    const { bytes, base, start } = this.#window;
    this.#lines.advance(bytes, base, base + start);
    this.#transcript?.copy(start);
  }

  /** The payloads are done: what the source has beyond them goes through as it is. */
  async passRest(): Promise<void> {
    this.letGo();
    const transcript = this.#transcript;
    if (transcript === null) return;
    do {
      this.#window.start = this.#window.end;
      transcript.copy(this.#window.end);
      await this.#sink.flush();
    } while (await this.#window.more());
  }

  /** Takes over where the acceptor stopped; answers how many payloads it accepted. */
  passOver(
    { stop, lineFeeds, behindElement }: AcceptRun,
    inLines: boolean,
    cutter: Cutter,
    acceptor: Acceptor,
  ): number {
    const window = this.#window;
    const payloads = this.takeCounts(acceptor);
    if (inLines && lineFeeds > 0) {
      this.#lines.advance(window.bytes, window.base, window.base + window.start);
      this.#lines.jump(window.base + window.bytes.lastIndexOf(0x0a, stop - 1) + 1, lineFeeds);
    }
    window.start = stop;
    if (payloads > 0) cutter.passed(behindElement);
    return payloads;
  }

  takeCounts(acceptor: Acceptor): number {
    let total = 0;
    acceptor.takeCounts((kind, payloads) => {
      total += payloads;
      this.#sink.accepted(kind, payloads);
    });
    if (this.#transcript === null) acceptor.dropNotes();
    else this.#transcript.takeNotes(acceptor);
    return total;
  }

  /** Reads on until all is at hand that excerpts show: they are the same however the bytes come in. */
  async lookAhead({ findings }: Examined): Promise<void> {
    if (findings.length === 0 || !this.#wantsExcerpts) return;
    const window = this.#window;
    const start = findings.reduce((last, { span }) => Math.max(last, span.start), 0);
    while (window.end <= start + AFTER && window.bytes.subarray(start, window.end).indexOf(0x0a) < 0) {
      if (!(await window.ahead())) break;
    }
  }

  get #wantsExcerpts(): boolean {
    const { excerpts, redact } = this.#options;
    return excerpts && !redact && this.#shows;
  }

  /** True while violations are still shown: all that come later in the sources will not be, once they are not. */
  get #shows(): boolean {
    const { shownLeft } = this.#options;
    return shownLeft === undefined || Atomics.load(shownLeft, 0) > 0;
  }

  /** Of violations from here on nothing is wanted but their number, by rule. */
  get hides(): boolean {
    return this.#options.countsOthers && !this.#shows;
  }

  /** Reports a payload, many violations in slices; answers whether to go on. `element`: its pointers begin with its index. */
  async report(examined: Examined, index: number, element: boolean): Promise<boolean> {
    const { kind, hidden, fills } = examined;
    const findings = this.#hide(examined);
    const prefix = element ? `/${index}` : '';
    const transcript = this.#transcript;
    // What all of a payload's violations take as text grows with the payload, and can be more than memory.
    let from = 0;
    for (; findings.length - from > SLICE; from += SLICE) {
      const slice = findings.slice(from, from + SLICE);
      // A duplicate refers back, so each slice is placed from the same beginning on.
      this.#violations(kind, slice, index, prefix, this.#places(slice, [], this.#lines.fork()));
      await this.#sink.flush();
    }
    if (findings.length + fills.length > 0) {
      const rest = findings.slice(from);
      const places = this.#places(rest, transcript?.wantsFills ? fills : [], this.#lines);
      this.#violations(kind, rest, index, prefix, places);
      if (transcript !== null) this.#fills(transcript, fills, index, prefix, places);
    }
    return this.#sink.payload(kind, examined.findings.length + hidden.length === 0);
  }

  /** Reports that `error` was thrown while the payload in `span` was examined; answers whether to go on. */
  fault(error: unknown, span: Span, payload: number): boolean {
    const { base } = this.#window;
    const place = this.#lines.places(this.#window.bytes, base, [base + span.start]).get(base + span.start)!; // it was asked for
    return this.#sink.fault({ payload, line: place.line, ...wordsForFault(error, this.#options.redact) });
  }

  /** Hands on what is only counted; answers with the rest. */
  #hide({ findings, hidden }: Examined): readonly Finding[] {
    for (const violation of hidden) this.#sink.hidden(violation);
    if (findings.length === 0 || !this.hides) return findings;
    for (const violation of findings) this.#sink.hidden(violation);
    return [];
  }

  /** Where everything stands that is to be reported of a payload, by offset. */
  #places(
    findings: readonly Finding[],
    fills: readonly Fill[],
    lines: LineTracker,
  ): ReadonlyMap<number, Place> {
    const { bytes, base } = this.#window;
    const offsets = new Set<number>();
    for (const { span, params } of findings) {
      offsets.add(base + span.start).add(base + span.end);
      if (isSpan(params.first)) offsets.add(base + params.first.start);
    }
    for (const { at } of fills) offsets.add(base + at);
    const sorted = [...offsets].sort((a, b) => a - b);
    return lines.places(bytes, base, sorted);
  }

  #fills(
    transcript: Transcript,
    fills: readonly Fill[],
    payload: number,
    prefix: string,
    places: ReadonlyMap<number, Place>,
  ): void {
    for (const { at, text, members } of fills) {
      transcript.insert(
        at,
        text,
        members.map(({ pattern }) => pattern),
      );
      if (!transcript.wantsFills) continue;
      const offset = this.#window.base + at;
      const { line, column } = places.get(offset)!; // all were asked for
      for (const member of members) {
        const value: unknown = JSON.parse(member.text);
        const pointer = prefix + member.pointer;
        this.#sink.transcript?.fill({
          file: this.#source.name,
          payload,
          line,
          column,
          offset,
          pointer,
          value,
        });
      }
    }
  }

  #violations(
    kind: string | null,
    findings: readonly Finding[],
    index: number,
    prefix: string,
    places: ReadonlyMap<number, Place>,
  ): void {
    const { base } = this.#window;
    const placeOf = (index: number): Place => places.get(base + index)!; // all were asked for
    for (const finding of findings) {
      const start = placeOf(finding.span.start);
      // A byte that is no UTF-8 has no code units to count: it is shown as one character, and takes one column.
      const spoiled = finding.rule === 'json-encoding';
      const end = spoiled ? { ...start, column: start.column + 1 } : placeOf(finding.span.end);
      const { first } = finding.params;
      const violation: Violation = {
        file: this.#source.name,
        payload: index,
        line: start.line,
        column: start.column,
        endLine: end.line,
        endColumn: end.column,
        offset: base + finding.span.start,
        kind,
        pointer: prefix + finding.pointer,
        rule: finding.rule,
        message: finding.message,
        params: isSpan(first)
          ? { first: { ...placeOf(first.start), offset: base + first.start } }
          : finding.params,
        schema: finding.schema,
        fixable: finding.fixable,
        ...(finding.suggestion === null ? {} : { suggestion: finding.suggestion }),
      };
      // Bytes of another encoding look like nothing that anyone has written.
      const shows = finding.params.encoding === undefined;
      const wanted = this.#wantsExcerpts && shows;
      this.#sink.violation(
        violation,
        wanted ? excerptAt(this.#window, finding.span.start, start.column) : null,
      );
    }
  }
}

/** Violations that are reported at once. */
const SLICE = 10_000;

/** Messages of errors can quote what they are about: under `redact` only the places in paylint's code remain. */
function wordsForFault(error: unknown, redact: boolean): Pick<PayloadFault, 'message' | 'stack'> {
  const limit = environmentFault(error);
  if (limit !== null) return { message: limit, stack: null };
  const thrown = error instanceof Error ? error : new Error(String(error));
  const stack = thrown.stack ?? thrown.message;
  if (!redact) return { message: thrown.message, stack };
  const places = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return { message: null, stack: places.join('\n') };
}

function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'start' in value && 'end' in value;
}

/** Bytes of the line that an excerpt shows before and after the place. */
const BEFORE = KEPT_BYTES;
const AFTER = 960;

/** The line around index `at` of the window, which has `column`. */
function excerptAt(window: Window, at: number, column: number): Excerpt {
  const { bytes } = window;
  const lowest = Math.min(at, window.base === 0 ? byteOrderMark(bytes) : 0);
  let from = Math.max(lowest, at - BEFORE);
  const lineFeed = bytes.subarray(from, at).lastIndexOf(0x0a);
  if (lineFeed >= 0) from += lineFeed + 1;
  else while (from < at && isContinuation(bytes[from]!)) from++;
  let to = Math.min(window.end, at + AFTER);
  const next = bytes.subarray(at, to).indexOf(0x0a);
  if (next >= 0) to = at + next;
  else while (to < window.end && to > at && isContinuation(bytes[to]!)) to--;
  const before = bytes.toString('utf8', from, at).length;
  return {
    text: bytes.toString('utf8', from, to).replace(/\r$/, ''),
    column: column - before,
    cutBefore: column > before + 1,
    cutAfter: next < 0 && to < window.end,
  };
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
