/**
 * One source through the flow: bytes to payloads, payloads to verdicts, verdicts to violations with lines and columns.
 *
 * A small source whose payloads are all accepted is done here. The code for all others is loaded on demand.
 */
import type { Acceptor } from '../../engine/compile/acceptor.ts';
import type { FirstPayloads } from '../../engine/first.ts';
import { FIRST } from '../../engine/supply.ts';
import type { Source, Span } from '../../types.ts';
import { type CheckContext, type Checked, countArray, type Read, readingOf, runSteps, wholeSpan } from './flow.ts';

/**
 * Checks all payloads of `source`, whose bytes the window reads. If the window does not begin at the source's first
 * byte, it checks the lines from there on. Violations come in the order of their places; payloads and lines are counted
 * from the beginning of the window. Throws errors of the reader and the
 * sink; violations found before are reported.
 */
export async function checkSource(source: Source, flow: CheckContext): Promise<Checked> {
  const { engines, sink, window, outlet } = flow;
  const first = await firstPayloads(source, flow);
  if (first !== null && isValidFirst(first, source, flow)) return ALL_VALID;
  const acceptor = first?.payloads.acceptor ?? (await engines.acceptor(source.kind));
  const isAsked = first === null && window.base === 0 && outlet === null;
  const read = isAsked ? acceptAll(source, flow, acceptor) : NOTHING_READ;
  if (read === null) {
    acceptor.takeCounts((kind, payloads) => sink.accepted?.(kind, payloads));
    acceptor.dropGaps();
    return ALL_VALID;
  }
  const { SourceCheck } = await import('./source.ts');
  return runSteps(new SourceCheck(source, flow, acceptor, { ...read, first: first?.payloads ?? null }).run());
}

interface First {
  readonly payloads: FirstPayloads;
  /** The one payload of the source; null: it is not surely one, or is not all in the window. */
  readonly span: Span | null;
}

/** Null: functions for many payloads are compiled, or the source has enough payloads for them. */
async function firstPayloads(source: Source, flow: CheckContext): Promise<First | null> {
  const { engines, outlet, window, options } = flow;
  if (engines.first === undefined || outlet !== null || window.base > 0) return null;
  const isJson = (options.framing ?? source.framing) === 'json';
  const span = isJson ? wholeSpan(window, readingOf(source, options)) : null;
  // Before it is read, a JSON file is probably one payload.
  const isOne = span !== null || (isJson && window.end === 0);
  if ((window.size ?? 0) > (isOne ? FIRST.onePayload : FIRST.bytes)) return null;
  const payloads = await engines.first();
  return payloads?.isOver === false ? { payloads, span } : null;
}

/** True for a source with one payload that is surely valid. */
function isValidFirst({ payloads, span }: First, source: Source, { window, options, sink }: CheckContext): boolean {
  const kind = span && payloads.take(window.bytes, span, source.kind);
  if (span === null || kind === null) return false;
  countArray(readingOf(source, options), window, span.start, sink);
  sink.accepted?.(kind, 1);
  return true;
}

const ALL_VALID: Checked = { lines: 0, unread: false };
const NOTHING_READ: Read = { refused: null, run: null };

/** Null if all of a small source is in the window and all its payloads are accepted. */
function acceptAll(source: Source, { window, options, sink }: CheckContext, acceptor: Acceptor): Read | null {
  const framing = options.framing ?? source.framing;
  if (framing === 'json') {
    const reading = readingOf(source, options);
    const span = wholeSpan(window, reading);
    if (span === null || !acceptor.one(window, span.start, span.end)) return { refused: span, run: null };
    countArray(reading, window, span.start, sink);
    return null;
  }
  if (framing !== 'lines' || !window.atEnd) return NOTHING_READ;
  acceptor.reset();
  const run = acceptor.run(window, 'lines');
  return run?.stop === window.end ? null : { refused: null, run };
}
