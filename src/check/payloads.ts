/**
 * All payloads of a source, whatever it is: its framing and encoding, then payload by payload to verdicts and violations.
 */

import type { Acceptor } from '../accept/acceptor.ts';
import { Unexamined } from '../errors.ts';
import type { Examined } from '../examine/examine.ts';
import { builtin, syntaxFinding, syntaxFindingAtEnd } from '../examine/findings.ts';
import { Transcript } from '../fill/transcript.ts';
import { detectFraming } from '../input/detect-framing.ts';
import { type Cutter, createCutter } from '../input/framing.ts';
import type { Window } from '../input/window.ts';
import { LineTracker } from '../json/lines.ts';
import { byteOrderMark, firstInvalidUtf8, otherEncoding } from '../json/utf8.ts';
import type { Finding, Framing, Source, Span } from '../types.ts';
import type { CheckOptions, CheckSink, Engines } from './check.ts';
import { Edge } from './edge.ts';
import { acceptWhole } from './whole.ts';

/** Bytes by whose look the framing is judged, and the encoding. */
const HEAD_BYTES = 64 << 10;
const MARK_BYTES = 4;

/** As `checkSource`, with the acceptor for the kind of the source. */
export async function checkPayloads(
  source: Source,
  window: Window,
  acceptor: Acceptor,
  engines: Engines,
  options: CheckOptions,
  sink: CheckSink,
): Promise<number> {
  const transcript = sink.transcript === null ? null : new Transcript(window, sink.transcript);
  const inTheMiddle = window.base > 0;
  const named = inTheMiddle ? 'lines' : (options.framing ?? source.framing);
  await fill(window, named === null ? HEAD_BYTES : MARK_BYTES);
  const head = window.bytes.subarray(window.start, window.end);
  const mark = inTheMiddle ? 0 : byteOrderMark(head);
  const lines = new LineTracker(window.base + mark, acceptor.counter);
  const edge = new Edge(source, window, lines, options, sink, transcript);
  const encoding = inTheMiddle ? null : otherEncoding(head);
  try {
    if (encoding !== null) await edge.report(notUtf8(encoding), 0, false);
    else {
      window.start = mark;
      // However the bytes come in, it is judged by the same ones.
      const complete = window.atEnd && head.length <= HEAD_BYTES;
      const framing = named ?? detectFraming(head.subarray(mark, HEAD_BYTES), complete);
      const goOn = await checkEach(source, window, framing, acceptor, engines, edge, options, sink);
      if (!goOn) {
        edge.letGo();
        return lines.line - 1;
      }
    }
    await edge.passRest();
    return lines.line - 1;
  } finally {
    transcript?.end();
  }
}

/** Payload by payload, in bounded memory; answers whether the run goes on. */
async function checkEach(
  source: Source,
  window: Window,
  framing: Framing,
  acceptor: Acceptor,
  engines: Engines,
  edge: Edge,
  options: CheckOptions,
  sink: CheckSink,
): Promise<boolean> {
  const cutter = createCutter(framing, options);
  acceptor.reset();
  // Where fills are wanted one by one, with their pointers, only a payload that lacks nothing can be accepted.
  const oneByOne = sink.transcript !== null && (sink.transcript.wantsFills || !acceptor.exactPaths);
  if (framing === 'json' && acceptWhole(window, acceptor, options, oneByOne)) {
    edge.takeCounts(acceptor);
    window.start = window.end;
    return true;
  }
  for (let index = 0; ; ) {
    const mode = oneByOne ? null : cutter.seek(window);
    const run = mode === null ? null : acceptor.run(window, mode);
    if (run !== null) index += edge.passOver(run, mode === 'lines', cutter, acceptor);
    if (run?.full) continue;
    const cut = cutter.next(window);
    if (cut === 'end') return true;
    if (cut === 'more') {
      edge.letGo();
      await sink.flush();
      await window.more();
      continue;
    }
    let examined: Examined;
    if (cut === 'payload') {
      const span = { start: cutter.start, end: cutter.end };
      if (run === null && acceptor.one(window, span.start, span.end, oneByOne)) {
        index += edge.takeCounts(acceptor);
        continue;
      }
      const payload = {
        bytes: window.bytes,
        span,
        base: window.base,
        ending: endingOf(framing, window, span),
        isPlain: () => acceptor.isPlain(span.start, span.end),
      };
      try {
        examined = await engines.examine(payload, source.kind, edge.hides);
      } catch (error) {
        if (!(error instanceof Unexamined)) throw error;
        if (!edge.fault(error.cause, span, index++)) return false;
        continue;
      }
    } else {
      // The character at a fault may go on beyond the window.
      if (cut === 'fault') while (window.end < cutter.start + CHARACTER_BYTES && (await window.ahead()));
      examined = cutFinding(cut, cutter, window, options);
    }
    await edge.lookAhead(examined);
    const goOn = await edge.report(examined, index++, cut !== 'fault' && cutter.inArray);
    if (window.isTight) {
      edge.letGo();
      await sink.flush();
      window.settle();
    }
    if (!goOn) return false;
    if (!examined.wellFormed && !cutter.resyncs) return true;
  }
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
    return { kind: null, findings: [finding], hidden: [], fills: [], wellFormed: true };
  }
  const finding = faultFinding(cutter, window, options);
  const another = cutter.expected === 'the end' && OPENING.has(window.bytes[start]!);
  const hint = another ? '; --input lines and --input stream read one text after another' : '';
  return {
    kind: null,
    findings: [{ ...finding, message: finding.message + hint }],
    hidden: [],
    fills: [],
    wellFormed: false,
  };
}

/** Most bytes that a character has. */
const CHARACTER_BYTES = 4;

function faultFinding({ start, expected }: Cutter, window: Window, { redact }: CheckOptions): Finding {
  const { bytes, base, end } = window;
  if (start === end) return syntaxFindingAtEnd(start, expected, 'text');
  if (firstInvalidUtf8(bytes, start, Math.min(end, start + CHARACTER_BYTES)) !== start)
    return syntaxFinding(bytes, start, expected, 'text', redact);
  const subject = redact ? 'the byte' : `the byte 0x${bytes.toString('hex', start, start + 1).toUpperCase()}`;
  const message = `${subject} at byte offset ${base + start} is not UTF-8`;
  return builtin('json-encoding', { start, end: start + 1 }, message, {});
}

/** `{` and `[`: what begins another text, as in NDJSON that is called .json. */
const OPENING = new Set([0x7b, 0x5b]);

function notUtf8(encoding: string): Examined {
  const message = `this is ${encoding} from byte offset 0 on, and payloads are UTF-8; iconv -f ${encoding} -t UTF-8 converts it`;
  const finding = builtin('json-encoding', { start: 0, end: 1 }, message, { encoding });
  return { kind: null, findings: [finding], hidden: [], fills: [], wellFormed: false };
}
