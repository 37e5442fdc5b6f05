/**
 * One source through the flow: bytes to payloads, payloads to findings, findings to violations with lines and columns.
 */

import type { Acceptor, AcceptRun } from './accept/acceptor.ts';
import {
  builtin,
  type Examined,
  type Examiner,
  syntaxFinding,
  syntaxFindingAtEnd,
} from './examine/examine.ts';
import { type Cutter, type CutterOptions, createCutter } from './input/framing.ts';
import { judgeFraming } from './input/judge-framing.ts';
import type { Window } from './input/window.ts';
import { LineTracker, type Place } from './json/lines.ts';
import { byteOrderMark, otherEncoding } from './json/utf8.ts';
import type { Excerpt, Finding, Framing, Source, Span, Violation } from './types.ts';

export interface CheckOptions extends CutterOptions {
  /** Over what names and content say. */
  readonly framing: Framing | null;
  readonly redact: boolean;
  /** Code frames are wanted. */
  readonly excerpts: boolean;
}

/** What the engines are: the fast one, and the true one, made when it is first needed. */
export interface Engines {
  /** For payloads of a forced kind, or (null) of those that the door tells apart. */
  readonly acceptor: (forced: string | null) => Acceptor;
  readonly examiner: () => Promise<Examiner>;
}

/** What becomes of the results. The flow waits for `flush` between windows, so that memory stays bounded. */
export interface CheckSink {
  violation(violation: Violation, excerpt: Excerpt | null): void;
  /** A payload was examined; `kind` null where it is of none. Answers whether to go on. */
  payload(kind: string | null, valid: boolean): boolean;
  /** So many payloads of a kind were accepted, and are valid. */
  accepted(kind: string, payloads: number): void;
  flush(): Promise<void>;
}

/** Bytes by whose look the framing is judged, and the encoding. */
const HEAD_BYTES = 64 << 10;
const MARK_BYTES = 4;

/**
 * Checks all payloads of `source`, whose bytes `window` reads; or, where the window does not begin with the source's first byte,
 * the lines from there on. Violations come in the order of their places, payloads and lines counted from where the window
 * begins. Resolves to the line feeds passed. Throws what the reader and the sink throw; what was found before stands.
 */
export async function checkSource(
  source: Source,
  window: Window,
  engines: Engines,
  options: CheckOptions,
  sink: CheckSink,
): Promise<number> {
  const acceptor = engines.acceptor(source.kind);
  const inTheMiddle = window.base > 0;
  const named = inTheMiddle ? 'lines' : (options.framing ?? source.framing);
  await fill(window, named === null ? HEAD_BYTES : MARK_BYTES);
  const head = window.bytes.subarray(window.start, window.end);
  const mark = inTheMiddle ? 0 : byteOrderMark(head);
  const lines = new LineTracker(window.base + mark, acceptor.counter);
  const edge = new Edge(source, window, lines, options, sink);
  const encoding = inTheMiddle ? null : otherEncoding(head);
  if (encoding !== null) {
    edge.report(notUtf8(encoding), 0, false);
    return 0;
  }
  window.start = mark;
  const framing = named ?? judgeFraming(head.subarray(mark), window.atEnd);
  const cutter = createCutter(framing, options);
  acceptor.reset();
  for (let index = 0; ; ) {
    const mode = cutter.seek(window);
    const run = mode === null ? null : acceptor.run(window, mode);
    if (run !== null) index += edge.passOver(run, mode === 'lines', cutter, acceptor);
    const cut = cutter.next(window);
    if (cut === 'end') break;
    if (cut === 'more') {
      edge.letGo();
      await sink.flush();
      await window.more();
      continue;
    }
    let examined: Examined;
    if (cut === 'payload') {
      const span = { start: cutter.start, end: cutter.end };
      if (run === null && acceptor.one(window, span.start, span.end)) {
        index += edge.takeCounts(acceptor);
        continue;
      }
      const payload = {
        bytes: window.bytes,
        span,
        base: window.base,
        ending: endingOf(framing, window, span),
      };
      examined = (await engines.examiner()).examine(payload, source.kind);
    } else examined = cutFinding(cut, cutter, window, options);
    const goOn = edge.report(examined, index++, cut !== 'fault' && cutter.inArray);
    if (!goOn || (!examined.wellFormed && !cutter.resyncs)) break;
  }
  edge.letGo();
  return lines.line - 1;
}

/** Reads until so many bytes are at hand, or all there are. */
async function fill(window: Window, bytes: number): Promise<void> {
  while (window.end - window.start < bytes && (await window.more()));
}

/** What stands where a payload ends, for the words of a syntax error there. */
function endingOf(framing: Framing, window: Window, span: Span): 'text' | 'line' | 'last line' {
  if (framing !== 'lines') return 'text';
  const last = window.atEnd && window.bytes.subarray(span.end, window.end).indexOf(0x0a) < 0;
  return last ? 'last line' : 'line';
}

/** What is wrong where the cutter could cut no payload. */
function cutFinding(
  cut: 'too-large' | 'fault',
  cutter: Cutter,
  window: Window,
  options: CheckOptions,
): Examined {
  const { start } = cutter;
  if (cut === 'too-large') {
    const limit = options.maxBytes;
    const message = `this payload is larger than ${limit} bytes; --max-payload-bytes sets the limit`;
    const finding = builtin('payload-too-large', { start, end: start + 1 }, message, { limit });
    return { kind: null, findings: [finding], wellFormed: true };
  }
  const finding =
    start < window.end
      ? syntaxFinding(window.bytes, start, cutter.expected, options.redact)
      : syntaxFindingAtEnd(start, cutter.expected, 'text');
  return { kind: null, findings: [finding], wellFormed: false };
}

function notUtf8(encoding: string): Examined {
  const message = `this is ${encoding} from byte offset 0 on, and payloads are UTF-8; iconv -f ${encoding} -t UTF-8 converts it`;
  const finding = builtin('json-encoding', { start: 0, end: 1 }, message, { encoding });
  return { kind: null, findings: [finding], wellFormed: false };
}

/** Where bytes become lines: findings in, violations out. */
class Edge {
  readonly #source: Source;
  readonly #window: Window;
  readonly #lines: LineTracker;
  readonly #options: CheckOptions;
  readonly #sink: CheckSink;

  constructor(source: Source, window: Window, lines: LineTracker, options: CheckOptions, sink: CheckSink) {
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
      this.letGo();
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
    return total;
  }

  /** Reports a payload; answers whether to go on. `element`: its pointers begin with its index. */
  report(examined: Examined, index: number, element: boolean): boolean {
    const { kind, findings } = examined;
    if (findings.length > 0) this.#violations(kind, findings, index, element ? `/${index}` : '');
    return this.#sink.payload(kind, findings.length === 0);
  }

  #violations(kind: string | null, findings: readonly Finding[], index: number, prefix: string): void {
    const { bytes, base } = this.#window;
    const offsets = new Set<number>();
    for (const { span, params } of findings) {
      offsets.add(base + span.start).add(base + span.end);
      if (isSpan(params.first)) offsets.add(base + params.first.start);
    }
    const places = this.#lines.places(
      bytes,
      base,
      [...offsets].sort((a, b) => a - b),
    );
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
      const wanted = this.#options.excerpts && !this.#options.redact;
      this.#sink.violation(
        violation,
        wanted ? excerptAt(this.#window, finding.span.start, start.column) : null,
      );
    }
  }
}

function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'start' in value && 'end' in value;
}

/** Bytes of the line that an excerpt shows before and after the place. */
const BEFORE = 480;
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
