/**
 * One source through the flow: bytes to payloads, payloads to verdicts, verdicts to violations with lines and columns.
 *
 * A small source whose payloads are all accepted is done here. The code for all others is loaded on demand.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import type { FirstLook } from '../engines/first-payloads.ts';
import type { Source } from '../types.ts';
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
  const first = await firstLook(source, flow);
  if (first?.kind != null) {
    flow.sink.accepted?.(first.kind, 1);
    return 0;
  }
  const acceptor = first?.acceptor ?? (await flow.engines.acceptor(source.kind));
  if (flow.window.base === 0 && flow.outlet === null && acceptsAll(source, flow, acceptor)) {
    acceptor.takeCounts((kind, payloads) => flow.sink.accepted?.(kind, payloads));
    acceptor.dropGaps();
    return 0;
  }
  const { SourceCheck } = await import('./source.ts');
  return runSteps(new SourceCheck(source, flow, acceptor).run());
}

/** The result for the payload of a source with one payload, if it is one of the first payloads of the run; else null. */
async function firstLook(
  source: Source,
  { engines, outlet, window, options, sink }: Flow,
): Promise<FirstLook | null> {
  const isJson = (options.framing ?? source.framing) === 'json';
  if (engines.first === undefined || !isJson || outlet !== null || window.base > 0) return null;
  const reading = readingOf(source, options);
  const span = wholeSpan(window, reading);
  const look = span === null ? null : await engines.first(window.bytes, span, source.kind);
  if (span !== null && look?.kind != null) countArray(reading, window, span.start, sink);
  return look;
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
