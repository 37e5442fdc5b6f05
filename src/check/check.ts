/**
 * One source through the flow: bytes to payloads, payloads to verdicts, verdicts to violations with lines and columns.
 *
 * A small source whose payloads are all accepted is done here. The code for all others is loaded on demand.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import type { FirstPayloads } from '../engines/first-payloads.ts';
import { FEW_BYTES, SHORT } from '../engines/first-sizes.ts';
import type { Source, Span } from '../types.ts';
import type { Flow } from './flow.ts';
import { acceptWhole, countArray, readingOf, wholeSpan } from './reading.ts';
import { runSteps } from './steps.ts';

/**
 * Checks all payloads of `source`, whose bytes the window reads. If the window does not begin at the source's first
 * byte, it checks the lines from there on. Violations come in the order of their places; payloads and lines are counted
 * from the beginning of the window. Resolves to the number of line feeds read. Throws errors of the reader and the
 * sink; violations found before are reported.
 */
export async function checkSource(source: Source, flow: Flow): Promise<number> {
  const { engines, sink, window, outlet } = flow;
  const first = await firstPayloads(source, flow);
  const kind = first === null ? null : firstLook(first, source, flow);
  if (kind !== null) {
    sink.accepted?.(kind, 1);
    return 0;
  }
  const scanner = first?.scanner ?? null;
  const acceptor = scanner ?? (await engines.acceptor(source.kind));
  if (scanner === null && window.base === 0 && outlet === null && acceptsAll(source, flow, acceptor)) {
    acceptor.takeCounts((accepted, payloads) => sink.accepted?.(accepted, payloads));
    acceptor.dropGaps();
    return 0;
  }
  const { SourceCheck } = await import('./source.ts');
  return runSteps(new SourceCheck(source, flow, acceptor, scanner && first).run());
}

/** Null: functions for many payloads are compiled, or the source has enough payloads for them. */
async function firstPayloads(source: Source, flow: Flow): Promise<FirstPayloads | null> {
  const { engines, outlet, window } = flow;
  if (engines.first === undefined || outlet !== null || window.base > 0) return null;
  // Before it is read, a JSON file is probably one payload.
  const isOne = isJson(source, flow) && (window.end === 0 || spanOfOne(source, flow) !== null);
  if ((window.size ?? 0) > (isOne ? SHORT : FEW_BYTES)) return null;
  const first = await engines.first();
  return first.isOver ? null : first;
}

function isJson(source: Source, { options }: Flow): boolean {
  return (options.framing ?? source.framing) === 'json';
}

/** Null: the source is not surely one payload, or is not all in the window. */
function spanOfOne(source: Source, { window, options }: Flow): Span | null {
  return wholeSpan(window, readingOf(source, options));
}

/** The kind of a source that is one payload; null: it is not, or not surely valid. */
function firstLook(first: FirstPayloads, source: Source, flow: Flow): string | null {
  const { window, options, sink } = flow;
  const span = isJson(source, flow) ? spanOfOne(source, flow) : null;
  const kind = span && first.look(window.bytes, span, source.kind);
  if (span !== null && kind !== null) countArray(readingOf(source, options), window, span.start, sink);
  return kind;
}

/** True if all of a small source is in the window and all its payloads are accepted. */
function acceptsAll(source: Source, { window, options, sink }: Flow, acceptor: Acceptor): boolean {
  const framing = options.framing ?? source.framing;
  if (framing === 'json') {
    const reading = readingOf(source, options);
    const span = acceptWhole(window, acceptor, reading, 'all');
    if (span !== null) countArray(reading, window, span.start, sink);
    return span !== null;
  }
  if (framing !== 'lines' || !window.atEnd) return false;
  acceptor.reset();
  if (acceptor.run(window, 'lines')?.stop === window.end) return true;
  // The check of the whole source counts them again.
  acceptor.takeCounts(() => {});
  return false;
}
