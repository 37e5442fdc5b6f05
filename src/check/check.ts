/**
 * One source through the flow: bytes to payloads, payloads to verdicts, verdicts to violations with lines and columns.
 *
 * A small source whose payloads are all accepted is done here. The code for all others is loaded on demand.
 */
import type { Acceptor } from '../accept/acceptor.ts';
import { FIRST, type FirstPayloads } from '../engines/supply.ts';
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
  const { engines, sink, window, outlet } = flow;
  const first = await firstPayloads(source, flow);
  const acceptor = first?.acceptor ?? (await engines.acceptor(source.kind));
  if (first === null && window.base === 0 && outlet === null && acceptsAll(source, flow, acceptor)) {
    acceptor.takeCounts((kind, payloads) => sink.accepted?.(kind, payloads));
    acceptor.dropGaps();
    return 0;
  }
  const { SourceCheck } = await import('./source.ts');
  return runSteps(new SourceCheck(source, flow, acceptor, first).run());
}

/** Null: functions for many payloads are compiled, or the source has enough payloads for them. */
async function firstPayloads(source: Source, flow: Flow): Promise<FirstPayloads | null> {
  const { engines, outlet, window, options } = flow;
  if (engines.first === undefined || outlet !== null || window.base > 0) return null;
  const isJson = (options.framing ?? source.framing) === 'json';
  // Before it is read, a JSON file is probably one payload.
  const isOne = isJson && (window.end === 0 || wholeSpan(window, readingOf(source, options)) !== null);
  if ((window.size ?? 0) > (isOne ? FIRST.onePayload : FIRST.bytes)) return null;
  const first = await engines.first();
  return first?.isOver === false ? first : null;
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
